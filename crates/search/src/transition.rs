//! Programs taken apart into transitions with one successor at most: one for each command, way and value of the inputs.

use crate::moves::Moves;
use std::sync::Arc;
use tertium_expr::{Substitution, Term, Value, Variable};
use tertium_program::{CommandId, Interpreter, Program, State, Step};
use tertium_support::{Id, define_id};

define_id!(
    /// A transition of a machine.
    TransitionId
);

/// A command with one of its ways and the values of its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The command.
    pub command: CommandId,
    /// Which of its steps.
    pub step: usize,
    /// The values of its inputs.
    pub inputs: Vec<Value>,
}

/// A transition with what it asks for and does.
pub(crate) struct Deterministic<'p> {
    pub(crate) transition: Transition,
    step: &'p Step,
    /// Where it is enabled.
    pub(crate) guard: Term,
    /// What variables become.
    pub(crate) updates: Vec<(Variable, Term)>,
}

/// A program as its transitions, in the order of the text.
pub struct Machine<'p> {
    interpreter: Interpreter<'p>,
    transitions: Vec<Deterministic<'p>>,
    /// The same as code.
    moves: Arc<Moves>,
}

impl<'p> Machine<'p> {
    /// Takes a program apart. If an input has too many values, the command is given.
    pub fn new(program: &'p Program) -> Result<Self, CommandId> {
        let terms = &program.terms;
        let mut transitions = Vec::new();
        for command in CommandId::first(program.commands().len()) {
            for (number, step) in program.commands()[command.index()].steps.iter().enumerate() {
                for inputs in step.all_inputs().ok_or(command)? {
                    let values = step.inputs.iter().zip(&inputs);
                    let mut chosen =
                        Substitution::new(values.map(|(input, value)| (input.variable, terms.value(value))));
                    let guard = chosen.apply(terms, step.guard);
                    let updates =
                        step.updates.iter().map(|(&variable, &term)| (variable, chosen.apply(terms, term)));
                    let updates = updates.collect();
                    let transition = Transition { command, step: number, inputs };
                    transitions.push(Deterministic { transition, step, guard, updates });
                }
            }
        }
        let moves = Arc::new(Moves::new(program, &transitions));
        Ok(Self { interpreter: Interpreter::new(program), transitions, moves })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    /// What runs it.
    pub fn interpreter(&self) -> &Interpreter<'p> {
        &self.interpreter
    }

    /// The transition with an id.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()].transition
    }

    /// The transitions as code.
    pub(crate) fn moves(&self) -> &Arc<Moves> {
        &self.moves
    }

    /// What the transition with a number does.
    pub(crate) fn deterministic(&self, number: usize) -> &Deterministic<'p> {
        &self.transitions[number]
    }

    /// All transitions.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = (TransitionId, &Deterministic<'p>)> {
        self.transitions.iter().enumerate().map(|(n, own)| (TransitionId::new(n), own))
    }

    /// Where a transition leads; nothing if it is not enabled.
    pub(crate) fn take(&self, state: &State, own: &Deterministic<'p>) -> Option<State> {
        self.interpreter.take(state, own.step, &own.transition.inputs)
    }
}
