//! Concrete runs, and their validation by the interpreter.

use crate::{CommandId, Interpreter, Program, State};
use tertium_expr::{Term, Value};
use tertium_support::Id;

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The command taken.
    pub command: CommandId,
    /// Which of its ways through.
    pub step: usize,
    /// The values of its inputs.
    pub inputs: Vec<Value>,
    /// Where it leads.
    pub state: State,
}

/// A finite run from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where it begins.
    pub start: State,
    /// What happens.
    pub steps: Vec<RunStep>,
}

impl Run {
    /// Its steps, each with the state before it.
    pub fn moves(&self) -> impl Iterator<Item = (&State, &RunStep)> {
        let states = std::iter::once(&self.start).chain(self.steps.iter().map(|step| &step.state));
        states.zip(&self.steps)
    }

    /// Where it ends.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }
}

/// Why something is no run to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The program does not begin there.
    NotInitial,
    /// The step with this number, from 0, does not lead there.
    NoStep(usize),
    /// The goal does not hold at the end.
    NotTheGoal,
}

/// Whether this is a run of the program to where `goal` holds. Executes it; shares nothing with the search.
pub fn check_run(program: &Program, run: &Run, goal: Term) -> Result<(), Flaw> {
    let interpreter = Interpreter::new(program);
    if !interpreter.is_initial(&run.start) {
        return Err(Flaw::NotInitial);
    }
    let mut state = &run.start;
    for (n, step) in run.steps.iter().enumerate() {
        let command = program.commands().get(step.command.index());
        let way = command.and_then(|command| command.steps.get(step.step)).ok_or(Flaw::NoStep(n))?;
        let inputs = way.inputs.iter().zip(&step.inputs);
        let legal = way.inputs.len() == step.inputs.len()
            && inputs
                .into_iter()
                .all(|(input, value)| value.sort() == input.domain.sort() && input.domain.has(value));
        if !legal || interpreter.take(state, way, &step.inputs).as_ref() != Some(&step.state) {
            return Err(Flaw::NoStep(n));
        }
        state = &step.state;
    }
    if interpreter.holds(state, goal) { Ok(()) } else { Err(Flaw::NotTheGoal) }
}
