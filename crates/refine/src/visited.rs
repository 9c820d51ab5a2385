//! What a search visited, as an abstract system.
//!
//! If the search was exact, the steps between keys are those of all states with the keys, so each of them must exist
//! and there are no others. Where a predicate does not count at a location, the state there leaves it open; states at
//! one location leave the same open, so they do not overlap.

use indexmap::IndexSet;
use tertium_abstraction::{AbstractSystem, TriState};
use tertium_expr::Term;
use tertium_program::{CommandId, LocId, Program};
use tertium_search::{Machine, Precision, Round};
use tertium_support::Id;
use tertium_system::{Modality, StateId, SystemBuilder};
use tertium_truth::{Belnap, Kleene, TriVector};

/// The predicates of a search.
pub(crate) fn seen_through(program: &Program, precision: &Precision) -> tertium_program::Precision {
    let mut predicates = tertium_program::Precision::new();
    for predicate in precision.iter() {
        predicates.add(program, predicate.term, LocId::ANYWHERE);
    }
    predicates
}

/// The visits of an exact round with their steps. Propositions have to be determined by the keys.
pub(crate) fn visited_system(
    machine: &Machine<'_>,
    precision: &Precision,
    round: &Round,
    propositions: &[(String, Term)],
) -> AbstractSystem<TriState> {
    let (program, interpreter) = (machine.program(), machine.interpreter());
    let predicates = seen_through(program, precision);
    let mut states = IndexSet::new();
    for visit in 0..round.n_visits() {
        let (state, key) = (round.state(visit), round.key(visit));
        let mut known = vec![Kleene::Unknown; predicates.len()];
        for number in precision.active(program, &state) {
            let literal = predicates.find_literal(&program.terms, precision.get(number).term);
            let (id, positive) = literal.expect("all predicates were added");
            known[id.index()] = Kleene::from(key.bits.contains(number) == positive);
        }
        states.insert(TriState { control: key.control, vector: TriVector::new(known) });
    }
    debug_assert_eq!(states.len(), round.n_visits(), "visits have different keys");
    let mut edges: Vec<(StateId, CommandId, StateId)> = round
        .edges(machine)
        .iter()
        .map(|edge| {
            let command = machine.transition(edge.transition).command;
            (StateId::new(edge.source), command, StateId::new(edge.target))
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut builder = SystemBuilder::named();
    for (n, state) in states.iter().enumerate() {
        builder.state(&format!("#{n} ({})", state.describe(program, &predicates)));
    }
    let first = (0..round.n_visits()).take_while(|&visit| round.parent(visit).is_none()).count();
    let inhabited: Vec<StateId> = StateId::first(first).collect();
    debug_assert!(
        (first..round.n_visits()).all(|visit| round.parent(visit).is_some()),
        "initial states come first"
    );
    inhabited.iter().for_each(|&state| builder.initial(state));
    for &(source, command, target) in &edges {
        let action = builder.action(&program.commands()[command.index()].action);
        builder.edge(source, action, target, Modality::Both);
    }
    for (name, term) in propositions {
        let proposition = builder.proposition(name, Belnap::Unknown);
        for n in 0..round.n_visits() {
            let value = Belnap::from(interpreter.holds(&round.state(n), *term));
            builder.label(StateId::new(n), proposition, value);
        }
    }
    let concrete = IndexSet::new();
    AbstractSystem {
        system: builder.build(),
        precision: predicates,
        states,
        edges,
        inhabited,
        concrete,
        ranked: None,
    }
}
