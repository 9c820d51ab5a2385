//! Locations: commands as edges, against the interpreter.

use std::collections::BTreeSet;
use tertium_expr::{BigInt, Terms, Value};
use tertium_program::{
    CommandId, Domain, Interpreter, LocId, Program, Role, State, Statement, initial_states,
};
use tertium_support::{Context, Id, Rng, Span};
use tertium_testkit::{ProgramShape, random_cases, random_program};

fn random_state(rng: &mut Rng, program: &Program) -> State {
    let values = program.variables().iter().map(|own| rng.pick(&own.domain.values(100).unwrap()).clone());
    State(values.collect())
}

#[test]
fn what_can_be_taken_leaves_from_a_location_of_the_state_and_leads_to_its_target() {
    let (mut n_taken, mut n_skipped, mut n_targets) = (0, 0, 0);
    let run = random_cases(200, |rng| {
        let program = random_program(rng, ProgramShape { n_commands: 6, bounded: true, choices: true });
        let locations = program.locations();
        let interpreter = Interpreter::new(&program);
        // Every command is an edge of exactly one location, its source.
        let mut edges = BTreeSet::new();
        for location in LocId::first(locations.len()) {
            for &command in locations.edges_from(location) {
                assert_eq!(locations.source(command), location);
                assert!(edges.insert(command));
            }
        }
        assert_eq!(edges.len(), program.commands().len());
        let at =
            |state: &State| -> Vec<LocId> { locations.at(&program, &interpreter.control(state)).collect() };
        for _ in 0..10 {
            let state = random_state(rng, &program);
            let here = locations.edges_at(&program, &interpreter.control(&state));
            assert!(here.is_sorted());
            for command in CommandId::first(program.commands().len()) {
                let successors = interpreter.successors_of(&state, command).expect("few inputs");
                assert_eq!(here.contains(&command), at(&state).contains(&locations.source(command)));
                assert!(here.contains(&command) || successors.is_empty());
                n_skipped += usize::from(!here.contains(&command));
                for successor in successors {
                    n_taken += 1;
                    if let Some(target) = locations.target(command) {
                        assert!(at(&successor.state).contains(&target));
                        n_targets += usize::from(target != LocId::ANYWHERE);
                    }
                }
            }
        }
    });
    run.enough(
        n_taken > 500 && n_skipped > 500 && n_targets > 100,
        format_args!("{n_taken}, {n_skipped}, {n_targets}"),
    );
}

#[test]
fn each_process_has_a_counter_and_the_rest_leaves_from_anywhere() {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    for name in ["left", "right"] {
        program.add_variable(name, Domain::Range(BigInt::from(1), BigInt::from(3)), Role::Control, place);
    }
    program.add_variable("up", Domain::Bool, Role::Control, place);
    let [left, right, up] = [0, 1, 2].map(|n| program.variables()[n].variable);
    let terms = &program.terms;
    let at = |variable, n: i32| terms.equal(terms.variable(variable), terms.integer(n));
    let to = |variable, n: i32| Statement::Assign(vec![(variable, terms.integer(n))]);
    let commands = [
        Statement::guarded(at(left, 1), to(left, 2)),
        Statement::guarded(terms.and([at(left, 2), terms.variable(up)]), to(left, 3)),
        Statement::guarded(at(right, 3), Statement::Skip),
        Statement::guarded(terms.at_most(terms.variable(left), terms.integer(2)), to(right, 1)),
        Statement::guarded(at(left, 3), Statement::Choice(vec![to(left, 1), to(left, 2)])),
    ];
    let process = program.add_process("p");
    for command in commands {
        program.add_command_of(Some(process), "a", command, place);
    }
    let locations = program.locations();
    let counters: Vec<usize> = locations.counters().iter().map(|own| own.variable.index()).collect();
    assert_eq!(counters, [0, 1]);
    assert_eq!(locations.len(), 1 + 3 + 3);
    let ids: Vec<CommandId> = CommandId::first(5).collect();
    let sources: Vec<usize> = ids.iter().map(|&id| locations.source(id).index()).collect();
    assert_eq!(sources, [1, 2, 6, 0, 3]);
    let targets: Vec<Option<usize>> = ids.iter().map(|&id| locations.target(id).map(Id::index)).collect();
    assert_eq!(targets, [Some(2), Some(3), Some(6), Some(0), None]);
    let control = [Value::int(2), Value::int(1), Value::Bool(false)];
    assert_eq!(locations.edges_at(&program, &control), [ids[1], ids[3]]);
    assert!(!initial_states(&Context::default(), &program, 1).expect("no limits").states.is_empty());
}
