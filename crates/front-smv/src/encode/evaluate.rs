//! From expressions to what they denote, as functions of the bits.
//!
//! The rules are those of the interpreter, for all points at once: operators apply to every combination of alternatives; a
//! conjunction with a part that is false is false whatever the other part; where a `case` needs one truth value, several are a
//! fault. Definitions are evaluated once for each of the two states of a step.

use super::layout::{Layout, When};
use super::operate::{binary, bits_of, unary};
use super::scalar::{Alternative, Meaning, Scalar, Truth};
use crate::interpret::parts;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Type, UnaryOp, VarId};
use std::rc::Rc;
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::Integer;
use tertium_encode::diagrams::circuit::Made;
use tertium_support::Id;

/// Evaluates the expressions of one model.
#[derive(Debug)]
pub(super) struct Evaluator<'m> {
    pub(super) manager: Manager,
    pub(super) model: &'m FlatModel,
    pub(super) layout: Layout,
    /// By state of a step and definition.
    defines: [Vec<Option<Rc<Meaning>>>; 2],
    /// By state of a step and variable.
    variables: [Vec<Option<Rc<Meaning>>>; 2],
    /// By definition: whether it is written with sets.
    has_set: Vec<bool>,
}

impl<'m> Evaluator<'m> {
    pub(super) fn new(manager: &Manager, model: &'m FlatModel, layout: Layout) -> Self {
        let defines = vec![None; model.defines.len()];
        let variables = vec![None; model.variables.len()];
        let mut has_set = Vec::new();
        for define in &model.defines {
            has_set.push(mentions_set(&define.body, &has_set));
        }
        Self {
            manager: manager.clone(),
            model,
            layout,
            defines: [defines.clone(), defines],
            variables: [variables.clone(), variables],
            has_set,
        }
    }

    /// Whether an expression is written with sets, so that it may have several values.
    pub(super) fn has_set(&self, expr: &Expr) -> bool {
        mentions_set(expr, &self.has_set)
    }

    /// What an expression denotes.
    pub(super) fn evaluate(&mut self, expr: &Expr, when: When) -> Made<Rc<Meaning>> {
        self.prepare(expr, when)?;
        self.meaning(expr, when)
    }

    /// Where an expression has exactly one truth value, and where it has none or two.
    pub(super) fn truth(&mut self, expr: &Expr, when: When) -> Made<(Bdd, Bdd)> {
        self.evaluate(expr, when)?.truth(&self.manager)?.determined()
    }

    /// What a variable denotes.
    pub(super) fn variable(&mut self, id: VarId, when: When) -> Made<Rc<Meaning>> {
        if let Some(known) = &self.variables[when as usize][id.index()] {
            return Ok(known.clone());
        }
        let meaning = Rc::new(self.layout.meaning(&self.manager, self.model, id, when)?);
        self.variables[when as usize][id.index()] = Some(meaning.clone());
        Ok(meaning)
    }

    /// Evaluates the definitions that an expression needs, earlier ones first, so that long chains of definitions need no deep
    /// recursion.
    pub(super) fn prepare(&mut self, expr: &Expr, when: When) -> Made<()> {
        let model = self.model;
        let mut needed: Vec<(usize, When)> = Vec::new();
        let mut waiting = vec![(expr, when)];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((expr, when)) = waiting.pop() {
            match &expr.kind {
                ExprKind::Define(id) => {
                    let unknown = self.defines[when as usize][id.index()].is_none();
                    if unknown && seen.insert((id.index(), when)) {
                        needed.push((id.index(), when));
                        waiting.push((&model.defines[id.index()].body, when));
                    }
                }
                ExprKind::Next(operand) => waiting.push((operand, When::Next)),
                _ => waiting.extend(parts(expr).into_iter().map(|part| (part, when))),
            }
        }
        needed.sort_unstable_by_key(|(define, _)| *define);
        for (define, when) in needed {
            let meaning = self.meaning(&model.defines[define].body, when)?;
            self.defines[when as usize][define] = Some(meaning);
        }
        Ok(())
    }

    pub(super) fn meaning(&mut self, expr: &Expr, when: When) -> Made<Rc<Meaning>> {
        let manager = self.manager.clone();
        let made = match &expr.kind {
            ExprKind::Constant(value) => Meaning::one(&manager, Scalar::constant(&manager, *value)),
            ExprKind::Variable(id) => return self.variable(*id, when),
            ExprKind::Define(id) => {
                if let Some(known) = &self.defines[when as usize][id.index()] {
                    return Ok(known.clone());
                }
                let meaning = self.meaning(&self.model.defines[id.index()].body, when)?;
                self.defines[when as usize][id.index()] = Some(meaning.clone());
                return Ok(meaning);
            }
            // A step has one `next` only.
            ExprKind::Next(_) if when == When::Next => Meaning::nothing(&manager),
            ExprKind::Next(operand) => return self.meaning(operand, When::Next),
            ExprKind::Unary(UnaryOp::Not, operand) if operand.ty == Type::Boolean => {
                let Truth { yes, no, fault } = self.meaning(operand, when)?.truth(&manager)?;
                Meaning::from_truth(&manager, Truth { yes: no, no: yes, fault })?
            }
            ExprKind::Unary(operator, operand) => {
                let operand = self.meaning(operand, when)?;
                each(&manager, &operand, |scalar| unary(&manager, *operator, scalar, &expr.ty))?
            }
            ExprKind::Binary(BinaryOp::In, left, right) => {
                let left = self.meaning(left, when)?;
                let (yes, fault) = self.subset(&left, right, when)?;
                Meaning::from_truth(&manager, Truth { no: yes.not(), yes, fault })?
            }
            ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right)
                if expr.ty == Type::Boolean =>
            {
                let left = self.meaning(left, when)?.truth(&manager)?;
                let right = self.meaning(right, when)?.truth(&manager)?;
                Meaning::from_truth(&manager, connect(*operator, left, right)?)?
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.meaning(left, when)?;
                let right = self.meaning(right, when)?;
                pairs(&manager, &left, &right, |a, b| binary(&manager, *operator, a, b))?
            }
            ExprKind::Case(branches) => self.case(branches, when)?,
            ExprKind::Set(elements) => {
                let (mut all, mut fault) = (Vec::new(), manager.constant(false));
                for element in elements {
                    let element = self.meaning(element, when)?;
                    all.extend(element.alternatives.iter().cloned());
                    fault = fault.or(&element.fault)?;
                }
                Meaning::gathered(&manager, all, fault)?
            }
            ExprKind::Bits(operand, high, low) => {
                let operand = self.meaning(operand, when)?;
                each(&manager, &operand, |scalar| Ok(bits_of(&manager, scalar, *high, *low)))?
            }
            ExprKind::Count(operands) => self.count(operands, when)?,
        };
        Ok(Rc::new(made))
    }

    /// Backwards: the value beside a condition, or else what the branches after it give; after the last there is nothing.
    fn case(&mut self, branches: &[(Expr, Expr)], when: When) -> Made<Meaning> {
        let manager = self.manager.clone();
        let mut seen = Vec::new();
        for (condition, value) in branches {
            let (holds, fault) = self.meaning(condition, when)?.truth(&manager)?.determined()?;
            if holds.is_false() && fault.is_false() {
                continue;
            }
            let last = holds.is_true();
            seen.push((holds, fault, self.meaning(value, when)?));
            if last {
                break;
            }
        }
        let mut result = Meaning::nothing(&manager);
        for (holds, fault, value) in seen.into_iter().rev() {
            result = value.or_else(&result, &holds)?;
            result.fault = result.fault.or(&fault)?;
        }
        Ok(result)
    }

    fn count(&mut self, operands: &[Expr], when: When) -> Made<Meaning> {
        let manager = self.manager.clone();
        let mut sum = Integer::constant(&manager, &0.into());
        let mut fault = manager.constant(false);
        for operand in operands {
            let (holds, undetermined) = self.meaning(operand, when)?.truth(&manager)?.determined()?;
            sum = sum.add(&Integer::unsigned(&manager, &[holds]))?;
            fault = fault.or(&undetermined)?;
        }
        Ok(Meaning { fault, ..Meaning::one(&manager, Scalar::Integer(sum)) })
    }
}

/// Conjunction, disjunction and implication of sets of truth values; one operand decides if it can.
fn connect(operator: BinaryOp, left: Truth, right: Truth) -> Made<Truth> {
    // Everything is said for the conjunction; the others are that of negations.
    let swap = |Truth { yes, no, fault }| Truth { yes: no, no: yes, fault };
    let (left, right) = match operator {
        BinaryOp::And => (left, right),
        BinaryOp::Or => (swap(left), swap(right)),
        _ => (left, swap(right)),
    };
    let yes = left.yes.and(&right.yes)?;
    let mut fault = left.fault.or(&right.fault)?;
    let no = if fault.is_false() {
        left.no.or(&right.no)?
    } else {
        let decides = |side: &Truth| side.no.diff(&side.yes)?.diff(&side.fault);
        let decided = decides(&left)?.or(&decides(&right)?)?;
        fault = fault.diff(&decided)?;
        left.no.or(&right.no)?.or(&decided)?
    };
    let both = Truth { yes, no, fault };
    Ok(if operator == BinaryOp::And { both } else { swap(both) })
}

fn each(
    manager: &Manager,
    operand: &Meaning,
    apply: impl Fn(&Scalar) -> Made<(Scalar, Bdd)>,
) -> Made<Meaning> {
    let mut fault = operand.fault.clone();
    let mut all = Vec::new();
    for Alternative { guard, scalar } in &operand.alternatives {
        let (scalar, undefined) = apply(scalar)?;
        fault = fault.or(&undefined.and(guard)?)?;
        all.push(Alternative { guard: guard.clone(), scalar });
    }
    Meaning::gathered(manager, all, fault)
}

fn pairs(
    manager: &Manager,
    left: &Meaning,
    right: &Meaning,
    apply: impl Fn(&Scalar, &Scalar) -> Made<(Scalar, Bdd)>,
) -> Made<Meaning> {
    let mut fault = left.fault.or(&right.fault)?;
    let mut all = Vec::new();
    for a in &left.alternatives {
        for b in &right.alternatives {
            let guard = a.guard.and(&b.guard)?;
            if guard.is_false() {
                continue;
            }
            let (scalar, undefined) = apply(&a.scalar, &b.scalar)?;
            fault = fault.or(&undefined.and(&guard)?)?;
            all.push(Alternative { guard, scalar });
        }
    }
    Meaning::gathered(manager, all, fault)
}

fn mentions_set(expr: &Expr, defines: &[bool]) -> bool {
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Set(_) => return true,
            ExprKind::Define(id) if defines[id.index()] => return true,
            _ => waiting.extend(parts(expr)),
        }
    }
    false
}
