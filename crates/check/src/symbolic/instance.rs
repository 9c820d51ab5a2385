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
use super::ctl::Sets;
use super::normal::as_invariant;
use super::outcome::{SymbolicError, SymbolicOutcome};
use super::switches::Pass;
use super::term::Term;
use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_logic::{Formula, FormulaKind, Ltl, is_boolean};
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
            Ok(checker.where_empty(&reachable.diff(&good)?)?)
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

    /// The verdict of `check_ltl`, without evidence and notes.
    pub fn decide_ltl(&mut self, formula: &Ltl) -> Result<bool, SymbolicError> {
        self.verdict_only(|checker| checker.check_ltl(formula))
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

    /// Whether the formula holds, and whether it does with each of the switches on: propositions that are false otherwise and true
    /// everywhere if they are on. What holds means is told at [`Self::instances_that_hold`].
    pub fn holds_with_each(
        &mut self,
        formula: &Formula,
        switches: &[String],
    ) -> Result<(bool, Vec<bool>), SymbolicError> {
        self.understand_with(formula, switches)?;
        let fair = self.fair_states()?;
        let starts = self.model.init.and(&fair)?;
        let reachable_first = self.options.reachable_first;
        let universe = self.universe()?;
        let mut pass = Pass::new(&universe, &mut self.terms, &mut self.sets, switches);
        let mut holds = (true, vec![true; switches.len()]);
        let mut left = vec![formula.clone()];
        let mut boolean = Vec::new();
        while let Some(formula) = left.pop() {
            if let FormulaKind::And(parts) = formula.kind {
                left.extend(parts);
                continue;
            }
            let (body, among) = match as_invariant(&formula).filter(|_| reachable_first) {
                Some(body) => (body, &fair),
                None => (formula, &starts),
            };
            match is_boolean(&body) {
                true => boolean.push((body, among)),
                false => all_in(&mut pass, &body, among, &mut holds)?,
            }
        }
        // Without temporal operators nothing needs to be inside of the reachable states, whose diagram may be large.
        let everywhere = Universe::new(self.context, self.model, self.model.manager.constant(true));
        let mut sets = Sets::default();
        let mut pass = Pass::new(&everywhere, &mut self.terms, &mut sets, switches);
        for (body, among) in boolean {
            all_in(&mut pass, &body, among, &mut holds)?;
        }
        Ok(holds)
    }

    /// As [`Self::holds_with_each`], for the property that a formula holds at every reachable state.
    pub fn invariant_holds_with_each(
        &mut self,
        formula: &Formula,
        switches: &[String],
    ) -> Result<(bool, Vec<bool>), SymbolicError> {
        self.understand_with(formula, switches)?;
        let reachable = self.reachable()?.states.clone();
        let universe = self.universe()?;
        let mut pass = Pass::new(&universe, &mut self.terms, &mut self.sets, switches);
        let mut holds = (true, vec![true; switches.len()]);
        all_in(&mut pass, formula, &reachable, &mut holds)?;
        Ok(holds)
    }

    fn understand_with(&mut self, formula: &Formula, switches: &[String]) -> Result<(), SymbolicError> {
        let nothing = self.model.manager.constant(false);
        let off: Vec<(String, Bdd)> = switches.iter().map(|name| (name.clone(), nothing.clone())).collect();
        self.with_propositions(&off, |checker| Ok(checker.understand(formula)?)).map(drop)
    }

    /// As [`Self::states_of`], with further propositions.
    pub fn states_with(
        &mut self,
        formula: &Formula,
        further: &[(String, Bdd)],
    ) -> Result<Bdd, SymbolicError> {
        self.with_propositions(further, |checker| checker.states_of(formula))
    }

    /// Forgets the sets of all formulas. The reachable and the fair states stay known.
    pub fn forget_formulas(&mut self) {
        let fair = self.terms.fair();
        self.sets.keep_only(fair);
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
        Ok(self.where_empty(&failing)?)
    }

    /// The values of rigid bits for which the set is empty.
    fn where_empty(&self, set: &Bdd) -> Result<Bdd, StopReason> {
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
        if further.is_empty() {
            // Nothing to forget: what is computed stays right.
            return work(self);
        }
        let before = self.sets.assume(further);
        let result = work(self);
        self.sets.forget(before);
        result
    }
}

/// A question about two sets.
type Comparison = fn(&Bdd, &Bdd) -> Result<bool, StopReason>;

/// Notes where a formula does not hold in all of some states: by itself, and with each switch on.
fn all_in(
    pass: &mut Pass<'_, '_>,
    formula: &Formula,
    states: &Bdd,
    holds: &mut (bool, Vec<bool>),
) -> Result<(), SymbolicError> {
    let mut waiting = vec![pass.terms().add(formula)?];
    while let Some(id) = waiting.pop() {
        // Conjunctions and complements need not be computed to see whether some states are inside.
        let (varied, inside): (_, Comparison) = match pass.terms().term(id) {
            Term::And(parts) => {
                waiting.extend(parts.iter().copied());
                continue;
            }
            &Term::Not(f) => (pass.evaluate(f)?, Bdd::is_disjoint),
            _ => (pass.evaluate(id)?, Bdd::is_subset),
        };
        let own = inside(states, &varied.own)?;
        holds.0 &= own;
        let mut others = varied.others.iter().peekable();
        for (variant, all) in holds.1.iter_mut().enumerate() {
            let other = others.next_if(|(number, _)| *number == variant);
            *all = *all
                && match other {
                    Some((_, set)) => inside(states, set)?,
                    None => own,
                };
        }
        debug_assert!(others.next().is_none(), "every variant that differs was looked at");
    }
    Ok(())
}
