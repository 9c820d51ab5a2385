//! Building a system piece by piece.
//!
//! Transitions are kept in three columns of four bytes until [`SystemBuilder::build`] sorts them into rows; nothing is
//! allocated per transition.

use crate::{
    ActionId, ConcreteId, Domain, HyperMusts, Labels, Modality, PackedLabel, PartialSystem, PropId, StateId,
    StateNames, Transitions,
};
use tertium_support::{Id, IdSet, Interner};
use tertium_truth::Belnap;

/// A system under construction. Ids it hands out are those of the finished system.
#[derive(Clone, Debug)]
pub struct SystemBuilder {
    names: StateNames,
    n_states: usize,
    initial: Vec<StateId>,
    actions: Interner<ActionId>,
    sources: Vec<StateId>,
    packed: Vec<PackedLabel>,
    targets: Vec<StateId>,
    hyper: Vec<(StateId, ActionId, Vec<StateId>)>,
    propositions: Interner<PropId>,
    defaults: Vec<Belnap>,
    values: Vec<(PropId, StateId, Belnap)>,
    domain: Option<(Interner<ConcreteId>, Vec<Vec<ConcreteId>>)>,
}

impl SystemBuilder {
    /// A system whose `n_states` states are called by their numbers.
    pub fn numbered(n_states: usize) -> Self {
        Self { n_states, ..Self::empty(StateNames::Numbered) }
    }

    /// A system whose states are named as they are added.
    pub fn named() -> Self {
        Self::empty(StateNames::Named(Interner::default()))
    }

    fn empty(names: StateNames) -> Self {
        Self {
            names,
            n_states: 0,
            initial: Vec::new(),
            actions: Interner::default(),
            sources: Vec::new(),
            packed: Vec::new(),
            targets: Vec::new(),
            hyper: Vec::new(),
            propositions: Interner::default(),
            defaults: Vec::new(),
            values: Vec::new(),
            domain: None,
        }
    }

    /// A builder that holds `system` already.
    pub fn from_system(system: &PartialSystem) -> Self {
        let mut builder = Self::empty(system.names().listed());
        builder.n_states = system.n_states();
        builder.initial = system.initial().to_vec();
        builder.actions = system.actions().clone();
        for state in system.states() {
            for edge in system.edges(state) {
                builder.edge(state, edge.action, edge.other, edge.modality);
            }
            for (action, targets) in system.hyper_musts().of(state) {
                builder.hyper_must(state, action, targets.to_vec());
            }
        }
        for name in system.labels().names().names() {
            let prop = builder.proposition(name, Belnap::Unknown);
            for state in system.states() {
                builder.label(state, prop, system.labels().get(prop, state));
            }
        }
        if let Some(domain) = system.domain() {
            let gamma = system.states().map(|s| domain.gamma(s).iter().collect()).collect();
            builder.domain = Some((domain.concrete().clone(), gamma));
        }
        builder
    }

    /// Makes room for this many transitions.
    pub fn reserve(&mut self, n_transitions: usize) {
        self.sources.reserve_exact(n_transitions);
        self.packed.reserve_exact(n_transitions);
        self.targets.reserve_exact(n_transitions);
    }

    /// The state of this name, new if there was none. Panics if states are numbered.
    pub fn state(&mut self, name: &str) -> StateId {
        let StateNames::Named(names) = &mut self.names else {
            panic!("the states of this system are numbered")
        };
        let state = names.intern(name);
        self.n_states = names.len();
        state
    }

    /// The state of this name, if there is one.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        match &self.names {
            StateNames::Named(names) => names.get(name),
            StateNames::Numbered => name.parse().ok().filter(|&n| n < self.n_states).map(StateId::new),
            StateNames::Computed(names) => names.listed().get(name),
        }
    }

    /// How many states there are so far.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The action of this name, new if there was none.
    pub fn action(&mut self, name: &str) -> ActionId {
        self.actions.intern(name)
    }

    /// The proposition of this name; where no label says otherwise, it has the value `default`.
    pub fn proposition(&mut self, name: &str, default: Belnap) -> PropId {
        let prop = self.propositions.intern(name);
        if self.defaults.len() < self.propositions.len() {
            self.defaults.push(default);
        }
        prop
    }

    /// Makes a state initial.
    pub fn initial(&mut self, state: StateId) {
        self.initial.push(state);
    }

    /// Adds a transition. Adding it as may and as must makes it both.
    #[inline]
    pub fn edge(&mut self, source: StateId, action: ActionId, target: StateId, modality: Modality) {
        self.sources.push(source);
        self.packed.push(PackedLabel::new(action, modality));
        self.targets.push(target);
    }

    /// Adds a must hyper-transition. One with a single target becomes a single must, in the must relation only.
    pub fn hyper_must(&mut self, source: StateId, action: ActionId, mut targets: Vec<StateId>) {
        targets.sort_unstable();
        targets.dedup();
        match targets[..] {
            [target] => self.edge(source, action, target, Modality::Must),
            _ => self.hyper.push((source, action, targets)),
        }
    }

    /// Sets the value of a proposition at a state.
    pub fn label(&mut self, state: StateId, prop: PropId, value: Belnap) {
        self.values.push((prop, state, value));
    }

    /// The concrete state of this name; from now on the system has an abstract domain.
    pub fn concrete(&mut self, name: &str) -> ConcreteId {
        self.domain.get_or_insert_default().0.intern(name)
    }

    /// Says that `state` stands for `concrete` (among others).
    pub fn concretise(&mut self, state: StateId, concrete: ConcreteId) {
        let (_, gamma) = self.domain.get_or_insert_default();
        if gamma.len() <= state.index() {
            gamma.resize_with(state.index() + 1, Vec::new);
        }
        gamma[state.index()].push(concrete);
    }

    /// The finished system. Panics if an id is out of range, or if there are states but no initial one.
    pub fn build(self) -> PartialSystem {
        let n = self.n_states;
        let in_range = |ids: &[StateId]| ids.iter().all(|id| id.index() < n);
        assert!(
            in_range(&self.sources) && in_range(&self.targets) && in_range(&self.initial),
            "states in range"
        );
        assert!(
            self.hyper.iter().all(|(source, _, targets)| source.index() < n && in_range(targets)),
            "states of hyper-musts in range"
        );
        debug_assert!(
            self.packed.iter().all(|label| label.action().index() < self.actions.len()),
            "actions in range"
        );
        debug_assert_eq!(self.defaults.len(), self.propositions.len(), "every proposition has a default");
        assert!(n == 0 || !self.initial.is_empty(), "a system with states has an initial state");
        let mut initial = self.initial;
        initial.sort_unstable();
        initial.dedup();
        let mut labels = Labels::none(n);
        for (name, default) in self.propositions.names().zip(&self.defaults) {
            labels.declare(name, *default);
        }
        for (prop, state, value) in self.values {
            labels.set(prop, state, value);
        }
        let domain = self.domain.map(|(concrete, mut gamma)| {
            debug_assert!(gamma.len() <= n, "only states stand for something");
            gamma.resize_with(n, Vec::new);
            let size = concrete.len();
            Domain::new(concrete, gamma.into_iter().map(|set| IdSet::of(size, set)).collect())
        });
        PartialSystem {
            names: self.names,
            initial,
            actions: self.actions,
            transitions: Transitions::from_columns(n, &self.sources, &self.packed, &self.targets),
            hyper: HyperMusts::from_list(n, self.hyper),
            labels,
            domain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UNLABELLED;

    #[test]
    fn a_built_system_is_what_was_said_and_survives_the_way_back() {
        let mut builder = SystemBuilder::named();
        let (s, t) = (builder.state("s"), builder.state("t"));
        let step = builder.action(UNLABELLED);
        let p = builder.proposition("p", Belnap::Unknown);
        builder.initial(s);
        builder.label(s, p, Belnap::True);
        builder.edge(s, step, t, Modality::May);
        builder.hyper_must(t, step, vec![s, t]);
        builder.hyper_must(t, step, vec![t, t]);
        let one = builder.concrete("1");
        builder.concretise(s, one);
        let system = builder.build();
        assert_eq!(system.labels().get(p, t), Belnap::Unknown);
        assert_eq!(system.must_sets(t).count(), 2);
        assert_eq!(system.edges(t).next().unwrap().modality, Modality::Must);
        assert!(!system.domain().unwrap().is_consistent(t));
        assert!(!system.is_complete());
        assert_eq!(system.to_builder().build(), system);
    }
}
