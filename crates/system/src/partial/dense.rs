//! Transition relations in a form that is easy to close: per state and action a may set and a list of must sets.
//!
//! Invariant: target lists of musts are sorted and without repetition. Memory is quadratic in the states; the
//! algorithms that use it are as well.

use crate::{ActionId, Domain, Modality, PartialSystem, StateId, StateNames, StateSet, SystemBuilder};
use std::collections::BTreeSet;
use tertium_support::Id;
use tertium_truth::Belnap;

/// A must as its set of targets; a single must has one.
pub(super) type Targets = Vec<StateId>;

/// May and must of every state and action.
pub(super) struct DenseRelations {
    n_actions: usize,
    pub(super) may: Vec<StateSet>,
    pub(super) must: Vec<BTreeSet<Targets>>,
}

impl DenseRelations {
    pub(super) fn of(system: &PartialSystem) -> Self {
        let n_actions = system.actions().len();
        let n_rows = system.n_states() * n_actions;
        let mut relations = Self {
            n_actions,
            may: vec![StateSet::empty(system.n_states()); n_rows],
            must: vec![BTreeSet::new(); n_rows],
        };
        for state in system.states() {
            for (action, target) in system.may(state) {
                let row = relations.row(state, action);
                relations.may[row].insert(target);
            }
            for (action, targets) in system.must_sets(state) {
                let row = relations.row(state, action);
                debug_assert!(
                    targets.is_sorted_by(|one, other| one < other),
                    "targets are in order, without repetition"
                );
                relations.must[row].insert(targets.to_vec());
            }
        }
        relations
    }

    /// The index of a state and an action in `may` and `must`.
    pub(super) fn row(&self, state: StateId, action: ActionId) -> usize {
        debug_assert!(action.index() < self.n_actions, "rows of different states are disjoint");
        state.index() * self.n_actions + action.index()
    }

    /// All rows, by state and action.
    pub(super) fn rows(&self) -> impl Iterator<Item = (StateId, ActionId)> + use<> {
        let n_actions = self.n_actions;
        (0..self.may.len()).map(move |row| (StateId::new(row / n_actions), ActionId::new(row % n_actions)))
    }

    /// `system` with these relations instead of its own.
    pub(super) fn into_system(self, system: &PartialSystem) -> PartialSystem {
        let mut builder = skeleton(system);
        for (state, action) in self.rows() {
            let row = self.row(state, action);
            for target in self.may[row].iter() {
                builder.edge(state, action, target, Modality::May);
            }
            for targets in &self.must[row] {
                builder.hyper_must(state, action, targets.clone());
            }
        }
        builder.build()
    }
}

/// Drops every set that contains another one: as musts they say nothing more.
pub(super) fn keep_least(musts: &mut BTreeSet<Targets>) {
    let redundant: Vec<Targets> = musts
        .iter()
        .filter(|wide| musts.iter().any(|narrow| narrow.len() < wide.len() && is_subset(narrow, wide)))
        .cloned()
        .collect();
    redundant.iter().for_each(|targets| {
        musts.remove(targets);
    });
}

/// Whether one sorted list is contained in another.
pub(super) fn is_subset(narrow: &[StateId], wide: &[StateId]) -> bool {
    narrow.iter().all(|state| wide.binary_search(state).is_ok())
}

/// A builder with all of `system` but its transitions.
pub(super) fn skeleton(system: &PartialSystem) -> SystemBuilder {
    let mut builder = bare_skeleton(system);
    write_labels(&mut builder, system);
    builder
}

/// A builder with all of `system` but its transitions and labels.
pub(super) fn bare_skeleton(system: &PartialSystem) -> SystemBuilder {
    let mut builder = match system.names() {
        StateNames::Numbered => SystemBuilder::numbered(system.n_states()),
        StateNames::Named(_) | StateNames::Computed(_) => {
            let mut builder = SystemBuilder::named();
            system.states().for_each(|state| {
                builder.state(&system.state_name(state));
            });
            builder
        }
    };
    write_alphabet(&mut builder, system);
    if let Some(domain) = system.domain() {
        write_domain(&mut builder, domain);
    }
    builder
}

/// A [`skeleton`] with states that have names and a domain that is written out, so that states can be added.
pub(super) fn open_skeleton(system: &PartialSystem) -> SystemBuilder {
    let mut builder = SystemBuilder::named();
    for state in system.states() {
        builder.state(&system.state_name(state));
    }
    write_alphabet(&mut builder, system);
    write_labels(&mut builder, system);
    write_domain(&mut builder, &system.domain_or_flat());
    builder
}

fn write_alphabet(builder: &mut SystemBuilder, system: &PartialSystem) {
    system.initial().iter().for_each(|&state| builder.initial(state));
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
}

fn write_labels(builder: &mut SystemBuilder, system: &PartialSystem) {
    let labels = system.labels();
    for (old, name) in labels.names().ids().zip(labels.names().names()) {
        let proposition = builder.proposition(name, Belnap::Unknown);
        for state in system.states() {
            builder.label(state, proposition, labels.get(old, state));
        }
    }
}

fn write_domain(builder: &mut SystemBuilder, domain: &Domain) {
    domain.concrete().names().for_each(|name| {
        builder.concrete(name);
    });
    for state in StateId::first(domain.n_states()) {
        domain.gamma(state).iter().for_each(|concrete| builder.concretise(state, concrete));
    }
}

/// A state with a name that is not in use yet: `wish`, or `wish` with primes.
pub(super) fn fresh_state(builder: &mut SystemBuilder, wish: &str) -> StateId {
    let mut name = wish.to_owned();
    while builder.find_state(&name).is_some() {
        name.push('\'');
    }
    builder.state(&name)
}
