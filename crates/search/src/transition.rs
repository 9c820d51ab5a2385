//! Commands taken apart into transitions with one successor at most: one for each way and for each value of the inputs.

use tertium_expr::{Substitution, Term, Value, Variable};
use tertium_program::{CommandId, Program, Step};
use tertium_support::Id;

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
    pub(crate) step: &'p Step,
    /// Where it is enabled.
    pub(crate) guard: Term,
    /// What variables become.
    pub(crate) updates: Vec<(Variable, Term)>,
}

/// All transitions, in the order of the text. If an input has too many values, the command.
pub(crate) fn transitions(program: &Program) -> Result<Vec<Deterministic<'_>>, CommandId> {
    let terms = &program.terms;
    let mut all = Vec::new();
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
                all.push(Deterministic { transition, step, guard, updates });
            }
        }
    }
    Ok(all)
}
