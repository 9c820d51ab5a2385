//! Programs with bounded variables, state by state.

use std::collections::BTreeMap;
use tertium_expr::{Term, Value};
use tertium_program::{Interpreter, Program, State};
use tertium_support::Id;
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

/// A complete system with what its states are.
pub struct ConcreteSystem {
    /// The system.
    pub system: PartialSystem,
    /// The state of the program that each state is, by id.
    pub states: Vec<State>,
}

/// All states of a program, reachable or not, if it can begin somewhere. Variables and inputs have at most a hundred values each.
pub fn concrete_system(program: &Program, propositions: &[(String, Term)]) -> Option<ConcreteSystem> {
    let interpreter = Interpreter::new(program);
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for own in program.variables() {
        let values = own.domain.values(100).expect("bounded");
        all = all
            .iter()
            .flat_map(|before| values.iter().map(|value| [before.clone(), vec![value.clone()]].concat()))
            .collect();
    }
    let states: Vec<State> = all.into_iter().map(|values| State(values.into())).collect();
    let ids: BTreeMap<&State, StateId> =
        states.iter().enumerate().map(|(n, state)| (state, StateId::new(n))).collect();
    if !states.iter().any(|state| interpreter.is_initial(state)) {
        return None;
    }
    let mut builder = SystemBuilder::numbered(states.len());
    for (state, &id) in &ids {
        if interpreter.is_initial(state) {
            builder.initial(id);
        }
        for successor in interpreter.successors(state).expect("bounded inputs") {
            let action = builder.action(&program.commands()[successor.command.index()].action);
            builder.edge(id, action, ids[&successor.state], Modality::Both);
        }
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            builder.label(id, proposition, Belnap::from(interpreter.holds(state, *term)));
        }
    }
    Some(ConcreteSystem { system: builder.build(), states })
}
