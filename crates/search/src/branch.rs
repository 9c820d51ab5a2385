//! The branches of a program: each way through each command, and both sides of the conditions in it.
//!
//! A way is one guarded assignment, such as one list of an `either … or …`. A condition is that of a conditional in a
//! value that it assigns; conditionals that are truth values are Boolean operations, and have no sides of their own.

use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_program::{CommandId, Interpreter, Program, State, Step, StepTaken};
use tertium_support::Id;

/// A branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The command.
    pub command: CommandId,
    /// Which of the ways through it.
    pub way: usize,
    /// The condition, over variables before the step and its inputs, and whether it holds; nothing for the way itself.
    pub side: Option<(Term, bool)>,
}

/// All branches of a program, by command and way: the way itself, then the sides of its conditions.
pub fn branches(program: &Program) -> Vec<Branch> {
    let mut all = Vec::new();
    for command in CommandId::first(program.commands().len()) {
        for (way, step) in program.commands()[command.index()].steps.iter().enumerate() {
            all.push(Branch { command, way, side: None });
            let mut known: Vec<Term> = Vec::new();
            for &update in step.updates.values() {
                for condition in program.terms.conditions_of(update) {
                    if !known.contains(&condition) {
                        known.push(condition);
                        let side = |holds| Branch { command, way, side: Some((condition, holds)) };
                        all.extend([side(true), side(false)]);
                    }
                }
            }
        }
    }
    debug_assert!(all.is_sorted_by_key(|branch| (branch.command, branch.way)), "in the order of the program");
    all
}

impl Branch {
    /// The step of the program.
    pub fn step<'p>(&self, program: &'p Program) -> &'p Step {
        &program.commands()[self.command.index()].steps[self.way]
    }

    /// Whether a step of a run from this state takes the branch.
    pub fn is_taken(&self, interpreter: &Interpreter<'_>, before: &State, taken: &StepTaken) -> bool {
        if (taken.command, taken.step) != (self.command, self.way) {
            return false;
        }
        let Some((condition, holds)) = self.side else { return true };
        let program = interpreter.program();
        let inputs = &self.step(program).inputs;
        let value = |variable: Variable| match inputs.iter().position(|input| input.variable == variable) {
            Some(at) => taken.inputs.get(at).cloned(),
            None => program.id_of(variable).map(|id| before.0[id.index()].clone()),
        };
        evaluate(&program.terms, condition, &value) == Ok(Value::Bool(holds))
    }
}
