//! Rounds on packed states against rounds from the definition.

use crate::common::{context, model};
use tertium_expr::{BigInt, Term, Value};
use tertium_program::{Interpreter, Program, Role, State, VarId, initial_states};
use tertium_search::{
    Identity, Machine, Matching, Order, Precision, Round, RoundSettings, Scope, Written, search_naively,
    search_once,
};
use tertium_support::{Cancel, Context, Id, Limits, Rng, StopReason};
use tertium_testkit::{ProgramShape, random_atom, random_cases, random_gcl, random_program};

/// Predicates at random, some of them at locations.
fn random_precision(rng: &mut Rng, program: &Program) -> Precision {
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let mut precision = Precision::new(Identity::Normal);
    for _ in 0..rng.below(5) {
        let term = random_atom(rng, &program.terms, &variables);
        for atom in program.terms.atoms_of(term) {
            let scope = match rng.chance(0.5) {
                true => Scope::Everywhere,
                // There is no location 3.
                false => Scope::Location(VarId::new(0), Value::int(rng.below(4))),
            };
            precision.add(program, Written::new(&program.terms, atom), scope);
        }
    }
    precision
}

/// Searches both ways, and compares everything.
fn compare(
    program: &Program,
    start: &[State],
    precision: &Precision,
    goal: Option<Term>,
    order: Order,
) -> Round {
    let machine = Machine::new(program).expect("few inputs");
    let settings = RoundSettings { order, threads: 1, ..RoundSettings::default() };
    let naive = search_naively(&machine, start, precision, goal, order);
    let round = search_once(&context(), &machine, start, Matching::Predicates(precision), goal, settings);
    let round = round.expect("no limits");
    assert_eq!(round.n_visits(), naive.visits.len());
    for (number, visit) in naive.visits.iter().enumerate() {
        assert_eq!(round.state(number), visit.state);
        assert_eq!(round.key(number), visit.key);
        assert_eq!(round.parent(number), visit.parent);
    }
    assert_eq!(round.followed().collect::<Vec<_>>(), naive.followed);
    assert_eq!(round.edges(&machine), naive.edges);
    assert_eq!((round.n_generated, round.goal), (naive.n_generated, naive.goal));
    round
}

#[test]
fn rounds_on_packed_states_are_those_of_the_definition() {
    let mut n_visits = 0;
    let run = random_cases(150, |rng| {
        let shape = ProgramShape { n_commands: 6, bounded: rng.chance(0.6), choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let start = initial_states(&context(), &program, 3).expect("no limits").states;
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let goal = rng.chance(0.3).then(|| random_atom(rng, &program.terms, &variables));
        let order = if rng.chance(0.5) { Order::Breadth } else { Order::Depth };
        let precision = random_precision(rng, &program);
        n_visits += compare(&program, &start, &precision, goal, order).n_visits();
    });
    run.enough(n_visits > 200, format_args!("{n_visits}"));
}

#[test]
fn rounds_on_packed_states_are_those_of_the_definition_for_models_with_names_and_ranges() {
    let mut n_visits = 0;
    let run = random_cases(100, |rng| {
        let model = model(&random_gcl(rng));
        let program = &model.program;
        let start = initial_states(&context(), program, 4).expect("no limits").states;
        let mut precision = Precision::new(Identity::Normal);
        for (&term, n) in program.propositions.values().zip(0..rng.below(4)) {
            for atom in program.terms.atoms_of(term) {
                let control = program.variables().iter().position(|own| own.role == Role::Control);
                let scope = match control.filter(|_| n == 0) {
                    None => Scope::Everywhere,
                    Some(at) => Scope::Location(VarId::new(at), start[0].0[at].clone()),
                };
                precision.add(program, Written::new(&program.terms, atom), scope);
            }
        }
        let order = if rng.chance(0.5) { Order::Breadth } else { Order::Depth };
        let goal = rng.chance(0.3).then(|| program.propositions[0]);
        n_visits += compare(program, &start, &precision, goal, order).n_visits();
    });
    run.enough(n_visits > 500, format_args!("{n_visits}"));
}

#[test]
fn numbers_beyond_64_bits_are_counted_on_with() {
    let text = "control n: 0..200 = 0;\nvar x: int = 1;\nvar y: int = -1;\n\
        [up] n < 200 -> n := n + 1, x := 2*x + 1;\n[down] n = 120 -> y := y - x*x;\n\
        [back] x > 1000 && n > 150 -> x := x - 2000, n := n - 100;\n";
    let model = model(text);
    let program = &model.program;
    let start = initial_states(&context(), program, 1).expect("no limits").states;
    for predicates in ["", "x > 100;", "x + y > 10; x - 3*y < 9223372036854775807;"] {
        let mut precision = Precision::new(Identity::Normal);
        let source = tertium_support::Source::new("predicates", predicates);
        for (atom, _) in model.predicates(&source).expect("they are well-formed") {
            for atom in program.terms.atoms_of(atom) {
                precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
            }
        }
        let goal = program.terms.at_most(program.terms.integer(BigInt::from(1) << 190), {
            program.terms.variable(program.variables()[1].variable)
        });
        for order in [Order::Breadth, Order::Depth] {
            let round = compare(program, &start, &precision, None, order);
            assert!(round.n_visits() > 200);
            let round = compare(program, &start, &precision, Some(goal), order);
            let found = round.state(round.goal.expect("x becomes that large"));
            assert!(found.0[1] >= Value::Int(BigInt::from(1) << 190));
        }
    }
}

#[test]
fn ranges_may_have_huge_ends() {
    let huge = "100000000000000000000";
    let text = format!(
        "var x: -{huge}..{huge} = 0;\nvar y: 9223372036854775800..9223372036854775807 = 9223372036854775800;\n\
         [a] true -> x := 3*x + 7;\n[b] x > 5 -> x := 0 - x, y := y + 1;\n[c] x < {huge} && x > 9000 -> y := y - 1;\n"
    );
    let model = model(&text);
    let start = initial_states(&context(), &model.program, 1).expect("no limits").states;
    let machine = Machine::new(&model.program).expect("no inputs");
    // All states, found by the interpreter and by search.
    let interpreter = Interpreter::new(&model.program);
    let mut all = start.clone();
    let mut at = 0;
    while at < all.len() {
        for next in interpreter.successors(&all[at]).expect("no inputs") {
            if !all.contains(&next.state) {
                all.push(next.state);
            }
        }
        at += 1;
    }
    let round = search_once(&context(), &machine, &start, Matching::States, None, RoundSettings::default());
    let round = round.expect("no limits");
    assert_eq!((0..round.n_visits()).map(|visit| round.state(visit)).collect::<Vec<_>>(), all);
    assert!(all.len() > 100);
}

#[test]
fn a_search_matched_by_states_finds_all_of_them() {
    random_cases(60, |rng| {
        let shape = ProgramShape { n_commands: 6, bounded: true, choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let start = initial_states(&context(), &program, 2).expect("no limits").states;
        let machine = Machine::new(&program).expect("few inputs");
        let interpreter = Interpreter::new(&program);
        let order = if rng.chance(0.5) { Order::Breadth } else { Order::Depth };
        let round = search_once(
            &context(),
            &machine,
            &start,
            Matching::States,
            None,
            RoundSettings { order, threads: 1, ..RoundSettings::default() },
        )
        .expect("no limits");
        let found: Vec<State> = (0..round.n_visits()).map(|visit| round.state(visit)).collect();
        let different: std::collections::BTreeSet<&State> = found.iter().collect();
        assert_eq!(different.len(), found.len());
        assert!(start.iter().all(|state| different.contains(state)));
        let mut n_steps = start.len();
        for state in &found {
            for next in interpreter.successors(state).expect("few inputs") {
                assert!(different.contains(&next.state));
                n_steps += 1;
            }
        }
        assert_eq!(round.n_generated, n_steps);
        for visit in 0..round.n_visits() {
            match round.parent(visit) {
                None => assert!(start.contains(&found[visit])),
                Some((parent, _)) => {
                    let all = interpreter.successors(&found[parent]).expect("few inputs");
                    assert!(all.iter().any(|next| next.state == found[visit]));
                }
            }
        }
    });
}

#[test]
fn an_endless_search_ends_at_its_limits() {
    let model = model("var x: int = 0;\n[up] true -> x := x + 1;\n");
    let machine = Machine::new(&model.program).expect("no inputs");
    let start = initial_states(&context(), &model.program, 1).expect("no limits").states;
    let used = Limits { memory: Some(1), ..Limits::default() };
    let cancelled = Cancel::default();
    cancelled.cancel();
    for (context, reason) in [
        (Context::new(used, Cancel::default()), StopReason::MemoryLimit),
        (Context::new(Limits::default(), cancelled), StopReason::Interrupted),
    ] {
        for order in [Order::Breadth, Order::Depth] {
            let stopped = search_once(
                &context,
                &machine,
                &start,
                Matching::States,
                None,
                RoundSettings { order, threads: 1, ..RoundSettings::default() },
            );
            assert_eq!(stopped.err(), Some(reason));
        }
    }
}

#[test]
fn states_with_huge_numbers_are_left_out() {
    let model = model("var x: int = 3;\n[square] true -> x := x * x;\n");
    let machine = Machine::new(&model.program).expect("no inputs");
    let start = initial_states(&context(), &model.program, 1).expect("no limits").states;
    let round = search_once(&context(), &machine, &start, Matching::States, None, RoundSettings::default());
    let round = round.expect("no limits");
    assert!(round.is_cut());
    assert_eq!(round.edges(&machine).len(), round.n_visits() - 1);
}
