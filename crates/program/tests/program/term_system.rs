//! Programs as term systems against the interpreter: the same initial states and the same steps.

use std::collections::BTreeSet;
use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_program::{Interpreter, Program, ProgramSystem, State};
use tertium_support::Rng;
use tertium_testkit::{ProgramShape, random_cases, random_program};

fn random_state(rng: &mut Rng, program: &Program) -> State {
    let value = |own: &tertium_program::ProgramVariable| match own.domain.values(1000) {
        Some(values) => rng.pick(&values).clone(),
        None => Value::int(rng.below(9) as i64 - 4),
    };
    State(program.variables().iter().map(value).collect())
}

/// Values for the current and next copies, the step taken and its inputs. Other inputs are anything.
fn holds(program: &Program, made: &ProgramSystem, term: Term, at: &Point<'_>) -> bool {
    let value = |variable: Variable| {
        let own = made.system.variables.iter().zip(at.state.0.iter().zip(&at.next.0));
        for (own, (before, after)) in own {
            if own.current == variable {
                return Some(before.clone());
            }
            if own.next == variable {
                return Some(after.clone());
            }
        }
        let chosen = at.inputs.iter().find(|(input, _)| *input == variable).map(|(_, value)| value.clone());
        Some(chosen.unwrap_or_else(|| Value::default_of(&program.terms.sort_of(variable))))
    };
    evaluate(&program.terms, term, &value).unwrap() == Value::Bool(true)
}

struct Point<'a> {
    state: &'a State,
    next: &'a State,
    inputs: Vec<(Variable, Value)>,
}

/// The states that the term system leads to from here, by trying all steps, inputs, and states of `candidates`.
fn successors(
    program: &Program,
    made: &ProgramSystem,
    state: &State,
    candidates: &BTreeSet<State>,
) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    for (number, &(command, step)) in made.steps.iter().enumerate() {
        let step = &program.commands()[command].steps[step];
        let sort = program.terms.sort_of(made.selector);
        let tertium_expr::Sort::Bits(width) = sort else { panic!("a bit-vector") };
        let taken = Value::Bits { width, value: number as u128 };
        assert_eq!(made.step_of(&taken), Some(made.steps[number]));
        for values in step.all_inputs().unwrap() {
            let inputs = step.inputs.iter().map(|input| input.variable).zip(values);
            let inputs: Vec<(Variable, Value)> = inputs.chain([(made.selector, taken.clone())]).collect();
            for next in candidates {
                let at = Point { state, next, inputs: inputs.clone() };
                if holds(program, made, made.system.step, &at) {
                    assert!(holds(program, made, made.system.input_domain, &at));
                    found.insert(next.clone());
                }
            }
        }
    }
    found
}

const SHAPE: ProgramShape = ProgramShape { n_commands: 5, bounded: true, choices: true };

#[test]
fn a_program_and_its_term_system_take_the_same_steps() {
    let mut n_steps = 0;
    let run = random_cases(120, |rng| {
        let program = random_program(rng, SHAPE);
        let made = program.term_system();
        let interpreter = Interpreter::new(&program);
        for _ in 0..4 {
            let state = random_state(rng, &program);
            let at = Point { state: &state, next: &state, inputs: Vec::new() };
            assert_eq!(interpreter.is_initial(&state), holds(&program, &made, made.system.initial, &at));
            assert!(holds(&program, &made, made.system.invariant, &at));
            let Ok(expected) = interpreter.successors(&state) else { continue };
            let expected: BTreeSet<State> = expected.into_iter().map(|successor| successor.state).collect();
            let mut candidates = expected.clone();
            candidates.extend((0..10).map(|_| random_state(rng, &program)));
            assert_eq!(successors(&program, &made, &state, &candidates), expected);
            n_steps += expected.len();
        }
    });
    run.enough(n_steps > 100, format_args!("only {n_steps} steps"));
}
