//! What the form of a formula says about how it is best checked.

use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, Regular, as_claim, is_boolean};

/// The body of `AG f` if f speaks of one state only, also written as `!EF !f`.
pub(crate) fn as_invariant(formula: &Formula) -> Option<Formula> {
    match as_claim(formula, true).kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(f)) if is_boolean(&f) => Some(*f),
        _ => None,
    }
}

/// The modality of one step of any kind, if it is this.
pub(crate) fn is_single_step(regular: &Regular) -> bool {
    matches!(regular, Regular::Step(tertium_logic::ActionFormula::True))
}
