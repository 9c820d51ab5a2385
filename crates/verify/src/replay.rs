//! Runs that were written down, replayed on a model: the same one, or one that was changed since.
//!
//! A format says what a written state is in its model, and whether a written step leads from one state to another; then a run is
//! followed state by state, and the first step that does not fit is named. Of a run that fits, the validators of the format say whether
//! it still shows the verdict, where a single run can show it. Cost: one look at each step.

use crate::check::read;
use crate::claim_along::{Along, Facts, is_end, speaks_of_ends};
use crate::written_claim::{computed, written_claim};
use crate::{Halt, Logic, Model, Parameter, Property, PropertyId, Request, Steps};
use serde_json::{Map, Value};
use tertium_evidence::{Claim, Evidence, PropertyName, Support, Trace, value_of};
use tertium_logic::{Formula, as_claim, is_boolean};
use tertium_report::{
    Message, MisfitReport, PathReport, ReplayEntry, ReplayReport, StateReport, StepReport, WrittenProperty,
    WrittenRun, WrittenRuns,
};
use tertium_support::{Context, Diagnostics, Id, Source, nearest_names};
use tertium_truth::Kleene;

/// Models on which written runs can be replayed, and new ones made.
pub trait OffersRuns {
    /// The steps from states, to make runs of.
    fn steps<'m>(&'m self) -> Box<dyn Steps + 'm>;

    /// Follows a run; `begins` says whether its first state must be initial. Gives what does not fit.
    fn follow(
        &self,
        context: &Context,
        trace: &WrittenTrace<'_>,
        begins: bool,
    ) -> Result<Option<Misfit>, Halt>;

    /// Whether evidence whose runs fit shows that a property holds, or that it fails, and if not, why.
    fn shows(
        &self,
        context: &Context,
        property: PropertyId,
        holds: bool,
        evidence: &WrittenEvidence<'_>,
    ) -> Result<Result<(), String>, Halt>;
}

/// A run as it was written.
pub type WrittenTrace<'w> = Trace<&'w StateReport, &'w StepReport>;

/// A run, or a tree of claims, as it was written.
pub type WrittenEvidence<'w> = Evidence<&'w StateReport, &'w StepReport>;

/// Where a run does not fit, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The number of the step, from 1; 0 for the state where the run begins.
    pub step: usize,
    /// The reason.
    pub why: String,
}

/// What a format says about written states and steps. Reasons say why something is not so.
pub(crate) trait Rereads {
    /// A state of the model.
    type State;
    /// A step of the model.
    type Step;

    /// The state that is meant.
    fn state(&self, written: &StateReport) -> Result<Self::State, String>;
    /// Whether the model can begin there.
    fn begins(&self, state: &Self::State) -> Result<(), String>;
    /// The step that is meant, if it leads from one state to the other.
    fn step(&self, from: &Self::State, step: &StepReport, to: &Self::State) -> Result<Self::Step, String>;
}

/// Something in the model, or what does not fit.
pub(crate) type Retraced<T> = Result<T, Misfit>;

type Run<R> = Trace<<R as Rereads>::State, <R as Rereads>::Step>;
type Tree<R> = Claim<<R as Rereads>::State, <R as Rereads>::Step>;
type Shown<R> = Evidence<<R as Rereads>::State, <R as Rereads>::Step>;

/// Follows a run step by step.
pub(crate) fn reread<R: Rereads>(
    context: &Context,
    model: &R,
    written: &WrittenTrace<'_>,
    begins: bool,
) -> Result<Retraced<Run<R>>, Halt> {
    debug_assert!(written.is_well_formed(), "what is read back has the shape of a path");
    let misfit = |step: usize, why: String| Ok(Err(Misfit { step, why }));
    let first = match model.state(written.states[0]) {
        Ok(first) => first,
        Err(why) => return misfit(0, why),
    };
    if let (true, Err(why)) = (begins, model.begins(&first)) {
        return misfit(0, why);
    }
    let mut trace = Trace::at(first);
    for (at, step) in written.steps.iter().enumerate() {
        context.poll()?;
        let closes = written.loop_start.filter(|_| at + 1 == written.states.len());
        let taken = match closes {
            Some(start) => model.step(&trace.states[at], step, &trace.states[start]),
            None => match model.state(written.states[at + 1]) {
                Ok(next) => {
                    trace.states.push(next);
                    model.step(&trace.states[at], step, &trace.states[at + 1])
                }
                Err(why) => Err(why),
            },
        };
        match taken {
            Ok(taken) => trace.steps.push(taken),
            Err(why) => return misfit(at + 1, why),
        }
    }
    trace.loop_start = written.loop_start;
    debug_assert!(trace.is_well_formed());
    Ok(Ok(trace))
}

/// Follows all runs of a piece of evidence; the first begins where the model does.
pub(crate) fn reread_evidence<R: Rereads>(
    context: &Context,
    model: &R,
    written: &WrittenEvidence<'_>,
) -> Result<Retraced<Shown<R>>, Halt> {
    Ok(match written {
        Evidence::Trace(trace) => reread(context, model, trace, true)?.map(Evidence::Trace),
        Evidence::Tree(claim) => reread_claim(context, model, claim)?.map(Evidence::Tree),
        _ => return Err(Halt::Bug("only paths and trees of claims are read back".to_owned())),
    })
}

fn reread_claim<R: Rereads>(
    context: &Context,
    model: &R,
    written: &Claim<&StateReport, &StepReport>,
) -> Result<Retraced<Tree<R>>, Halt> {
    let state = match model.state(written.state) {
        Ok(state) => state,
        Err(why) => return Ok(Err(Misfit { step: 0, why })),
    };
    let support = match &written.support {
        Support::Here => Support::Here,
        Support::AllPaths => Support::AllPaths,
        Support::Omitted => Support::Omitted,
        Support::Parts(parts) => {
            let mut own = Vec::with_capacity(parts.len());
            for part in parts {
                match reread_claim(context, model, part)? {
                    Ok(part) => own.push(part),
                    Err(misfit) => return Ok(Err(misfit)),
                }
            }
            Support::Parts(own)
        }
        Support::Path { trace, at } => {
            let trace = match reread(context, model, trace, false)? {
                Ok(trace) => trace,
                Err(misfit) => return Ok(Err(misfit)),
            };
            let mut along = Vec::with_capacity(at.len());
            for (place, claim) in at {
                match reread_claim(context, model, claim)? {
                    Ok(claim) => along.push((*place, claim)),
                    Err(misfit) => return Ok(Err(misfit)),
                }
            }
            Support::Path { trace, at: along }
        }
    };
    Ok(Ok(Claim { formula: written.formula.clone(), state, support }))
}

/// A name that was written and is none of the model's. Cost: a look for each name of the model; more only if there is one.
pub(crate) fn stranger<'w>(written: &'w Map<String, Value>, own: &[impl AsRef<str>]) -> Option<&'w String> {
    let is_known = |name: &str| own.iter().any(|own| own.as_ref() == name);
    let all_are_known =
        written.len() == own.len() && own.iter().all(|name| written.contains_key(name.as_ref()));
    if all_are_known { None } else { written.keys().find(|name| !is_known(name)) }
}

/// How written runs went.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The record; whoever ends the run sets its exit status.
    pub report: ReplayReport,
    /// What is suspicious about the model.
    pub warnings: Option<(Source, Diagnostics)>,
}

/// Replays the runs of a file called `run`: of the properties with these names, or all.
pub fn replay(
    request: &Request<'_>,
    run: &str,
    written: &WrittenRuns,
    names: &[String],
) -> Result<Replayed, Halt> {
    let chosen = choose(run, written, names)?;
    if chosen.iter().all(|entry| entry.runs.is_err()) {
        let why = match chosen.as_slice() {
            [] => "it has no results".to_owned(),
            [only] => only.runs.as_ref().err().cloned().unwrap_or_default(),
            _ => "no property has a trace, a lasso or a tree as evidence".to_owned(),
        };
        return Err(Halt::Refused(format!("{run} has no run to replay: {why}")));
    }
    let format = request.tables.formats.find(request.path, &request.input.bytes)?;
    let mut read_options = request.read.clone();
    read_options.modal |= written.modal && format.modal;
    // What is set now counts more than what was set then.
    let is_set = |name: &String| request.read.parameters.iter().any(|own| own.name == *name);
    let kept = written.set.iter().filter(|(name, _)| format.has_parameters && !is_set(name));
    read_options.parameters.extend(kept.map(|(name, value)| Parameter {
        name: name.clone(),
        value: value.clone(),
        written: format!("{name}={value} of {run}"),
    }));
    let (mut model, warnings) = read(&Request { read: &read_options, ..*request })?;
    let mut results = Vec::new();
    for entry in chosen {
        results.push(replayed(request.context, model.as_mut(), entry)?);
    }
    let messages = warnings.iter().map(|warning| Message::located(model.source(), warning)).collect();
    let report = ReplayReport::new(request.input.name.clone(), run.to_owned(), results, messages);
    let warnings = (!warnings.is_empty()).then(|| (model.source().clone(), warnings));
    Ok(Replayed { report, warnings })
}

fn choose<'w>(run: &str, written: &'w WrittenRuns, names: &[String]) -> Result<Vec<&'w WrittenRun>, Halt> {
    let known = || written.entries.iter().map(|entry| entry.name.as_str());
    if let Some(name) = names.iter().find(|name| known().all(|other| other != name.as_str())) {
        let near = nearest_names(name, known());
        let advice =
            if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(" or ")) };
        return Err(Halt::Refused(format!("{run} has no property called `{name}`{advice}")));
    }
    let entries = written.entries.iter();
    Ok(entries.filter(|entry| names.is_empty() || names.contains(&entry.name)).collect())
}

fn replayed(context: &Context, model: &mut dyn Model, entry: &WrittenRun) -> Result<ReplayEntry, Halt> {
    let verdict = entry.property.as_ref().and_then(|property| property.verdict);
    let mut report = ReplayEntry {
        property: entry.name.clone(),
        verdict,
        outcome: "nothing",
        steps: 0,
        shows: None,
        reason: None,
        misfit: None,
        counted: "step",
    };
    let paths = match &entry.runs {
        Ok(paths) => paths,
        Err(why) => {
            report.reason = Some(why.clone());
            return Ok(report);
        }
    };
    for (n, path) in paths.iter().enumerate() {
        if let Some(Misfit { step, why }) = runs(model)?.follow(context, &path.written(), n == 0)? {
            report.outcome = "differs";
            report.steps += step.saturating_sub(1);
            report.reason = Some(why);
            report.misfit = Some(MisfitReport::new(path, step));
            return Ok(report);
        }
        report.steps += path.steps.len();
    }
    report.outcome = "fits";
    if let (Some(property), Some(holds)) = (&entry.property, verdict) {
        match judge(context, model, entry, property, holds, &paths[0])? {
            Ok(shown) => {
                report.shows = Some(shown.is_ok());
                report.reason = shown.err();
            }
            Err(why) => {
                report.reason = Some(format!("whether the property is still {holds} was not judged: {why}"));
            }
        }
    }
    Ok(report)
}

fn runs(model: &dyn Model) -> Result<&dyn OffersRuns, Halt> {
    let file = model.source().name();
    model.runs().ok_or_else(|| Halt::Refused(format!("runs cannot be replayed on {file}")))
}

/// Whether what was written shows the verdict; or why that is not judged.
fn judge(
    context: &Context,
    model: &mut dyn Model,
    entry: &WrittenRun,
    property: &WrittenProperty,
    holds: bool,
    path: &PathReport,
) -> Result<Result<Result<(), String>, String>, Halt> {
    let id = match meant(model, &entry.name, property) {
        Some(id) => id,
        None => return Ok(Err("the model has no such property, and cannot read its formula".to_owned())),
    };
    let logic = model.properties()[id.index()].logic.clone();
    let text = |part: &Formula| model.text(&Logic::Branching(part.clone()));
    let (evidence, open) = match (&entry.tree, &logic) {
        (Some(tree), Logic::Branching(formula)) => {
            let Some(claim) = written_claim(tree, &as_claim(formula, holds), &text) else {
                return Ok(Err("its tree has a claim that is none about this property".to_owned()));
            };
            let mut open = None;
            for part in computed(&claim) {
                // That no step leads on can be seen.
                if !is_end(&part.formula) {
                    open = Some(format!("no run shows `{}`, which was computed", text(&part.formula)));
                } else if !runs(model)?.steps().enabled(context, part.state)?.is_deadlock() {
                    return Ok(Ok(Err(format!(
                        "it does not show `{}`: there is a step",
                        text(&part.formula)
                    ))));
                }
            }
            (Evidence::Tree(claim), open)
        }
        (None, Logic::Branching(formula)) => {
            let claim = as_claim(formula, holds);
            let trace = path.written();
            let steps = runs(model)?.steps();
            let is_stuck = trace.loop_start.is_none()
                && speaks_of_ends(&claim)
                && steps.enabled(context, trace.last())?.is_deadlock();
            let of_state = |part: &Formula, at: usize| {
                let holds = |name: &str| steps.holds(id, name, trace.states[at]);
                value_of(part, &holds) == Some(true)
            };
            let along = Along::new(&claim, &trace, &Facts { holds: &of_state, is_stuck });
            match along.value() {
                Kleene::True => (Evidence::Tree(along.tree()), None),
                Kleene::False => return Ok(Ok(Err(format!("it does not show `{}`", text(&claim))))),
                Kleene::Unknown => return Ok(Err("that takes more than this run".to_owned())),
            }
        }
        (_, Logic::Invariant(_)) if !holds => (Evidence::Trace(path.written()), None),
        (_, Logic::Linear(_)) if !holds && path.loop_start.is_some() => {
            (Evidence::Trace(path.written()), None)
        }
        _ => return Ok(Err("no single run shows that".to_owned())),
    };
    let shown = runs(model)?.shows(context, id, holds, &evidence)?;
    // What a run shows to be wrong is wrong, whatever else was computed.
    Ok(match (shown, open) {
        (Ok(()), Some(open)) => Err(open),
        (shown, _) => Ok(shown),
    })
}

/// The property of the model that is meant. One of the file is found by its label, or by its number and text, or by a text that only
/// one has: a text alone may be read in several ways. One that was given is read again, as it was given if that is its name. Its text
/// may lack a keyword, and then it is only clear if it is about more than one state.
fn meant(model: &mut dyn Model, name: &str, property: &WrittenProperty) -> Option<PropertyId> {
    if !property.of_file {
        let formula = property.formula.as_deref()?;
        let is_whole = name.ends_with(formula);
        let source = Source::new("<property>", if is_whole { name } else { formula });
        let given = PropertyName {
            file: model.source().name().to_owned(),
            given: name.to_owned(),
            text: formula.to_owned(),
            ..PropertyName::default()
        };
        let (id, _) = model.read_property(given, &source).ok()?;
        let of_one_state = |logic: &Logic| matches!(logic, Logic::Branching(formula) if is_boolean(formula));
        let is_clear = is_whole || !of_one_state(&model.properties()[id.index()].logic);
        return is_clear.then_some(id);
    }
    let all = model.properties();
    let is_same = |own: &Property| Some(own.name.text.as_str()) == property.formula.as_deref();
    let labelled = all.iter().position(|own| own.name.label.as_deref() == Some(name));
    let numbered = || {
        let at = name.parse::<usize>().ok()?.checked_sub(1)?;
        all.get(at).filter(|own| own.name.label.is_none() && is_same(own)).map(|_| at)
    };
    let mut same = all.iter().enumerate().filter(|(_, own)| is_same(own)).map(|(at, _)| at);
    let only = || same.next().filter(|_| same.next().is_none());
    labelled.or_else(numbered).or_else(only).map(PropertyId::new)
}
