//! The symbolic checkers of a model, one for each part of it that was asked about, and their evidence in the values of the
//! whole model.
//!
//! Evidence from a part is completed to the whole model. Where that would get too long, the whole model is asked for its own.

use super::decode::Decoder;
use super::parts::{Encoding, Parts};
use crate::failure::Failure;
use tertium_check::symbolic::{Options, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicOutcome};
use tertium_front_smv::{Completion, EncodeError, Evidence, Interpreter, Specification, SpecificationKind};
use tertium_support::{Context, Statistics, StopReason};

/// Evidence that is completed may have this many states.
const LONGEST_COMPLETED: usize = 2_000;

/// A specification and the part of the model on which it is checked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'s> {
    /// The number of the specification whose propositions it has.
    pub(super) index: usize,
    /// What is asked.
    pub(super) specification: &'s Specification,
    /// The number of the part.
    pub(super) part: usize,
}

/// The checkers.
pub(super) struct Inquiry<'a> {
    context: &'a Context,
    pub(super) parts: &'a Parts<'a>,
    /// By part, once something was asked there.
    checkers: Vec<Option<SymbolicChecker<'a>>>,
    pub(super) interpreter: &'a Interpreter<'a>,
    options: Options,
}

impl<'a> Inquiry<'a> {
    /// Nothing was asked yet.
    pub(super) fn new(
        context: &'a Context,
        parts: &'a Parts<'a>,
        interpreter: &'a Interpreter<'a>,
        options: Options,
    ) -> Self {
        let checkers = (0..parts.len()).map(|_| None).collect();
        Self { context, parts, checkers, interpreter, options }
    }

    /// The encoding of a part, if the specification has a meaning there.
    pub(super) fn encoding(&self, asked: Asked<'_>) -> Result<&'a Encoding<'a>, Halt> {
        let stopped = |error: EncodeError| match error {
            EncodeError::Stopped(reason) => Halt::Stopped(reason),
            error => Halt::Failed(self.parts.failure(error)),
        };
        let encoding = self.parts.encoding(asked.part).map_err(stopped)?;
        encoding.fault(asked.index).map_or(Ok(encoding), |error| Err(stopped(error.clone())))
    }

    /// The checker of a part.
    pub(super) fn checker(&mut self, asked: Asked<'_>) -> Result<&mut SymbolicChecker<'a>, Halt> {
        self.context.poll().map_err(Halt::Stopped)?;
        let encoding = self.encoding(asked)?;
        let (context, options) = (self.context, self.options);
        let slot = &mut self.checkers[asked.part];
        Ok(slot.get_or_insert_with(|| SymbolicChecker::new(context, &encoding.encoded.model, options)))
    }

    /// The answer to a specification with a truth value.
    pub(super) fn outcome(&mut self, asked: Asked<'_>) -> Result<SymbolicOutcome, Halt> {
        let checker = self.checker(asked)?;
        Ok(match &asked.specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(formula)?,
            SpecificationKind::Invariant(formula) => checker.check_invariant(formula)?,
            SpecificationKind::Ltl(formula) => checker.check_ltl(formula)?,
            _ => unreachable!("lengths have no truth value"),
        })
    }

    /// The evidence of an outcome, with values for all variables.
    pub(super) fn evidence(
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

    /// What was counted on a part.
    pub(super) fn counted(&self, part: usize) -> Statistics {
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
    pub(super) fn states(&self, part: usize) -> Option<String> {
        let checker = self.checkers[part].as_ref().filter(|_| self.parts.is_whole(part))?;
        let known = checker.known_reachable();
        let encoding = self.parts.encoding(part).ok()?;
        let frame = encoding.encoded.model.relation.frame();
        known.complete.then(|| known.states.count(&frame.current).to_string())
    }
}

/// Why there is no answer.
pub(super) enum Halt {
    /// A limit was reached.
    Stopped(StopReason),
    /// Something is wrong with the input, or with us.
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
