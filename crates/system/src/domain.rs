//! Abstract domains: what each state of a partial system stands for.
//!
//! A domain gives every state s its concretisation γ(s), a set of concrete states. It orders states by precision,
//! s ⪯ t iff γ(s) ⊇ γ(t): t is at least as precise. A state with empty γ is inconsistent: it stands for nothing.

use crate::StateId;
use tertium_support::{Id, IdSet, Interner, define_id};

define_id!(
    /// A concrete state of an abstract domain.
    ConcreteId
);

/// The concretisation of every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    concrete: Interner<ConcreteId>,
    gamma: Vec<IdSet<ConcreteId>>,
}

impl Domain {
    /// The domain with these concrete states, where `gamma[s]` is the concretisation of state `s`.
    pub fn new(concrete: Interner<ConcreteId>, gamma: Vec<IdSet<ConcreteId>>) -> Self {
        assert!(
            gamma.iter().all(|set| set.universe() == concrete.len()),
            "concretisations share one universe"
        );
        Self { concrete, gamma }
    }

    /// The flat domain over states with these names: each state stands for one concrete state of its own.
    pub fn flat<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Self {
        let concrete: Interner<ConcreteId> = names.into_iter().collect();
        let n = concrete.len();
        let gamma = concrete.ids().map(|id| IdSet::of(n, [id])).collect();
        Self { concrete, gamma }
    }

    /// The names of the concrete states.
    pub fn concrete(&self) -> &Interner<ConcreteId> {
        &self.concrete
    }

    /// How many concrete states there are.
    pub fn n_concrete(&self) -> usize {
        self.concrete.len()
    }

    /// How many abstract states there are.
    pub fn n_states(&self) -> usize {
        self.gamma.len()
    }

    /// What a state stands for.
    pub fn gamma(&self, state: StateId) -> &IdSet<ConcreteId> {
        &self.gamma[state.index()]
    }

    /// What a set of states stands for: the union.
    pub fn gamma_of(&self, states: impl IntoIterator<Item = StateId>) -> IdSet<ConcreteId> {
        let mut union = IdSet::empty(self.n_concrete());
        states.into_iter().for_each(|state| union.union_with(self.gamma(state)));
        union
    }

    /// Whether `s` ⪯ `t`: `s` is at most as precise as `t`.
    pub fn precision_le(&self, s: StateId, t: StateId) -> bool {
        self.gamma(t).is_subset(self.gamma(s))
    }

    /// Whether a state stands for something.
    pub fn is_consistent(&self, state: StateId) -> bool {
        !self.gamma(state).is_empty()
    }

    /// The states that stand for `concrete`.
    pub fn abstractions(&self, concrete: ConcreteId) -> impl Iterator<Item = StateId> + '_ {
        StateId::first(self.gamma.len()).filter(move |&s| self.gamma(s).contains(concrete))
    }

    /// The best abstraction α(c): the most precise state that stands for `concrete`, if one is below all others.
    pub fn best(&self, concrete: ConcreteId) -> Option<StateId> {
        let least = self.abstractions(concrete).min_by_key(|&s| self.gamma(s).count())?;
        self.abstractions(concrete).all(|s| self.precision_le(s, least)).then_some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_reverse_inclusion_and_the_best_abstraction_is_the_least_set() {
        let concrete: Interner<ConcreteId> = ["1", "2", "3"].into_iter().collect();
        let set = |ids: &[u32]| IdSet::of(3, ids.iter().map(|&i| ConcreteId::from_raw(i)));
        let domain = Domain::new(concrete, vec![set(&[0, 1]), set(&[0]), set(&[1, 2])]);
        let s = StateId::from_raw;
        assert!(domain.precision_le(s(0), s(1)) && !domain.precision_le(s(1), s(0)));
        assert_eq!(domain.best(ConcreteId::from_raw(0)), Some(s(1)));
        assert_eq!(domain.best(ConcreteId::from_raw(1)), None);
        assert_eq!(domain.best(ConcreteId::from_raw(2)), Some(s(2)));
        assert_eq!(domain.gamma_of([s(1), s(2)]).count(), 3);
    }
}
