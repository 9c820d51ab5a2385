//! What the form of a formula says about how it is best checked.

use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim};

/// The body of `AG f`, also written as `!EF !f`.
pub(crate) fn as_invariant(formula: &Formula) -> Option<Formula> {
    match as_claim(formula, true).kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(f)) => Some(*f),
        _ => None,
    }
}
