//! Many instances of a formula at once.
//!
//! Further propositions may depend on variables of the manager that belong to no step: rigid variables. Images leave them alone,
//! so the set of a formula becomes a function of state and rigid bits, which holds for each value of the rigid bits the set
//! of one instance. A set over a finite distributive lattice is such a function, with the join-irreducible elements coded in the
//! rigid bits \[Bir37\].
//!
//! What is computed with further propositions is forgotten afterwards, so that their names can mean something else the next time. What
//! does not depend on them (fair states, other sub-formulas) is looked up and kept.

use super::checker::{Options, SymbolicChecker};
use super::normal::as_invariant;
use super::outcome::{SymbolicError, SymbolicOutcome};
use tertium_dd::Bdd;
use tertium_logic::{Formula, FormulaKind};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;
use tertium_truth::Verdict;

impl SymbolicChecker<'_> {
    /// The values of rigid bits for which the formula holds at every initial state, with justice at every one where a fair path
    /// begins: what `check_ctl` decides, for each instance. The further propositions are functions of current and rigid bits, with names
    /// that the model does not have.
    pub fn instances_that_hold(
        &mut self,
        formula: &Formula,
        further: &[(String, Bdd)],
    ) -> Result<Bdd, SymbolicError> {
        let fair = self.fair_states()?;
        self.with_propositions(further, |checker| checker.for_all_initial(formula, &fair))
    }

    /// As [`Self::instances_that_hold`], for the property that a formula holds at every reachable state.
    pub fn invariant_instances_that_hold(
        &mut self,
        formula: &Formula,
        further: &[(String, Bdd)],
    ) -> Result<Bdd, SymbolicError> {
        let reachable = self.reachable()?.states.clone();
        self.with_propositions(further, |checker| {
            let good = checker.states_of(formula)?;
            Ok(checker.nowhere(&reachable.diff(&good)?)?)
        })
    }

    /// Whether the formula holds at every initial state: the verdict of `check_ctl`, without evidence and notes. Conjunctions are
    /// decided part by part.
    pub fn decide_ctl(&mut self, formula: &Formula) -> Result<bool, SymbolicError> {
        if let FormulaKind::And(parts) = &formula.kind {
            for part in parts {
                if !self.decide_ctl(part)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        self.verdict_only(|checker| checker.check_ctl(formula))
    }

    /// The verdict of `check_invariant`, without evidence and notes.
    pub fn decide_invariant(&mut self, formula: &Formula) -> Result<bool, SymbolicError> {
        self.verdict_only(|checker| checker.check_invariant(formula))
    }

    fn verdict_only(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<SymbolicOutcome, SymbolicError>,
    ) -> Result<bool, SymbolicError> {
        let options = self.options;
        self.options = Options { evidence: 0, find_deadlocks: false, ..options };
        let outcome = ask(self);
        self.options = options;
        Ok(outcome?.verdict == Verdict::True)
    }

    /// What the questions are about.
    pub fn model(&self) -> &SymbolicModel {
        self.model
    }

    fn for_all_initial(&mut self, formula: &Formula, fair: &Bdd) -> Result<Bdd, SymbolicError> {
        if let FormulaKind::And(parts) = &formula.kind {
            let mut all = self.model.manager.constant(true);
            for part in parts {
                all = all.and(&self.for_all_initial(part, fair)?)?;
            }
            return Ok(all);
        }
        let failing = match as_invariant(formula).filter(|_| self.options.reachable_first) {
            // A reachable state where a fair path begins counts against `AG f`: so does the initial state that leads there.
            Some(body) => fair.diff(&self.states_of(&body)?)?,
            None => self.model.init.and(fair)?.diff(&self.states_of(formula)?)?,
        };
        Ok(self.nowhere(&failing)?)
    }

    /// The values of rigid bits for which the set is empty.
    fn nowhere(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        Ok(set.exists(self.model.relation.current())?.not())
    }

    fn with_propositions<T>(
        &mut self,
        further: &[(String, Bdd)],
        work: impl FnOnce(&mut Self) -> Result<T, SymbolicError>,
    ) -> Result<T, SymbolicError> {
        debug_assert!(
            further.iter().all(|(name, _)| !self.model.propositions.contains_key(name)),
            "new names"
        );
        let before = self.sets.assume(further);
        let result = work(self);
        self.sets.forget(before);
        result
    }
}
