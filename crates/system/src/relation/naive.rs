//! Greatest simulation and greatest refinement by rounds over all pairs: the definition, and the oracle for the fast
//! version in `worklist`.
//!
//! p refines q iff
//! 1. (may) every step p -x->may p' has a step q -x->may q' with p' related to q';
//! 2. (must) every q -x->must X has some p -x->must Y such that every y in Y is related to some x in X;
//! 3. (labels) every literal of q is one of p.
//!
//! The greatest such relation exists, since related pairs of several such relations satisfy the clauses for their
//! union. It is the limit of R₀ = pairs with agreeing labels, Rₖ₊₁ = pairs of Rₖ whose steps are matched inside Rₖ.
//! Simulation is clauses 1 and 3 only. Cost: rounds × Σ over pairs of the products of their degrees.

use super::joint::{JointActions, label_relation};
use super::{LabelMatch, Relation, Rounds};
use crate::{PartialSystem, StateId};
use tertium_support::{Context, StopReason};

/// Which steps have to be matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clauses {
    /// May steps of the left state.
    Simulation,
    /// May steps of the left state and musts of the right one.
    Refinement,
}

/// The greatest refinement of `right` by `left`, with the round in which each pair fell.
pub fn greatest_refinement_naive(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
) -> Result<(Relation, Rounds), StopReason> {
    let initial = label_relation(context, left, right, LabelMatch::Information)?;
    greatest_naive(context, left, right, initial, Clauses::Refinement)
}

/// The greatest simulation of `left` by `right` over may steps, with the round in which each pair fell.
pub fn greatest_simulation_naive(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
    labels: LabelMatch,
) -> Result<(Relation, Rounds), StopReason> {
    greatest_naive(context, left, right, label_relation(context, left, right, labels)?, Clauses::Simulation)
}

fn greatest_naive(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
    initial: Relation,
    clauses: Clauses,
) -> Result<(Relation, Rounds), StopReason> {
    let mut ticker = context.ticker("relation");
    let actions = JointActions::new(left, right);
    let mut rounds = Rounds::new(&initial);
    let mut current = initial;
    for round in 1.. {
        let mut next = current.clone();
        for (p, q) in current.pairs() {
            ticker.tick(1)?;
            let matched = may_matched(left, right, &actions, &current, p, q)
                && (clauses == Clauses::Simulation || must_matched(left, right, &actions, &current, p, q));
            if !matched {
                next.remove(p, q);
                rounds.set(p, q, round);
            }
        }
        if next == current {
            break;
        }
        current = next;
    }
    Ok((current, rounds))
}

/// Clause 1 inside `related`.
fn may_matched(
    left: &PartialSystem,
    right: &PartialSystem,
    actions: &JointActions,
    related: &Relation,
    p: StateId,
    q: StateId,
) -> bool {
    left.may(p).all(|(x, p_next)| {
        right
            .may(q)
            .any(|(y, q_next)| actions.left(x) == actions.right(y) && related.contains(p_next, q_next))
    })
}

/// Clause 2 inside `related`.
fn must_matched(
    left: &PartialSystem,
    right: &PartialSystem,
    actions: &JointActions,
    related: &Relation,
    p: StateId,
    q: StateId,
) -> bool {
    right.must_sets(q).all(|(y, q_next)| {
        left.must_sets(p).any(|(x, p_next)| {
            actions.left(x) == actions.right(y)
                && p_next.iter().all(|&p| q_next.iter().any(|&q| related.contains(p, q)))
        })
    })
}
