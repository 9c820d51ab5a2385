//! The common vocabulary of two systems, and the pairs of states whose labels agree.
//!
//! Systems number their actions and propositions each for itself; here both sides get common numbers by name.

use super::Relation;
use super::worklist::LARGE_TABLE;
use crate::{ActionId, Labels, PartialSystem, PropId, StateId, StateSet};
use tertium_support::{Context, Id, Interner, StopReason};
use tertium_truth::Belnap;

/// When the labels of a left state p and a right state q allow them to be related.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelMatch {
    /// Every literal of q is one of p: q says at most as much as p. The rule of refinement.
    #[default]
    Information,
    /// Both say the same.
    Equal,
    /// Labels do not matter.
    Ignored,
}

/// The actions of two systems under common ids.
pub(super) struct JointActions {
    pub(super) names: Interner<ActionId>,
    left: Vec<ActionId>,
    right: Vec<ActionId>,
}

impl JointActions {
    pub(super) fn new(left: &PartialSystem, right: &PartialSystem) -> Self {
        let mut names = left.actions().clone();
        let right = right.actions().names().map(|name| names.intern(name)).collect();
        Self { left: left.actions().ids().collect(), right, names }
    }

    #[inline]
    pub(super) fn left(&self, action: ActionId) -> ActionId {
        self.left[action.index()]
    }

    #[inline]
    pub(super) fn right(&self, action: ActionId) -> ActionId {
        self.right[action.index()]
    }
}

/// The value of a proposition of this name; unknown if the system has none.
pub(super) fn value_of(labels: &Labels, prop: Option<PropId>, state: StateId) -> Belnap {
    prop.map_or(Belnap::Unknown, |prop| labels.get(prop, state))
}

/// The propositions of either system, each with its id in both.
pub(super) fn joint_propositions<'a>(
    left: &'a PartialSystem,
    right: &'a PartialSystem,
) -> Vec<(&'a str, Option<PropId>, Option<PropId>)> {
    let (left, right) = (left.labels().names(), right.labels().names());
    let of_left = left.names().map(|name| (name, left.get(name), right.get(name)));
    let only_right =
        right.names().filter(|name| left.get(name).is_none()).map(|name| (name, None, right.get(name)));
    of_left.chain(only_right).collect()
}

/// The pairs that the labels allow.
pub(super) fn label_relation(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
    rule: LabelMatch,
) -> Result<Relation, StopReason> {
    let bytes = left.n_states() as u64 * right.n_states() as u64 / 8;
    if bytes >= LARGE_TABLE {
        context.reserve(bytes)?;
    }
    let mut relation = Relation::full(left.n_states(), right.n_states());
    let allows = |of_left: Belnap, of_right: Belnap| match rule {
        LabelMatch::Information => of_right.info_le(of_left),
        LabelMatch::Equal => of_right == of_left,
        LabelMatch::Ignored => true,
    };
    if rule == LabelMatch::Ignored {
        return Ok(relation);
    }
    for (_, in_left, in_right) in joint_propositions(left, right) {
        let allowed = Belnap::ALL.map(|of_left| {
            StateSet::filter(right.n_states(), |q| allows(of_left, value_of(right.labels(), in_right, q)))
        });
        for p in left.states() {
            let value = value_of(left.labels(), in_left, p);
            let index = Belnap::ALL.iter().position(|&v| v == value).expect("ALL holds every value");
            relation.restrict(p, &allowed[index]);
        }
    }
    Ok(relation)
}
