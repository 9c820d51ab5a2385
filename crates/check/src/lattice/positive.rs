//! Negations moved down to propositions, by the laws of De Morgan.
//!
//! In a De Morgan lattice, ¬ exchanges meet with join and each path operator with its dual, with justice too: where fair paths begin is
//! two-valued. What is left has no negation except at propositions, so it means the same in every lattice, one
//! join-irreducible element at a time.

use super::values::LatticeError;
use crate::symbolic::is_single_step;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier};

/// The formula, or its negation, with negations at propositions only: `negated` gives the negation of a proposition.
pub(super) fn positive(
    formula: &Formula,
    sign: bool,
    negated: &impl Fn(&str) -> Formula,
) -> Result<Formula, LatticeError> {
    let part = |f: &Formula, sign: bool| positive(f, sign, negated);
    let parts = |fs: &[Formula]| fs.iter().map(|f| part(f, sign)).collect::<Result<Vec<_>, _>>();
    Ok(match &formula.kind {
        FormulaKind::True | FormulaKind::False => {
            let kind = if (formula.kind == FormulaKind::True) == sign {
                FormulaKind::True
            } else {
                FormulaKind::False
            };
            kind.into()
        }
        FormulaKind::Proposition(_) if sign => formula.clone(),
        FormulaKind::Proposition(name) => negated(name),
        FormulaKind::Not(f) => part(f, !sign)?,
        FormulaKind::And(fs) if sign => Formula::all(parts(fs)?),
        FormulaKind::Or(fs) if !sign => Formula::all(parts(fs)?),
        FormulaKind::And(fs) | FormulaKind::Or(fs) => Formula::any(parts(fs)?),
        FormulaKind::Implies(f, g) => either(sign, part(f, !sign)?, part(g, sign)?),
        FormulaKind::Iff(f, g) => {
            let there = either(sign, part(f, !sign)?, part(g, sign)?);
            let back = either(sign, part(g, !sign)?, part(f, sign)?);
            either(!sign, there, back)
        }
        FormulaKind::Modal(quantifier, regular, f) if is_single_step(regular) => {
            let quantifier = if sign { *quantifier } else { dual(*quantifier) };
            FormulaKind::Modal(quantifier, regular.clone(), Box::new(part(f, sign)?)).into()
        }
        FormulaKind::Path(quantifier, operator) => {
            let mut operands = Vec::new();
            for operand in operator.operands() {
                operands.push(part(operand, sign)?);
            }
            let g = Box::new(operands[operands.len() - 1].clone());
            let f = Box::new(operands.swap_remove(0));
            let (quantifier, operator) = if sign {
                (*quantifier, same(operator, f, g))
            } else {
                (dual(*quantifier), opposite(operator, f, g))
            };
            FormulaKind::Path(quantifier, operator).into()
        }
        FormulaKind::Modal(..) | FormulaKind::Variable(_) | FormulaKind::Fixpoint(..) => {
            return Err(LatticeError::NotCtl);
        }
    })
}

/// Disjunction, or conjunction for its negation.
fn either(sign: bool, f: Formula, g: Formula) -> Formula {
    if sign { Formula::any(vec![f, g]) } else { Formula::all(vec![f, g]) }
}

fn dual(quantifier: PathQuantifier) -> PathQuantifier {
    match quantifier {
        PathQuantifier::Some => PathQuantifier::All,
        PathQuantifier::All => PathQuantifier::Some,
    }
}

fn same(operator: &PathOperator, f: Box<Formula>, g: Box<Formula>) -> PathOperator {
    match operator {
        PathOperator::Next(_) => PathOperator::Next(f),
        PathOperator::Finally(_) => PathOperator::Finally(f),
        PathOperator::Globally(_) => PathOperator::Globally(f),
        PathOperator::Until(..) => PathOperator::Until(f, g),
        PathOperator::WeakUntil(..) => PathOperator::WeakUntil(f, g),
        PathOperator::Release(..) => PathOperator::Release(f, g),
    }
}

/// The negation of the operator, whose operands are given negated.
fn opposite(operator: &PathOperator, f: Box<Formula>, g: Box<Formula>) -> PathOperator {
    match operator {
        PathOperator::Next(_) => PathOperator::Next(f),
        PathOperator::Finally(_) => PathOperator::Globally(f),
        PathOperator::Globally(_) => PathOperator::Finally(f),
        PathOperator::Until(..) => PathOperator::Release(f, g),
        PathOperator::Release(..) => PathOperator::Until(f, g),
        // Not (f W g) is g' U (f' & g'), where g' is not g.
        PathOperator::WeakUntil(..) => {
            let both = Formula::all(vec![*f, (*g).clone()]);
            PathOperator::Until(g, Box::new(both))
        }
    }
}
