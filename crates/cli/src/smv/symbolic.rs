//! The symbolic engine on a model: decision diagrams.

use super::engine::{Answerer, Reply};
use super::names::Names;
use crate::commands::check::Job;
use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::settings::Validation;
use crate::write::write_atomically;
use std::io::Write;
use tertium_check::Record;
use tertium_check::symbolic::{
    Options, Quantity, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicEvidence, SymbolicOutcome,
};
use tertium_front_smv::{
    EncodeError, EncodeOptions, Encoded, FlatModel, Interpreter, Specification, SpecificationKind,
    VariableOrder, encode, read_order, validate_claim, validate_refutation, write_order,
};
use tertium_report::{VariableEvidence, cause_text};
use tertium_support::{Statistics, StopReason};
use tertium_truth::{Cause, Verdict};

/// The order is first improved at this many nodes.
const REORDER_FROM: usize = 80_000;

/// Encodes the model and the propositions of the specifications, and hands the engine to `work`.
pub(super) fn with_encoded<'s>(
    job: &Job,
    model: &FlatModel,
    specifications: impl Iterator<Item = &'s Specification>,
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
    let faulty = |error: EncodeError| match error {
        EncodeError::Stopped(reason) => Failure::Stopped(reason),
        EncodeError::Model(complaint) => Failure::Faulty(Box::new(model.source.clone()), vec![*complaint]),
    };
    let mut encoded = encode(context, model, &options).map_err(faulty)?;
    for specification in specifications {
        encoded.register(specification).map_err(faulty)?;
    }
    let evidence = if job.settings.record == Record::Moves { Options::default().evidence } else { 0 };
    let checker = SymbolicChecker::new(context, &encoded.model, Options { evidence, search: if std::env::var("LAYERS").is_ok() || encoded.model.relation.n_parts().0 == 1 { tertium_check::symbolic::Search::Layers } else { tertium_check::symbolic::Search::Saturated }, ..Options::default() });
    let mut answerer =
        SymbolicAnswerer { job, encoded: &encoded, checker, interpreter: Interpreter::new(model) };
    work(&mut answerer);
    if let Some(path) = &settings.write_order {
        let written = write_order(model, &encoded.order());
        write_atomically(path, |out| out.write_all(written.as_bytes()))?;
    }
    Ok(())
}

struct SymbolicAnswerer<'a> {
    job: &'a Job,
    encoded: &'a Encoded<'a>,
    checker: SymbolicChecker<'a>,
    interpreter: Interpreter<'a>,
}

impl Answerer for SymbolicAnswerer<'_> {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn answer(&mut self, specification: &Specification) -> Result<Reply, Failure> {
        let answered = self.outcome(specification);
        match answered {
            Ok(reply) => reply,
            Err(SymbolicError::Stopped(reason)) => Ok(Reply::unknown(reason.into(), self.counted())),
            Err(SymbolicError::Refused(refusal)) => Err(Failure::Input(refusal.to_string())),
        }
    }
}

impl SymbolicAnswerer<'_> {
    fn outcome(&mut self, specification: &Specification) -> Result<Result<Reply, Failure>, SymbolicError> {
        self.job.run.context.poll()?;
        let quantity = match &specification.kind {
            SpecificationKind::Ctl(formula) => {
                let outcome = self.checker.check_ctl(formula)?;
                return Ok(self.reply(specification, outcome));
            }
            SpecificationKind::Invariant(formula) => {
                let outcome = self.checker.check_invariant(formula)?;
                return Ok(self.reply(specification, outcome));
            }
            SpecificationKind::Ltl(formula) => {
                let outcome = self.checker.check_ltl(formula)?;
                return Ok(self.reply(specification, outcome));
            }
            SpecificationKind::ComputeMinimum(from, to) => self.checker.compute_minimum(from, to)?,
            SpecificationKind::ComputeMaximum(from, to) => self.checker.compute_maximum(from, to)?,
        };
        let value = match quantity.quantity {
            Quantity::Finite(length) => length.to_string(),
            Quantity::Infinite => "infinite".to_owned(),
            Quantity::Undefined => "undefined".to_owned(),
        };
        let mut reply = Reply::plain(Verdict::True, self.counted());
        reply.value = Some(value);
        reply.assumptions =
            quantity.assumptions.iter().map(|assumption| self.assumption(assumption)).collect();
        Ok(Ok(reply))
    }

    fn reply(&self, specification: &Specification, outcome: SymbolicOutcome) -> Result<Reply, Failure> {
        let validated = match self.job.settings.validation {
            Validation::Off => None,
            Validation::On => self.validate(specification, &outcome)?,
        };
        let names = Names { encoded: self.encoded };
        let evidence = outcome.evidence.as_ref().map(|evidence| match evidence {
            SymbolicEvidence::Trace(trace) => VariableEvidence::Run(names.run(&names.trace(trace))),
            SymbolicEvidence::Tree(tree) => {
                VariableEvidence::Tree(names.state_text(&names.state(&tree.state)), names.shown(tree))
            }
        });
        let mut reply = Reply::plain(outcome.verdict, self.counted());
        reply.evidence = evidence.filter(|_| self.job.settings.record == Record::Moves);
        reply.states = self.states();
        reply.validated = validated.filter(|_| reply.evidence.is_some());
        reply.assumptions =
            outcome.assumptions.iter().map(|assumption| self.assumption(assumption)).collect();
        Ok(reply)
    }

    /// Replays the evidence on the model itself.
    fn validate(
        &self,
        specification: &Specification,
        outcome: &SymbolicOutcome,
    ) -> Result<Option<bool>, Failure> {
        let names = Names { encoded: self.encoded };
        let validated = match (&outcome.evidence, &specification.kind) {
            (None, _) => return Ok(None),
            (Some(SymbolicEvidence::Trace(trace)), _) => {
                validate_refutation(&self.interpreter, specification, &names.trace(trace))
            }
            (Some(SymbolicEvidence::Tree(tree)), SpecificationKind::Ctl(formula)) => {
                let claim = names.claim(formula, outcome.verdict == Verdict::True, tree);
                validate_claim(&self.interpreter, specification, &names.state(&tree.state), &claim)
                    .map(|_| ())
            }
            (Some(SymbolicEvidence::Tree(_)), _) => return Ok(None),
        };
        validated.map(|()| Some(true)).map_err(|refusal| {
            Failure::Bug(format!(
                "the evidence for {} does not stand up to its validator: {}",
                specification.text,
                refusal.text(self.encoded.flat())
            ))
        })
    }

    fn counted(&self) -> Statistics {
        self.checker.statistics()
    }

    /// How many states are reachable, if that is known.
    fn states(&self) -> Option<String> {
        let known = self.checker.known_reachable();
        known.complete.then(|| known.states.count(&self.encoded.model.relation.frame().current).to_string())
    }

    fn assumption(&self, assumption: &SymbolicAssumption) -> (&'static str, String) {
        let limit = |reason: &StopReason| cause_text(Cause::from(*reason));
        match assumption {
            SymbolicAssumption::NoInitialState => (
                "no-initial-state",
                "the model has no initial state, so every property holds of all of them".to_owned(),
            ),
            SymbolicAssumption::UnfairInitialStates => (
                "unfair-initial-states",
                "at some initial states no fair path begins; they do not count".to_owned(),
            ),
            SymbolicAssumption::Deadlock(trace) => (
                "deadlock",
                format!(
                    "a state without successor can be reached in {} steps: a path may end there (`tertium explain deadlock`)",
                    trace.states.len() - 1
                ),
            ),
            SymbolicAssumption::CompassionIgnored => {
                ("compassion-ignored", "compassion constraints count for LTL only, not for CTL".to_owned())
            }
            SymbolicAssumption::JusticeIgnored => {
                ("justice-ignored", "fairness constraints do not count here: all paths are meant".to_owned())
            }
            SymbolicAssumption::NoEvidence(reason) => (
                "no-evidence",
                format!("the evidence was not collected and the answer not validated: {}", limit(reason)),
            ),
            SymbolicAssumption::DeadlocksUnknown(reason) => (
                "deadlocks-unknown",
                format!(
                    "whether a state without successor can be reached was not found out: {}",
                    limit(reason)
                ),
            ),
        }
    }
}
