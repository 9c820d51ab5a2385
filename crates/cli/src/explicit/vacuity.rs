//! `tertium vacuity` on transition systems: which parts of properties do not matter, by the standard semantics.

use super::{SETTLE, check_names};
use crate::args::{VacuityArgs, VacuityMethod};
use crate::board::Entry;
use crate::failure::Failure;
use crate::input::{ModelFile, PropertySource, parse_property};
use crate::run::Run;
use crate::survey::{Answered, MOST_SETS, Sheet, Unread, blank, extent_words, failed};
use crate::validate::validate;
use tertium_check::{Prepared, Record, Semantics, Settings, check};
use tertium_logic::{Formula, Syntax, Written};
use tertium_query::{ExplicitFindings, ExplicitVacuity, Extent, Findings, challenge};
use tertium_report::{Comments, Relevance, VacuityAnswer, cause_text, next_step, verdict_line};
use tertium_support::{Context, Source};
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
    let read = |(index, argument): (usize, &String)| {
        let property = PropertySource::new(argument);
        let read = property.read(context, index + 1).and_then(|source| {
            let formula = parse_property(&source)?;
            check_names(&system, &formula, &source)?;
            Ok((source, formula))
        });
        let property = property.written();
        match read {
            Ok((source, formula)) => {
                let text = source.text().trim().to_owned();
                Ok(Asked { property, source, formula, text })
            }
            Err(failure) => Err(Unread { property, failure }),
        }
    };
    let asked = args.properties.iter().enumerate().map(read).collect();
    answers(run, args, &system, asked, Cause::Imprecise)
}

/// Answers about these properties of a system, with the reason why something is open in it.
pub(crate) fn answers(
    run: &Run,
    args: &VacuityArgs,
    system: &PartialSystem,
    asked: Vec<Result<Asked, Unread>>,
    open: Cause,
) -> Result<Vec<Answered>, Failure> {
    let context = &run.context;
    let prepared = Prepared::new(context, system)?;
    let vacuity = ExplicitVacuity { context, prepared: &prepared };
    let survey = Survey { context, args, system, prepared: &prepared, vacuity, open };
    let answer = |asked: Result<Asked, Unread>| match asked {
        Err(unread) => unread.answered(&run.output),
        Ok(asked) => survey.answer(&asked).unwrap_or_else(|failure| {
            failed(asked.property.clone(), asked.text.clone(), &failure, &run.output)
        }),
    };
    Ok(asked.into_iter().map(answer).collect())
}

struct Survey<'a> {
    context: &'a Context,
    args: &'a VacuityArgs,
    system: &'a PartialSystem,
    prepared: &'a Prepared<'a>,
    vacuity: ExplicitVacuity<'a>,
    open: Cause,
}

impl Survey<'_> {
    fn answer(&self, asked: &Asked) -> Result<Answered, Failure> {
        let written = Written::new(&asked.formula);
        let sheet = Sheet {
            source: &asked.source,
            comments: Comments::Formula,
            written: &written,
            all: self.args.all,
        };
        let atoms = written.atoms();
        let found = match self.args.method {
            VacuityMethod::Naive => self.vacuity.naive(&written, &atoms)?,
            VacuityMethod::Vaquot | VacuityMethod::Mutual => self.vacuity.vaquot(&written, &atoms)?,
            VacuityMethod::Refine => self.vacuity.refine(&written)?,
        };
        match (found.definite(), found.verdict) {
            (Some(findings), _) => self.definite(asked, &sheet, &found, &findings),
            (None, Verdict::Unknown(Cause::Imprecise)) => Ok(unknown(asked, &sheet, &found, self.open)),
            (None, Verdict::Unknown(cause)) => Ok(unknown(asked, &sheet, &found, cause)),
            (None, _) => unreachable!("true and false are definite"),
        }
    }

    fn definite(
        &self,
        asked: &Asked,
        sheet: &Sheet<'_, Formula>,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Result<Answered, Failure> {
        let written = sheet.written;
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
        let left = left.filter(|left| !left.is_given()).map(|left| left.to_string());
        let asked_as = (asked.property.clone(), asked.text.clone());
        let mut answer = VacuityAnswer {
            open: sheet.all_placed(&found.open),
            ..sheet.answer(asked_as, findings, mutual.as_ref(), left)
        };
        let extent = findings.extent(written);
        let perhaps = extent == Extent::None && !found.open.is_empty();
        let how = match (perhaps, findings.holds) {
            (true, true) => "perhaps vacuously true",
            (true, false) => "perhaps vacuously false",
            (false, holds) => extent_words(extent, holds),
        };
        if perhaps {
            answer.extent = None;
            answer.words = how.to_owned();
        }
        if !self.args.no_evidence {
            answer.matters = self.relevance(sheet, found, findings)?;
        }
        let mut text = verdict_line(found.verdict, &answer.formula, how);
        text.push_str(&sheet.explanation(findings, &answer));
        for part in &answer.open {
            text.push_str(&format!("  open: the system does not say whether this matters: {}\n", part.text));
        }
        if !answer.open.is_empty() {
            text.push_str(&next(self.open));
        }
        answer.matters.iter().for_each(|relevance| text.push_str(&relevance.text()));
        Ok(Answered { entry: Entry::Verdict(found.verdict), answer, text })
    }

    /// Why atoms matter: the last one that does, or with `--all` every one.
    fn relevance(
        &self,
        sheet: &Sheet<'_, Formula>,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Result<Vec<Relevance>, Failure> {
        let written = sheet.written;
        let is_open = |atom| found.open.iter().any(|&open| written.is_inside(atom, open));
        let mut matters = Vec::new();
        for atom in sheet.shown_atoms(|atom| !findings.covers(written, atom) && !is_open(atom)) {
            let changed = challenge(written, atom, findings.holds);
            let text = changed.to_string();
            let (formula, holds) = (changed.folded(), !findings.holds);
            let settings = Settings { semantics: Semantics::Sis, record: Record::Moves };
            let outcome = check(self.context, self.prepared, &formula, &settings);
            let evidence = match outcome.verdict {
                // A limit was reached.
                Verdict::Unknown(_) => None,
                verdict if (verdict == Verdict::True) == holds => {
                    validate(self.context, self.system, Semantics::Sis, &formula, &outcome).map_err(
                        |flaw| {
                            Failure::Bug(format!(
                                "the evidence for {text} does not stand up to its validator: {flaw}"
                            ))
                        },
                    )?;
                    // No run is needed to show what a constant is.
                    outcome.evidence.as_ref().filter(|_| !formula.is_given())
                }
                _ => return Err(Failure::Bug(format!("vacuity and check disagree about {text}"))),
            };
            matters.push(Relevance::on_system(sheet.placed(atom), text, holds, self.system, evidence));
        }
        Ok(matters)
    }
}

/// The answer where the verdict itself is open.
fn unknown(asked: &Asked, sheet: &Sheet<'_, Formula>, found: &ExplicitFindings, cause: Cause) -> Answered {
    let answer = VacuityAnswer {
        words: cause_text(cause).to_owned(),
        open: sheet.all_placed(&found.open),
        decisive: sheet.all_placed(&found.decisive),
        witnesses: found.witnesses,
        runs: found.runs,
        ..blank(asked.property.clone(), asked.text.clone())
    };
    let verdict = Verdict::Unknown(cause);
    let mut text = verdict_line(verdict, &answer.formula, "");
    text.push_str(&format!("  open: {}\n", cause_text(cause)));
    for part in &answer.decisive {
        text.push_str(&format!("  matters in any case: {}\n", part.text));
    }
    text.push_str(&next(cause));
    Answered { entry: Entry::Verdict(verdict), answer, text }
}

fn next(cause: Cause) -> String {
    let advice = if cause == Cause::Imprecise { SETTLE } else { next_step(cause) };
    format!("  next: {advice}; see `tertium explain {}`\n", cause.code())
}
