//! Claims: formulas with negation only at propositions, fixpoints and equivalences.
//!
//! The negation of a universal path formula is an existential one, which a path can show. Equivalences keep their sides as
//! they are, since a claim about them depends on which sides hold at a state; negated fixpoints stay negated.

use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, Regular};

/// The claim that the formula holds, or if not `positive` that it does not.
pub fn claim(formula: &Formula, positive: bool) -> Formula {
    let kind = match &formula.kind {
        FormulaKind::True | FormulaKind::False => {
            if (formula.kind == FormulaKind::True) == positive {
                FormulaKind::True
            } else {
                FormulaKind::False
            }
        }
        FormulaKind::Not(f) => return claim(f, !positive),
        FormulaKind::And(parts) => join(positive, parts.iter().map(|part| claim(part, positive)).collect()),
        FormulaKind::Or(parts) => join(!positive, parts.iter().map(|part| claim(part, positive)).collect()),
        FormulaKind::Implies(f, g) => join(!positive, vec![claim(f, !positive), claim(g, positive)]),
        FormulaKind::Modal(quantifier, regular, f) => FormulaKind::Modal(
            dual_unless(positive, *quantifier),
            regular.clone(),
            Box::new(claim(f, positive)),
        ),
        FormulaKind::Path(quantifier, operator) => {
            let operator = if positive { same(operator) } else { dual(operator) };
            FormulaKind::Path(dual_unless(positive, *quantifier), operator)
        }
        FormulaKind::Proposition(_)
        | FormulaKind::Variable(_)
        | FormulaKind::Iff(..)
        | FormulaKind::Fixpoint(..) => {
            if positive {
                formula.kind.clone()
            } else {
                FormulaKind::Not(Box::new(formula.clone()))
            }
        }
    };
    Formula { kind, span: formula.span }
}

/// Whether the formula speaks of one state only.
pub(crate) fn is_boolean(formula: &Formula) -> bool {
    formula.preorder().all(|part| {
        !matches!(
            part.kind,
            FormulaKind::Path(..)
                | FormulaKind::Modal(..)
                | FormulaKind::Fixpoint(..)
                | FormulaKind::Variable(_)
        )
    })
}

/// The body of `AG f`, also written as `!EF !f`.
pub(crate) fn as_invariant(formula: &Formula) -> Option<Formula> {
    match claim(formula, true).kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(f)) => Some(*f),
        _ => None,
    }
}

/// The modality of one step of any kind, if it is this.
pub(crate) fn is_single_step(regular: &Regular) -> bool {
    matches!(regular, Regular::Step(tertium_logic::ActionFormula::True))
}

fn join(conjunction: bool, parts: Vec<Formula>) -> FormulaKind {
    if conjunction { FormulaKind::And(parts) } else { FormulaKind::Or(parts) }
}

fn dual_unless(positive: bool, quantifier: PathQuantifier) -> PathQuantifier {
    match (positive, quantifier) {
        (true, same) => same,
        (false, PathQuantifier::Some) => PathQuantifier::All,
        (false, PathQuantifier::All) => PathQuantifier::Some,
    }
}

fn same(operator: &PathOperator) -> PathOperator {
    let keep = |f: &Formula| Box::new(claim(f, true));
    match operator {
        PathOperator::Next(f) => PathOperator::Next(keep(f)),
        PathOperator::Finally(f) => PathOperator::Finally(keep(f)),
        PathOperator::Globally(f) => PathOperator::Globally(keep(f)),
        PathOperator::Until(f, g) => PathOperator::Until(keep(f), keep(g)),
        PathOperator::WeakUntil(f, g) => PathOperator::WeakUntil(keep(f), keep(g)),
        PathOperator::Release(f, g) => PathOperator::Release(keep(f), keep(g)),
    }
}

/// On one path: what holds where the operator does not.
fn dual(operator: &PathOperator) -> PathOperator {
    let not = |f: &Formula| Box::new(claim(f, false));
    match operator {
        PathOperator::Next(f) => PathOperator::Next(not(f)),
        PathOperator::Finally(f) => PathOperator::Globally(not(f)),
        PathOperator::Globally(f) => PathOperator::Finally(not(f)),
        PathOperator::Until(f, g) => PathOperator::Release(not(f), not(g)),
        PathOperator::Release(f, g) => PathOperator::Until(not(f), not(g)),
        PathOperator::WeakUntil(f, g) => {
            let neither = FormulaKind::And(vec![claim(f, false), claim(g, false)]).into();
            PathOperator::Until(not(g), Box::new(neither))
        }
    }
}
