//! The symbolic engine on a model: decision diagrams.
//!
//! A specification is checked on the part of the model that it depends on; see [`super::parts`]. Evidence from there is
//! completed to the whole model. Where that would get too long, the whole model is asked for its own.

use super::decode::Decoder;
use super::engine::{Answerer, Reply};
use super::evidence::supported;
use super::notes::Note;
use super::parts::{Encoding, Parts};
use crate::commands::check::Job;
use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::write::write_atomically;
use std::io::Write;
use tertium_check::Record;
use tertium_check::symbolic::{
    Options, Quantity, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicOutcome,
};
use tertium_front_smv::{
    Completion, EncodeError, EncodeOptions, Evidence, FlatModel, Interpreter, Specification,
    SpecificationKind, VariableOrder, read_order, write_order,
};
use tertium_support::{Statistics, StopReason};
use tertium_truth::Verdict;

/// The order is first improved at this many nodes.
pub(super) const REORDER_FROM: usize = 80_000;

/// Evidence that is completed may have this many states.
const LONGEST_COMPLETED: usize = 2_000;

/// Encodes the model and the propositions of the specifications, and hands the engine to `work`.
pub(super) fn with_encoded(
    job: &Job,
    model: &FlatModel,
    specifications: &[&Specification],
    work: impl FnOnce(&mut dyn Answerer),
) -> Result<(), Failure> {
    let context = &job.run.context;
    let settings = &job.settings.symbolic;
    let order = match &settings.order {
        None => VariableOrder::default(),
        Some(path) => {
            let source = text(path.display().to_string(), read_file(context, path)?)?;
            let given = read_order(model, &source)
                .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
            VariableOrder::Given(given)
        }
    };
    let options = EncodeOptions {
        order,
        node_limit: settings.nodes,
        reorder_from: (!settings.keep_order).then_some(REORDER_FROM),
        ..Default::default()
    };
    // An order that is written is one of all variables.
    let parts = if settings.whole_model || settings.write_order.is_some() {
        Parts::whole(context, model, specifications, options)
    } else {
        Parts::by_cone(context, model, specifications, options)
    };
    let first = if specifications.is_empty() { parts.len() - 1 } else { parts.part_of(0) };
    parts.encoding(first).map_err(|error| parts.failure(error))?;
    let interpreter = Interpreter::new(model);
    let checkers = (0..parts.len()).map(|_| None).collect();
    work(&mut SymbolicAnswerer { job, parts: &parts, checkers, interpreter: &interpreter });
    if let Some(path) = &settings.write_order {
        let whole = parts.encoding(parts.len() - 1).map_err(|error| parts.failure(error))?;
        let written = write_order(model, &whole.encoded.order());
        write_atomically(path, |out| out.write_all(written.as_bytes()))?;
    }
    Ok(())
}

struct SymbolicAnswerer<'a> {
    job: &'a Job,
    parts: &'a Parts<'a>,
    /// By part, once something was asked there.
    checkers: Vec<Option<SymbolicChecker<'a>>>,
    interpreter: &'a Interpreter<'a>,
}

/// A specification and the part of the model on which it is checked.
#[derive(Clone, Copy)]
struct Asked<'a> {
    index: usize,
    specification: &'a Specification,
    part: usize,
}

impl Answerer for SymbolicAnswerer<'_> {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn answer(&mut self, index: usize, specification: &Specification) -> Result<Reply, Failure> {
        self.reply(Asked { index, specification, part: self.parts.part_of(index) })
    }
}

impl<'a> SymbolicAnswerer<'a> {
    fn reply(&mut self, asked: Asked<'_>) -> Result<Reply, Failure> {
        let answered = match &asked.specification.kind {
            SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) => {
                self.length(asked)
            }
            _ => self.verdict(asked),
        };
        match answered {
            Ok(reply) => Ok(reply),
            Err(Halt::Stopped(reason)) => Ok(Reply::unknown(reason.into(), self.counted(asked.part))),
            Err(Halt::Failed(failure)) => Err(failure),
        }
    }

    /// The encoding of a part, if the specification has a meaning there.
    fn encoding(&self, asked: Asked<'_>) -> Result<&'a Encoding<'a>, Halt> {
        let stopped = |error: EncodeError| match error {
            EncodeError::Stopped(reason) => Halt::Stopped(reason),
            error => Halt::Failed(self.parts.failure(error)),
        };
        let encoding = self.parts.encoding(asked.part).map_err(stopped)?;
        encoding.fault(asked.index).map_or(Ok(encoding), |error| Err(stopped(error.clone())))
    }

    fn checker(&mut self, asked: Asked<'_>) -> Result<&mut SymbolicChecker<'a>, Halt> {
        let context = &self.job.run.context;
        context.poll().map_err(Halt::Stopped)?;
        let encoding = self.encoding(asked)?;
        let collect = self.job.settings.record == Record::Moves;
        let evidence = if collect { Options::default().evidence } else { 0 };
        let options = Options { evidence, ..Options::default() };
        let slot = &mut self.checkers[asked.part];
        Ok(slot.get_or_insert_with(|| SymbolicChecker::new(context, &encoding.encoded.model, options)))
    }

    fn length(&mut self, asked: Asked<'_>) -> Result<Reply, Halt> {
        let checker = self.checker(asked)?;
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
        let mut reply = Reply::plain(Verdict::True, self.counted(asked.part));
        reply.value = Some(value);
        reply.assumptions =
            quantity.assumptions.iter().map(|assumption| Note::from(assumption).words()).collect();
        Ok(reply)
    }

    fn verdict(&mut self, asked: Asked<'_>) -> Result<Reply, Halt> {
        let mut outcome = self.outcome(asked)?;
        let evidence = self.evidence(asked, &mut outcome)?;
        let mut reply = Reply::plain(outcome.verdict, self.counted(asked.part));
        if let Some(evidence) = &evidence {
            supported(self.job, self.interpreter, asked.specification, evidence, &mut reply)
                .map_err(Halt::Failed)?;
        }
        reply.states = self.states(asked.part);
        reply.assumptions =
            outcome.assumptions.iter().map(|assumption| Note::from(assumption).words()).collect();
        Ok(reply)
    }

    fn outcome(&mut self, asked: Asked<'_>) -> Result<SymbolicOutcome, Halt> {
        let checker = self.checker(asked)?;
        Ok(match &asked.specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(formula)?,
            SpecificationKind::Invariant(formula) => checker.check_invariant(formula)?,
            SpecificationKind::Ltl(formula) => checker.check_ltl(formula)?,
            _ => unreachable!("lengths have no truth value"),
        })
    }

    /// The evidence of an outcome, with values for all variables.
    fn evidence(
        &mut self,
        asked: Asked<'_>,
        outcome: &mut SymbolicOutcome,
    ) -> Result<Option<Evidence>, Halt> {
        let Some(found) = outcome.evidence.take() else { return Ok(None) };
        let encoded = &self.encoding(asked)?.encoded;
        let found = Decoder { encoded }.evidence(&found);
        if self.parts.is_whole(asked.part) {
            return Ok(Some(found));
        }
        let mut completion = Completion::new(self.interpreter, encoded.variables(), LONGEST_COMPLETED);
        let completed = match &found {
            Evidence::Trace(trace) => completion.trace(trace).map(|trace| trace.map(Evidence::Trace)),
            Evidence::Tree(tree) => completion.tree(tree).map(|tree| tree.map(Evidence::Tree)),
        };
        let completed = completed.map_err(|fault| {
            let model = self.interpreter.model();
            let complaint = fault.diagnostic(model);
            Halt::Failed(Failure::Faulty(Box::new(model.source.clone()), vec![complaint]))
        })?;
        match completed {
            Some(completed) => Ok(Some(completed)),
            None => self.evidence_of_the_whole(asked, outcome),
        }
    }

    fn evidence_of_the_whole(
        &mut self,
        asked: Asked<'_>,
        outcome: &mut SymbolicOutcome,
    ) -> Result<Option<Evidence>, Halt> {
        let asked = Asked { part: self.parts.len() - 1, ..asked };
        let whole = match self.outcome(asked) {
            Ok(whole) => whole,
            Err(Halt::Stopped(reason)) => {
                outcome.assumptions.push(SymbolicAssumption::NoEvidence(reason));
                return Ok(None);
            }
            Err(failed) => return Err(failed),
        };
        if whole.verdict != outcome.verdict {
            return Err(Halt::Failed(Failure::Bug(format!(
                "the model and its cone of influence disagree about {}",
                asked.specification.text
            ))));
        }
        let encoded = &self.encoding(asked)?.encoded;
        outcome.assumptions = whole.assumptions;
        Ok(whole.evidence.map(|evidence| Decoder { encoded }.evidence(&evidence)))
    }

    fn counted(&self, part: usize) -> Statistics {
        let mut statistics = Statistics::default();
        if let Some(checker) = &self.checkers[part] {
            statistics = checker.statistics();
        }
        if let (false, Ok(encoding)) = (self.parts.is_whole(part), self.parts.encoding(part)) {
            statistics.set("variables", self.interpreter.model().variables.len());
            statistics.set("variables in cone", encoding.encoded.variables().len());
        }
        statistics
    }

    /// How many states are reachable, if that is known of the whole model.
    fn states(&self, part: usize) -> Option<String> {
        let checker = self.checkers[part].as_ref().filter(|_| self.parts.is_whole(part))?;
        let known = checker.known_reachable();
        let encoding = self.parts.encoding(part).ok()?;
        let frame = encoding.encoded.model.relation.frame();
        known.complete.then(|| known.states.count(&frame.current).to_string())
    }
}

/// Why there is no answer.
enum Halt {
    Stopped(StopReason),
    Failed(Failure),
}

impl From<SymbolicError> for Halt {
    fn from(error: SymbolicError) -> Self {
        match error {
            SymbolicError::Stopped(reason) => Self::Stopped(reason),
            SymbolicError::Refused(refusal) => Self::Failed(Failure::Input(refusal.to_string())),
        }
    }
}
