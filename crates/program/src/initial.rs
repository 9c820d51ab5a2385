//! Concrete states where a program begins, as many as wanted.
//!
//! Where the initial condition leaves open only variables with few values, all combinations are tried. The solver is
//! asked for infinite or large sets, and for few states only, since each answer is excluded before the next; so an
//! initial condition with infinitely many states is no problem as long as one does not want them all.

use crate::{Interpreter, Program, State, pinned};
use rustc_hash::FxHashMap;
use tertium_expr::{Value, Variable};
use tertium_solve::{Answer, Model, Solver, Z3};
use tertium_support::{Context, StopReason};

/// So many combinations of values are tried at most.
const MOST_TRIED: usize = 200_000;
/// So many are tried for each state that is wanted: they take about as long as a question to the solver.
const TRIED_FOR_EACH: usize = 4_096;
/// So many states are asked for from the solver.
const MOST_ASKED: usize = 64;

/// Some initial states.
#[derive(Clone, Debug)]
pub struct InitialStates {
    /// In ascending order.
    pub states: Vec<State>,
    /// Whether these are all.
    pub complete: bool,
}

/// Up to `most` initial states: the first ones, unless the solver had to be asked.
pub fn initial_states(
    context: &Context,
    program: &Program,
    most: usize,
) -> Result<InitialStates, StopReason> {
    let mut start = match by_trying(context, program, most)? {
        Some(start) => start,
        None => by_solver(context, program, most.min(MOST_ASKED))?,
    };
    context.poll()?;
    start.states.sort();
    debug_assert!(start.states.windows(2).all(|pair| pair[0] < pair[1]), "no state is found twice");
    debug_assert!(
        start.states.iter().all(|state| Interpreter::new(program).is_initial(state)),
        "the program begins at each of them"
    );
    Ok(start)
}

/// Nothing if there are too many combinations.
fn by_trying(context: &Context, program: &Program, most: usize) -> Result<Option<InitialStates>, StopReason> {
    let terms = &program.terms;
    let most_tried = most.max(1).saturating_mul(TRIED_FOR_EACH).min(MOST_TRIED);
    let fixed: FxHashMap<Variable, Value> =
        terms.conjuncts(program.initial).into_iter().rev().filter_map(|part| pinned(terms, part)).collect();
    let mut choices: Vec<Vec<Value>> = Vec::new();
    let mut n_combinations = 1usize;
    for own in program.variables() {
        let values = match fixed.get(&own.variable) {
            Some(value) => Some(vec![value.clone()]),
            None => own.domain.values(most_tried),
        };
        let Some(values) = values else { return Ok(None) };
        n_combinations = n_combinations.saturating_mul(values.len());
        choices.push(values);
    }
    if n_combinations > most_tried {
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

fn by_solver(context: &Context, program: &Program, most: usize) -> Result<InitialStates, StopReason> {
    let terms = &program.terms;
    let interpreter = Interpreter::new(program);
    let mut solver = Z3::new();
    solver.assert(terms, program.within());
    solver.assert(terms, program.initial);
    let mut states = Vec::new();
    while states.len() < most {
        match solver.check(context, terms, &[]).unless_stopped()? {
            Answer::Unsatisfiable => return Ok(InitialStates { states, complete: true }),
            Answer::Satisfiable => {}
            _ => break,
        }
        let Some(model) = solver.model(terms) else { break };
        let state = state_of(program, &model);
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
    let complete =
        states.len() == most && solver.check(context, terms, &[]).unless_stopped()? == Answer::Unsatisfiable;
    Ok(InitialStates { states, complete })
}

/// The state that a model of a solver describes. What the model leaves open has the first value of its sort, as for a
/// prover that found the model for another question; so it need not be a state of the program.
pub fn state_of(program: &Program, model: &Model) -> State {
    let variables = program.variables().iter();
    State(variables.map(|own| model.value(&program.terms, own.variable)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Role};
    use tertium_expr::{Term, Terms};
    use tertium_support::{Id, Span};

    /// Two small integers, a truth value and a word, which begin where this holds.
    fn program(initial: impl Fn(&Terms, [Term; 4]) -> Term) -> Program {
        let mut program = Program::new(Terms::default());
        let range = |low: i32, high: i32| Domain::Range(low.into(), high.into());
        let own = [("x", range(0, 4)), ("y", range(-2, 2)), ("b", Domain::Bool), ("w", Domain::Bits(2))];
        let terms = own.map(|(name, domain)| {
            let id = program.add_variable(name, domain, Role::Data, Span::default());
            program.terms.variable(program.variables()[id.index()].variable)
        });
        program.initial = initial(&program.terms, terms);
        program
    }

    #[test]
    fn trying_and_the_solver_find_the_same_states() {
        let context = Context::default();
        let equal = program(|terms, [x, y, b, _]| {
            terms.and([terms.equal(x, y), terms.implies(b, terms.less(x, terms.integer(1)))])
        });
        let fixed = program(|terms, [x, y, b, w]| {
            let two = terms.value(&Value::Bits { width: 2, value: 2 });
            terms.and([
                terms.equal(x, terms.integer(3)),
                terms.equal(y, terms.integer(0)),
                b,
                terms.equal(w, two),
            ])
        });
        let none = program(|terms, [x, y, ..]| terms.less(terms.sum([x, terms.integer(2)]), y));
        for (program, n) in [(equal, 16), (fixed, 1), (none, 0)] {
            let tried = by_trying(&context, &program, 1000).unwrap().expect("few combinations");
            let mut asked = by_solver(&context, &program, 1000).unwrap();
            asked.states.sort();
            assert_eq!((tried.states.len(), tried.complete, asked.complete), (n, true, true));
            assert_eq!(tried.states, asked.states);
            for most in 0..=n + 1 {
                let some = initial_states(&context, &program, most).unwrap();
                assert_eq!(some.states[..], tried.states[..most.min(n)]);
                assert_eq!(some.complete, most >= n);
            }
        }
    }
}
