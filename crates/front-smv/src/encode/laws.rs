//! What the model demands of states and steps, as functions of the bits, one law at a time.
//!
//! A constraint is cut into its conjuncts, each a law of its own; an assignment is one law. Laws are never conjoined here: the
//! relation wants small parts. An assignment without sets is cut further, into one part per bit, if its variable has many.

use super::alternatives;
use super::encoding::Encoding;
use super::layout::last_code;
use crate::lower::When;
use crate::{Assign, AssignTime, BinaryOp, Expr, ExprKind, Type, Value, VarId, VarKind};
use rustc_hash::FxHashSet;
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::circuit::Made;
use tertium_encode::diagrams::{conjoin, disjoin, equations};
use tertium_support::Id;

/// Something that is demanded.
#[derive(Clone, Debug)]
pub(super) struct Law<'m> {
    /// It is kept where all of these hold; anything where it has no meaning.
    pub(super) parts: Vec<Bdd>,
    /// And where one of these holds, if there are any.
    pub(super) alternatives: Vec<alternatives::Alternative>,
    /// Where it has no meaning.
    pub(super) fault: Bdd,
    pub(super) origin: Origin<'m>,
}

impl Law<'_> {
    /// Where one of the alternatives holds.
    pub(super) fn any_alternative(&self, manager: &Manager) -> Made<Bdd> {
        let each = self.alternatives.iter().map(|one| conjoin(manager, &one.parts));
        disjoin(manager, &each.collect::<Made<Vec<Bdd>>>()?)
    }
}

/// Where a law comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'m> {
    /// A conjunct of a constraint.
    Constraint(&'m Expr, When),
    Assign(&'m Assign),
    /// The kind of a variable or its type.
    Variable,
}

impl<'m> Encoding<'m> {
    /// What every state has to satisfy.
    pub(super) fn state_laws(&mut self) -> Made<Vec<Law<'m>>> {
        let model = self.model;
        let mut laws = self.valid_codes(|kind| kind != VarKind::Input)?;
        for assign in self.assigns(AssignTime::Current) {
            if model.variables[assign.target.index()].kind != VarKind::Input {
                laws.push(self.assign(assign, When::Now)?);
            }
        }
        self.constraints(&model.invar, false, &mut laws)?;
        Ok(laws)
    }

    /// What an initial state has to satisfy besides.
    pub(super) fn initial_laws(&mut self) -> Made<Vec<Law<'m>>> {
        let mut laws = Vec::new();
        for assign in self.assigns(AssignTime::Init) {
            laws.push(self.assign(assign, When::Now)?);
        }
        self.constraints(&self.model.init, false, &mut laws)?;
        Ok(laws)
    }

    /// What every step has to satisfy besides leading from state to state.
    pub(super) fn step_laws(&mut self) -> Made<Vec<Law<'m>>> {
        let model = self.model;
        let mut laws = self.valid_codes(|kind| kind == VarKind::Input)?;
        for id in self.layout.kept.clone() {
            if model.variables[id.index()].kind == VarKind::Frozen {
                laws.push(self.keep(id)?);
            }
        }
        for assign in self.assigns(AssignTime::Current) {
            if model.variables[assign.target.index()].kind == VarKind::Input {
                laws.push(self.assign(assign, When::Now)?);
            }
        }
        self.constraints(&model.trans, true, &mut laws)?;
        Ok(laws)
    }

    /// What the next assignments demand, by process; one list if there are no processes.
    pub(super) fn next_laws(&mut self) -> Made<Vec<Vec<Law<'m>>>> {
        let model = self.model;
        let assigns = self.assigns(AssignTime::Next);
        let mut always = Vec::new();
        let mut free: FxHashSet<VarId> = FxHashSet::default();
        for assign in &assigns {
            if assign.process.is_none() {
                free.insert(assign.target);
                always.push(self.assign(assign, When::Next)?);
            }
        }
        let Some(selector) = model.selector else { return Ok(vec![always]) };
        let ty = &model.variables[selector.index()].ty;
        let mut disjuncts = Vec::new();
        for code in 0..=last_code(ty) {
            let runs = super::layout::decode(ty, code);
            let mut laws = vec![self.choice(selector, code)?];
            laws.extend(always.iter().cloned());
            let mut assigned = free.clone();
            for assign in &assigns {
                if assign.process.is_some_and(|process| runs == Some(Value::Symbol(process))) {
                    assigned.insert(assign.target);
                    laws.push(self.assign(assign, When::Next)?);
                }
            }
            let mut kept: Vec<VarId> = assigns.iter().map(|assign| assign.target).collect();
            kept.sort_unstable();
            kept.dedup();
            for id in kept.into_iter().filter(|id| !assigned.contains(id)) {
                laws.push(self.keep(id)?);
            }
            disjuncts.push(laws);
        }
        Ok(disjuncts)
    }

    /// The assignments of this time to variables that are encoded.
    fn assigns(&self, time: AssignTime) -> Vec<&'m Assign> {
        let encoded = |assign: &&Assign| assign.time == time && self.layout.place(assign.target).is_some();
        self.lowered.evaluator.assigns.iter().copied().filter(encoded).collect()
    }

    fn valid_codes(&self, wanted: fn(VarKind) -> bool) -> Made<Vec<Law<'m>>> {
        let mut laws = Vec::new();
        for &id in &self.layout.kept {
            if wanted(self.model.variables[id.index()].kind) {
                let valid = self.layout.valid(&self.manager, self.model, id, When::Now)?;
                if !valid.is_true() {
                    laws.push(self.law(vec![valid]));
                }
            }
        }
        Ok(laws)
    }

    fn law(&self, parts: Vec<Bdd>) -> Law<'m> {
        Law { parts, alternatives: Vec::new(), fault: self.manager.constant(false), origin: Origin::Variable }
    }

    pub(super) fn keep(&self, id: VarId) -> Made<Law<'m>> {
        let now = self.layout.bits(&self.manager, id, When::Now)?;
        let next = self.layout.bits(&self.manager, id, When::Next)?;
        Ok(self.law(equations(&self.manager, &now, &next)?))
    }

    fn choice(&self, id: VarId, code: u64) -> Made<Law<'m>> {
        let vars = self.layout.vars(id, When::Now).iter().enumerate();
        let cube = Bdd::cube(&self.manager, vars.map(|(bit, &var)| (var, code >> bit & 1 == 1)))?;
        Ok(self.law(vec![cube]))
    }

    /// The conjuncts of each constraint, through definitions and `next`. Disjunctions are taken apart
    /// where that pays, if the constraints are about steps.
    fn constraints(&mut self, constraints: &'m [Expr], of_steps: bool, laws: &mut Vec<Law<'m>>) -> Made<()> {
        let model = self.model;
        for constraint in constraints {
            let mut waiting = vec![(constraint, When::Now)];
            while let Some((expr, when)) = waiting.pop() {
                match &expr.kind {
                    ExprKind::Binary(BinaryOp::And, left, right) if expr.ty == Type::Boolean => {
                        waiting.push((right, when));
                        waiting.push((left, when));
                    }
                    ExprKind::Next(operand) if when == When::Now => waiting.push((operand, When::Next)),
                    ExprKind::Define(id) => waiting.push((&model.defines[id.index()].body, when)),
                    _ => {
                        let origin = Origin::Constraint(expr, when);
                        let split = if of_steps { self.alternatives(expr, when)? } else { None };
                        if let Some(alternatives) = split {
                            laws.push(Law { alternatives, origin, ..self.law(Vec::new()) });
                            continue;
                        }
                        let (holds, fault) = self.truth(expr, when)?;
                        if !holds.is_true() || !fault.is_false() {
                            laws.push(Law { parts: vec![holds], alternatives: Vec::new(), fault, origin });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The variable, at the given state, has one of the values of its assignment, which is read before the step.
    fn assign(&mut self, assign: &'m Assign, target: When) -> Made<Law<'m>> {
        let (parts, fault) = self.assigned(assign.target, target, &assign.value)?;
        Ok(Law { parts, alternatives: Vec::new(), fault, origin: Origin::Assign(assign) })
    }
}
