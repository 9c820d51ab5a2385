//! What the model demands of states and steps, as terms: the list of the interpreter, read once.
//!
//! With processes, a law of one process is an implication from "this process runs". So the steps are one conjunction whose size is that of
//! the model, however many processes there are.

use super::LowerError;
use super::evaluate::{Evaluator, When};
use super::scalar::Scalar;
use super::slot;
use crate::{Assign, AssignTime, Expr, Value, VarId, VarKind};
use std::collections::BTreeMap;
use tertium_expr::{Term, Terms};
use tertium_program::Predicate;
use tertium_support::Id;

type Made<T> = Result<T, LowerError>;

impl Evaluator<'_> {
    /// That these variables have values of their types.
    pub(super) fn domain(&self, when: When, wanted: impl Fn(VarId) -> bool) -> Term {
        let ids = VarId::first(self.model.variables.len()).filter(|&id| wanted(id));
        let terms = &self.terms;
        terms.and(ids.filter_map(|id| {
            let own = slot::of(&self.slots, id);
            let variable = if when == When::Now { Some(own.now) } else { own.next };
            let ty = &self.model.variables[id.index()].ty;
            variable.map(|variable| slot::within(terms, ty, terms.variable(variable)))
        }))
    }

    /// What every state has to satisfy besides its domain.
    pub(super) fn state_laws(&mut self, when: When) -> Made<Vec<Predicate>> {
        let model = self.model;
        let mut laws = Vec::new();
        for assign in &model.assigns {
            if assign.time == AssignTime::Current
                && !self.is_input(assign.target)
                && self.keeps(assign.target)
            {
                laws.push(self.assign(assign, when, when)?);
            }
        }
        self.constraints(&model.invar, when, &mut laws)?;
        Ok(laws)
    }

    /// What an initial state has to satisfy besides.
    pub(super) fn initial_laws(&mut self) -> Made<Vec<Predicate>> {
        let model = self.model;
        let mut laws = Vec::new();
        for assign in &model.assigns {
            if assign.time == AssignTime::Init && !self.is_input(assign.target) && self.keeps(assign.target) {
                laws.push(self.assign(assign, When::Now, When::Now)?);
            }
        }
        self.constraints(&model.init, When::Now, &mut laws)?;
        Ok(laws)
    }

    /// What every step has to satisfy besides leading from state to state.
    pub(super) fn step_laws(&mut self) -> Made<Vec<Predicate>> {
        let model = self.model;
        let mut laws = Vec::new();
        // By variable that a next assignment gives a value: where one does.
        let mut assigned: BTreeMap<VarId, Vec<Term>> = BTreeMap::new();
        for assign in &model.assigns {
            if !self.keeps(assign.target) {
                continue;
            }
            match assign.time {
                AssignTime::Current if self.is_input(assign.target) => {
                    laws.push(self.assign(assign, When::Now, When::Now)?);
                }
                AssignTime::Next => {
                    let law = self.assign(assign, When::Next, When::Now)?;
                    let runs = self.runs(assign);
                    assigned.entry(assign.target).or_default().push(runs);
                    laws.push(Predicate {
                        holds: self.terms.implies(runs, law.holds),
                        fault: self.terms.and([runs, law.fault]),
                    });
                }
                AssignTime::Current | AssignTime::Init => {}
            }
        }
        for id in VarId::first(model.variables.len()).filter(|&id| self.keeps(id)) {
            let kept = self.kept(id);
            if model.variables[id.index()].kind == VarKind::Frozen {
                laws.extend(kept.map(|kept| Predicate::plain(&self.terms, kept)));
            } else if let (Some(kept), Some(somewhere)) = (kept, assigned.remove(&id)) {
                let kept = self.terms.or(somewhere.into_iter().chain([kept]));
                laws.push(Predicate::plain(&self.terms, kept));
            }
        }
        self.constraints(&model.trans, When::Now, &mut laws)?;
        Ok(laws)
    }

    /// That the process of an assignment runs.
    fn runs(&self, assign: &Assign) -> Term {
        let (Some(process), Some(selector)) = (assign.process, self.model.selector) else {
            return self.terms.boolean(assign.process.is_none());
        };
        let selected = self.variable(selector, When::Now);
        let name = Scalar::constant(&self.terms, Value::Symbol(process));
        let is_this = selected
            .alternatives
            .iter()
            .map(|one| self.terms.and([one.guard, one.scalar.equal(&name, &self.terms)]));
        self.terms.or(is_this)
    }

    /// That a variable does not change.
    fn kept(&self, id: VarId) -> Option<Term> {
        let own = slot::of(&self.slots, id);
        Some(self.terms.equal(self.terms.variable(own.next?), self.terms.variable(own.now)))
    }

    fn constraints(&mut self, constraints: &[Expr], when: When, laws: &mut Vec<Predicate>) -> Made<()> {
        for constraint in constraints {
            laws.push(self.truth(constraint, when)?);
        }
        Ok(())
    }

    /// The variable, at one state, has one of the values of its assignment, which is read at another or the same.
    fn assign(&mut self, assign: &Assign, target: When, when: When) -> Made<Predicate> {
        let model = self.model;
        let variable = self.variable(assign.target, target);
        self.assigned(&variable, &model.variables[assign.target.index()].ty, &assign.value, when)
    }

    fn is_input(&self, id: VarId) -> bool {
        self.model.variables[id.index()].kind == VarKind::Input
    }
}

/// Where all laws hold and have a meaning.
pub(super) fn all(terms: &Terms, laws: &[Predicate]) -> Term {
    terms.and(laws.iter().map(|law| law.certain(terms)))
}

/// Where some law has no meaning and no law says no: a fault counts only where nothing else excludes the state or step.
pub(super) fn faults(terms: &Terms, domain: Term, laws: &[Predicate]) -> Term {
    let some = terms.or(laws.iter().map(|law| law.fault));
    if terms.as_bool(some) == Some(false) {
        return some;
    }
    let allowed = laws.iter().map(|law| terms.or([law.holds, law.fault]));
    terms.and(allowed.chain([domain, some]))
}
