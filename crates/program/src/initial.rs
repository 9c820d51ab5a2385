//! Concrete states where a program begins.
//!
//! Found with the solver, one after the other, each excluded before the next is looked for; so an initial condition with
//! infinitely many states is no problem as long as one does not want them all.

use crate::{Interpreter, Program, State};
use tertium_expr::Value;
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::Context;

/// Some initial states.
#[derive(Clone, Debug)]
pub struct InitialStates {
    /// In no particular but always the same order.
    pub states: Vec<State>,
    /// Whether these are all.
    pub complete: bool,
}

/// Up to `most` initial states.
pub fn initial_states(context: &Context, program: &Program, most: usize) -> InitialStates {
    let terms = &program.terms;
    let interpreter = Interpreter::new(program);
    let mut solver = Z3::new();
    solver.assert(terms, program.within());
    solver.assert(terms, program.initial);
    let mut states = Vec::new();
    while states.len() < most {
        match solver.check(context, terms, &[]) {
            Answer::Unsatisfiable => return InitialStates { states, complete: true },
            Answer::GaveUp | Answer::Stopped(_) => break,
            Answer::Satisfiable => {}
        }
        let Some(model) = solver.model(terms) else { break };
        let value = |variable| {
            model.get(variable).cloned().unwrap_or_else(|| Value::default_of(&terms.sort_of(variable)))
        };
        let state = State(program.variables().iter().map(|own| value(own.variable)).collect());
        if !interpreter.is_initial(&state) {
            // A variable that the solver left open got a value outside of its domain, or the model is wrong.
            break;
        }
        let this = program.variables().iter().zip(&state.0);
        let this =
            terms.and(this.map(|(own, value)| terms.equal(terms.variable(own.variable), terms.value(value))));
        solver.assert(terms, terms.not(this));
        states.push(state);
    }
    let complete = states.len() == most && solver.check(context, terms, &[]) == Answer::Unsatisfiable;
    InitialStates { states, complete }
}
