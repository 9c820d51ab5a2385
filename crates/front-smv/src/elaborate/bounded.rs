//! Bounded temporal operators, written out step by step from the last one.
//!
//! `F [a, b] f` is `f` after at least `a` and at most `b` steps: `a` times X around `f | X (f | …)`. `O` and `H` look back; before
//! the first state nothing was, so that `O` fails there and `H` holds. Bounds and operands together decide the size of
//! what is written out, which is bounded.

use super::Elaborator;
use super::specification::placed;
use crate::syntax::NESTING;
use crate::syntax::tree::{Bounds, CtlUnary};
use tertium_logic::{Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier};
use tertium_support::{Diagnostic, Span};

/// How large a formula may become, and how deep.
const WRITTEN_OUT: (usize, u32) = (100_000, 2 * NESTING);

impl Elaborator<'_> {
    /// Complains if a bounded operator over operands of this size and depth is too large when it is written out.
    pub(super) fn can_be_written_out(
        &mut self,
        bounds: Bounds,
        (size, depth): (usize, u32),
        span: Span,
    ) -> Option<()> {
        let (most, deepest) = WRITTEN_OUT;
        if size.saturating_mul(bounds.high as usize) <= most && depth + 3 * bounds.high <= deepest {
            return Some(());
        }
        let message = "this bounded operator is too large: it is written out step by step";
        self.refuse(Diagnostic::error(span, message))
    }
}

/// How much one step adds with these operands, and how deep they are.
pub(super) fn size_of(operands: &[&Formula]) -> (usize, u32) {
    let (mut size, mut deepest) = (3 * operands.len(), 0);
    let mut waiting: Vec<(&Formula, u32)> = operands.iter().map(|operand| (*operand, 0)).collect();
    while let Some((formula, depth)) = waiting.pop() {
        size += 1;
        deepest = deepest.max(depth);
        waiting.extend(formula.children().into_iter().map(|child| (child, depth + 1)));
    }
    (size, deepest)
}

/// As [`size_of`], of one formula of LTL.
pub(super) fn linear_size_of(operand: &Ltl) -> (usize, u32) {
    let (mut size, mut deepest) = (3, 0);
    let mut waiting = vec![(operand, 0)];
    while let Some((formula, depth)) = waiting.pop() {
        size += 1;
        deepest = deepest.max(depth);
        match &formula.kind {
            LtlKind::Unary(_, body) => waiting.push((body, depth + 1)),
            LtlKind::Binary(_, left, right) => waiting.extend([(&**left, depth + 1), (&**right, depth + 1)]),
            LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => {}
        }
    }
    (size, deepest)
}

/// `F [low, high] f` and the like.
pub(super) fn linear_bounded(op: LtlUnary, bounds: Bounds, body: &Ltl, span: Span) -> Ltl {
    let (step, join) = match op {
        LtlUnary::Globally => (LtlUnary::Next, LtlBinary::And),
        LtlUnary::Once => (LtlUnary::Previous, LtlBinary::Or),
        LtlUnary::Historically => (LtlUnary::WeakPrevious, LtlBinary::And),
        _ => (LtlUnary::Next, LtlBinary::Or),
    };
    let mut formula = body.clone();
    for at in (0..bounds.high).rev() {
        formula = Ltl { kind: LtlKind::Unary(step, Box::new(formula)), span };
        if at >= bounds.low {
            formula = Ltl { kind: LtlKind::Binary(join, Box::new(body.clone()), Box::new(formula)), span };
        }
    }
    formula
}

/// `EBF low..high f` and the like, step by step from the last one.
pub(super) fn bounded(
    quantifier: PathQuantifier,
    op: CtlUnary,
    bounds: Bounds,
    body: &Formula,
    span: Span,
) -> Formula {
    let mut formula = body.clone();
    for step in (0..bounds.high).rev() {
        formula = placed(FormulaKind::Path(quantifier, PathOperator::Next(Box::new(formula))), span);
        if step >= bounds.low {
            let both = vec![body.clone(), formula];
            let kind = if op == CtlUnary::Globally { FormulaKind::And(both) } else { FormulaKind::Or(both) };
            formula = placed(kind, span);
        }
    }
    formula
}

/// `E [f BU low..high g]` and the like, step by step from the last one.
pub(super) fn bounded_until(
    quantifier: PathQuantifier,
    bounds: Bounds,
    left: &Formula,
    right: &Formula,
    span: Span,
) -> Formula {
    let mut formula = right.clone();
    for step in (0..bounds.high).rev() {
        let later = placed(FormulaKind::Path(quantifier, PathOperator::Next(Box::new(formula))), span);
        formula = placed(FormulaKind::And(vec![left.clone(), later]), span);
        if step >= bounds.low {
            formula = placed(FormulaKind::Or(vec![right.clone(), formula]), span);
        }
    }
    formula
}
