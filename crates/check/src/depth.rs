//! How far no violation of a claim about all reachable states can be.
//!
//! Breadth first along steps that may exist: as long as the claim surely holds at all states of a layer, no run of so many steps violates
//! it, whatever the system stands for. Linear in the system.

use crate::necessity::Prepared;
use crate::{Semantics, label};
use tertium_logic::Formula;
use tertium_support::{Context, StopReason};
use tertium_system::{StateId, StateSet};

/// The largest number of steps within which `claim` is surely not violated; nothing if an initial state may violate it. The claim has no
/// temporal operators.
pub fn clear_depth(
    context: &Context,
    prepared: &Prepared<'_>,
    claim: &Formula,
) -> Result<Option<usize>, StopReason> {
    let system = prepared.system();
    let holds = label(context, prepared, claim, Semantics::Sis)?.must;
    let mut layer: Vec<StateId> = system.initial().to_vec();
    let mut reached = StateSet::of(system.n_states(), layer.iter().copied());
    let mut depth = None;
    while !layer.is_empty() && layer.iter().all(|&state| holds.contains(state)) {
        context.poll()?;
        depth = Some(depth.map_or(0, |depth| depth + 1));
        let mut next = Vec::new();
        for &state in &layer {
            next.extend(system.may(state).map(|(_, target)| target).filter(|&target| reached.insert(target)));
        }
        layer = next;
    }
    Ok(depth)
}
