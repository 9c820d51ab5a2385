//! What the model demands of states and steps, as functions of the bits, one law at a time.
//!
//! A constraint is cut into its conjuncts, each a law of its own; an assignment is one law. Laws are never conjoined here: the
//! relation wants small parts. An assignment without sets is cut further, into one part per bit, if its variable has many.

use super::alternatives;
use super::evaluate::Evaluator;
use super::layout::{When, code_of, last_code, width_of};
use super::scalar::{Alternative, Meaning, Scalar};
use crate::{Assign, AssignTime, BinaryOp, Expr, ExprKind, Type, Value, VarId, VarKind};
use rustc_hash::FxHashSet;
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::Integer;
use tertium_encode::diagrams::circuit::{self as bits, Made};
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
        self.alternatives.iter().try_fold(manager.constant(false), |any, one| {
            any.or(&one.parts.iter().try_fold(manager.constant(true), |all, part| all.and(part))?)
        })
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

/// Assignments with at most this many bits are one part.
const WHOLE: usize = 4;

impl<'m> Evaluator<'m> {
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
        let model = self.model;
        let encoded = |assign: &&Assign| assign.time == time && self.layout.place(assign.target).is_some();
        model.assigns.iter().filter(encoded).collect()
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
        Ok(self.law(self.equations(&now, &next)?))
    }

    fn choice(&self, id: VarId, code: u64) -> Made<Law<'m>> {
        let vars = self.layout.vars(id, When::Now).iter().enumerate();
        let cube = Bdd::cube(&self.manager, vars.map(|(bit, &var)| (var, code >> bit & 1 == 1)))?;
        Ok(self.law(vec![cube]))
    }

    fn equations(&self, left: &[Bdd], right: &[Bdd]) -> Made<Vec<Bdd>> {
        if left.len() <= WHOLE {
            Ok(vec![bits::equal(&self.manager, left, right)?])
        } else {
            left.iter().zip(right).map(|(left, right)| left.iff(right)).collect()
        }
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
        let ty = &self.model.variables[assign.target.index()].ty;
        let origin = Origin::Assign(assign);
        self.prepare(&assign.value, When::Now)?;
        if self.has_set(&assign.value) {
            let variable = self.variable(assign.target, target)?;
            let (yes, fault) = self.member(&variable, &assign.value, When::Now)?;
            let fault = fault.or(&self.outside(ty, &assign.value)?)?;
            return Ok(Law { parts: vec![yes], alternatives: Vec::new(), fault, origin });
        }
        let value = self.evaluate(&assign.value, When::Now)?;
        let (code, fault) = self.code(ty, &value)?;
        let bits = self.layout.bits(&self.manager, assign.target, target)?;
        Ok(Law { parts: self.equations(&bits, &code)?, alternatives: Vec::new(), fault, origin })
    }

    /// The code of the one value, and where there is none.
    fn code(&self, ty: &Type, value: &Meaning) -> Made<(Vec<Bdd>, Bdd)> {
        let mut fault = value.fault.clone();
        let mut code: Option<Vec<Bdd>> = None;
        for Alternative { guard, scalar } in &value.alternatives {
            let (here, outside) = self.scalar_code(ty, scalar)?;
            fault = fault.or(&guard.and(&outside)?)?;
            code = Some(match code {
                Some(code) => bits::ite(guard, &here, &code)?,
                None => here,
            });
        }
        Ok((code.unwrap_or_else(|| bits::constant(&self.manager, 0, width_of(ty))), fault))
    }

    /// The code of a scalar in a type, and where it is not of the type.
    pub(super) fn scalar_code(&self, ty: &Type, scalar: &Scalar) -> Made<(Vec<Bdd>, Bdd)> {
        let manager = &self.manager;
        let never = manager.constant(false);
        Ok(match (ty, scalar) {
            (Type::Boolean, Scalar::Boolean(value)) => (vec![value.clone()], never),
            (Type::Word { width, signed }, Scalar::Word { bits, signed: s })
                if *width as usize == bits.len() && signed == s =>
            {
                (bits.clone(), never)
            }
            (Type::Range(low, high), Scalar::Integer(number)) => {
                let outside = number.outside(&(*low).into(), &(*high).into())?;
                let low = Integer::constant(manager, &(*low).into());
                (number.subtract(&low)?.cut(width_of(ty)), outside)
            }
            (Type::Enumeration(values), _) => {
                let mut code = bits::constant(manager, 0, width_of(ty));
                let mut found = never;
                for &value in values {
                    let here = scalar.equal(&Scalar::constant(manager, value), manager)?;
                    let number = code_of(ty, value).unwrap_or_default();
                    found = found.or(&here)?;
                    for (place, bit) in code.iter_mut().enumerate() {
                        if number >> place & 1 == 1 {
                            *bit = bit.or(&here)?;
                        }
                    }
                }
                (code, found.not())
            }
            _ => (bits::constant(manager, 0, width_of(ty)), manager.constant(true)),
        })
    }
}
