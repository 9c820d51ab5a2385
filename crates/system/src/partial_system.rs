//! The one structure for all families of transition systems.

use crate::{
    ActionId, Domain, Edge, HyperMusts, Labels, Modality, StateId, StateNames, StateSet, SystemBuilder,
    Transitions,
};
use std::borrow::Cow;
use tertium_support::{Id, Interner};

/// An explicit transition system with may and must transitions, hyper-musts, four-valued labels and, optionally, an
/// abstract domain. Built by [`SystemBuilder`]; immutable afterwards.
///
/// Invariants: all ids are in range; there is at least one initial state unless there are no states; a domain covers
/// all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialSystem {
    pub(crate) names: StateNames,
    pub(crate) initial: Vec<StateId>,
    pub(crate) actions: Interner<ActionId>,
    pub(crate) transitions: Transitions,
    pub(crate) hyper: HyperMusts,
    pub(crate) labels: Labels,
    pub(crate) domain: Option<Domain>,
}

/// The parts of a system whose musts lead to single states, and that has no abstract domain.
#[derive(Clone, Debug)]
pub struct SystemParts {
    /// What states are called.
    pub names: StateNames,
    /// The initial states.
    pub initial: Vec<StateId>,
    /// The actions.
    pub actions: Interner<ActionId>,
    /// The steps.
    pub transitions: Transitions,
    /// The labels.
    pub labels: Labels,
}

impl PartialSystem {
    /// Puts a system together without a builder. Panics if an initial state is out of range, if there are states but no
    /// initial one, or if the parts are of different numbers of states.
    pub fn from_parts(parts: SystemParts) -> Self {
        let SystemParts { names, mut initial, actions, transitions, labels } = parts;
        let n_states = transitions.n_states();
        assert_eq!(labels.n_states(), n_states, "labels are of the same states");
        assert!(initial.iter().all(|state| state.index() < n_states), "states in range");
        assert!(n_states == 0 || !initial.is_empty(), "a system with states has an initial state");
        initial.sort_unstable();
        initial.dedup();
        debug_assert!(
            transitions.labels().iter().all(|label| label.action().index() < actions.len()),
            "actions in range"
        );
        let hyper = HyperMusts::from_list(n_states, Vec::new());
        Self { names, initial, actions, transitions, hyper, labels, domain: None }
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.transitions.n_states()
    }

    /// All states, in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + Clone + use<> {
        StateId::first(self.n_states())
    }

    /// The initial states, in order, without repetition.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// What a state is called.
    pub fn state_name(&self, state: StateId) -> Cow<'_, str> {
        match &self.names {
            StateNames::Numbered => state.index().to_string().into(),
            StateNames::Named(names) => names.name(state).into(),
            StateNames::Computed(names) => names.name(state).into(),
        }
    }

    /// What states are called.
    pub fn names(&self) -> &StateNames {
        &self.names
    }

    /// The state with this name.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        match &self.names {
            StateNames::Numbered => name.parse().ok().filter(|&n| n < self.n_states()).map(StateId::new),
            StateNames::Named(names) => names.get(name),
            StateNames::Computed(names) => names.listed().get(name),
        }
    }

    /// The actions.
    pub fn actions(&self) -> &Interner<ActionId> {
        &self.actions
    }

    /// The may and must transitions.
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The must hyper-transitions that are not single musts.
    pub fn hyper_musts(&self) -> &HyperMusts {
        &self.hyper
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The abstract domain, if one is given.
    pub fn domain(&self) -> Option<&Domain> {
        self.domain.as_ref()
    }

    /// The domain if one is given, else the flat one.
    pub fn domain_or_flat(&self) -> Cow<'_, Domain> {
        match &self.domain {
            Some(domain) => Cow::Borrowed(domain),
            None => Cow::Owned(Domain::flat(self.states().map(|s| self.state_name(s).into_owned()))),
        }
    }

    /// The edges of a state, of any modality.
    pub fn edges(&self, state: StateId) -> impl ExactSizeIterator<Item = Edge> + Clone + '_ {
        self.transitions.edges(state)
    }

    /// The may successors of a state.
    pub fn may(&self, state: StateId) -> impl Iterator<Item = (ActionId, StateId)> + Clone + '_ {
        self.edges(state).filter(|edge| edge.modality.is_may()).map(|edge| (edge.action, edge.other))
    }

    /// The single must successors of a state.
    pub fn must(&self, state: StateId) -> impl Iterator<Item = (ActionId, StateId)> + Clone + '_ {
        self.edges(state).filter(|edge| edge.modality.is_must()).map(|edge| (edge.action, edge.other))
    }

    /// All musts of a state as sets of targets, single ones as singletons.
    pub fn must_sets(&self, state: StateId) -> impl Iterator<Item = (ActionId, &[StateId])> + Clone + '_ {
        let single = self.transitions.range(state).filter_map(|position| {
            let label = self.transitions.label_at(position);
            label.is_must().then(|| (label.action(), self.transitions.other_slice_at(position)))
        });
        single.chain(self.hyper.of(state))
    }

    /// Whether nothing is open: may = must, no hyper-must, all labels definite. Then every formula is true or false.
    pub fn is_complete(&self) -> bool {
        self.hyper.is_empty()
            && self.labels.is_definite()
            && self.transitions.labels().iter().all(|label| label.modality() == Modality::Both)
    }

    /// The states from which no may and no must transition leaves.
    pub fn deadlocks(&self) -> impl Iterator<Item = StateId> + '_ {
        self.states().filter(|&s| self.transitions.range(s).is_empty() && self.hyper.range(s).is_empty())
    }

    /// The states that may or must steps reach from the initial ones.
    pub fn reachable(&self) -> StateSet {
        let mut reached = StateSet::of(self.n_states(), self.initial.iter().copied());
        let mut stack = self.initial.clone();
        while let Some(state) = stack.pop() {
            let far = self.edges(state).map(|edge| edge.other);
            let hyper = self.hyper.of(state).flat_map(|(_, targets)| targets.iter().copied());
            stack.extend(far.chain(hyper).filter(|&next| reached.insert(next)));
        }
        reached
    }

    /// The states that certain steps reach from the initial ones: musts to one state each.
    pub fn surely_reachable(&self) -> StateSet {
        let mut reached = StateSet::of(self.n_states(), self.initial.iter().copied());
        let mut stack = self.initial.clone();
        while let Some(state) = stack.pop() {
            let certain = self.must_sets(state).filter(|(_, targets)| targets.len() == 1);
            stack.extend(certain.map(|(_, targets)| targets[0]).filter(|&next| reached.insert(next)));
        }
        reached
    }

    /// A builder that already holds this system, to make a variant of it.
    pub fn to_builder(&self) -> SystemBuilder {
        SystemBuilder::from_system(self)
    }
}
