//! From expressions to what they denote, as terms.
//!
//! The rules are those of the interpreter, for all points at once: operators apply to every combination of alternatives; a
//! conjunction with a part that is false is false whatever the other part; where a `case` needs one truth value, several are a
//! fault. Definitions are evaluated once for each of the two states of a step.

use super::operate::{Outcome, binary, bits_of, unary};
use super::scalar::{Alternative, Integer, Meaning, Scalar, Truth};
use super::slot::{self, Slot};
use crate::interpret::parts;
use crate::{Assign, BinaryOp, Expr, ExprKind, FlatModel, Outline, Type, UnaryOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_encode::diagrams::Values;
use tertium_expr::{Terms, Variable};
use tertium_program::Predicate;
use tertium_support::Id;

/// Which state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum When {
    /// The one before, or the only one.
    Now,
    /// The one after.
    Next,
}

/// Evaluates the expressions of one model.
#[derive(Debug)]
pub(crate) struct Evaluator<'m> {
    pub(crate) terms: Rc<Terms>,
    pub(crate) model: &'m FlatModel,
    pub(crate) outline: Rc<Outline>,
    /// The variables that are kept, sorted. The one that says which process runs always is.
    pub(crate) kept: Vec<VarId>,
    /// Their assignments, in the order of the model.
    pub(crate) assigns: Vec<&'m Assign>,
    /// By variable that is kept.
    slots: Vec<Slot>,
    /// What the definitions denote that were evaluated.
    defines: RefCell<FxHashMap<(usize, When), Rc<Meaning>>>,
}

impl<'m> Evaluator<'m> {
    pub(crate) fn new(model: &'m FlatModel, outline: &Rc<Outline>, keep: Option<&BTreeSet<VarId>>) -> Self {
        let kept: Vec<VarId> = match keep {
            None => VarId::first(model.variables.len()).collect(),
            Some(keep) => {
                let with_selector: BTreeSet<VarId> = keep.iter().copied().chain(model.selector).collect();
                with_selector.into_iter().collect()
            }
        };
        let terms = Rc::new(Terms::new());
        Self {
            slots: slot::slots(&terms, model, &kept),
            terms,
            model,
            assigns: outline.assigns(model, &kept),
            outline: Rc::clone(outline),
            kept,
            defines: RefCell::default(),
        }
    }

    /// The variables of terms that stand for a variable; nothing if it is not kept.
    fn slot_of(&self, id: VarId) -> Option<&Slot> {
        let at = if self.kept.len() == self.model.variables.len() {
            id.index()
        } else {
            self.kept.binary_search(&id).ok()?
        };
        self.slots.get(at)
    }

    /// The same for one that is kept.
    pub(super) fn slot(&self, id: VarId) -> &Slot {
        self.slot_of(id).expect("the variable is kept")
    }

    /// Whether an expression is written with sets, so that it may have several values.
    pub(crate) fn has_set(&self, expr: &Expr) -> bool {
        self.outline.has_set(expr)
    }

    /// What an expression denotes.
    pub(super) fn evaluate(&self, expr: &Expr, when: When) -> Rc<Meaning> {
        self.prepare(expr, when);
        self.meaning(expr, when)
    }

    /// Where an expression has exactly one truth value, and where it has none or two.
    pub(crate) fn truth(&self, expr: &Expr, when: When) -> Predicate {
        self.evaluate(expr, when).truth(&self.terms).determined(&self.terms)
    }

    /// The copy of a variable for a state of a step; inputs have one only, and variables that are not kept have none.
    pub(crate) fn copy(&self, id: VarId, when: When) -> Option<Variable> {
        let slot = self.slot_of(id)?;
        match when {
            When::Now => Some(slot.now),
            When::Next => slot.next,
        }
    }

    /// The values of a variable, in the order of their codes.
    pub(crate) fn values(&self, id: VarId) -> Values {
        slot::values(&self.model.variables[id.index()].ty, &self.slot(id).sort)
    }

    /// What a variable denotes; nothing if it is not kept, or is an input and the state after a step is meant.
    pub(super) fn variable(&self, id: VarId, when: When) -> Meaning {
        let ty = &self.model.variables[id.index()].ty;
        self.copy(id, when).map_or_else(
            || Meaning::nothing(&self.terms),
            |variable| slot::meaning(&self.terms, ty, &self.slot(id).sort, variable),
        )
    }

    /// Evaluates the definitions that an expression needs, earlier ones first, so that long chains of definitions need no deep
    /// recursion.
    pub(super) fn prepare(&self, expr: &Expr, when: When) {
        let model = self.model;
        let mut needed: Vec<(usize, When)> = Vec::new();
        let mut waiting = vec![(expr, when)];
        let mut seen = FxHashSet::default();
        while let Some((expr, when)) = waiting.pop() {
            match &expr.kind {
                ExprKind::Define(id) => {
                    let unknown = self.defined(id.index(), when).is_none();
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
            let meaning = self.meaning(&model.defines[define].body, when);
            self.define(define, when, meaning);
        }
    }

    /// Remembers what a definition denotes. Whatever uses it is made of these terms, which are not taken apart.
    fn define(&self, define: usize, when: When, meaning: Rc<Meaning>) {
        meaning.each_term(|term| self.terms.share(term));
        self.defines.borrow_mut().insert((define, when), meaning);
    }

    /// What a definition denotes, if it was evaluated.
    fn defined(&self, define: usize, when: When) -> Option<Rc<Meaning>> {
        self.defines.borrow().get(&(define, when)).cloned()
    }

    pub(super) fn meaning(&self, expr: &Expr, when: When) -> Rc<Meaning> {
        let made = match &expr.kind {
            ExprKind::Constant(value) => Meaning::one(&self.terms, Scalar::constant(&self.terms, *value)),
            ExprKind::Variable(id) => self.variable(*id, when),
            ExprKind::Define(id) => {
                if let Some(known) = self.defined(id.index(), when) {
                    return known;
                }
                let meaning = self.meaning(&self.model.defines[id.index()].body, when);
                self.define(id.index(), when, meaning.clone());
                return meaning;
            }
            // A step has one `next` only.
            ExprKind::Next(_) if when == When::Next => Meaning::nothing(&self.terms),
            ExprKind::Next(operand) => return self.meaning(operand, When::Next),
            ExprKind::Unary(UnaryOp::Not, operand) if operand.ty == Type::Boolean => {
                let Truth { yes, no, fault } = self.meaning(operand, when).truth(&self.terms);
                Meaning::from_truth(&self.terms, Truth { yes: no, no: yes, fault })
            }
            ExprKind::Unary(operator, operand) => {
                let operand = self.meaning(operand, when);
                each(&self.terms, &operand, |scalar| unary(&self.terms, *operator, scalar, &expr.ty))
            }
            ExprKind::Binary(BinaryOp::In, left, right) => {
                let left = self.meaning(left, when);
                let Predicate { holds, fault } = self.subset(&left, right, when);
                Meaning::from_truth(&self.terms, Truth { no: self.terms.not(holds), yes: holds, fault })
            }
            ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right)
                if expr.ty == Type::Boolean =>
            {
                let left = self.meaning(left, when).truth(&self.terms);
                let right = self.meaning(right, when).truth(&self.terms);
                Meaning::from_truth(&self.terms, connect(&self.terms, *operator, left, right))
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.meaning(left, when);
                let right = self.meaning(right, when);
                pairs(&self.terms, &left, &right, |a, b| binary(&self.terms, *operator, a, b))
            }
            ExprKind::Case(branches) => self.case(branches, when),
            ExprKind::Set(elements) => {
                let (mut alternatives, mut faults) = (Vec::new(), Vec::new());
                for element in elements {
                    let element = self.meaning(element, when);
                    alternatives.extend(element.alternatives.iter().cloned());
                    faults.push(element.fault);
                }
                Meaning { alternatives, fault: self.terms.or(faults) }
            }
            ExprKind::Bits(operand, high, low) => {
                let operand = self.meaning(operand, when);
                each(&self.terms, &operand, |scalar| bits_of(&self.terms, scalar, *high, *low))
            }
            ExprKind::Count(operands) => self.count(operands, when),
        };
        Rc::new(made)
    }

    /// Backwards: the value beside a condition, or else what the branches after it give; after the last there is nothing.
    fn case(&self, branches: &[(Expr, Expr)], when: When) -> Meaning {
        let mut seen = Vec::new();
        for (condition, value) in branches {
            let holds = self.meaning(condition, when).truth(&self.terms).determined(&self.terms);
            let last = self.terms.as_bool(holds.holds) == Some(true);
            seen.push((holds, self.meaning(value, when)));
            if last {
                break;
            }
        }
        let mut result = Meaning::nothing(&self.terms);
        for (Predicate { holds, fault }, value) in seen.into_iter().rev() {
            result = value.or_else(&result, &self.terms, holds);
            result.fault = self.terms.or([result.fault, fault]);
        }
        result
    }

    fn count(&self, operands: &[Expr], when: When) -> Meaning {
        let (mut summands, mut faults) = (Vec::new(), Vec::new());
        for operand in operands {
            let Predicate { holds, fault } =
                self.meaning(operand, when).truth(&self.terms).determined(&self.terms);
            summands.push(self.terms.ite(holds, self.terms.integer(1), self.terms.integer(0)));
            faults.push(fault);
        }
        let term = self.terms.sum(summands);
        let number = Scalar::Integer(Integer { term, low: 0, high: operands.len() as i128 });
        Meaning { fault: self.terms.or(faults), ..Meaning::one(&self.terms, number) }
    }
}

/// Conjunction, disjunction and implication of sets of truth values; one operand decides if it can.
fn connect(terms: &Terms, operator: BinaryOp, left: Truth, right: Truth) -> Truth {
    // Everything is said for the conjunction; the others are that of negations.
    let swap = |Truth { yes, no, fault }| Truth { yes: no, no: yes, fault };
    let (left, right) = match operator {
        BinaryOp::And => (left, right),
        BinaryOp::Or => (swap(left), swap(right)),
        _ => (left, swap(right)),
    };
    let fault = terms.or([left.fault, right.fault]);
    let yes = terms.and([left.yes, right.yes]);
    let plain = |side: &Truth| side.no == terms.not(side.yes);
    let no = if plain(&left) && plain(&right) { terms.not(yes) } else { terms.or([left.no, right.no]) };
    let decides = |side: &Truth| terms.and([side.no, terms.not(side.yes), terms.not(side.fault)]);
    let fault = match terms.as_bool(fault) {
        Some(false) => fault,
        _ => terms.and([fault, terms.not(decides(&left)), terms.not(decides(&right))]),
    };
    let both = Truth { yes, no, fault };
    if operator == BinaryOp::And { both } else { swap(both) }
}

fn each(terms: &Terms, operand: &Meaning, apply: impl Fn(&Scalar) -> Outcome) -> Meaning {
    let mut faults = vec![operand.fault];
    let mut alternatives = Vec::new();
    for Alternative { guard, scalar } in &operand.alternatives {
        let (scalar, undefined) = apply(scalar);
        faults.push(terms.and([*guard, undefined]));
        alternatives.push(Alternative { guard: *guard, scalar });
    }
    Meaning { alternatives, fault: terms.or(faults) }
}

fn pairs(
    terms: &Terms,
    left: &Meaning,
    right: &Meaning,
    apply: impl Fn(&Scalar, &Scalar) -> Outcome,
) -> Meaning {
    let mut faults = vec![left.fault, right.fault];
    let mut alternatives = Vec::new();
    for a in &left.alternatives {
        for b in &right.alternatives {
            let guard = terms.and([a.guard, b.guard]);
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            let (scalar, undefined) = apply(&a.scalar, &b.scalar);
            faults.push(terms.and([guard, undefined]));
            alternatives.push(Alternative { guard, scalar });
        }
    }
    let meaning = Meaning { alternatives, fault: terms.or(faults) };
    let are_truths = meaning.alternatives.iter().all(|one| matches!(one.scalar, Scalar::Boolean(_)));
    if meaning.alternatives.len() > 1 && are_truths {
        return Meaning::from_truth(terms, meaning.truth(terms));
    }
    meaning
}
