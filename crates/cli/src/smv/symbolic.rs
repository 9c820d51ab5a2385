//! The symbolic engine on a model: decision diagrams.
//!
//! A specification is checked on the part of the model that it depends on; see [`super::parts`]. A true one that is about all
//! paths is looked through for vacuity, as far as that costs little beside the check itself.

use super::engine::{Answerer, Reply};
use super::evidence::supported;
use super::inquiry::{Asked, Halt, Inquiry};
use super::notes::Note;
use super::parts::{Parts, encode_options};
use super::subject::{Branching, Linear, Subject};
use crate::commands::check::Job;
use crate::failure::Failure;
use crate::settings::VacuityWarnings;
use crate::write::write_atomically;
use std::io::Write;
use tertium_check::Record;
use tertium_check::symbolic::{Options, Quantity};
use tertium_front_smv::{FlatModel, Interpreter, Specification, SpecificationKind, write_order};
use tertium_logic::{Written, is_universal};
use tertium_query::Property;
use tertium_report::{Comments, written_text};
use tertium_support::Source;
use tertium_truth::Verdict;

/// Looking for vacuity may take this many steps of operations on diagrams in any case, some tens of milliseconds,
const FREE_STEPS: u64 = 1 << 19;
/// and beyond that one for so many that everything else took.
const STEPS_PER_EXTRA: u64 = 4;

/// Encodes the model and the propositions of the specifications, and hands the engine to `work`.
pub(super) fn with_encoded(
    job: &Job,
    model: &FlatModel,
    specifications: &[&Specification],
    work: impl FnOnce(&mut dyn Answerer),
) -> Result<(), Failure> {
    let context = &job.run.context;
    let settings = &job.settings.symbolic;
    let options = encode_options(context, model, settings)?;
    // An order that is written is one of all variables.
    let parts = if settings.whole_model || settings.write_order.is_some() {
        Parts::whole(context, model, specifications, options)
    } else {
        Parts::by_cone(context, model, specifications, options)
    };
    let first = if specifications.is_empty() { parts.len() - 1 } else { parts.part_of(0) };
    parts.encoding(first).map_err(|error| parts.failure(error))?;
    let interpreter = Interpreter::new(model);
    let evidence = if job.settings.record == Record::Moves { Options::default().evidence } else { 0 };
    let inquiry = Inquiry::new(context, &parts, &interpreter, Options { evidence, ..Options::default() });
    let spent = vec![0; parts.len()];
    work(&mut SymbolicAnswerer { job, inquiry, spent });
    if let Some(path) = &settings.write_order {
        let whole = parts.encoding(parts.len() - 1).map_err(|error| parts.failure(error))?;
        let written = write_order(model, &whole.encoded.order());
        write_atomically(path, |out| out.write_all(written.as_bytes()))?;
    }
    Ok(())
}

struct SymbolicAnswerer<'a> {
    job: &'a Job,
    inquiry: Inquiry<'a>,
    /// By part: how many steps of operations on diagrams went into looking for vacuity.
    spent: Vec<u64>,
}

impl Answerer for SymbolicAnswerer<'_> {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn answer(
        &mut self,
        index: usize,
        specification: &Specification,
        source: &Source,
    ) -> Result<Reply, Failure> {
        let asked = Asked { index, specification, part: self.inquiry.parts.part_of(index) };
        match self.reply(asked, source) {
            Ok(reply) => Ok(reply),
            Err(Halt::Stopped(reason)) => Ok(Reply::unknown(reason.into(), self.inquiry.counted(asked.part))),
            Err(Halt::Failed(failure)) => Err(failure),
        }
    }
}

impl SymbolicAnswerer<'_> {
    fn reply(&mut self, asked: Asked<'_>, source: &Source) -> Result<Reply, Halt> {
        match &asked.specification.kind {
            SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) => {
                self.length(asked)
            }
            _ => self.verdict(asked, source),
        }
    }

    fn length(&mut self, asked: Asked<'_>) -> Result<Reply, Halt> {
        let checker = self.inquiry.checker(asked)?;
        let quantity = match &asked.specification.kind {
            SpecificationKind::ComputeMinimum(from, to) => checker.compute_minimum(from, to)?,
            SpecificationKind::ComputeMaximum(from, to) => checker.compute_maximum(from, to)?,
            _ => unreachable!("other specifications have a truth value"),
        };
        let value = match quantity.quantity {
            Quantity::Finite(length) => length.to_string(),
            Quantity::Infinite => "infinite".to_owned(),
            Quantity::Undefined => "undefined".to_owned(),
        };
        let mut reply = Reply::plain(Verdict::True, self.inquiry.counted(asked.part));
        reply.value = Some(value);
        reply.assumptions =
            quantity.assumptions.iter().map(|assumption| Note::from(assumption).words()).collect();
        Ok(reply)
    }

    fn verdict(&mut self, asked: Asked<'_>, source: &Source) -> Result<Reply, Halt> {
        let mut outcome = self.inquiry.outcome(asked)?;
        let evidence = self.inquiry.evidence(asked, &mut outcome)?;
        let mut reply = Reply::plain(outcome.verdict, self.inquiry.counted(asked.part));
        if let Some(evidence) = &evidence {
            let validation = self.job.settings.validation;
            supported(validation, self.inquiry.interpreter, asked.specification, evidence, &mut reply)
                .map_err(Halt::Failed)?;
        }
        reply.states = self.inquiry.states(asked.part);
        reply.assumptions =
            outcome.assumptions.iter().map(|assumption| Note::from(assumption).words()).collect();
        if reply.verdict == Verdict::True && self.job.settings.vacuity != VacuityWarnings::Off {
            let note = self.vacuity(asked, source)?;
            reply.vacuous = matches!(note, Some(Note::Vacuous(_)));
            reply.assumptions.extend(note.map(|note| note.words()));
        }
        Ok(reply)
    }

    /// What there is to say about the vacuity of a true property, if it is about all paths: of others it makes little sense to ask
    /// whether they are true for no good reason.
    fn vacuity(&mut self, asked: Asked<'_>, source: &Source) -> Result<Option<Note>, Halt> {
        let branching = |property, formula| Branching { property, written: Written::new(formula) };
        match &asked.specification.kind {
            SpecificationKind::Ctl(formula) if is_universal(formula) => {
                self.vacuity_note(&branching(Property::Ctl, formula), asked, source)
            }
            SpecificationKind::Invariant(formula) => {
                self.vacuity_note(&branching(Property::Invariant, formula), asked, source)
            }
            SpecificationKind::Ltl(formula) => {
                self.vacuity_note(&Linear { written: Written::new(formula) }, asked, source)
            }
            _ => Ok(None),
        }
    }

    fn vacuity_note<S: Subject>(
        &mut self,
        subject: &S,
        asked: Asked<'_>,
        source: &Source,
    ) -> Result<Option<Note>, Halt> {
        let spent = &mut self.spent[asked.part];
        let checker = self.inquiry.checker(asked)?;
        let manager = checker.model().manager.clone();
        let before = manager.n_steps();
        let allowance = match self.job.settings.vacuity {
            VacuityWarnings::Strict => None,
            _ => Some((FREE_STEPS + (before - *spent) / STEPS_PER_EXTRA).saturating_sub(*spent)),
        };
        let found = subject.glance(checker, allowance);
        *spent += manager.n_steps() - before;
        match found.map_err(Halt::from) {
            Ok(glance) if !glance.vacuous.is_empty() => {
                let text = |part| written_text(source, subject.written().part(part).span, Comments::Model);
                Ok(Some(Note::Vacuous(glance.vacuous.into_iter().map(text).collect())))
            }
            Ok(glance) => Ok((!glance.open.is_empty()).then_some(Note::VacuityOpen)),
            Err(Halt::Stopped(reason)) => Ok(Some(Note::VacuityUnknown(reason))),
            Err(failed) => Err(failed),
        }
    }
}
