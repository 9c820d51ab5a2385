//! Claims: formulas with negation only at propositions, fixpoints and equivalences.
//!
//! The negation of a universal path formula is an existential one, which a path can show. Equivalences keep their sides as
//! they are, since a claim about them depends on which sides hold at a state; negated fixpoints stay negated.

use crate::{Formula, FormulaKind, PathOperator, PathQuantifier};

/// The claim that the formula holds, or if not `positive` that it does not.
pub fn as_claim(formula: &Formula, positive: bool) -> Formula {
    let kind = match &formula.kind {
        FormulaKind::True | FormulaKind::False => {
            if (formula.kind == FormulaKind::True) == positive {
                FormulaKind::True
            } else {
                FormulaKind::False
            }
        }
        FormulaKind::Not(f) => return as_claim(f, !positive),
        FormulaKind::And(parts) => {
            join(positive, parts.iter().map(|part| as_claim(part, positive)).collect())
        }
        FormulaKind::Or(parts) => {
            join(!positive, parts.iter().map(|part| as_claim(part, positive)).collect())
        }
        FormulaKind::Implies(f, g) => join(!positive, vec![as_claim(f, !positive), as_claim(g, positive)]),
        FormulaKind::Modal(quantifier, regular, f) => FormulaKind::Modal(
            dual_unless(positive, *quantifier),
            regular.clone(),
            Box::new(as_claim(f, positive)),
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
pub fn is_boolean(formula: &Formula) -> bool {
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

/// Whether the formula speaks of all paths only: with negation at propositions, every path quantifier is `A`. Equivalences speak of both
/// truth values of their sides, so these must be without quantifiers. A Boolean formula is universal.
pub fn is_universal(formula: &Formula) -> bool {
    is_all(formula, true)
}

fn is_all(formula: &Formula, positive: bool) -> bool {
    match &formula.kind {
        FormulaKind::Not(f) => is_all(f, !positive),
        FormulaKind::Implies(f, g) => is_all(f, !positive) && is_all(g, positive),
        FormulaKind::Iff(f, g) => is_boolean(f) && is_boolean(g),
        FormulaKind::Path(quantifier, operator) => {
            (*quantifier == PathQuantifier::All) == positive
                && operator.operands().into_iter().all(|operand| is_all(operand, positive))
        }
        FormulaKind::Modal(quantifier, _, f) => {
            (*quantifier == PathQuantifier::All) == positive && is_all(f, positive)
        }
        FormulaKind::Fixpoint(_, _, f) => is_all(f, positive),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().all(|part| is_all(part, positive)),
        FormulaKind::True | FormulaKind::False | FormulaKind::Proposition(_) | FormulaKind::Variable(_) => {
            true
        }
    }
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
    let keep = |f: &Formula| Box::new(as_claim(f, true));
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
    let not = |f: &Formula| Box::new(as_claim(f, false));
    match operator {
        PathOperator::Next(f) => PathOperator::Next(not(f)),
        PathOperator::Finally(f) => PathOperator::Globally(not(f)),
        PathOperator::Globally(f) => PathOperator::Finally(not(f)),
        PathOperator::Until(f, g) => PathOperator::Release(not(f), not(g)),
        PathOperator::Release(f, g) => PathOperator::Until(not(f), not(g)),
        PathOperator::WeakUntil(f, g) => {
            let neither = FormulaKind::And(vec![as_claim(f, false), as_claim(g, false)]).into();
            PathOperator::Until(not(g), Box::new(neither))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use tertium_support::Source;

    fn claim(text: &str, positive: bool) -> String {
        as_claim(&parse(&Source::new("formula", text)).unwrap(), positive).to_string()
    }

    #[test]
    fn what_fails_on_all_paths_is_claimed_of_some_path() {
        assert_eq!(claim("AG p", false), "EF !p");
        assert_eq!(claim("!EF p", true), "AG !p");
        assert_eq!(claim("A[p U q]", false), "E[!p R !q]");
        assert_eq!(claim("p -> AX q", false), claim("p && EX !q", true));
    }

    #[test]
    fn universal_formulas_quantify_over_all_paths_whatever_the_negations() {
        let universal = |text: &str| is_universal(&parse(&Source::new("formula", text)).unwrap());
        assert!(universal("AG (p -> AF q)") && universal("!EF (p && EX q)") && universal("p <=> q"));
        assert!(!universal("AG EF p") && !universal("AG (AF p -> q)") && !universal("AG (p <=> AX q)"));
    }

    #[test]
    fn equivalences_stay_as_they_are() {
        assert_eq!(claim("AF (p <=> !q)", false), claim("EG !(p <=> !q)", true));
    }
}
