//! Four-valued state labels: for each proposition the states where it must hold and those where it may.

use crate::{PropId, StateId, StateSet};
use tertium_support::Interner;
use tertium_truth::Belnap;

/// The value of every proposition at every state. In the words of the theory, `must` is {s | p ∈ L(s)} and `may` is
/// {s | ¬p ∉ L(s)} for the set of literals L(s).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    n_states: usize,
    names: Interner<PropId>,
    sets: Vec<(StateSet, StateSet)>,
}

impl Labels {
    /// Labels without propositions.
    pub fn none(n_states: usize) -> Self {
        Self { n_states, names: Interner::default(), sets: Vec::new() }
    }

    /// The proposition of this name; a new one has the given value at all states.
    pub fn declare(&mut self, name: &str, everywhere: Belnap) -> PropId {
        let prop = self.names.intern(name);
        if self.sets.len() < self.names.len() {
            let set =
                |member| if member { StateSet::full(self.n_states) } else { StateSet::empty(self.n_states) };
            self.sets.push((set(everywhere.must()), set(everywhere.may())));
        }
        debug_assert_eq!(self.sets.len(), self.names.len(), "every proposition has its sets");
        prop
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Adds a proposition with the states where it must hold and those where it may. Panics if there is one of this
    /// name.
    pub fn add(&mut self, name: &str, must: StateSet, may: StateSet) -> PropId {
        assert!(self.names.get(name).is_none(), "a proposition is added once");
        assert!(must.universe() == self.n_states && may.universe() == self.n_states, "sets of these states");
        self.sets.push((must, may));
        self.names.intern(name)
    }

    /// Sets one value.
    pub fn set(&mut self, prop: PropId, state: StateId, value: Belnap) {
        let (must, may) = &mut self.sets[tertium_support::Id::index(prop)];
        if value.must() {
            must.insert(state)
        } else {
            must.remove(state)
        };
        if value.may() {
            may.insert(state)
        } else {
            may.remove(state)
        };
    }

    /// One value.
    #[inline]
    pub fn get(&self, prop: PropId, state: StateId) -> Belnap {
        let (must, may) = &self.sets[tertium_support::Id::index(prop)];
        Belnap::from_bits(must.contains(state), may.contains(state))
    }

    /// The states where the proposition must hold.
    pub fn must(&self, prop: PropId) -> &StateSet {
        &self.sets[tertium_support::Id::index(prop)].0
    }

    /// The states where the proposition may hold.
    pub fn may(&self, prop: PropId) -> &StateSet {
        &self.sets[tertium_support::Id::index(prop)].1
    }

    /// The propositions.
    pub fn names(&self) -> &Interner<PropId> {
        &self.names
    }

    /// Whether every value is true or false.
    pub fn is_definite(&self) -> bool {
        self.sets.iter().all(|(must, may)| must == may)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_can_be_set_and_read() {
        let mut labels = Labels::none(4);
        let p = labels.declare("p", Belnap::Unknown);
        for (index, value) in Belnap::ALL.into_iter().enumerate() {
            let state = StateId::from_raw(index as u32);
            assert_eq!(labels.get(p, state), Belnap::Unknown);
            labels.set(p, state, value);
            assert_eq!(labels.get(p, state), value);
        }
        assert!(!labels.is_definite());
        assert_eq!(labels.declare("p", Belnap::True), p);
    }
}
