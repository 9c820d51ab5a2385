//! What the model demands of states and steps, as terms: the list of the interpreter, read once.
//!
//! With processes, a law of one process is an implication from "this process runs". So the steps are one conjunction whose size is that of
//! the model, however many processes there are.

use super::evaluate::{Evaluator, When};
use super::scalar::Scalar;
use super::slot;
use crate::{Assign, AssignTime, Expr, Value, VarId, VarKind};
use std::collections::BTreeMap;
use tertium_expr::{Term, Terms};
use tertium_program::Predicate;
use tertium_support::Id;

/// Something that is demanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law<'m> {
    pub(super) predicate: Predicate,
    pub(super) origin: Origin<'m>,
}

/// Where a law comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'m> {
    /// An assignment; that it is of a process is said in the law.
    Assign(&'m Assign),
    /// The variable keeps its value, always or where the process that runs does not assign it.
    Kept(VarId),
    /// A constraint.
    Constraint,
}

impl<'m> Evaluator<'m> {
    /// That these variables have values of their types.
    pub(super) fn domain(&self, when: When, wanted: impl Fn(VarId) -> bool) -> Term {
        let ids = self.kept.iter().copied().filter(|&id| wanted(id));
        let terms = &self.terms;
        terms.and(ids.filter_map(|id| {
            let own = self.slot(id);
            let variable = if when == When::Now { Some(own.now) } else { own.next };
            let ty = &self.model.variables[id.index()].ty;
            variable.map(|variable| slot::within(terms, ty, terms.variable(variable)))
        }))
    }

    /// What every state has to satisfy besides its domain.
    pub(super) fn state_laws(&self, when: When) -> Vec<Law<'m>> {
        let model = self.model;
        let mut laws = Vec::new();
        for &assign in &self.assigns {
            if assign.time == AssignTime::Current && !self.is_input(assign.target) {
                let predicate = self.assign(assign, when, when);
                laws.push(Law { predicate, origin: Origin::Assign(assign) });
            }
        }
        self.constraints(&model.invar, when, &mut laws);
        laws
    }

    /// What an initial state has to satisfy besides.
    pub(super) fn initial_laws(&self) -> Vec<Law<'m>> {
        let model = self.model;
        let mut laws = Vec::new();
        for &assign in &self.assigns {
            if assign.time == AssignTime::Init && !self.is_input(assign.target) {
                let predicate = self.assign(assign, When::Now, When::Now);
                laws.push(Law { predicate, origin: Origin::Assign(assign) });
            }
        }
        self.constraints(&model.init, When::Now, &mut laws);
        laws
    }

    /// What every step has to satisfy besides leading from state to state.
    pub(super) fn step_laws(&self) -> Vec<Law<'m>> {
        let model = self.model;
        let mut laws = Vec::new();
        // By variable that a next assignment gives a value: where one does.
        let mut assigned: BTreeMap<VarId, Vec<Term>> = BTreeMap::new();
        for &assign in &self.assigns {
            match assign.time {
                AssignTime::Current if self.is_input(assign.target) => {
                    let predicate = self.assign(assign, When::Now, When::Now);
                    laws.push(Law { predicate, origin: Origin::Assign(assign) });
                }
                AssignTime::Next => {
                    let law = self.assign(assign, When::Next, When::Now);
                    let runs = self.runs(assign);
                    assigned.entry(assign.target).or_default().push(runs);
                    let predicate = Predicate {
                        holds: self.terms.implies(runs, law.holds),
                        fault: self.terms.and([runs, law.fault]),
                    };
                    laws.push(Law { predicate, origin: Origin::Assign(assign) });
                }
                AssignTime::Current | AssignTime::Init => {}
            }
        }
        for &id in &self.kept {
            let kept = self.kept(id);
            if model.variables[id.index()].kind == VarKind::Frozen {
                let law =
                    |kept| Law { predicate: Predicate::plain(&self.terms, kept), origin: Origin::Kept(id) };
                laws.extend(kept.map(law));
            } else if let (Some(kept), Some(somewhere)) = (kept, assigned.remove(&id)) {
                let kept = self.terms.or(somewhere.into_iter().chain([kept]));
                laws.push(Law { predicate: Predicate::plain(&self.terms, kept), origin: Origin::Kept(id) });
            }
        }
        self.constraints(&model.trans, When::Now, &mut laws);
        laws
    }

    /// That the process of an assignment runs.
    pub(super) fn runs(&self, assign: &Assign) -> Term {
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
        let own = self.slot(id);
        Some(self.terms.equal(self.terms.variable(own.next?), self.terms.variable(own.now)))
    }

    fn constraints(&self, constraints: &'m [Expr], when: When, laws: &mut Vec<Law<'m>>) {
        for constraint in constraints {
            laws.push(Law { predicate: self.truth(constraint, when), origin: Origin::Constraint });
        }
    }

    /// The variable, at one state, has one of the values of its assignment, which is read at another or the same.
    fn assign(&self, assign: &Assign, target: When, when: When) -> Predicate {
        self.assigned_to(assign.target, target, &assign.value, when)
    }

    /// A variable, at one state, has one of the values of an expression, which is read at another or the same.
    pub(crate) fn assigned_to(&self, id: VarId, target: When, expr: &Expr, when: When) -> Predicate {
        self.assigned(&self.variable(id, target), &self.model.variables[id.index()].ty, expr, when)
    }

    fn is_input(&self, id: VarId) -> bool {
        self.model.variables[id.index()].kind == VarKind::Input
    }
}

/// Where all laws hold and have a meaning.
pub(super) fn all(terms: &Terms, laws: &[Law<'_>]) -> Term {
    terms.and(laws.iter().map(|law| law.predicate.certain(terms)))
}

/// Where some law has no meaning and no law says no: a fault counts only where nothing else excludes the state or step.
pub(super) fn faults(terms: &Terms, domain: Term, laws: &[Law<'_>]) -> Term {
    let some = terms.or(laws.iter().map(|law| law.predicate.fault));
    if terms.as_bool(some) == Some(false) {
        return some;
    }
    let allowed = laws.iter().map(|law| terms.or([law.predicate.holds, law.predicate.fault]));
    terms.and(allowed.chain([domain, some]))
}
