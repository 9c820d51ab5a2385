//! Predicate abstraction against its definition, with and without a solver that gives up.

use tertium_abstraction::{AbstractState, PredicateAbstraction, Predicates, Targets, naive};
use tertium_program::{CommandId, Program};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng};
use tertium_testkit::{ProgramShape, random_atom, random_cases, random_program};

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

fn random_predicates(rng: &mut Rng, program: &Program, n: usize) -> Predicates {
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let mut predicates = Predicates::new();
    for _ in 0..20 {
        if predicates.len() < n {
            predicates.add(program, random_atom(rng, &program.terms, &variables[1..]));
        }
    }
    predicates
}

/// The states that stand for something, with where each command leads by the definition.
fn by_definition(
    program: &Program,
    predicates: &Predicates,
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
    random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: rng.chance(0.3), choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let predicates = random_predicates(rng, &program, 3);
        let expected = by_definition(&program, &predicates);
        let mut abstraction = PredicateAbstraction::new(&program, predicates, Prover::new(Z3::new()));
        for (state, targets) in expected {
            let found = abstraction.successors(&context(), &state).expect("no limits");
            assert_eq!(found, targets, "from {}", state.describe(&program, abstraction.predicates()));
        }
    });
}

#[test]
fn a_solver_that_gives_up_makes_may_grow_and_must_shrink() {
    random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: false, choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let predicates = random_predicates(rng, &program, 2);
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
