//! `tertium vacuity` on transition systems: which parts of properties do not matter, by the standard semantics.

use super::{SETTLE, check_names};
use crate::args::{VacuityArgs, VacuityMethod};
use crate::failure::Failure;
use crate::input::{ModelFile, PropertySource, parse_property};
use crate::run::Run;
use crate::smv::{Answered, MOST_SETS, explanation, extent_words, is_constant};
use tertium_check::Prepared;
use tertium_logic::{Formula, PartId, Written};
use tertium_query::{ExplicitFindings, ExplicitVacuity, Extent, Findings};
use tertium_report::{
    Comments, PlacedPart, VacuityAnswer, cause_text, next_step, verdict_line, written_text,
};
use tertium_support::{Context, Source, StopReason};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// A property, as given and as read.
pub(crate) struct Asked {
    /// As given.
    pub(crate) property: String,
    /// Where it stands.
    pub(crate) source: Source,
    /// What it means; its places are in the source.
    pub(crate) formula: Formula,
    /// As it is shown.
    pub(crate) text: String,
}

/// Answers about every given property.
pub(crate) fn survey(run: &Run, args: &VacuityArgs) -> Result<Vec<Answered>, Failure> {
    let context = &run.context;
    let file = ModelFile::new(&args.file, args.reading.modal)?;
    if args.properties.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has no properties of its own: give one with -p, such as -p 'AG (request -> AF grant)'",
            file.name()
        )));
    }
    let system = file.load(context)?;
    let mut asked = Vec::new();
    for (index, argument) in args.properties.iter().enumerate() {
        let property = PropertySource::new(argument);
        let source = property.read(context, index + 1)?;
        let formula = parse_property(&source)?;
        check_names(&system, &formula, &source)?;
        let text = source.text().trim().to_owned();
        asked.push(Asked { property: property.written(), source, formula, text });
    }
    answers(context, args, &system, &asked, Cause::Imprecise)
}

/// Answers about these properties of a system, with the reason why something is open in it.
pub(crate) fn answers(
    context: &Context,
    args: &VacuityArgs,
    system: &PartialSystem,
    asked: &[Asked],
    open: Cause,
) -> Result<Vec<Answered>, Failure> {
    let prepared = Prepared::new(context, system)?;
    let survey = Survey { args, vacuity: ExplicitVacuity { context, prepared: &prepared }, open };
    let answer = |asked: &Asked| survey.answer(asked).unwrap_or_else(|reason| stopped(asked, reason));
    Ok(asked.iter().map(answer).collect())
}

struct Survey<'a> {
    args: &'a VacuityArgs,
    vacuity: ExplicitVacuity<'a>,
    open: Cause,
}

impl Survey<'_> {
    fn answer(&self, asked: &Asked) -> Result<Answered, StopReason> {
        let written = Written::new(&asked.formula);
        let atoms = written.atoms();
        let found = match self.args.method {
            VacuityMethod::Naive => self.vacuity.naive(&written, &atoms)?,
            VacuityMethod::Vaquot | VacuityMethod::Mutual => self.vacuity.vaquot(&written, &atoms)?,
            VacuityMethod::Refine => self.vacuity.refine(&written)?,
        };
        match (found.definite(), found.verdict) {
            (Some(findings), _) => self.definite(asked, &written, &found, &findings),
            (None, Verdict::Unknown(Cause::Imprecise)) => Ok(unknown(asked, &written, &found, self.open)),
            (None, Verdict::Unknown(cause)) => Ok(unknown(asked, &written, &found, cause)),
            (None, _) => unreachable!("true and false are definite"),
        }
    }

    fn definite(
        &self,
        asked: &Asked,
        written: &Written,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Result<Answered, StopReason> {
        let name = |part: PartId| written_text(&asked.source, written.part(part).span, Comments::Formula);
        let mutual = match self.args.method {
            VacuityMethod::Mutual => {
                Some(self.vacuity.mutual(written, &findings.vacuous, findings.holds, MOST_SETS)?)
            }
            _ => None,
        };
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => Some(self.vacuity.strengthen(written, findings)?),
        };
        let listed: Vec<PartId> = match self.args.all {
            true => written.questions().filter(|&part| findings.covers(written, part)).collect(),
            false => findings.vacuous.clone(),
        };
        let extent = findings.extent(written);
        let perhaps = extent == Extent::None && !found.open.is_empty();
        let how = match (perhaps, findings.holds) {
            (true, true) => "perhaps vacuously true",
            (true, false) => "perhaps vacuously false",
            (false, holds) => extent_words(extent, holds),
        };
        let names = |parts: &Vec<PartId>| parts.iter().map(|&part| name(part)).collect::<Vec<String>>();
        let answer = VacuityAnswer {
            verdict: if findings.holds { "true" } else { "false" },
            words: if perhaps { how.to_owned() } else { findings.verdict(written, name) },
            extent: match extent {
                Extent::None if perhaps => None,
                Extent::None => Some("none"),
                Extent::Some => Some("some"),
                Extent::All => Some("all"),
            },
            vacuous: placed(asked, written, &listed),
            open: placed(asked, written, &found.open),
            mutual: mutual.as_ref().map(|found| found.largest.iter().map(names).collect()),
            mutual_cut: mutual.as_ref().is_some_and(|found| !found.complete),
            left: left.as_ref().filter(|left| !is_constant(left)).map(Formula::to_string),
            witnesses: found.witnesses,
            runs: found.runs,
            ..blank(asked)
        };
        let mut text = verdict_line(found.verdict, &answer.formula, how);
        if extent != Extent::None {
            text.push_str(&explanation(&asked.source, written, findings, &answer, self.args.all));
        }
        if answer.mutual_cut {
            text.push_str(&format!("  note: there are more than {MOST_SETS} such sets\n"));
        }
        for part in &answer.open {
            text.push_str(&format!("  open: the system does not say whether this matters: {}\n", part.text));
        }
        if !answer.open.is_empty() {
            text.push_str(&next(self.open));
        }
        Ok(Answered { verdict: found.verdict, answer, text })
    }
}

/// The answer where the verdict itself is open.
fn unknown(asked: &Asked, written: &Written, found: &ExplicitFindings, cause: Cause) -> Answered {
    let answer = VacuityAnswer {
        words: cause_text(cause).to_owned(),
        open: placed(asked, written, &found.open),
        decisive: placed(asked, written, &found.decisive),
        witnesses: found.witnesses,
        runs: found.runs,
        ..blank(asked)
    };
    let verdict = Verdict::Unknown(cause);
    let mut text = verdict_line(verdict, &answer.formula, "");
    text.push_str(&format!("  open: {}\n", cause_text(cause)));
    for part in &answer.decisive {
        text.push_str(&format!("  matters in any case: {}\n", part.text));
    }
    text.push_str(&next(cause));
    Answered { verdict, answer, text }
}

/// The answer where a limit was reached.
fn stopped(asked: &Asked, reason: StopReason) -> Answered {
    let cause = Cause::from(reason);
    let answer = VacuityAnswer { words: cause_text(cause).to_owned(), ..blank(asked) };
    let verdict = Verdict::Unknown(cause);
    let text = format!("{}  open: {}\n", verdict_line(verdict, &answer.formula, ""), cause_text(cause));
    Answered { verdict, answer, text }
}

fn blank(asked: &Asked) -> VacuityAnswer {
    VacuityAnswer {
        property: asked.property.clone(),
        formula: asked.text.clone(),
        verdict: "unknown",
        words: String::new(),
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
    }
}

fn placed(asked: &Asked, written: &Written, parts: &[PartId]) -> Vec<PlacedPart> {
    parts
        .iter()
        .map(|&part| PlacedPart::new(&asked.source, written.part(part).span, Comments::Formula))
        .collect()
}

fn next(cause: Cause) -> String {
    let advice = if cause == Cause::Imprecise { SETTLE } else { next_step(cause) };
    format!("  next: {advice}; see `tertium explain {}`\n", cause.code())
}
