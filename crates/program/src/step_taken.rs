//! What a run does at one place: which command, which way through it, with which inputs.

use crate::{CommandId, Interpreter, Program, State, Step};
use tertium_expr::Value;
use tertium_support::Id;

/// A step of a program, without the states around it. Nothing is promised of it: see [`Interpreter::follow`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepTaken {
    /// The command.
    pub command: CommandId,
    /// Which of its ways through.
    pub step: usize,
    /// The values of its inputs.
    pub inputs: Vec<Value>,
}

impl StepTaken {
    /// The way through the command; nothing if the program has none of this number.
    pub fn way<'p>(&self, program: &'p Program) -> Option<&'p Step> {
        program.commands().get(self.command.index())?.steps.get(self.step)
    }
}

impl Interpreter<'_> {
    /// Where a step leads from a state; nothing if the program has no such step, an input is not of its domain, or the
    /// step is not enabled.
    pub fn follow(&self, state: &State, taken: &StepTaken) -> Option<State> {
        let way = taken.way(self.program())?;
        let mut inputs = way.inputs.iter().zip(&taken.inputs);
        let legal = way.inputs.len() == taken.inputs.len()
            && inputs.all(|(input, value)| value.sort() == input.domain.sort() && input.domain.has(value));
        legal.then(|| self.take(state, way, &taken.inputs)).flatten()
    }
}
