//! Up to which depth no violation of an invariant exists, where the answer about it is unknown.
//!
//! Engines that go breadth first say it themselves, and so do those whose last abstract system stands for all runs. For the others
//! the states near the initial ones are looked at, one by one: search by matching may lose states on its way, a proof by induction
//! looks at no runs, and a round that a limit ended has seen a part only. That costs a small number of units of work, whatever limit
//! was reached.

use super::listed;
use crate::{Admitted, Asked, Logic, Model, Opening, Options, PropertyId, Wanted};
use std::borrow::Cow;
use tertium_check::{Prepared, clear_depth};
use tertium_evidence::Detail;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_support::{Context, Id};
use tertium_system::PartialSystem;
use tertium_truth::Verdict;

/// The work that may be spent on it: far less than a second.
const MOST_WORK: u64 = 1 << 23;
/// The work that may be spent on states which no engine has listed: far less than a second, too, since a unit is dearer.
const MOST_LISTING: u64 = 1 << 18;
/// So many states are listed for it; fewer where these take more work than there is.
const LISTED_STATES: [usize; 2] = [2_000, 100];

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

/// Says it of an unknown answer that says nothing of it yet.
pub(crate) fn tell(
    context: &Context,
    model: &dyn Model,
    options: &Options,
    property: PropertyId,
    admitted: &mut Admitted,
) {
    let answer = &mut admitted.answer;
    let is_told = answer.details.iter().any(|detail| matches!(detail, Detail::NoViolationWithin(_)));
    if matches!(answer.outcome.verdict, Verdict::Unknown(_)) && !is_told {
        let logic = &model.properties()[property.index()].logic;
        answer.details.extend(near(context, model, options, property, logic));
    }
}

/// The depth up to which the states near the initial ones have no violation, listed one by one.
pub(super) fn near(
    context: &Context,
    model: &dyn Model,
    options: &Options,
    property: PropertyId,
    logic: &Logic,
) -> Option<Detail> {
    claim(logic)?;
    let most = options.states.unwrap_or(usize::MAX);
    LISTED_STATES.into_iter().find_map(|n| {
        let context = context.after_limit(MOST_LISTING);
        let properties = [property];
        match (model.system(), model.states()) {
            (Some(offer), _) => {
                let found = offer.system(&context, &properties, n.min(most)).ok()?;
                clear_of(&context, &found.system, logic)
            }
            (None, Some(_)) => {
                let opening =
                    Opening { context: &context, model, asked: &properties, options, growing: false };
                let asked = Asked { property, logic, hints: None, wanted: Wanted::Verdict };
                listed::clear_depth(opening, asked, n.min(most)).map(Detail::NoViolationWithin)
            }
            (None, None) => None,
        }
    })
}
