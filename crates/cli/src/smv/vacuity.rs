//! `tertium vacuity` on models: which parts of their properties do not matter.
//!
//! Every property is looked at on its cone of influence, like in `tertium check`. Properties of linear time and computed lengths
//! are passed over: vacuity is about CTL and invariants here.
//!
//! Why a part matters is shown for the last atom that does, or for all of them: with the constant in its place that could change the
//! verdict, the property has the other verdict, and what shows that is a run on which the property does not hold, or fail, for no
//! reason. An atom is shown rather than a larger part because by monotonicity its run serves for every part around it as well;
//! the last, because that is where a property says what is promised.

use super::evidence::{shown, validate};
use super::inquiry::{Asked, Halt, Inquiry};
use super::notes::Note;
use super::parts::{Parts, encode_options};
use crate::args::{VacuityArgs, VacuityMethod};
use crate::failure::Failure;
use crate::input::{PropertySource, model_text, read_file};
use crate::run::Run;
use crate::settings::SymbolicSettings;
use tertium_check::symbolic::Options;
use tertium_front_smv::{
    FlatModel, Interpreter, Specification, SpecificationKind, formula_text, read, read_property,
};
use tertium_logic::{Formula, FormulaKind, PartId, Written, fold_constants};
use tertium_query::{Extent, Findings, Property, Rigid, VacuityChecker};
use tertium_report::{
    AssumptionReport, Comments, Message, PlacedPart, Relevance, VacuityAnswer, VariableEvidence, cause_text,
    next_step, underlined, verdict_line, written_text,
};
use tertium_support::{Source, StopReason};
use tertium_truth::{Cause, Verdict};

/// So many sets of parts that do not matter together are listed.
pub(crate) const MOST_SETS: usize = 1_000;

/// A property, as given and as read.
struct Ask {
    property: String,
    source: Source,
    specification: Specification,
}

/// What was found out about one property.
pub(crate) struct Answered {
    /// The verdict on the property.
    pub(crate) verdict: Verdict,
    /// The answer for a report.
    pub(crate) answer: VacuityAnswer,
    /// The answer as text.
    pub(crate) text: String,
}

/// All answers about a file, and what the reader had to say.
pub(crate) struct Surveyed {
    pub(crate) answers: Vec<Answered>,
    pub(crate) messages: Vec<Message>,
    /// Why it is not known whether parts matter, where that is so.
    pub(crate) open: Cause,
}

/// Answers about every property of the file, or about those that were given.
pub(crate) fn survey(run: &Run, args: &VacuityArgs) -> Result<Surveyed, Failure> {
    let file = args.file.display().to_string();
    let source = model_text(file.clone(), read_file(&run.context, &args.file)?);
    let (model, warnings) =
        read(source.clone()).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
    if !warnings.is_empty() && !args.json {
        run.output.complaints(&source, &warnings);
    }
    let messages = warnings.iter().map(|warning| Message::located(&source, warning)).collect();
    let asked = questions(run, args, &model, &file)?;
    let answers = Survey { run, args, model: &model, asked: &asked }.answers()?;
    Ok(Surveyed { answers, messages, open: Cause::Imprecise })
}

fn questions(run: &Run, args: &VacuityArgs, model: &FlatModel, file: &str) -> Result<Vec<Ask>, Failure> {
    let mut asked = Vec::new();
    for (index, argument) in args.properties.iter().enumerate() {
        let property = PropertySource::new(argument);
        let source = property.read(&run.context, index + 1)?;
        let specification = read_property(model, &source)
            .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
        if formula_of(&specification).is_none() {
            return Err(Failure::Input(format!(
                "{} is no formula of CTL and no invariant: vacuity is about these",
                specification.text
            )));
        }
        asked.push(Ask { property: property.written(), source, specification });
    }
    if !args.properties.is_empty() {
        return Ok(asked);
    }
    for (index, specification) in model.specifications.iter().enumerate() {
        let property = specification.name.clone().unwrap_or_else(|| (index + 1).to_string());
        if formula_of(specification).is_none() {
            run.output
                .message(&format!("note: {property} is no formula of CTL and no invariant: passed over\n"));
            continue;
        }
        asked.push(Ask { property, source: model.source.clone(), specification: specification.clone() });
    }
    if asked.is_empty() {
        return Err(Failure::Input(format!(
            "{file} has no CTL specification and no invariant; give a formula with -p, such as -p 'AG (req -> AF ack)'"
        )));
    }
    Ok(asked)
}

fn formula_of(specification: &Specification) -> Option<(Property, &Formula)> {
    match &specification.kind {
        SpecificationKind::Ctl(formula) => Some((Property::Ctl, formula)),
        SpecificationKind::Invariant(formula) => Some((Property::Invariant, formula)),
        _ => None,
    }
}

struct Survey<'a> {
    run: &'a Run,
    args: &'a VacuityArgs,
    model: &'a FlatModel,
    asked: &'a [Ask],
}

impl Survey<'_> {
    fn answers(&self) -> Result<Vec<Answered>, Failure> {
        let context = &self.run.context;
        let specifications: Vec<&Specification> = self.asked.iter().map(|one| &one.specification).collect();
        let settings = SymbolicSettings::from(&self.args.diagrams);
        let options = encode_options(context, self.model, &settings)?;
        let parts = match settings.whole_model {
            true => Parts::whole(context, self.model, &specifications, options),
            false => Parts::by_cone(context, self.model, &specifications, options),
        };
        let interpreter = Interpreter::new(self.model);
        let options = Options { find_deadlocks: false, ..Options::default() };
        let mut inquiry = Inquiry::new(context, &parts, &interpreter, options);
        let mut rigid: Vec<Rigid> = (0..parts.len()).map(|_| Rigid::default()).collect();
        let mut answers = Vec::new();
        for (index, ask) in self.asked.iter().enumerate() {
            let asked = Asked { index, specification: &ask.specification, part: parts.part_of(index) };
            answers.push(match self.answer(ask, asked, &mut inquiry, &mut rigid[asked.part]) {
                Ok(answered) => answered,
                Err(Halt::Stopped(reason)) => unknown(ask, reason),
                Err(Halt::Failed(failure)) => return Err(failure),
            });
        }
        Ok(answers)
    }

    fn answer(
        &self,
        ask: &Ask,
        asked: Asked<'_>,
        inquiry: &mut Inquiry<'_>,
        rigid: &mut Rigid,
    ) -> Result<Answered, Halt> {
        let vacuity = &mut VacuityChecker::new(inquiry.checker(asked)?, rigid);
        let (property, formula) = formula_of(asked.specification).expect("only these are asked about");
        let written = Written::new(formula);
        let atoms = written.atoms();
        let mut mutual = None;
        let findings = match self.args.method {
            VacuityMethod::Naive => vacuity.naive(property, &written, &atoms)?,
            VacuityMethod::Vaquot => vacuity.vaquot(property, &written, &atoms)?,
            VacuityMethod::Refine => vacuity.refine(property, &written)?,
            VacuityMethod::Mutual => {
                let found = vacuity.vaquot(property, &written, &atoms)?;
                mutual = Some(vacuity.mutual(property, &written, &found.vacuous, MOST_SETS)?);
                found
            }
        };
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => Some(vacuity.strengthen(property, &written, &findings)?),
        };
        let assumptions = match property {
            Property::Ctl => inquiry.checker(asked)?.standpoint().map_err(Halt::Stopped)?.1,
            Property::Invariant => Vec::new(),
        };
        let words = assumptions.iter().map(|assumption| Note::from(assumption).words());
        let assumptions = words.map(|(code, text)| AssumptionReport { code, text }).collect();
        let name = |part: PartId| written_text(&ask.source, written.part(part).span, Comments::Model);
        let names = |parts: &Vec<PartId>| parts.iter().map(|&part| name(part)).collect::<Vec<String>>();
        let mutual_names: Option<Vec<Vec<String>>> =
            mutual.as_ref().map(|found| found.largest.iter().map(names).collect());
        let matters = self.relevance(ask, asked, inquiry, property, &written, &findings)?;
        let listed = self.listed(&written, &findings);
        let extent = findings.extent(&written);
        let verdict = if findings.holds { Verdict::True } else { Verdict::False };
        let answer = VacuityAnswer {
            property: ask.property.clone(),
            formula: super::shown(asked.specification),
            verdict: if findings.holds { "true" } else { "false" },
            words: findings.verdict(&written, name),
            extent: Some(match extent {
                Extent::None => "none",
                Extent::Some => "some",
                Extent::All => "all",
            }),
            vacuous: listed
                .iter()
                .map(|&part| PlacedPart::new(&ask.source, written.part(part).span, Comments::Model))
                .collect(),
            open: Vec::new(),
            decisive: Vec::new(),
            mutual: mutual_names,
            mutual_cut: mutual.as_ref().is_some_and(|found| !found.complete),
            left: left
                .filter(|(formula, _)| !is_constant(formula))
                .map(|(formula, _)| formula_text(&formula)),
            matters,
            assumptions,
            witnesses: findings.witnesses,
            runs: findings.runs,
        };
        let mut text = verdict_line(verdict, &answer.formula, extent_words(extent, findings.holds));
        if extent != Extent::None {
            text.push_str(&explanation(&ask.source, &written, &findings, &answer, self.args.all));
        }
        if answer.mutual_cut {
            text.push_str(&format!("  note: there are more than {MOST_SETS} such sets\n"));
        }
        answer.assumptions.iter().for_each(|note| text.push_str(&format!("  note: {}\n", note.text)));
        answer.matters.iter().for_each(|relevance| text.push_str(&relevance.text()));
        Ok(Answered { verdict, answer, text })
    }

    /// Why atoms matter: the last one that does, or with `--all` every one.
    fn relevance(
        &self,
        ask: &Ask,
        asked: Asked<'_>,
        inquiry: &mut Inquiry<'_>,
        property: Property,
        written: &Written,
        findings: &Findings,
    ) -> Result<Vec<Relevance>, Halt> {
        if self.args.no_evidence {
            return Ok(Vec::new());
        }
        let mut atoms = written.atoms();
        atoms.retain(|&atom| !findings.covers(written, atom));
        let first = if self.args.all { 0 } else { atoms.len().saturating_sub(1) };
        let mut matters = Vec::new();
        for &atom in &atoms[first..] {
            let formula = VacuityChecker::challenge(written, atom, findings.holds);
            // Shown with the constant in its place, checked without.
            let simple = fold_constants(&formula);
            let changed = Specification {
                text: formula_text(&formula),
                kind: match property {
                    Property::Ctl => SpecificationKind::Ctl(simple),
                    Property::Invariant => SpecificationKind::Invariant(simple),
                },
                ..asked.specification.clone()
            };
            let part = PlacedPart::new(&ask.source, written.part(atom).span, Comments::Model);
            let evidence =
                self.evidence(Asked { specification: &changed, ..asked }, inquiry, !findings.holds)?;
            matters.push(Relevance::new(part, changed.text, !findings.holds, evidence));
        }
        Ok(matters)
    }

    /// What shows that a changed property has the other verdict, validated; nothing if no run does or a limit was reached.
    fn evidence(
        &self,
        asked: Asked<'_>,
        inquiry: &mut Inquiry<'_>,
        holds: bool,
    ) -> Result<Option<VariableEvidence>, Halt> {
        let mut outcome = match inquiry.outcome(asked) {
            Ok(outcome) => outcome,
            Err(Halt::Stopped(_)) => return Ok(None),
            Err(failed) => return Err(failed),
        };
        if outcome.verdict != (if holds { Verdict::True } else { Verdict::False }) {
            let text = &asked.specification.text;
            return Err(Halt::Failed(Failure::Bug(format!("vacuity and check disagree about {text}"))));
        }
        let Some(evidence) = inquiry.evidence(asked, &mut outcome)? else { return Ok(None) };
        validate(inquiry.interpreter, asked.specification, &evidence, holds).map_err(Halt::Failed)?;
        Ok(Some(shown(inquiry.interpreter, &evidence)))
    }

    /// The vacuous parts that are listed: those found, or with `--all` everything inside them as well.
    fn listed(&self, written: &Written, findings: &Findings) -> Vec<PartId> {
        if !self.args.all {
            return findings.vacuous.clone();
        }
        written.questions().filter(|&part| findings.covers(written, part)).collect()
    }
}

/// Which parts do not matter, in words and underlined; with `all` everything inside them is listed.
pub(crate) fn explanation(
    source: &Source,
    written: &Written,
    findings: &Findings,
    answer: &VacuityAnswer,
    all: bool,
) -> String {
    let spans: Vec<_> = findings.vacuous.iter().map(|&part| written.part(part).span).collect();
    let mut text = format!("  {}\n", answer.words);
    text.push_str(&underlined(source, written.formula().span, &spans));
    if all {
        for part in &answer.vacuous {
            text.push_str(&format!("  does not matter: {}\n", part.text));
        }
    }
    for set in answer.mutual.iter().flatten() {
        text.push_str(&format!("  can go together: {{{}}}\n", set.join(", ")));
    }
    if let Some(left) = &answer.left {
        let how = if findings.holds { "holds" } else { "fails" };
        text.push_str(&format!("  already {how}: {left}\n"));
    }
    text
}

/// Whether nothing is left of a formula: that a constant has the verdict says only that no initial state counts.
pub(crate) fn is_constant(formula: &Formula) -> bool {
    matches!(formula.kind, FormulaKind::True | FormulaKind::False)
}

/// The second column of the verdict line.
pub(crate) fn extent_words(extent: Extent, holds: bool) -> &'static str {
    match (extent, holds) {
        (Extent::None, true) => "non-vacuously true",
        (Extent::None, false) => "non-vacuously false",
        (_, true) => "vacuously true",
        (_, false) => "vacuously false",
    }
}

fn unknown(ask: &Ask, reason: StopReason) -> Answered {
    unanswered(ask.property.clone(), super::shown(&ask.specification), reason.into())
}

/// A property about which nothing was found out.
pub(crate) fn unanswered(property: String, formula: String, cause: Cause) -> Answered {
    let verdict = Verdict::Unknown(cause);
    let text = format!(
        "{}  open: {}\n  next: {}; see `tertium explain {}`\n",
        verdict_line(verdict, &formula, ""),
        cause_text(cause),
        next_step(cause),
        cause.code()
    );
    let answer = VacuityAnswer {
        property,
        formula,
        verdict: "unknown",
        words: cause_text(cause).to_owned(),
        extent: None,
        vacuous: Vec::new(),
        open: Vec::new(),
        decisive: Vec::new(),
        mutual: None,
        mutual_cut: false,
        left: None,
        matters: Vec::new(),
        assumptions: Vec::new(),
        witnesses: 0,
        runs: 0,
    };
    Answered { verdict, answer, text }
}
