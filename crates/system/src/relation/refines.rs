//! Whether one system refines another, with evidence either way.
//!
//! The empty relation satisfies the clauses of refinement, so the initial states decide: every initial state of the
//! refining system must be related to some initial state of the refined one.

use super::distinguish::Distinguisher;
use super::joint::label_relation;
use super::naive::Clauses;
use super::{LabelMatch, Relation, Rounds, worklist};
use crate::{PartialSystem, StateId};
use tertium_logic::Formula;
use tertium_support::{Context, StopReason};

/// The answer of [`refines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// It refines.
    Holds {
        /// The greatest refinement; it relates every initial state on the left to one on the right.
        relation: Relation,
    },
    /// It does not.
    Fails {
        /// An initial state of the left system that refines no initial state of the right one.
        unmatched: StateId,
        /// A formula that is necessarily true at every initial state on the right, and not at `unmatched`. Missing if
        /// it would nest deeper than 240 operators or have more than 2¹⁶ of them when written out.
        formula: Option<Formula>,
    },
}

/// Whether `left` refines `right`.
///
/// A formula in the answer has modalities, propositions and Boolean operators only. It shows the failure because
/// whatever is necessarily true of a state is necessarily true of every state that refines it.
pub fn refines(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
) -> Result<Refinement, StopReason> {
    let initial = label_relation(context, left, right, LabelMatch::Information)?;
    let bytes = Rounds::bytes(left.n_states(), right.n_states());
    if bytes >= worklist::LARGE_TABLE {
        context.reserve(bytes)?;
    }
    let mut rounds = Rounds::new(&initial);
    let relation = worklist::greatest(context, left, right, initial, Clauses::Refinement, Some(&mut rounds))?;
    let related = |p: StateId| right.initial().iter().any(|&q| relation.contains(p, q));
    let unmatched = left.initial().iter().copied().filter(|&p| !related(p));
    // Several states may be unmatched; the one that differs earliest has the shallowest formula.
    let depth = |p: &StateId| right.initial().iter().filter_map(|&q| rounds.fell(*p, q)).max();
    let Some(unmatched) = unmatched.min_by_key(depth) else {
        return Ok(Refinement::Holds { relation });
    };
    let formula = Distinguisher::new(context, left, right, &rounds).formula(unmatched, right.initial())?;
    Ok(Refinement::Fails { unmatched, formula })
}
