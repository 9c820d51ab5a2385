//! Up to which depth no violation of an invariant exists, where the answer about it is unknown.

use crate::Logic;
use std::borrow::Cow;
use tertium_check::{Prepared, clear_depth};
use tertium_evidence::Detail;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_support::Context;
use tertium_system::PartialSystem;

/// The work that may be spent on it: far less than a second.
const MOST_WORK: u64 = 1 << 23;

/// What a property claims of every reachable state, if that is all it says and it needs no temporal operators.
pub(super) fn claim(logic: &Logic) -> Option<Cow<'_, Formula>> {
    let claim = match logic {
        Logic::Invariant(claim) => Cow::Borrowed(claim),
        Logic::Branching(formula) => match as_claim(formula, true).kind {
            FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(claim)) => Cow::Owned(*claim),
            _ => return None,
        },
        Logic::Linear(_) | Logic::Shortest(..) | Logic::Longest(..) => return None,
    };
    Some(claim).filter(|claim| is_boolean(claim))
}

/// The depth up to which a system that stands for a model, perhaps for more than it, has no violation.
pub(super) fn clear_of(context: &Context, system: &PartialSystem, logic: &Logic) -> Option<Detail> {
    let claim = claim(logic)?;
    let context = context.after_limit(MOST_WORK);
    let prepared = Prepared::new(&context, system).ok()?;
    clear_depth(&context, &prepared, &claim).ok()?.map(Detail::NoViolationWithin)
}
