//! Merging equivalent states.
//!
//! By bisimulation: the quotient has the may steps and musts of any member, all members having the same ones up to
//! blocks.
//!
//! By simulation, of a *complete* system: states that simulate each other are merged; a block has the steps of all
//! its members, except steps to a block when there is one with the same action to a block that simulates it \[BG03\].
//! Universal (and existential) properties are kept, nested ones need not be. Of a *partial* system simulation would
//! lose the musts; there, states that *refine* each other are merged, and a block has the may steps and the musts of
//! all members. With ⊑ for refinement, {(p, \[q\]) | p ⊑ q} and {(\[p\], q) | p ⊑ q} are refinements, so the quotient
//! refines the system and is refined by it, and every verdict stays.
//!
//! Domains: states are merged only if they stand for the same concrete states. Taking the union of different
//! concretisations would admit more concrete systems than before: verdicts of the standard semantics would stay
//! sound, but consistency and thorough verdicts could change. With equal concretisations exactly the same concrete
//! systems refine the quotient. To merge regardless of a domain, drop it first.

use super::bisimulation::{bisimulation, observations};
use super::joint::label_relation;
use super::naive::Clauses;
use super::{LabelMatch, Partition, Relation, worklist};
use crate::{Edge, PartialSystem, StateId, StateNames, StateSet, SystemBuilder};
use tertium_support::{Context, Id, StopReason};
use tertium_truth::Belnap;

/// When two states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// They are bisimilar: every verdict is kept, the system is the smallest of its kind, and it is fast.
    Bisimulation,
    /// They simulate each other (complete systems), or refine each other (partial ones): at least as small.
    Simulation,
}

/// A system with merged states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// One state for each block, named like the least member of the block.
    pub system: PartialSystem,
    /// The state of `system` that each original state became.
    pub block_of: Vec<StateId>,
}

/// The quotient of a system. Blocks are numbered by their least members; unreachable states are kept.
pub fn minimise(
    context: &Context,
    system: &PartialSystem,
    equivalence: Equivalence,
) -> Result<Quotient, StopReason> {
    let partition = bisimulation(context, system)?;
    let merged = merge(system, &partition, |_, _| true);
    if equivalence == Equivalence::Bisimulation {
        return Ok(Quotient { system: merged, block_of: partition.blocks().to_vec() });
    }
    // Bisimilar states are equivalent in either sense, so the expensive relation is computed on the small system.
    // The original system decides: a partial one can become complete when bisimilar states are merged.
    let clauses = if system.is_complete() { Clauses::Simulation } else { Clauses::Refinement };
    let preorder = preorder(context, &merged, clauses)?;
    debug_assert!(merged.states().all(|s| preorder.contains(s, s)), "every state is simulated by itself");
    let mutual = preorder.intersection(&preorder.converse());
    let kernel = Partition::by_key(merged.states().map(|s| mutual.image(s).iter().next()));
    let coarse = merge(&merged, &kernel, |_, _| true);
    let coarse = match clauses {
        Clauses::Refinement => coarse,
        Clauses::Simulation => without_little_brothers(&coarse, &kernel, &preorder),
    };
    Ok(Quotient { system: coarse, block_of: partition.then(&kernel).blocks().to_vec() })
}

/// The greatest simulation or refinement of a system by itself, between states that stand for the same.
fn preorder(context: &Context, system: &PartialSystem, clauses: Clauses) -> Result<Relation, StopReason> {
    let mut initial = label_relation(context, system, system, LabelMatch::Information)?;
    if system.domain().is_some() {
        let observed = observations(system);
        for p in system.states() {
            let same_block =
                StateSet::filter(system.n_states(), |q| observed.block_of(q) == observed.block_of(p));
            initial.restrict(p, &same_block);
        }
    }
    worklist::greatest(context, system, system, initial, clauses, None)
}

/// One state for each block, with the transitions of all its members. Members agree on labels and concretisation.
/// Single edges for which `keep` does not hold are left out.
fn merge(
    system: &PartialSystem,
    partition: &Partition,
    keep: impl Fn(StateId, Edge) -> bool,
) -> PartialSystem {
    let representatives = partition.representatives();
    let mut builder = if representatives.len() == system.n_states() && *system.names() == StateNames::Numbered
    {
        SystemBuilder::numbered(representatives.len())
    } else {
        let mut builder = SystemBuilder::named();
        representatives.iter().for_each(|&s| {
            builder.state(&system.state_name(s));
        });
        builder
    };
    debug_assert_eq!(builder.n_states(), partition.n_blocks(), "every block is one state");
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
    builder.reserve(system.transitions().len());
    let block = |s: StateId| partition.block_of(s);
    for state in system.states() {
        for edge in system.edges(state).filter(|&edge| keep(state, edge)) {
            builder.edge(block(state), edge.action, block(edge.other), edge.modality);
        }
        for (action, targets) in system.hyper_musts().of(state) {
            let mut targets: Vec<StateId> = targets.iter().copied().map(block).collect();
            targets.sort_unstable();
            targets.dedup();
            builder.hyper_must(block(state), action, targets);
        }
    }
    system.initial().iter().for_each(|&s| builder.initial(block(s)));
    copy_observations(system, &representatives, &mut builder);
    builder.build()
}

/// Labels and concretisations of the blocks, from their representatives.
fn copy_observations(system: &PartialSystem, representatives: &[StateId], builder: &mut SystemBuilder) {
    for (name, prop) in system.labels().names().names().zip(system.labels().names().ids()) {
        let new = builder.proposition(name, Belnap::Unknown);
        for (index, &member) in representatives.iter().enumerate() {
            builder.label(StateId::new(index), new, system.labels().get(prop, member));
        }
    }
    if let Some(domain) = system.domain() {
        domain.concrete().names().for_each(|name| {
            builder.concrete(name);
        });
        for (index, &member) in representatives.iter().enumerate() {
            domain.gamma(member).iter().for_each(|c| builder.concretise(StateId::new(index), c));
        }
    }
}

/// Drops a step to a block when a step with the same action leads to another block that simulates it.
fn without_little_brothers(coarse: &PartialSystem, kernel: &Partition, preorder: &Relation) -> PartialSystem {
    let representatives = kernel.representatives();
    let member = |block: StateId| representatives[block.index()];
    merge(coarse, &Partition::by_key(coarse.states()), |source, edge| {
        !coarse.may(source).any(|(action, other)| {
            let brothers = action == edge.action && other != edge.other;
            brothers && preorder.contains(member(edge.other), member(other))
        })
    })
}
