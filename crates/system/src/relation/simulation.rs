//! Greatest simulation and greatest refinement, as users call them.

use super::joint::label_relation;
use super::naive::Clauses;
use super::{LabelMatch, Relation, worklist};
use crate::PartialSystem;
use tertium_support::{Context, StopReason};

/// The greatest simulation of `left` by `right`: related pairs (p, q) where `labels` agree and every may step of p is
/// matched by a may step of q with the same action name into a related pair.
pub fn greatest_simulation(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
    labels: LabelMatch,
) -> Result<Relation, StopReason> {
    let initial = label_relation(context, left, right, labels)?;
    worklist::greatest(context, left, right, initial, Clauses::Simulation, None)
}

/// The greatest refinement: (p, q) where p refines q. May steps of p are matched by q, musts of q (single or hyper)
/// are matched by p, and the literals of q are literals of p.
pub fn greatest_refinement(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
) -> Result<Relation, StopReason> {
    let initial = label_relation(context, left, right, LabelMatch::Information)?;
    worklist::greatest(context, left, right, initial, Clauses::Refinement, None)
}
