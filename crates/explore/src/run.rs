//! Concrete runs of programs, and their validation by the interpreter.

use tertium_evidence::{Trace, check_path};
use tertium_expr::Term;
use tertium_program::{Interpreter, Program, State, StepTaken};

/// A path of a program: states with the steps between them.
pub type Run = Trace<State, StepTaken>;

/// Whether this is a run of the program to where `goal` holds. Executes it; shares nothing with what found it.
pub fn check_run(program: &Program, run: &Run, goal: Term) -> Result<(), String> {
    let interpreter = Interpreter::new(program);
    check_path(
        run,
        |state| interpreter.is_initial(state),
        |from, taken, to| interpreter.follow(from, taken).as_ref() == Some(to),
    )?;
    match interpreter.holds(run.last(), goal) {
        true => Ok(()),
        false => Err("the path does not end where it should".to_owned()),
    }
}
