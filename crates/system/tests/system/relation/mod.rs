//! Laws and worked examples of relations between systems, on random systems with printed seeds.
//!
//! `eval` is a small evaluator of formulas that shares nothing with the code under test.

mod abstraction;
mod checking;
mod encodings;
mod eval;
mod quotients;
mod refinement;

use tertium_support::{Context, Id, Rng};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{SystemShape, random_system};
use tertium_truth::Belnap;

/// No limits.
fn unlimited() -> Context {
    Context::default()
}

/// A small system of a random family, with few actions and labels so that relations are not empty.
fn small(rng: &mut Rng) -> PartialSystem {
    let states = rng.between(1, 6);
    let shape = match rng.below(4) {
        0 => SystemShape::complete(states),
        1 => SystemShape::kmts(states),
        2 => SystemShape::mixed(states),
        _ => SystemShape::gkmts(states),
    };
    let degree = [0.7, 1.2, 1.8, 2.5][rng.below(4)];
    let (actions, propositions) = (rng.between(1, 2), rng.below(3));
    random_system(rng, SystemShape { actions, propositions, degree, ..shape })
}

/// A system that differs from `system` in a few places.
fn mutant(rng: &mut Rng, system: &PartialSystem) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    let keep = [1.0, 0.95, 0.8][rng.below(3)];
    for &s in system.initial() {
        builder.initial(s);
    }
    // Actions in another order, so that ids and names disagree.
    let mut names: Vec<&str> = system.actions().names().collect();
    names.reverse();
    for name in names {
        builder.action(name);
    }
    for s in system.states() {
        for edge in system.edges(s) {
            let modality = match rng.below(10) {
                0 => Modality::May,
                1 => Modality::Both,
                _ => edge.modality,
            };
            if rng.chance(keep) {
                let action = builder.action(system.actions().name(edge.action));
                builder.edge(s, action, edge.other, modality);
            }
        }
        for (action, targets) in system.hyper_musts().of(s) {
            if rng.chance(keep) {
                let action = builder.action(system.actions().name(action));
                builder.hyper_must(s, action, targets.to_vec());
            }
        }
    }
    if rng.chance(0.1) {
        let action = builder.action("only_here");
        builder.edge(StateId::new(0), action, StateId::new(0), Modality::Both);
    }
    for (name, prop) in system.labels().names().names().zip(system.labels().names().ids()) {
        if rng.chance(0.1) {
            continue;
        }
        let new = builder.proposition(name, Belnap::Unknown);
        for s in system.states() {
            let value = system.labels().get(prop, s);
            builder.label(s, new, if rng.chance(0.05) { Belnap::Unknown } else { value });
        }
    }
    builder.build()
}

/// Two systems, often akin, so that refinement holds about as often as not.
fn pair(rng: &mut Rng) -> (PartialSystem, PartialSystem) {
    let first = small(rng);
    let second = if rng.chance(0.3) { small(rng) } else { mutant(rng, &first) };
    if rng.chance(0.5) { (first, second) } else { (second, first) }
}
