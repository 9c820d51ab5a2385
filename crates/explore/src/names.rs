//! What the states of a program are called: made from their words when it is asked for.

use crate::explored::States;
use crate::moves::Moves;
use crate::packed::Wide;
use crate::reachable::Exploration;
use crate::system::BEYOND;
use std::sync::Arc;
use tertium_expr::Value;
use tertium_program::{Program, State};
use tertium_support::Id;
use tertium_system::{NameStates, StateId};

/// The states of an exploration with what is needed to name them.
#[derive(Debug)]
pub(crate) struct ProgramNames {
    variables: Vec<String>,
    moves: Arc<Moves>,
    wide: Arc<Wide>,
    states: Arc<States>,
    /// Whether there is one more state, for what was not looked at.
    beyond: bool,
}

impl ProgramNames {
    pub(crate) fn new(program: &Program, found: &Exploration) -> Self {
        Self {
            variables: variable_names(program),
            moves: Arc::clone(&found.moves),
            wide: Arc::clone(&found.wide),
            states: Arc::clone(&found.listing.states),
            beyond: !found.is_complete(),
        }
    }
}

impl NameStates for ProgramNames {
    fn n_states(&self) -> usize {
        self.states.len() + usize::from(self.beyond)
    }

    fn name(&self, state: StateId) -> String {
        match state.index() {
            number if number == self.states.len() => BEYOND.to_owned(),
            number => {
                let state = self.moves.layout().state(&self.wide, self.states.words(number));
                text(&self.variables, &state)
            }
        }
    }
}

fn variable_names(program: &Program) -> Vec<String> {
    program.variables().iter().map(|own| program.terms.name(own.variable)).collect()
}

/// The values of a state, with the names of the variables.
pub fn state_text(program: &Program, state: &State) -> String {
    text(&variable_names(program), state)
}

fn text(variables: &[String], state: &State) -> String {
    let values: Vec<String> =
        variables.iter().zip(&state.0).map(|(name, value): (_, &Value)| format!("{name}={value}")).collect();
    if values.is_empty() { "start".to_owned() } else { values.join(", ") }
}
