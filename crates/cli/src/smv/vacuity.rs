//! `tertium vacuity` on models: which parts of their properties do not matter.
//!
//! Every property is looked at on its cone of influence, like in `tertium check`. Properties of linear time and computed lengths
//! are passed over: vacuity is about CTL and invariants here.

use super::parts::Parts;
use crate::args::{VacuityArgs, VacuityMethod};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{PropertySource, read_file, text};
use crate::run::Run;
use tertium_check::symbolic::{Options, SymbolicChecker, SymbolicError};
use tertium_front_smv::{
    EncodeOptions, FlatModel, Specification, SpecificationKind, formula_text, read, read_property,
};
use tertium_logic::{Formula, PartId, Written};
use tertium_query::{Extent, Findings, Property, Rigid, VacuityChecker};
use tertium_report::{
    PlacedPart, VacuityAnswer, VacuityReport, cause_text, underlined, verdict_line, written_text,
};
use tertium_support::{Source, StopReason};
use tertium_truth::{Cause, Verdict};

/// So many sets of parts that do not matter together are listed.
pub(crate) const MOST_SETS: usize = 1_000;

/// A property, as given and as read.
struct Asked {
    property: String,
    source: Source,
    specification: Specification,
}

/// What was found out about one property.
pub(crate) struct Answered {
    pub(crate) verdict: Verdict,
    pub(crate) answer: VacuityAnswer,
    pub(crate) text: String,
}

/// Answers about every property of the file, or about those that were given.
pub(crate) fn vacuity(run: &Run, args: &VacuityArgs) -> Result<Status, Failure> {
    let file = args.file.display().to_string();
    let source = text(file.clone(), read_file(&run.context, &args.file)?)?;
    let (model, warnings) =
        read(source.clone()).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
    if !warnings.is_empty() && !args.json {
        run.output.complaints(&source, &warnings);
    }
    let asked = questions(run, args, &model, &file)?;
    let answers = Survey { run, args, model: &model, asked: &asked }.answers()?;
    Ok(show(run, args, file, answers))
}

fn questions(run: &Run, args: &VacuityArgs, model: &FlatModel, file: &str) -> Result<Vec<Asked>, Failure> {
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
        asked.push(Asked { property: property.written(), source, specification });
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
        asked.push(Asked { property, source: model.source.clone(), specification: specification.clone() });
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
    asked: &'a [Asked],
}

impl Survey<'_> {
    fn answers(&self) -> Result<Vec<Answered>, Failure> {
        let context = &self.run.context;
        let specifications: Vec<&Specification> = self.asked.iter().map(|one| &one.specification).collect();
        let options =
            EncodeOptions { reorder_from: Some(super::symbolic::REORDER_FROM), ..EncodeOptions::default() };
        let parts = Parts::by_cone(context, self.model, &specifications, options);
        let mut checkers: Vec<Option<(SymbolicChecker<'_>, Rigid)>> =
            (0..parts.len()).map(|_| None).collect();
        let mut answers = Vec::new();
        for (index, asked) in self.asked.iter().enumerate() {
            let part = parts.part_of(index);
            let encoding = match parts.encoding(part).map_err(|error| parts.failure(error)) {
                Err(Failure::Stopped(reason)) => {
                    answers.push(unknown(asked, reason));
                    continue;
                }
                encoding => encoding?,
            };
            if let Some(error) = encoding.fault(index) {
                return Err(parts.failure(error.clone()));
            }
            let options = Options { evidence: 0, find_deadlocks: false, ..Options::default() };
            let (checker, rigid) = checkers[part].get_or_insert_with(|| {
                (SymbolicChecker::new(context, &encoding.encoded.model, options), Rigid::default())
            });
            answers.push(match self.answer(asked, &mut VacuityChecker::new(checker, rigid)) {
                Ok(answered) => answered,
                Err(SymbolicError::Stopped(reason)) => unknown(asked, reason),
                Err(SymbolicError::Refused(refusal)) => return Err(Failure::Input(refusal.to_string())),
            });
        }
        Ok(answers)
    }

    fn answer(&self, asked: &Asked, vacuity: &mut VacuityChecker<'_, '_>) -> Result<Answered, SymbolicError> {
        let (property, formula) = formula_of(&asked.specification).expect("only these are asked about");
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
        let name = |part: PartId| written_text(&asked.source, written.part(part).span);
        let names = |parts: &Vec<PartId>| parts.iter().map(|&part| name(part)).collect::<Vec<String>>();
        let mutual_names: Option<Vec<Vec<String>>> =
            mutual.as_ref().map(|found| found.largest.iter().map(names).collect());
        let listed = self.listed(&written, &findings);
        let extent = findings.extent(&written);
        let verdict = if findings.holds { Verdict::True } else { Verdict::False };
        let answer = VacuityAnswer {
            property: asked.property.clone(),
            formula: super::shown(&asked.specification),
            verdict: if findings.holds { "true" } else { "false" },
            words: findings.verdict(&written, name),
            extent: Some(match extent {
                Extent::None => "none",
                Extent::Some => "some",
                Extent::All => "all",
            }),
            vacuous: listed
                .iter()
                .map(|&part| PlacedPart::new(&asked.source, written.part(part).span))
                .collect(),
            open: Vec::new(),
            decisive: Vec::new(),
            mutual: mutual_names,
            left: left.as_ref().map(|(formula, _)| formula_text(formula)),
            witnesses: findings.witnesses,
            runs: findings.runs,
        };
        let mut text = verdict_line(verdict, &answer.formula, extent_words(extent, findings.holds));
        if extent != Extent::None {
            text.push_str(&explanation(&asked.source, &written, &findings, &answer, self.args.all));
        }
        if mutual.is_some_and(|found| !found.complete) {
            text.push_str(&format!("  note: there are more than {MOST_SETS} such sets\n"));
        }
        Ok(Answered { verdict, answer, text })
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

/// The second column of the verdict line.
pub(crate) fn extent_words(extent: Extent, holds: bool) -> &'static str {
    match (extent, holds) {
        (Extent::None, true) => "non-vacuously true",
        (Extent::None, false) => "non-vacuously false",
        (_, true) => "vacuously true",
        (_, false) => "vacuously false",
    }
}

fn unknown(asked: &Asked, reason: StopReason) -> Answered {
    let cause = Cause::from(reason);
    let verdict = Verdict::Unknown(cause);
    let answer = VacuityAnswer {
        property: asked.property.clone(),
        formula: super::shown(&asked.specification),
        verdict: "unknown",
        words: cause_text(cause).to_owned(),
        extent: None,
        vacuous: Vec::new(),
        open: Vec::new(),
        decisive: Vec::new(),
        mutual: None,
        left: None,
        witnesses: 0,
        runs: 0,
    };
    let text = format!("{}  open: {}\n", verdict_line(verdict, &answer.formula, ""), cause_text(cause));
    Answered { verdict, answer, text }
}

/// Prints the answers. The question is whether every part of every property matters.
pub(crate) fn show(run: &Run, args: &VacuityArgs, file: String, answers: Vec<Answered>) -> Status {
    let mut status = Status::True;
    for answered in &answers {
        let own = match (answered.verdict, answered.answer.extent) {
            (Verdict::Unknown(_), _) => Status::Unknown,
            (_, Some("none")) => Status::True,
            (_, None) => Status::Unknown,
            _ => Status::False,
        };
        status = status.worst(own);
    }
    let result = match status {
        Status::True => "true",
        Status::False => "false(vacuous)",
        _ => "unknown",
    };
    if args.json {
        let method = args.method.word();
        let results = answers.into_iter().map(|answered| answered.answer).collect();
        let report = VacuityReport::new(file, method, results, result, status.code());
        crate::board::print_json(&run.output, &report);
        return status;
    }
    for answered in &answers {
        run.output.result(&answered.text);
    }
    run.output.result(&format!("RESULT: {result}\n"));
    status
}
