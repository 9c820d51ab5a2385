//! Ordinary transition systems over the concrete states of a domain: the candidates for refinements.

use crate::{ActionId, ConcreteId, Domain, Labels, Modality, PartialSystem, PropId, StateId, SystemBuilder};
use tertium_support::{Id, IdSet, Interner};
use tertium_truth::Belnap;

/// A system without anything open, whose states are the concrete states of some partial system M; its actions and
/// propositions are those of M, with the same ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcreteBts {
    n_states: usize,
    n_actions: usize,
    /// Successors, by state and action.
    pub(super) rows: Vec<IdSet<ConcreteId>>,
    /// Where each proposition holds.
    pub(super) labels: Vec<IdSet<ConcreteId>>,
}

/// Why an explicit system is no system over the concrete states of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOverTheDomain {
    /// A state of this name is in one of the two only.
    State(String),
    /// An action of this name occurs that the partial system does not have.
    Action(String),
    /// Something is open: a may without must, a must without may, or a label that is not definite.
    Partial,
}

impl ConcreteBts {
    /// The system over the concrete states of `abstraction` in which nothing moves and nothing is labelled.
    pub fn still(abstraction: &PartialSystem) -> Self {
        let n = abstraction.domain().map_or(abstraction.n_states(), Domain::n_concrete);
        let n_actions = abstraction.actions().len();
        Self {
            n_states: n,
            n_actions,
            rows: vec![IdSet::empty(n); n * n_actions],
            labels: vec![IdSet::empty(n); abstraction.labels().names().len()],
        }
    }

    /// Reads a complete system as one over the concrete states of `abstraction`; states, actions and propositions are
    /// matched by name. Propositions that `abstraction` does not have are forgotten.
    pub fn of(system: &PartialSystem, abstraction: &PartialSystem) -> Result<Self, NotOverTheDomain> {
        if !system.is_complete() {
            return Err(NotOverTheDomain::Partial);
        }
        let domain = abstraction.domain_or_flat();
        let stray = |c: ConcreteId| system.state_named(domain.concrete().name(c)).is_none();
        if let Some(c) = domain.concrete().ids().find(|&c| stray(c)) {
            return Err(NotOverTheDomain::State(domain.concrete().name(c).to_owned()));
        }
        let concrete = |s: StateId| {
            let name = system.state_name(s);
            domain.concrete().get(&name).ok_or_else(|| NotOverTheDomain::State(name.into_owned()))
        };
        let mut bts = Self::still(abstraction);
        for state in system.states() {
            let c = concrete(state)?;
            for (action, target) in system.may(state) {
                let name = system.actions().name(action);
                let known = abstraction.actions().get(name);
                let action = known.ok_or_else(|| NotOverTheDomain::Action(name.to_owned()))?;
                bts.add(c, action, concrete(target)?);
            }
            for (p, name) in abstraction.labels().names().ids().zip(abstraction.labels().names().names()) {
                let own = system.labels().names().get(name);
                if own.is_some_and(|own| system.labels().must(own).contains(state)) {
                    bts.labels[p.index()].insert(c);
                }
            }
        }
        Ok(bts)
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// How many actions there are.
    pub fn n_actions(&self) -> usize {
        self.n_actions
    }

    /// Adds a transition.
    pub fn add(&mut self, source: ConcreteId, action: ActionId, target: ConcreteId) {
        let row = self.row(source, action);
        self.rows[row].insert(target);
    }

    /// Makes a proposition hold at a state.
    pub fn set_label(&mut self, proposition: PropId, state: ConcreteId) {
        self.labels[proposition.index()].insert(state);
    }

    pub(super) fn row(&self, source: ConcreteId, action: ActionId) -> usize {
        source.index() * self.n_actions + action.index()
    }

    /// Where a state can go with an action.
    pub fn successors(&self, source: ConcreteId, action: ActionId) -> &IdSet<ConcreteId> {
        &self.rows[self.row(source, action)]
    }

    /// Where a proposition holds.
    pub fn holds(&self, proposition: PropId) -> &IdSet<ConcreteId> {
        &self.labels[proposition.index()]
    }

    /// The same as an explicit system, with the names of `abstraction`.
    ///
    /// Its initial states are what the initial states of `abstraction` stand for; all states, if that is nothing.
    pub fn to_system(&self, abstraction: &PartialSystem) -> PartialSystem {
        let domain = abstraction.domain_or_flat();
        let initial: Vec<ConcreteId> =
            domain.gamma_of(abstraction.initial().iter().copied()).iter().collect();
        let mut builder = concrete_builder(domain.concrete(), abstraction.actions(), &initial);
        for source in domain.concrete().ids() {
            for action in abstraction.actions().ids() {
                for target in self.successors(source, action).iter() {
                    builder.edge(as_state(source), action, as_state(target), Modality::Both);
                }
            }
        }
        label(&mut builder, abstraction.labels(), domain.n_concrete(), |p, c| self.holds(p).contains(c));
        builder.build()
    }
}

/// A builder for a system over these concrete states, with the same ids.
pub(super) fn concrete_builder(
    concrete: &Interner<ConcreteId>,
    actions: &Interner<ActionId>,
    initial: &[ConcreteId],
) -> SystemBuilder {
    let mut builder = SystemBuilder::named();
    concrete.names().for_each(|name| {
        builder.state(name);
    });
    actions.names().for_each(|name| {
        builder.action(name);
    });
    match initial {
        [] => concrete.ids().for_each(|c| builder.initial(as_state(c))),
        _ => initial.iter().for_each(|&c| builder.initial(as_state(c))),
    }
    builder
}

/// Gives the states `0..n` definite values of the propositions of `labels`.
pub(super) fn label(
    builder: &mut SystemBuilder,
    labels: &Labels,
    n: usize,
    holds: impl Fn(PropId, ConcreteId) -> bool,
) {
    for (old, name) in labels.names().ids().zip(labels.names().names()) {
        let proposition = builder.proposition(name, Belnap::False);
        for c in ConcreteId::first(n).filter(|&c| holds(old, c)) {
            builder.label(as_state(c), proposition, Belnap::True);
        }
    }
}

/// The state that stands for a concrete state in a system over the concrete states.
pub(super) fn as_state(concrete: ConcreteId) -> StateId {
    StateId::new(concrete.index())
}
