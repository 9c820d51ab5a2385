//! Programs as symbolic systems against the interpreter, state by state.

use std::collections::BTreeSet;
use std::sync::Arc;
use tertium_encode::diagrams::{EncodeError, EncodedProgram, ProgramOptions, encode_program, is_bounded};
use tertium_expr::{BigInt, Enumeration, Sort, Terms};
use tertium_program::{Domain, Interpreter, Program, Role, State, Statement};
use tertium_support::{Context, Id, Span};
use tertium_testkit::{ProgramShape, random_array_program, random_cases, random_program};

/// Every state of a program, with its codes.
fn all_states(program: &Program, encoded: &EncodedProgram<'_>) -> Vec<(State, Vec<u64>)> {
    let mut codes: Vec<Vec<u64>> = vec![Vec::new()];
    for variable in &encoded.model.variables {
        let each = 0..=variable.last_code;
        codes = each
            .flat_map(|code| codes.iter().map(move |before| [before.clone(), vec![code]].concat()))
            .collect();
    }
    let count: usize = program.variables().iter().filter_map(|own| own.domain.count(1 << 20)).product();
    assert_eq!(codes.len(), count, "there is a code for each value");
    let state = |codes: Vec<u64>| (encoded.state(&codes).expect("codes of values"), codes);
    codes.into_iter().map(state).collect()
}

/// Compares initial states and steps of a program with those of its encoding; how many steps there are.
fn compare(program: &Program) -> usize {
    let context = Context::default();
    assert!(is_bounded(program));
    let options = ProgramOptions { reorder_from: Some(500), ..ProgramOptions::default() };
    let encoded = encode_program(&context, program, &options).expect("there is no limit");
    let interpreter = Interpreter::new(program);
    let model = &encoded.model;
    let states = all_states(program, &encoded);
    let mut n_steps = 0;
    let mut steps: BTreeSet<(State, State)> = BTreeSet::new();
    for (state, codes) in &states {
        let here = model.state(codes).expect("there is no limit");
        assert!(!here.is_disjoint(&model.invar).expect("there is no limit"));
        let initial = !here.is_disjoint(&model.init).expect("there is no limit");
        assert_eq!(initial, interpreter.is_initial(state), "{state:?}");
        let wanted: BTreeSet<State> = interpreter
            .successors(state)
            .expect("inputs have few values")
            .into_iter()
            .map(|next| next.state)
            .collect();
        let image = model.relation.image(&here).expect("there is no limit");
        assert!(image.is_subset(&model.invar).expect("there is no limit"), "steps lead to states");
        let found: BTreeSet<State> = (states.iter())
            .filter(|(_, codes)| !model.state(codes).unwrap().is_disjoint(&image).unwrap())
            .map(|(state, _)| state.clone())
            .collect();
        assert_eq!(found, wanted, "{state:?}");
        for next in wanted {
            let taken = encoded.step_between(&context, state, &next).expect("there is no limit");
            let taken = taken.expect("there is a step");
            let way = &program.commands()[taken.command.index()].steps[taken.step];
            assert_eq!(interpreter.take(state, way, &taken.inputs).as_ref(), Some(&next));
            steps.insert((state.clone(), next));
            n_steps += 1;
        }
    }
    for (to, codes) in &states {
        let there = model.state(codes).expect("there is no limit");
        let before = model.relation.preimage(&there, &model.invar).expect("there is no limit");
        for (from, codes) in &states {
            let found = !model.state(codes).unwrap().is_disjoint(&before).unwrap();
            assert_eq!(found, steps.contains(&(from.clone(), to.clone())), "{from:?} to {to:?}");
        }
    }
    n_steps
}

#[test]
fn random_programs_have_the_states_and_steps_of_the_interpreter() {
    let mut n_steps = 0;
    let run = random_cases(60, |rng| {
        let shape = ProgramShape { n_commands: 6, bounded: true, choices: true };
        n_steps += compare(&random_program(rng, shape));
    });
    run.enough(n_steps >= run.share(2_000), n_steps);
}

#[test]
fn random_programs_with_arrays_have_the_states_and_steps_of_the_interpreter() {
    let (mut n_steps, mut n_written) = (0, 0);
    let run = random_cases(40, |rng| {
        let program = random_array_program(rng, 4);
        let arrays: Vec<_> = program.variables()[2..].iter().map(|own| own.variable).collect();
        let steps = program.commands().iter().flat_map(|command| &command.steps);
        n_written += steps.filter(|step| arrays.iter().any(|own| step.updates.contains_key(own))).count();
        n_steps += compare(&program);
    });
    run.enough(n_steps >= run.share(2_000) && n_written >= run.share(40), (n_steps, n_written));
}

#[test]
fn a_write_changes_the_places_that_it_can_reach() {
    let mut program = Program::new(Terms::new());
    let range = |low: i32, high: i32| Domain::Range(BigInt::from(low), BigInt::from(high));
    program.add_variable("i", range(0, 4), Role::Data, Span::default());
    program.add_variable("a", Domain::array(range(1, 3), range(0, 1)), Role::Data, Span::default());
    let [i, a] = [0, 1].map(|at| program.variables()[at].variable);
    let terms = &program.terms;
    let (index, array) = (terms.variable(i), terms.variable(a));
    let set = |at| Statement::Assign(vec![(a, terms.store(array, at, terms.integer(1)))]);
    let statements = [set(terms.integer(2)), set(index), set(terms.integer(4))];
    for statement in statements {
        program.add_command("set", statement, Span::default());
    }
    // The first from all 40 states, the second where there is such an index; an element 1 cannot be written at 4. Both lead to the
    // same state where the index is 2, and where they change nothing.
    assert_eq!(compare(&program), 40 + 24 - 8 - 4);
    let encoded =
        encode_program(&Context::default(), &program, &ProgramOptions::default()).expect("there is no limit");
    let names: Vec<&str> = encoded.model.variables.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["i", "a[1]", "a[2]", "a[3]"]);
    assert_eq!(encoded.model.relation.n_parts().0, 2, "one place, and all three");
}

#[test]
fn arrays_with_too_many_bits_are_not_encoded() {
    let mut program = small();
    let range = |low: i32, high: i32| Domain::Range(BigInt::from(low), BigInt::from(high));
    program.add_variable("a", Domain::array(range(1, 1024), range(0, 15)), Role::Data, Span::default());
    assert!(is_bounded(&program));
    program.add_variable("b", Domain::array(range(1, 2), Domain::Bool), Role::Data, Span::default());
    assert!(!is_bounded(&program));
    let refused = encode_program(&Context::default(), &program, &ProgramOptions::default());
    assert!(matches!(refused, Err(EncodeError::Arrays)));
}

/// A program over a range, a bit and a colour of three.
fn small() -> Program {
    let mut program = Program::new(Terms::new());
    let colours =
        Enumeration { name: "colour".into(), values: ["red", "green", "blue"].map(str::to_owned).into() };
    let place = Span::default();
    program.add_variable("n", Domain::Range(BigInt::from(3), BigInt::from(8)), Role::Data, place);
    program.add_variable("b", Domain::Bool, Role::Data, place);
    program.add_variable("c", Domain::Enumeration(Arc::new(colours)), Role::Control, place);
    program
}

#[test]
fn inputs_are_of_their_domains_wherever_they_go() {
    let mut program = small();
    let [n, b, c] = [0, 1, 2].map(|at| program.variables()[at].variable);
    let domains: Vec<Domain> = program.variables().iter().map(|own| own.domain.clone()).collect();
    let terms = &program.terms;
    // Stored as it is: all three colours, and no fourth.
    let colour = Statement::Havoc(c, domains[2].clone());
    // From a wider domain than the variable has.
    let wide = Statement::Havoc(n, Domain::Range(BigInt::from(-5), BigInt::from(5)));
    // Read by another update, and overwritten.
    let even = terms.equal(terms.modulo(terms.variable(n), 2), terms.integer(0));
    let read = Statement::Sequence(vec![
        Statement::Havoc(n, domains[0].clone()),
        Statement::Assign(vec![(b, even)]),
        Statement::Assign(vec![(n, terms.integer(4))]),
    ]);
    // Stored on one way through and lost on the other.
    let split = Statement::Sequence(vec![
        Statement::Havoc(n, domains[0].clone()),
        Statement::Choice(vec![Statement::Skip, Statement::Assign(vec![(n, terms.integer(7)), (b, even)])]),
    ]);
    for (name, statement) in [("colour", colour), ("wide", wide), ("read", read), ("split", split)] {
        program.add_command(name, statement, Span::default());
    }
    assert!(compare(&program) > 100);
}

#[test]
fn assignments_outside_of_a_domain_block() {
    let mut program = small();
    let n = program.variables()[0].variable;
    let more = program.terms.scaled(2, program.terms.variable(n));
    program.add_command("double", Statement::Assign(vec![(n, more)]), Span::default());
    // From 3 and 4, whatever the other variables are.
    assert_eq!(compare(&program), 2 * 6);
}

#[test]
fn a_program_without_bounds_is_not_encoded() {
    let mut program = small();
    program.add_variable("free", Domain::Int, Role::Data, Span::default());
    assert!(!is_bounded(&program));
    let mut program = small();
    let n = program.variables()[0].variable;
    program.add_command("any", Statement::Havoc(n, Domain::Int), Span::default());
    assert!(!is_bounded(&program));
    assert_eq!(program.terms.sort_of(n), Sort::Int);
}

#[test]
fn many_commands_on_many_variables_cost_what_they_say() {
    // Each command changes two variables of 2,000: what it keeps is not written down.
    let mut program = Program::new(Terms::new());
    let n = 1_000;
    for at in 0..n {
        program.add_variable(&format!("b{at}"), Domain::Bool, Role::Data, Span::default());
    }
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    program.initial = {
        let terms = &program.terms;
        terms.and(variables.iter().enumerate().map(|(at, &own)| {
            let own = terms.variable(own);
            if at == 0 { own } else { terms.not(own) }
        }))
    };
    for at in 0..n {
        let terms = &program.terms;
        let (here, there) = (variables[at], variables[(at + 1) % n]);
        let moved = vec![(here, terms.boolean(false)), (there, terms.boolean(true))];
        let statement = Statement::guarded(terms.variable(here), Statement::Assign(moved));
        program.add_command("pass", statement, Span::default());
    }
    let context = Context::default();
    let encoded = encode_program(&context, &program, &ProgramOptions::default()).expect("there is no limit");
    assert_eq!(encoded.model.relation.n_parts(), (n, n));
    assert!(encoded.model.manager.peak_nodes() < 20 * n, "{}", encoded.model.manager.peak_nodes());
}
