//! What to do about an unknown answer: what the engine's row says, other engines of the table, larger limits.
//!
//! Only what applies is advised. An engine must take the model and suit the property, and options that it does not take have to go. An
//! option that was given is not advised again, and a bound on states not for a model that may have infinitely many. All of it comes
//! from the tables; the first piece of advice is the one to follow.

use crate::engine::names_of;
use crate::model::is_bounded;
use crate::{Admitted, Engine, Engines, Model, Options, PropertyId, Request, Taken};
use std::time::Duration;
use tertium_check::Record;
use tertium_evidence::{Advice, Change};
use tertium_support::{Id, machine_memory};
use tertium_truth::{Cause, Verdict};

/// So many other engines are advised.
const MOST_ENGINES: usize = 3;
/// What is left where states have to be listed, and may have no end.
const BOUND_IT: &str = "give its variables bounds: this property is answered where all states can be listed";
/// By so much a larger limit is larger.
const LARGER: u64 = 8;

/// What else could be tried on a property of a model.
#[derive(Clone)]
pub struct Prospects {
    /// The file.
    pub file: String,
    /// The engines that take the model and suit the property, those first that a scheduler tries first.
    engines: Vec<Engine>,
    /// Those of them that a scheduler tries.
    tried: Vec<&'static str>,
    /// Whether the model has finitely many states as it is written.
    pub is_bounded: bool,
    /// Whether its states are given one by one.
    pub is_given: bool,
    /// Whether whoever has an answer has its evidence, too: proofs and runs of a program with procedures.
    evidence_is_free: bool,
}

impl Prospects {
    /// Of a property of a model.
    pub(crate) fn of(engines: &Engines, model: &dyn Model, property: PropertyId) -> Self {
        let suits = |engine: &&Engine| (engine.suits)(model, property);
        let fitting = engines.fitting(model).into_iter().filter(suits).copied();
        let logic = &model.properties()[property.index()].logic;
        Self {
            file: model.source().name().to_owned(),
            engines: fitting.collect(),
            tried: names_of(engines.tried(model).into_iter()),
            is_bounded: is_bounded(model),
            is_given: model.system().is_some_and(|offer| offer.is_given()),
            evidence_is_free: model.procedures().is_some_and(|offer| offer.has_goal(property, logic)),
        }
    }
}

/// How a question ended without an answer.
#[derive(Clone, Copy)]
pub struct Situation<'s> {
    /// Why.
    pub cause: Cause,
    /// How it was asked.
    pub options: &'s Options,
    /// The engines that were asked.
    pub(crate) asked: &'s [Engine],
    /// What else there is.
    pub prospects: &'s Prospects,
}

impl Situation<'_> {
    /// Whether one of the engines that were asked takes an option.
    fn takes(&self, option: Taken) -> bool {
        self.asked.iter().any(|engine| engine.takes.contains(&option))
    }

    /// Whether an option was given.
    pub fn is_given(&self, flag: &str) -> bool {
        self.options.used.iter().any(|(used, _)| *used == flag)
    }

    /// To run a command of `model` on the file.
    pub(crate) fn on_the_file(&self, command: &str) -> Advice {
        Advice::Run(vec!["model".to_owned(), command.to_owned(), self.prospects.file.clone()])
    }

    /// To ask again without this option; nothing if it was not given.
    pub(crate) fn without(&self, flag: &'static str) -> Option<Advice> {
        let change = Change { without: vec![flag], ..Change::default() };
        self.is_given(flag).then_some(Advice::Ask(change))
    }
}

/// To ask again with this option.
pub(crate) fn with(flag: &'static str, value: impl Into<String>) -> Advice {
    Advice::Ask(Change { with: vec![(flag, value.into())], ..Change::default() })
}

/// Adds advice to an unknown answer: that of the engine first.
pub(crate) fn advise(
    engine: &Engine,
    asked: &[Engine],
    request: &Request<'_>,
    prospects: &Prospects,
    admitted: &mut Admitted,
) {
    let Verdict::Unknown(cause) = admitted.answer.outcome.verdict else {
        admitted.answer.advice.clear();
        return;
    };
    let situation = Situation { cause, options: request.options, asked, prospects };
    let advice = &mut admitted.answer.advice;
    advice.extend((engine.advise)(&situation));
    advice.extend(other_engines(&situation));
    advice.extend(cheaper(&situation));
    advice.extend(larger_limit(&situation, request));
    if advice.is_empty() && cause == Cause::Bound && !prospects.is_bounded {
        advice.push(Advice::Help(BOUND_IT.to_owned()));
    }
    advice.sort_by_key(|advice| rank(advice, prospects));
}

/// What helps most often comes first, and what takes thought last. A semantics was tried where the system is given; elsewhere other
/// engines do more.
fn rank(advice: &Advice, prospects: &Prospects) -> u8 {
    let is_semantics = |change: &Change| change.with.iter().any(|(flag, _)| *flag == "--semantics");
    match advice {
        Advice::Help(_) => 3,
        Advice::Ask(change) if change.raises_limit => 2,
        Advice::Ask(change) if is_semantics(change) && !prospects.is_given => 1,
        _ => 0,
    }
}

/// What to try where a limit ends a question before any engine says more.
pub(crate) fn on_any_limit(options: &Options, asked: &[Engine], prospects: &Prospects) -> Vec<Advice> {
    // Whichever it will be: what helps against memory that is used up helps against all.
    let situation = Situation { cause: Cause::Memory, options, asked, prospects };
    let own = asked.iter().take(1).flat_map(|engine| (engine.advise)(&situation));
    own.chain(other_engines(&situation)).chain(cheaper(&situation)).collect()
}

/// What makes the same question cheaper.
fn cheaper(situation: &Situation<'_>) -> Vec<Advice> {
    if !matches!(situation.cause, Cause::Time | Cause::Work | Cause::Memory) {
        return Vec::new();
    }
    let smaller = situation.prospects.is_given.then(|| situation.on_the_file("minimise"));
    let has_evidence = situation.options.record == Record::Moves && !situation.prospects.evidence_is_free;
    smaller.into_iter().chain(has_evidence.then(|| with("--no-evidence", ""))).collect()
}

/// Engines that were not asked, and options that have to go for them.
fn other_engines(situation: &Situation<'_>) -> Vec<Advice> {
    let Situation { cause, options, asked, prospects } = *situation;
    if matches!(cause, Cause::Inconsistent | Cause::Interrupted) {
        return Vec::new();
    }
    let is_asked = |engine: &&Engine| asked.iter().any(|own| own.name == engine.name);
    let others: Vec<&Engine> = prospects.engines.iter().filter(|engine| !is_asked(engine)).collect();
    let mut advice = Vec::new();
    let in_turn: Vec<&Engine> =
        others.iter().copied().filter(|engine| prospects.tried.contains(&engine.name)).collect();
    // Among others, the one that took all the memory would be asked again.
    if options.engine.is_some() && in_turn.len() > 1 && cause != Cause::Memory {
        let own = prospects.engines.iter().filter(|engine| prospects.tried.contains(&engine.name));
        let taking: Vec<&Engine> = own.collect();
        advice.push(change(situation, &taking, None));
    }
    for name in names_of(others.iter().copied()).into_iter().take(MOST_ENGINES) {
        let named: Vec<&Engine> = others.iter().copied().filter(|engine| engine.name == name).collect();
        advice.push(change(situation, &named[..1], Some(name)));
    }
    advice
}

/// To ask these engines: the one with the name, or without a name all in turn.
fn change(situation: &Situation<'_>, engines: &[&Engine], name: Option<&'static str>) -> Advice {
    let Situation { options, cause, .. } = *situation;
    let mut change = Change::default();
    match name {
        Some(name) => change.with.push(("--engine", name.to_owned())),
        None => change.without.push("--engine"),
    }
    // A bound that was reached is no help to anybody else.
    let reached = match cause {
        Cause::Bound => Some("--states"),
        Cause::Iterations => Some("--iterations"),
        _ => None,
    };
    for (flag, wanted) in &options.used {
        let is_taken = engines.iter().any(|engine| engine.takes.contains(wanted));
        if !is_taken || reached == Some(*flag) {
            change.without.push(flag);
        }
    }
    if !engines.iter().any(|engine| engine.semantics.contains(&options.semantics)) {
        change.without.push("--semantics");
    }
    Advice::Ask(change)
}

/// The limit that was reached, made larger.
fn larger_limit(situation: &Situation<'_>, request: &Request<'_>) -> Option<Advice> {
    let Situation { cause, options, prospects, .. } = *situation;
    let limits = request.context.limits();
    let count = |n: usize| (n as u64).max(1).saturating_mul(LARGER).to_string();
    let with: Vec<(&'static str, String)> = match cause {
        Cause::Time => {
            let given = [("--time", limits.time), ("--time-each", request.time_each)];
            given.into_iter().filter_map(|(flag, time)| time.map(|time| (flag, longer(time)))).collect()
        }
        Cause::Work => {
            let given = [("--work", limits.work), ("--work-each", request.work_each)];
            let more = |work: u64| work.max(1).saturating_mul(LARGER).to_string();
            given.into_iter().filter_map(|(flag, work)| work.map(|work| (flag, more(work)))).collect()
        }
        Cause::Memory => limits.memory.and_then(more_memory).into_iter().collect(),
        Cause::Nodes => options.symbolic.nodes.map(|n| ("--nodes", count(n))).into_iter().collect(),
        Cause::Iterations => vec![("--iterations", count(options.iterations))],
        Cause::Bound if prospects.is_bounded && !prospects.is_given && situation.takes(Taken::States) => {
            let most = options.states.unwrap_or(crate::engines::explicit::MOST_STATES);
            vec![("--states", count(most))]
        }
        _ => Vec::new(),
    };
    (!with.is_empty()).then_some(Advice::Ask(Change { without: Vec::new(), with, raises_limit: true }))
}

fn longer(time: Duration) -> String {
    let larger = time.saturating_mul(LARGER as u32);
    if larger < Duration::from_secs(10) {
        format!("{}ms", larger.as_millis().max(1))
    } else {
        format!("{}s", larger.as_secs())
    }
}

/// Twice the memory in whole megabytes, if the machine has as much.
fn more_memory(limit: u64) -> Option<(&'static str, String)> {
    let more = limit.saturating_mul(2);
    machine_memory()
        .is_some_and(|all| more <= all)
        .then(|| ("--memory", format!("{}M", more.div_ceil(1 << 20))))
}
