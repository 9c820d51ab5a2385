//! Paths that end, read as paths that stay where they ended.
//!
//! CTL operators are fixpoints here, so at a state without successors `AX f` holds and `EX f` fails. Whether an answer depends on that
//! is seen from a formula that says what the given one would say if every such state had a step to itself. `AX false` holds exactly at
//! those states. `EF`, `AG`, `E[f U g]`, `A[f R g]` and `A[f W g]` are the same in both readings; modalities speak of steps, not of
//! paths, and stay as they are.

use crate::{Formula, FormulaKind, PathOperator, PathQuantifier};

/// Longer formulas are not made: operands occur more than once, so nested operators multiply.
const LONGEST: usize = 4_000;

/// What a formula says where ended paths stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Staying {
    /// The same.
    Same,
    /// What this formula says of the system as it is.
    Other(Formula),
    /// Something that takes too long to write.
    TooLong,
}

/// What `formula` says of a system where ended paths stay where they ended.
pub fn staying_at_ends(formula: &Formula) -> Staying {
    let is_affected = formula.preorder().any(|part| match &part.kind {
        FormulaKind::Path(quantifier, operator) => is_affected(*quantifier, operator),
        _ => false,
    });
    match is_affected {
        false => Staying::Same,
        true if length(formula) > LONGEST => Staying::TooLong,
        true => Staying::Other(staying(formula)),
    }
}

/// At most so many parts the other formula has; it grows no further beyond [`LONGEST`].
fn length(formula: &Formula) -> usize {
    let parts: Vec<&Formula> = match &formula.kind {
        FormulaKind::Path(quantifier, operator) => {
            let copies = if is_affected(*quantifier, operator) { 3 } else { 1 };
            let operands: usize = operator.operands().into_iter().map(length).fold(0, usize::saturating_add);
            return operands.saturating_mul(copies).saturating_add(8);
        }
        FormulaKind::Not(f) | FormulaKind::Modal(_, _, f) | FormulaKind::Fixpoint(_, _, f) => vec![f],
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().collect(),
        FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => vec![f, g],
        FormulaKind::True | FormulaKind::False | FormulaKind::Proposition(_) | FormulaKind::Variable(_) => {
            Vec::new()
        }
    };
    parts.into_iter().map(length).fold(1, usize::saturating_add)
}

fn is_affected(quantifier: PathQuantifier, operator: &PathOperator) -> bool {
    use PathOperator::{Finally, Globally, Next, Release, Until, WeakUntil};
    match operator {
        Next(_) => true,
        Finally(_) | Until(..) => quantifier == PathQuantifier::All,
        Globally(_) | WeakUntil(..) | Release(..) => quantifier == PathQuantifier::Some,
    }
}

fn staying(formula: &Formula) -> Formula {
    let make = |kind| Formula { kind, span: formula.span };
    let boxed = |f: &Formula| Box::new(staying(f));
    let all = |parts: &[Formula]| parts.iter().map(staying).collect();
    make(match &formula.kind {
        FormulaKind::Not(f) => FormulaKind::Not(boxed(f)),
        FormulaKind::And(parts) => FormulaKind::And(all(parts)),
        FormulaKind::Or(parts) => FormulaKind::Or(all(parts)),
        FormulaKind::Implies(f, g) => FormulaKind::Implies(boxed(f), boxed(g)),
        FormulaKind::Iff(f, g) => FormulaKind::Iff(boxed(f), boxed(g)),
        FormulaKind::Modal(quantifier, regular, f) => {
            FormulaKind::Modal(*quantifier, regular.clone(), boxed(f))
        }
        FormulaKind::Fixpoint(sign, name, f) => FormulaKind::Fixpoint(*sign, name.clone(), boxed(f)),
        FormulaKind::Path(quantifier, operator) => return path(formula, *quantifier, operator),
        FormulaKind::True | FormulaKind::False | FormulaKind::Proposition(_) | FormulaKind::Variable(_) => {
            return formula.clone();
        }
    })
}

/// A path formula, with what holds at ends.
fn path(formula: &Formula, quantifier: PathQuantifier, operator: &PathOperator) -> Formula {
    use PathOperator::{Finally, Globally, Next, Release, Until, WeakUntil};
    let make = |kind| Formula { kind, span: formula.span };
    let of = |quantifier, operator| make(FormulaKind::Path(quantifier, operator));
    let boxed = |f: &Formula| Box::new(f.clone());
    let (some, all) = (PathQuantifier::Some, PathQuantifier::All);
    let ends = || of(all, Next(Box::new(make(FormulaKind::False))));
    let goes_on = || of(some, Next(Box::new(make(FormulaKind::True))));
    // A path along `f` that ends where `f` holds; and that no path ends before `f` held.
    let ends_along =
        |f: &Formula| of(some, Until(boxed(f), Box::new(make(FormulaKind::And(vec![f.clone(), ends()])))));
    let not_before =
        |f: &Formula| of(all, Release(boxed(f), Box::new(make(FormulaKind::Or(vec![f.clone(), goes_on()])))));
    let operands: Vec<Formula> = operator.operands().into_iter().map(staying).collect();
    let same = of(
        quantifier,
        match (operator, operands.as_slice()) {
            (Next(_), [f]) => Next(boxed(f)),
            (Finally(_), [f]) => Finally(boxed(f)),
            (Globally(_), [f]) => Globally(boxed(f)),
            (Until(..), [f, g]) => Until(boxed(f), boxed(g)),
            (WeakUntil(..), [f, g]) => WeakUntil(boxed(f), boxed(g)),
            (Release(..), [f, g]) => Release(boxed(f), boxed(g)),
            _ => unreachable!("an operator has its operands"),
        },
    );
    if !is_affected(quantifier, operator) {
        return same;
    }
    let at_ends = match (operator, operands.as_slice()) {
        (Next(_), [f]) if quantifier == all => make(FormulaKind::Or(vec![f.clone(), goes_on()])),
        (Next(_), [f]) => make(FormulaKind::And(vec![f.clone(), ends()])),
        (Finally(_), [f]) | (Until(..), [_, f]) => not_before(f),
        (Globally(_), [f]) | (WeakUntil(..), [f, _]) | (Release(..), [_, f]) => ends_along(f),
        _ => unreachable!("an operator has its operands"),
    };
    let both = vec![same, at_ends];
    make(if quantifier == all { FormulaKind::And(both) } else { FormulaKind::Or(both) })
}
