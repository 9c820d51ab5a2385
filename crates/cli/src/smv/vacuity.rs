//! `tertium vacuity` on models: which parts of their properties do not matter.
//!
//! Every property is looked at on its cone of influence, like in `tertium check`. Computed lengths have no truth value and are passed
//! over.
//!
//! Why a part matters is shown for the last atom that does, or for all of them: with the constant in its place that could change the
//! verdict, the property has the other verdict, and what shows that is a run on which the property does not hold, or fail, for no
//! reason. An atom is shown rather than a larger part because by monotonicity its run serves for every part around it as well;
//! the last, because that is where a property says what is promised.

use super::evidence::{shown, validate};
use super::inquiry::{Asked, Halt, Inquiry};
use super::notes::Note;
use super::parts::{Parts, encode_options};
use super::subject::{Branching, Linear, Subject};
use crate::args::VacuityArgs;
use crate::board::Entry;
use crate::failure::Failure;
use crate::input::{PropertySource, model_text, read_file};
use crate::run::Run;
use crate::settings::SymbolicSettings;
use crate::survey::{Answered, Sheet, Surveyed, Unread, extent_words, failed};
use tertium_check::symbolic::Options;
use tertium_front_smv::{
    EncodeError, FlatModel, Interpreter, Specification, SpecificationKind, read, read_property,
};
use tertium_logic::{Syntax, Written};
use tertium_query::{Findings, Property, Rigid, challenge};
use tertium_report::{AssumptionReport, Comments, Message, Relevance, VariableEvidence, verdict_line};
use tertium_support::Source;
use tertium_truth::{Cause, Verdict};

/// A property, as given and as read.
struct Ask {
    property: String,
    source: Source,
    specification: Specification,
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
    let asked = match args.properties.is_empty() {
        true => of_the_file(run, &model, &file)?,
        false => given(run, args, &model),
    };
    let answers = Survey { run, args, model: &model }.answers(asked)?;
    Ok(Surveyed { answers, messages, open: Cause::Imprecise })
}

/// The properties that were given.
fn given(run: &Run, args: &VacuityArgs, model: &FlatModel) -> Vec<Result<Ask, Unread>> {
    let read = |(index, argument): (usize, &String)| {
        let property = PropertySource::new(argument);
        let read = property.read(&run.context, index + 1).and_then(|source| {
            let specification = read_property(model, &source)
                .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
            match has_truth_value(&specification) {
                true => Ok((source, specification)),
                false => Err(Failure::Input(format!(
                    "{} is a length: vacuity is about what is true or false",
                    specification.text
                ))),
            }
        });
        match read {
            Ok((source, specification)) => Ok(Ask { property: property.written(), source, specification }),
            Err(failure) => Err(Unread { property: property.written(), failure }),
        }
    };
    args.properties.iter().enumerate().map(read).collect()
}

/// The specifications of the file.
fn of_the_file(run: &Run, model: &FlatModel, file: &str) -> Result<Vec<Result<Ask, Unread>>, Failure> {
    let mut asked = Vec::new();
    for (index, specification) in model.specifications.iter().enumerate() {
        let property = specification.name.clone().unwrap_or_else(|| (index + 1).to_string());
        if has_truth_value(specification) {
            asked.push(Ok(Ask {
                property,
                source: model.source.clone(),
                specification: specification.clone(),
            }));
        } else {
            run.output.message(&format!("note: {property} is a length and has no parts: passed over\n"));
        }
    }
    if asked.is_empty() {
        return Err(Failure::Input(format!(
            "{file} has no specification that is true or false; give a formula with -p, such as -p 'AG (req -> AF ack)'"
        )));
    }
    Ok(asked)
}

fn has_truth_value(specification: &Specification) -> bool {
    use SpecificationKind::{Ctl, Invariant, Ltl};
    matches!(specification.kind, Ctl(_) | Invariant(_) | Ltl(_))
}

struct Survey<'a> {
    run: &'a Run,
    args: &'a VacuityArgs,
    model: &'a FlatModel,
}

impl Survey<'_> {
    fn answers(&self, asked: Vec<Result<Ask, Unread>>) -> Result<Vec<Answered>, Failure> {
        let context = &self.run.context;
        let settings = SymbolicSettings::from(&self.args.diagrams);
        let options = encode_options(context, self.model, &settings)?;
        let specifications: Vec<Specification> =
            asked.iter().flatten().map(|ask| ask.specification.clone()).collect();
        let specifications: Vec<&Specification> = specifications.iter().collect();
        let parts = match settings.whole_model {
            true => Parts::whole(context, self.model, &specifications, options),
            false => Parts::by_cone(context, self.model, &specifications, options),
        };
        // A model without meaning is no mistake of any of its properties.
        if let (false, Err(error @ EncodeError::Model(_))) =
            (specifications.is_empty(), parts.encoding(parts.part_of(0)))
        {
            return Err(parts.failure(error));
        }
        let interpreter = Interpreter::new(self.model);
        let options = Options { find_deadlocks: false, ..Options::default() };
        let mut inquiry = Inquiry::new(context, &parts, &interpreter, options);
        let mut rigid: Vec<Rigid> = (0..parts.len()).map(|_| Rigid::default()).collect();
        let mut index = 0;
        let mut answers = Vec::new();
        for ask in asked {
            let ask = match ask {
                Ok(ask) => ask,
                Err(unread) => {
                    answers.push(unread.answered(&self.run.output));
                    continue;
                }
            };
            let asked = Asked { index, specification: &ask.specification, part: parts.part_of(index) };
            index += 1;
            answers.push(self.answer(&ask, asked, &mut inquiry, &mut rigid[asked.part]).unwrap_or_else(
                |halt| {
                    let failure = match halt {
                        Halt::Stopped(reason) => Failure::Stopped(reason),
                        Halt::Failed(failure) => failure,
                    };
                    failed(ask.property.clone(), super::shown(&ask.specification), &failure, &self.run.output)
                },
            ));
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
        let branching = |property, formula| Branching { property, written: Written::new(formula) };
        match &asked.specification.kind {
            SpecificationKind::Ctl(formula) => {
                self.answer_about(&branching(Property::Ctl, formula), ask, asked, inquiry, rigid)
            }
            SpecificationKind::Invariant(formula) => {
                self.answer_about(&branching(Property::Invariant, formula), ask, asked, inquiry, rigid)
            }
            SpecificationKind::Ltl(formula) => {
                self.answer_about(&Linear { written: Written::new(formula) }, ask, asked, inquiry, rigid)
            }
            _ => unreachable!("lengths are not asked about"),
        }
    }

    fn answer_about<S: Subject>(
        &self,
        subject: &S,
        ask: &Ask,
        asked: Asked<'_>,
        inquiry: &mut Inquiry<'_>,
        rigid: &mut Rigid,
    ) -> Result<Answered, Halt> {
        let checker = inquiry.checker(asked)?;
        let (findings, mutual) = subject.findings(checker, rigid, self.args.method)?;
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => Some(subject.left(checker, rigid, &findings)?),
        };
        let words: Vec<(&str, String)> =
            subject.assumptions(checker)?.iter().map(|assumption| Note::from(assumption).words()).collect();
        let sheet = Sheet {
            source: &ask.source,
            comments: Comments::Model,
            written: subject.written(),
            all: self.args.all,
        };
        // That a constant has the verdict says only that no initial state counts.
        let left = left.filter(|left| !left.is_given()).map(|left| S::text(&left));
        let asked_as = (ask.property.clone(), super::shown(asked.specification));
        let mut answer = sheet.answer(asked_as, &findings, mutual.as_ref(), left);
        answer.assumptions = words.into_iter().map(|(code, text)| AssumptionReport { code, text }).collect();
        if !self.args.no_evidence {
            answer.matters = self.relevance(subject, &sheet, asked, inquiry, &findings)?;
        }
        let verdict = if findings.holds { Verdict::True } else { Verdict::False };
        let extent = findings.extent(subject.written());
        let mut text = verdict_line(verdict, &answer.formula, extent_words(extent, findings.holds));
        text.push_str(&sheet.explanation(&findings, &answer));
        answer.assumptions.iter().for_each(|note| text.push_str(&format!("  note: {}\n", note.text)));
        answer.matters.iter().for_each(|relevance| text.push_str(&relevance.text()));
        Ok(Answered { entry: Entry::Verdict(verdict), answer, text })
    }

    /// Why atoms matter: the last one that does, or with `--all` every one.
    fn relevance<S: Subject>(
        &self,
        subject: &S,
        sheet: &Sheet<'_, S::Formula>,
        asked: Asked<'_>,
        inquiry: &mut Inquiry<'_>,
        findings: &Findings,
    ) -> Result<Vec<Relevance>, Halt> {
        let written = subject.written();
        let mut matters = Vec::new();
        for atom in sheet.shown_atoms(|atom| !findings.covers(written, atom)) {
            let formula = challenge(written, atom, findings.holds);
            // Shown with the constant in its place, checked without.
            let changed = Specification {
                text: S::text(&formula),
                kind: subject.kind(formula.folded()),
                ..asked.specification.clone()
            };
            let evidence =
                self.evidence(Asked { specification: &changed, ..asked }, inquiry, !findings.holds)?;
            matters.push(Relevance::new(sheet.placed(atom), changed.text, !findings.holds, evidence));
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
}
