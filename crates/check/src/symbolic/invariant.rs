//! Invariants and lengths of paths: questions about reachable states.
//!
//! An invariant is looked for forwards until a state violates it. Its counterexample is a shortest one: the number of
//! the layer tells how long it is, and after saturation, which has no layers, it is looked for breadth first. Fairness
//! plays no role: a reachable state is reachable on whatever path.

use super::checker::SymbolicChecker;
use super::outcome::SymbolicTrace;
use super::outcome::{SymbolicAssumption, SymbolicError, SymbolicEvidence, SymbolicOutcome};
use super::path::Walk;
use super::quantity::{Quantity, QuantityOutcome, maximum, minimum};
use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_logic::{Formula, is_boolean};
use tertium_support::StopReason;

impl SymbolicChecker<'_> {
    /// Whether the formula holds in every reachable state.
    pub fn check_invariant(&mut self, formula: &Formula) -> Result<SymbolicOutcome, SymbolicError> {
        self.cut = None;
        let id = self.understand(formula)?;
        let bad = if is_boolean(formula) {
            self.boolean(formula)?.not()
        } else {
            let good = self.evaluate(id)?;
            self.universe()?.without(&good)?
        };
        let mut assumptions = Vec::new();
        if self.model.init.is_false() {
            assumptions.push(SymbolicAssumption::NoInitialState);
        }
        if !self.meets(&bad)? {
            return Ok(self.outcome(true, None, assumptions));
        }
        let evidence = match self.options.evidence {
            0 => None,
            _ => match self.trace_to(&bad) {
                Ok(trace) => Some(SymbolicEvidence::Trace(trace)),
                Err(reason) => {
                    assumptions.push(SymbolicAssumption::NoEvidence(reason));
                    None
                }
            },
        };
        Ok(self.outcome(false, evidence, assumptions))
    }

    /// The number of steps of a shortest path from a reachable state with `from` to one with `goal`.
    pub fn compute_minimum(
        &mut self,
        from: &Formula,
        goal: &Formula,
    ) -> Result<QuantityOutcome, SymbolicError> {
        self.compute(from, goal, minimum)
    }

    /// The number of steps of a longest path from a reachable state with `from` to one with `goal`, and `goal` only there.
    pub fn compute_maximum(
        &mut self,
        from: &Formula,
        goal: &Formula,
    ) -> Result<QuantityOutcome, SymbolicError> {
        self.compute(from, goal, maximum)
    }

    fn compute(
        &mut self,
        from: &Formula,
        goal: &Formula,
        length: impl Fn(&Universe<'_>, &Bdd, &Bdd) -> Result<Quantity, StopReason>,
    ) -> Result<QuantityOutcome, SymbolicError> {
        let (from, goal) = (self.states_of(from)?, self.states_of(goal)?);
        let reachable = self.reachable()?.states.clone();
        let universe = Universe::new(self.context, self.model, reachable.clone());
        let quantity = length(&universe, &from.and(&reachable)?, &goal.and(&reachable)?)?;
        let mut assumptions = Vec::new();
        if !self.model.justice.is_empty() {
            assumptions.push(SymbolicAssumption::JusticeIgnored);
        }
        if !self.model.compassion.is_empty() {
            assumptions.push(SymbolicAssumption::CompassionIgnored);
        }
        Ok(QuantityOutcome { quantity, assumptions, statistics: self.statistics() })
    }

    /// A shortest path from an initial state to a state of `bad`, one of which is known to be reachable.
    pub(crate) fn trace_to(&self, bad: &Bdd) -> Result<SymbolicTrace, StopReason> {
        let anywhere = self.model.manager.constant(true);
        for (depth, layer) in self.reach.layers.iter().enumerate() {
            if let Some(end) = self.model.pick_state(&layer.and(bad)?) {
                let walk = Walk::back(self.model, &self.reach.layers[..depth], &anywhere, end)?;
                return Ok(walk.into_trace(self.model));
            }
        }
        // Saturation leaves no layers.
        let universe = Universe::new(self.context, self.model, self.reach.states.clone());
        let walk = Walk::shortest(&universe, &self.model.init, &anywhere, &anywhere, bad)?;
        Ok(walk.expect("a bad state is reachable").into_trace(self.model))
    }
}
