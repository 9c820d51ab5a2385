//! MTOK: from a MixTS to a KMTS, where every must is a may [Wei09, Def. 5.22].
//!
//! A must-only transition from a to b with action x says that some step leads into γ(b), and the mays of a say that
//! it leads into γ(may(a)). So it is replaced by a may-and-must transition into hat(a, x, b), the state that stands for
//! γ(b) ∩ γ(mayₓ(a)): a state of the system if there is one, else a fresh one. Fresh states are shared by equal γ.
//! As hat(a, x, b) is within b, it behaves like b, with every action y: it may do what b may, must do what b both may
//! and must, and a must-only transition of b into b' becomes one into hat(b, y, b'). Its labels are all literals of the
//! states that it is within.
//!
//! The result has the same concrete refinements and, restricted to the old states, the same thorough semantics. There
//! is at most one fresh state per must-only transition. If hat(a, x, b) stands for nothing though a does not, then the
//! system has no refinement. Only adding the missing mays instead would allow more refinements.

use super::dense::{fresh_state, open_skeleton};
use super::{PartialError, Precision, gtom};
use crate::{ActionId, Modality, PartialSystem, StateId, UNLABELLED};
use rustc_hash::FxHashMap;
use tertium_support::Id;
use tertium_truth::Belnap;

/// A must-only transition.
type MustOnly = (StateId, ActionId, StateId);

/// The KMTS with the same concrete refinements. Hyper-musts are first removed by [`gtom()`].
pub fn mtok(system: &PartialSystem) -> Result<PartialSystem, PartialError> {
    Precision::of(system)?;
    if !system.hyper_musts().is_empty() {
        return mtok(&gtom(system)?);
    }
    let must_only: Vec<MustOnly> = must_only_transitions(system).collect();
    if must_only.is_empty() {
        return Ok(system.clone());
    }
    let domain = system.domain_or_flat();
    let mut builder = open_skeleton(system);
    let mut by_meaning: FxHashMap<_, StateId> =
        system.states().map(|s| (domain.gamma(s).clone(), s)).collect();
    let mut hat: FxHashMap<MustOnly, StateId> = FxHashMap::default();
    let mut fresh = Vec::new();
    for &(a, x, b) in &must_only {
        let may = system.may(a).filter(|&(action, _)| action == x).map(|(_, target)| target);
        let meaning = domain.gamma(b).intersection(&domain.gamma_of(may));
        let state = *by_meaning.entry(meaning).or_insert_with_key(|meaning| {
            let state = fresh_state(&mut builder, &hat_name(system, (a, x, b)));
            meaning.iter().for_each(|concrete| builder.concretise(state, concrete));
            fresh.push((state, meaning.clone()));
            state
        });
        hat.insert((a, x, b), state);
    }
    // Gives `state` the steps of the old state `like`, with must-only ones led into their hats.
    let mut behave = |state: StateId, like: StateId| {
        for edge in system.edges(like) {
            match edge.modality {
                Modality::Must => {
                    let target = hat[&(like, edge.action, edge.other)];
                    builder.edge(state, edge.action, target, Modality::Both);
                }
                modality => builder.edge(state, edge.action, edge.other, modality),
            }
        }
    };
    system.states().for_each(|state| behave(state, state));
    for &(a, x, b) in &must_only {
        let state = hat[&(a, x, b)];
        let is_fresh = state.index() >= system.n_states();
        if is_fresh {
            behave(state, b);
        }
    }
    for (state, meaning) in fresh {
        for name in system.labels().names().names() {
            let proposition = builder.proposition(name, Belnap::Unknown);
            let around = system.states().filter(|&s| meaning.is_subset(domain.gamma(s)));
            let values = around.map(|s| system.labels().get(proposition, s));
            builder.label(state, proposition, values.fold(Belnap::Unknown, Belnap::join));
        }
    }
    Ok(builder.build())
}

fn must_only_transitions(system: &PartialSystem) -> impl Iterator<Item = MustOnly> + '_ {
    system.states().flat_map(|state| {
        let only = system.edges(state).filter(|edge| edge.modality == Modality::Must);
        only.map(move |edge| (state, edge.action, edge.other))
    })
}

fn hat_name(system: &PartialSystem, (a, x, b): MustOnly) -> String {
    match system.actions().name(x) {
        UNLABELLED => format!("hat({},{})", system.state_name(a), system.state_name(b)),
        action => format!("hat({},{action},{})", system.state_name(a), system.state_name(b)),
    }
}
