//! The abstract system of a program, as far as it can be reached.

use crate::{AbstractState, PredicateAbstraction, Ranked, TriState};
use indexmap::IndexSet;
use tertium_expr::Term;
use tertium_program::{CommandId, Precision, Program};
use tertium_support::{Context, Id, Measure, StopReason};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

/// Which must steps an abstract system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Musts {
    /// Into single states.
    Single,
    /// Also into sets of states: all that a command may lead to, where it is always enabled. Costs no further solver calls.
    #[default]
    Sets,
}

/// An abstract system with what its states are.
#[derive(Debug)]
pub struct AbstractSystem<S = AbstractState> {
    /// The system. States are called by what they stand for, actions are those of commands, propositions have the names they were given.
    pub system: PartialSystem,
    /// The predicates that states are seen through.
    pub precision: Precision,
    /// What the states are, by id.
    pub states: IndexSet<S>,
    /// The steps with the commands that they come from, by source. Which of them may and which must exist, the system says.
    pub edges: Vec<(StateId, CommandId, StateId)>,
    /// The initial states that are known to stand for one of the program; the others may stand for none.
    pub inhabited: Vec<StateId>,
    /// What the concrete states of the system's domain are, by id; none if it has no domain.
    pub concrete: IndexSet<AbstractState>,
    /// Ranks, if any are known.
    pub ranked: Option<Ranked>,
}

/// Explores everything that may be reached, with these propositions.
pub fn explore(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    propositions: &[(String, Term)],
    musts: Musts,
) -> Result<AbstractSystem, StopReason> {
    let mut ticker = context.ticker("exploring the abstract system");
    let program = abstraction.program();
    let mut states: IndexSet<AbstractState> = IndexSet::new();
    let mut inhabited = Vec::new();
    for (state, sure) in abstraction.initial(context)? {
        let (at, _) = states.insert_full(state);
        if sure {
            inhabited.push(StateId::new(at));
        }
    }
    let n_initial = states.len();
    debug_assert!(inhabited.iter().all(|state| state.index() < n_initial), "only initial states are told");
    let mut edges = Vec::new();
    let mut hypers = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        context.progress().count(Measure::States, states.len());
        ticker.tick(1)?;
        let source = StateId::new(at);
        for (command, targets) in abstraction.successors(context, &state)? {
            debug_assert!(targets.must.is_subset(&targets.may), "must is a part of may");
            let mut all = Vec::new();
            for target in targets.may {
                let is_must = targets.must.contains(&target);
                let (to, _) = states.insert_full(target);
                let modality = if is_must { Modality::Both } else { Modality::May };
                edges.push((source, command, StateId::new(to), modality));
                all.push(StateId::new(to));
            }
            if musts == Musts::Sets && targets.always && targets.must.is_empty() {
                hypers.push((source, command, all));
            }
        }
        at += 1;
    }
    let precision = abstraction.precision().clone();
    let names = states.iter().map(|state| state.describe(program, &precision));
    let mut builder = begun(program, names, n_initial, &edges);
    for (source, command, targets) in hypers {
        let action = builder.action(&program.commands()[command.index()].action);
        builder.hyper_must(source, action, targets);
    }
    for (name, term) in propositions {
        let proposition = builder.proposition(name, Belnap::Unknown);
        for (n, state) in states.iter().enumerate() {
            let value = abstraction.value(context, state, *term);
            builder.label(StateId::new(n), proposition, value.into());
        }
    }
    let edges: Vec<_> =
        edges.into_iter().map(|(source, command, target, _)| (source, command, target)).collect();
    debug_assert!(is_by_source(&edges, states.len()), "the steps of a state follow each other");
    let concrete = IndexSet::new();
    Ok(AbstractSystem {
        system: builder.build(),
        precision,
        states,
        edges,
        inhabited,
        concrete,
        ranked: None,
    })
}

/// A system with these states, of which the first ones are initial, and these steps; without labels.
pub(crate) fn begun(
    program: &Program,
    names: impl Iterator<Item = String>,
    n_initial: usize,
    edges: &[(StateId, CommandId, StateId, Modality)],
) -> SystemBuilder {
    let mut builder = SystemBuilder::named();
    for (n, name) in names.enumerate() {
        builder.state(&format!("#{n} ({name})"));
    }
    StateId::first(n_initial).for_each(|state| builder.initial(state));
    for &(source, command, target, modality) in edges {
        let action = builder.action(&program.commands()[command.index()].action);
        builder.edge(source, action, target, modality);
    }
    builder
}

/// Whether steps are sorted by their sources, and lead between so many states.
pub(crate) fn is_by_source(edges: &[(StateId, CommandId, StateId)], n_states: usize) -> bool {
    edges.is_sorted_by_key(|edge| edge.0) && edges.iter().all(|edge| edge.0.max(edge.2).index() < n_states)
}

impl<S> AbstractSystem<S> {
    /// The steps that leave a state.
    pub fn edges_of(&self, state: StateId) -> &[(StateId, CommandId, StateId)] {
        let start = self.edges.partition_point(|&(source, ..)| source < state);
        let end = self.edges.partition_point(|&(source, ..)| source <= state);
        &self.edges[start..end]
    }
}

impl AbstractSystem {
    /// The same, as a system of vectors without stars.
    pub fn into_vectors(self) -> AbstractSystem<TriState> {
        let states: IndexSet<TriState> = self.states.iter().map(TriState::exact).collect();
        debug_assert_eq!(states.len(), self.states.len(), "states keep their ids");
        let Self { system, precision, edges, inhabited, concrete, ranked, .. } = self;
        AbstractSystem { system, precision, states, edges, inhabited, concrete, ranked }
    }
}
