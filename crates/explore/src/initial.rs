//! The initial states of a program, as far as wanted.
//!
//! Where the initial condition leaves open only variables with few values, all combinations are tried. The solver is
//! asked for infinite or large sets, and for few states only, since each answer is excluded before the next.

use rustc_hash::FxHashMap;
use tertium_expr::{Value, Variable};
use tertium_program::{InitialStates, Interpreter, Program, State, initial_states, pinned};
use tertium_support::{Context, StopReason};

/// So many combinations of values are tried.
const MOST_TRIED: usize = 200_000;
/// So many states are asked for from the solver.
const MOST_ASKED: usize = 64;

/// Up to `most` initial states, in order.
pub(crate) fn initial_states_of(
    context: &Context,
    program: &Program,
    most: usize,
) -> Result<InitialStates, StopReason> {
    let mut start = match by_trying(context, program, most)? {
        Some(start) => start,
        None => initial_states(context, program, most.min(MOST_ASKED)),
    };
    context.poll()?;
    start.states.sort();
    Ok(start)
}

/// Nothing if there are too many combinations.
fn by_trying(context: &Context, program: &Program, most: usize) -> Result<Option<InitialStates>, StopReason> {
    let terms = &program.terms;
    let fixed: FxHashMap<Variable, Value> =
        terms.conjuncts(program.initial).into_iter().rev().filter_map(|part| pinned(terms, part)).collect();
    let mut choices: Vec<Vec<Value>> = Vec::new();
    let mut n_combinations = 1usize;
    for own in program.variables() {
        let values = match fixed.get(&own.variable) {
            Some(value) => Some(vec![value.clone()]),
            None => own.domain.values(MOST_TRIED),
        };
        let Some(values) = values else { return Ok(None) };
        n_combinations = n_combinations.saturating_mul(values.len());
        choices.push(values);
    }
    if n_combinations > MOST_TRIED {
        return Ok(None);
    }
    let interpreter = Interpreter::new(program);
    let mut ticker = context.ticker("initial states");
    let mut found = InitialStates { states: Vec::new(), complete: true };
    for number in 0..n_combinations {
        ticker.tick(64)?;
        let mut rest = number;
        let values = choices.iter().rev().map(|values| {
            let value = values[rest % values.len()].clone();
            rest /= values.len();
            value
        });
        let mut values: Vec<Value> = values.collect();
        values.reverse();
        let state = State(values.into());
        if interpreter.is_initial(&state) {
            if found.states.len() == most {
                found.complete = false;
                break;
            }
            found.states.push(state);
        }
    }
    Ok(Some(found))
}
