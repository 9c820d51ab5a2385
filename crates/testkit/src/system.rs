//! Random partial systems of every family.

use tertium_support::{Id, Rng};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

/// What random systems look like. Shares are probabilities.
#[derive(Clone, Copy, Debug)]
pub struct SystemShape {
    /// Number of states, at least 1.
    pub states: usize,
    /// Number of actions, at least 1; they are called `a`, `b`, …
    pub actions: usize,
    /// Number of propositions; they are called `p`, `q`, …
    pub propositions: usize,
    /// Expected number of transitions per state.
    pub degree: f64,
    /// Share of transitions that are may-only.
    pub may_only: f64,
    /// Share of transitions that are must-only: above zero, the system is mixed.
    pub must_only: f64,
    /// Expected number of hyper-musts per state.
    pub hyper: f64,
    /// Share of unknown labels.
    pub unknown: f64,
    /// Share of inconsistent labels.
    pub inconsistent: f64,
}

impl SystemShape {
    /// An ordinary transition system: nothing is open.
    pub fn complete(states: usize) -> Self {
        Self {
            states,
            actions: 2,
            propositions: 2,
            degree: 1.8,
            may_only: 0.0,
            must_only: 0.0,
            hyper: 0.0,
            unknown: 0.0,
            inconsistent: 0.0,
        }
    }

    /// Must inside may, three-valued labels.
    pub fn kmts(states: usize) -> Self {
        Self { may_only: 0.4, unknown: 0.3, ..Self::complete(states) }
    }

    /// Musts that are no mays, four-valued labels.
    pub fn mixed(states: usize) -> Self {
        Self { must_only: 0.2, inconsistent: 0.1, ..Self::kmts(states) }
    }

    /// Hyper-musts as well.
    pub fn gkmts(states: usize) -> Self {
        Self { hyper: 0.5, ..Self::mixed(states) }
    }
}

/// The name of the `index`-th of a family of names that begins with `first`.
pub fn letter(first: char, index: usize) -> String {
    match char::from_u32(first as u32 + index as u32) {
        Some(letter) if letter.is_ascii_lowercase() => letter.to_string(),
        _ => format!("{first}{index}"),
    }
}

/// A random system; state 0 is initial, and sometimes a second one.
pub fn random_system(rng: &mut Rng, shape: SystemShape) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(shape.states);
    let actions: Vec<_> = (0..shape.actions).map(|i| builder.action(&letter('a', i))).collect();
    let state = |rng: &mut Rng| StateId::new(rng.below(shape.states));
    builder.initial(StateId::new(0));
    if rng.chance(0.2) {
        builder.initial(state(rng));
    }
    let transitions = (shape.degree * shape.states as f64).round() as usize;
    for _ in 0..transitions {
        let modality = if rng.chance(shape.may_only) {
            Modality::May
        } else if rng.chance(shape.must_only) {
            Modality::Must
        } else {
            Modality::Both
        };
        let action = *rng.pick(&actions);
        builder.edge(state(rng), action, state(rng), modality);
    }
    for _ in 0..(shape.hyper * shape.states as f64).round() as usize {
        let action = *rng.pick(&actions);
        let targets = (0..rng.between(2, 3)).map(|_| state(rng)).collect();
        builder.hyper_must(state(rng), action, targets);
    }
    for index in 0..shape.propositions {
        let prop = builder.proposition(&letter('p', index), Belnap::Unknown);
        for s in StateId::first(shape.states) {
            let value = if rng.chance(shape.unknown) {
                Belnap::Unknown
            } else if rng.chance(shape.inconsistent) {
                Belnap::Inconsistent
            } else {
                Belnap::from(rng.chance(0.5))
            };
            builder.label(s, prop, value);
        }
    }
    builder.build()
}
