//! Predicate abstraction against its definition, with and without a solver that gives up.

use tertium_abstraction::{AbstractState, PredicateAbstraction, Targets, naive};
use tertium_program::{CommandId, Interpreter, LocId, Precision, Program, ProgramVariable, State};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng};
use tertium_testkit::{ProgramShape, random_atom, random_cases, random_program};

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

/// Up to n predicates, each everywhere or at one or two locations only.
fn random_precision(rng: &mut Rng, program: &Program, n: usize) -> Precision {
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let n_locations = program.locations().len();
    let mut precision = Precision::new();
    for _ in 0..20 {
        if precision.len() < n {
            let atom = random_atom(rng, &program.terms, &variables[1..]);
            let everywhere = rng.chance(0.4);
            for _ in 0..rng.between(1, 2) {
                let location =
                    if everywhere { LocId::ANYWHERE } else { LocId::new(rng.between(0, n_locations - 1)) };
                precision.add(program, atom, location);
            }
        }
    }
    precision
}

/// Whether a command leads between locations where different predicates count.
fn changes_predicates(
    program: &Program,
    precision: &Precision,
    state: &AbstractState,
    targets: &[(CommandId, Targets)],
) -> bool {
    let here = precision.at(program, &state.control);
    let mut may = targets.iter().flat_map(|(_, targets)| &targets.may);
    may.any(|target| precision.at(program, &target.control) != here)
}

/// The states that stand for something, with where each command leads by the definition.
fn by_definition(
    program: &Program,
    predicates: &Precision,
) -> Vec<(AbstractState, Vec<(CommandId, Targets)>)> {
    let mut prover = Prover::new(Z3::new());
    let mut all = Vec::new();
    for state in naive::all_states(program, predicates) {
        if !naive::may_be_inhabited(&context(), program, predicates, &mut prover, &state) {
            continue;
        }
        let commands = program.commands().iter().enumerate();
        let targets = commands.map(|(n, command)| {
            (CommandId::new(n), naive::targets(&context(), program, predicates, &mut prover, &state, command))
        });
        let targets = targets.filter(|(_, targets)| !targets.may.is_empty()).collect();
        all.push((state, targets));
    }
    all
}

#[test]
fn may_and_must_targets_are_those_of_the_definition() {
    let mut n_changes = 0;
    let run = random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: rng.chance(0.3), choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let predicates = random_precision(rng, &program, 3);
        let expected = by_definition(&program, &predicates);
        let mut abstraction = PredicateAbstraction::new(&program, predicates, Prover::new(Z3::new()));
        for (state, targets) in expected {
            let found = abstraction.successors(&context(), &state).expect("no limits");
            n_changes += usize::from(changes_predicates(&program, abstraction.precision(), &state, &targets));
            assert_eq!(found, targets, "from {}", state.describe(&program, abstraction.precision()));
        }
    });
    run.enough(
        n_changes > 20,
        format_args!("{n_changes} states from where other predicates count after a step"),
    );
}

/// A value of its domain for each variable.
fn any_state(rng: &mut Rng, program: &Program) -> State {
    let value = |own: &ProgramVariable| {
        let values = own.domain.values(100).expect("small domains");
        values[rng.below(values.len())].clone()
    };
    State(program.variables().iter().map(value).collect())
}

/// Seen by listing concrete states alone: no solver, no transfer.
#[test]
fn every_concrete_step_is_a_may_step_and_every_must_step_is_one_of_each_concrete_state() {
    let (mut n_steps, mut n_musts, mut n_changes) = (0, 0, 0);
    let run = random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: true, choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let precision = random_precision(rng, &program, 3);
        let interpreter = Interpreter::new(&program);
        let mut abstraction = PredicateAbstraction::new(&program, precision.clone(), Prover::new(Z3::new()));
        for state in (0..20).map(|_| any_state(rng, &program)).collect::<Vec<_>>() {
            let source = AbstractState::of(&interpreter, &precision, &state).expect("domains are small");
            let found = abstraction.successors(&context(), &source).expect("no limits");
            n_changes += usize::from(changes_predicates(&program, &precision, &source, &found));
            let Ok(steps) = interpreter.successors(&state) else { continue };
            let seen: Vec<(CommandId, AbstractState)> = steps
                .iter()
                .map(|step| {
                    (
                        step.command,
                        AbstractState::of(&interpreter, &precision, &step.state).expect("domains are small"),
                    )
                })
                .collect();
            for (command, target) in &seen {
                n_steps += 1;
                let own = found.iter().find(|(other, _)| other == command);
                assert!(
                    own.is_some_and(|(_, targets)| targets.may.contains(target)),
                    "a step that is not seen"
                );
            }
            for (command, targets) in &found {
                for target in &targets.must {
                    n_musts += 1;
                    assert!(
                        seen.contains(&(*command, target.clone())),
                        "a step that this state does not have"
                    );
                }
            }
        }
    });
    run.enough(
        n_steps > 100 && n_musts > 20 && n_changes > 20,
        format_args!("{n_steps} steps, {n_musts} must steps, {n_changes} changes of what counts"),
    );
}

#[test]
fn a_solver_that_gives_up_makes_may_grow_and_must_shrink() {
    random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: false, choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let predicates = random_precision(rng, &program, 2);
        let expected = by_definition(&program, &predicates);
        let every = rng.between(1, 4);
        let prover = Prover::new(GivesUp::new(Z3::new(), every));
        let mut abstraction = PredicateAbstraction::new(&program, predicates, prover);
        for (state, exact) in expected {
            let found = abstraction.successors(&context(), &state).expect("no limits");
            for (command, targets) in &exact {
                let weak = found.iter().find(|(other, _)| other == command).map(|(_, targets)| targets);
                let weak = weak.expect("a step that exists stays possible");
                assert!(weak.may.is_superset(&targets.may));
                assert!(weak.must.is_subset(&targets.must));
                assert!(targets.always || !weak.always);
            }
            for (_, targets) in &found {
                assert!(targets.must.is_subset(&targets.may));
            }
        }
    });
}
