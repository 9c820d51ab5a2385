//! GTOM: from hyper-musts to single musts [Wei09, Def. 5.18].
//!
//! A must into a set U becomes a must into one state that stands for γ(U): a state of the system if there is one,
//! else a fresh one. Fresh states are shared by equal γ, across sources and actions. A fresh state a may do, with any
//! action, what some state within γ(a) may do; it has no musts; its labels are what all states within γ(a) agree on.
//!
//! The result is a MixTS with the same concrete refinements and, restricted to the old states, the same thorough
//! semantics. It is in general not monotone even if the system was. It has at most one fresh state per hyper-must.
//! Over a fresh state with empty γ (a hyper-must into nothing) every proposition is contradictory.

use super::dense::{fresh_state, open_skeleton};
use super::{PartialError, Precision};
use crate::{Modality, PartialSystem, StateId};
use rustc_hash::FxHashMap;
use tertium_truth::Belnap;

/// The MixTS with the same concrete refinements. A system without hyper-musts is returned as it is.
pub fn gtom(system: &PartialSystem) -> Result<PartialSystem, PartialError> {
    Precision::of(system)?;
    if system.hyper_musts().is_empty() {
        return Ok(system.clone());
    }
    let domain = system.domain_or_flat();
    let mut builder = open_skeleton(system);
    let mut by_meaning: FxHashMap<_, StateId> =
        system.states().map(|s| (domain.gamma(s).clone(), s)).collect();
    let mut fresh = Vec::new();
    for state in system.states() {
        for edge in system.edges(state) {
            builder.edge(state, edge.action, edge.other, edge.modality);
        }
        for (action, targets) in system.hyper_musts().of(state) {
            let meaning = domain.gamma_of(targets.iter().copied());
            let target = *by_meaning.entry(meaning).or_insert_with_key(|meaning| {
                let target = fresh_state(&mut builder, &union_name(system, targets));
                meaning.iter().for_each(|concrete| builder.concretise(target, concrete));
                fresh.push((target, meaning.clone()));
                target
            });
            builder.edge(state, action, target, Modality::Must);
        }
    }
    for (state, meaning) in fresh {
        let within: Vec<StateId> = system.states().filter(|&s| domain.gamma(s).is_subset(&meaning)).collect();
        for (action, target) in within.iter().flat_map(|&s| system.may(s)) {
            builder.edge(state, action, target, Modality::May);
        }
        for name in system.labels().names().names() {
            let proposition = builder.proposition(name, Belnap::Unknown);
            let value = |s: StateId| system.labels().get(proposition, s);
            let agreed = within.iter().map(|&s| value(s)).fold(Belnap::Inconsistent, Belnap::meet);
            builder.label(state, proposition, agreed);
        }
    }
    Ok(builder.build())
}

fn union_name(system: &PartialSystem, targets: &[StateId]) -> String {
    match targets {
        [] => "nothing".to_owned(),
        _ => targets.iter().map(|&t| system.state_name(t)).collect::<Vec<_>>().join("+"),
    }
}
