//! Formulas that speak of single states, as terms: `AG` or `G` of a formula without temporal operators, and conjunctions of such.
//! Negations of `EF` and `F` are read as what they say.

use tertium_expr::{Term, Terms};
use tertium_logic::{
    Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier, as_claim,
};

/// What a proposition means, by name.
pub type Atoms<'a> = dyn Fn(&str) -> Option<Term> + 'a;

/// A formula without temporal operators.
pub fn state_claim(terms: &Terms, formula: &Formula, atoms: &Atoms<'_>) -> Option<Term> {
    let inside = |formula: &Formula| state_claim(terms, formula, atoms);
    Some(match &formula.kind {
        FormulaKind::True => terms.boolean(true),
        FormulaKind::False => terms.boolean(false),
        FormulaKind::Proposition(name) => atoms(name)?,
        FormulaKind::Not(inner) => terms.not(inside(inner)?),
        FormulaKind::And(parts) => terms.and(parts.iter().map(inside).collect::<Option<Vec<_>>>()?),
        FormulaKind::Or(parts) => terms.or(parts.iter().map(inside).collect::<Option<Vec<_>>>()?),
        FormulaKind::Implies(left, right) => terms.implies(inside(left)?, inside(right)?),
        FormulaKind::Iff(left, right) => terms.equal(inside(left)?, inside(right)?),
        FormulaKind::Variable(_)
        | FormulaKind::Modal(..)
        | FormulaKind::Fixpoint(..)
        | FormulaKind::Path(..) => return None,
    })
}

/// What a formula says of every reachable state and nothing else: `AG f`, and conjunctions of such. Nothing if it is of another form.
pub fn branching_claim(terms: &Terms, formula: &Formula, atoms: &Atoms<'_>) -> Option<Term> {
    match &as_claim(formula, true).kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(inner)) => {
            state_claim(terms, inner, atoms).or_else(|| branching_claim(terms, inner, atoms))
        }
        FormulaKind::And(parts) => {
            let parts = parts.iter().map(|part| branching_claim(terms, part, atoms));
            Some(terms.and(parts.collect::<Option<Vec<_>>>()?))
        }
        _ => None,
    }
}

/// What a formula of linear time says of every place of all paths and nothing else: `G f`, and conjunctions of such.
pub fn linear_claim(terms: &Terms, formula: &Ltl, atoms: &Atoms<'_>) -> Option<Term> {
    match &formula.kind {
        LtlKind::Unary(LtlUnary::Globally, inner) => {
            of_place(terms, inner, atoms).or_else(|| linear_claim(terms, inner, atoms))
        }
        LtlKind::Unary(LtlUnary::Not, inner) => match &inner.kind {
            LtlKind::Unary(LtlUnary::Finally, inner) => Some(terms.not(of_place(terms, inner, atoms)?)),
            _ => None,
        },
        LtlKind::Binary(LtlBinary::And, left, right) => {
            Some(terms.and([linear_claim(terms, left, atoms)?, linear_claim(terms, right, atoms)?]))
        }
        _ => None,
    }
}

/// A formula of linear time without temporal operators.
fn of_place(terms: &Terms, formula: &Ltl, atoms: &Atoms<'_>) -> Option<Term> {
    let inside = |formula: &Ltl| of_place(terms, formula, atoms);
    Some(match &formula.kind {
        LtlKind::True => terms.boolean(true),
        LtlKind::False => terms.boolean(false),
        LtlKind::Proposition(name) => atoms(name)?,
        LtlKind::Unary(LtlUnary::Not, inner) => terms.not(inside(inner)?),
        LtlKind::Binary(LtlBinary::And, left, right) => terms.and([inside(left)?, inside(right)?]),
        LtlKind::Binary(LtlBinary::Or, left, right) => terms.or([inside(left)?, inside(right)?]),
        LtlKind::Binary(LtlBinary::Xor, left, right) => terms.not(terms.equal(inside(left)?, inside(right)?)),
        LtlKind::Binary(LtlBinary::Implies, left, right) => terms.implies(inside(left)?, inside(right)?),
        LtlKind::Binary(LtlBinary::Iff, left, right) => terms.equal(inside(left)?, inside(right)?),
        LtlKind::Unary(..) | LtlKind::Binary(..) => return None,
    })
}
