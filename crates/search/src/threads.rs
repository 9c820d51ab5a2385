//! Rounds by several threads against rounds by one.

use crate::{
    Identity, Machine, Matching, Order, Precision, Round, RoundSettings, Scope, Written, search_once,
};
use tertium_explore::BatchSizes;
use tertium_expr::Term;
use tertium_program::{Program, State, initial_states};
use tertium_support::{Cancel, Context, Limits, Source, StopReason};
use tertium_testkit::{ProgramShape, random_atom, random_cases, random_gcl, random_program};

fn search(
    program: &Program,
    start: &[State],
    matching: Matching<'_>,
    goal: Option<Term>,
    threads: usize,
) -> Round {
    let machine = Machine::new(program).expect("few inputs");
    let settings = RoundSettings {
        order: Order::Breadth,
        threads,
        sizes: BatchSizes::tiny(),
        ..RoundSettings::default()
    };
    search_once(&Context::default(), &machine, start, matching, goal, settings).expect("no limits")
}

/// That rounds by more threads are the same as by one. Says how many visits there are.
fn compare(program: &Program, precision: &Precision, goal: Option<Term>, more: &[usize]) -> usize {
    let start = initial_states(&Context::default(), program, 5).expect("no limits").states;
    let machine = Machine::new(program).expect("few inputs");
    let mut n_visits = 0;
    for matching in [Matching::Predicates(precision), Matching::States] {
        if matches!(matching, Matching::States) && is_endless(program) {
            continue;
        }
        let alone = search(program, &start, matching, goal, 1);
        for &threads in more {
            let round = search(program, &start, matching, goal, threads);
            assert_eq!(round.n_visits(), alone.n_visits());
            for visit in 0..round.n_visits() {
                assert_eq!(round.state(visit), alone.state(visit));
                assert_eq!(round.key(visit), alone.key(visit));
                assert_eq!(round.parent(visit), alone.parent(visit));
            }
            assert!(round.followed().eq(alone.followed()));
            assert_eq!(round.edges(&machine), alone.edges(&machine));
            assert_eq!((round.n_generated, round.goal), (alone.n_generated, alone.goal));
        }
        n_visits += alone.n_visits();
    }
    n_visits
}

fn is_endless(program: &Program) -> bool {
    program.variables().iter().any(|own| !own.domain.is_finite())
}

fn precision(program: &Program, terms: impl IntoIterator<Item = Term>) -> Precision {
    let mut precision = Precision::new(Identity::Normal);
    for atom in terms.into_iter().flat_map(|term| program.terms.atoms_of(term)) {
        precision.add(program, Written::new(&program.terms, atom), Scope::Everywhere);
    }
    precision
}

fn read(text: &str) -> Program {
    let read = tertium_front_gcl::read(&Context::default(), &Source::new("test", text));
    read.unwrap_or_else(|complaints| panic!("{complaints:?}")).0.program
}

#[test]
fn rounds_do_not_depend_on_the_number_of_threads() {
    let mut n_visits = 0;
    let run = random_cases(30, |rng| {
        let shape = ProgramShape { n_commands: 6, bounded: rng.chance(0.7), choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let mut atom = || random_atom(rng, &program.terms, &variables);
        let (terms, goal) = ([atom(), atom(), atom()], atom());
        n_visits += compare(&program, &precision(&program, terms), rng.chance(0.3).then_some(goal), &[2, 3]);
        let program = read(&random_gcl(rng));
        let terms: Vec<Term> = program.propositions.values().copied().collect();
        let goal = rng.chance(0.3).then(|| terms[0]);
        n_visits += compare(&program, &precision(&program, terms), goal, &[2, 3]);
    });
    run.enough(n_visits > 1000, n_visits);
}

#[test]
fn states_that_only_one_thread_can_follow_do_not_disturb_the_order() {
    let text = "control n: 0..70 = 0;\ncontrol m: 0..3 = 0;\nvar x: int = 1;\nprop far = x > 7000000000000000000000;\n\
        [up] n < 70 -> n := n + 1, x := 2*x + 1;\n[other] m < 3 -> m := m + 1;\n[down] n > 0 && m = 2 -> n := n - 1, x := x - 7;\n";
    let program = read(text);
    let far = program.propositions["far"];
    for goal in [None, Some(far)] {
        assert!(compare(&program, &precision(&program, [far]), goal, &[2, 17]) > 100);
    }
}

#[test]
fn threads_stop_at_limits_and_leave_what_was_found() {
    let program = read("var x, y: int = 0;\n[a] true -> x := x + 1;\n[b] true -> y := y + 1;\n");
    let machine = Machine::new(&program).expect("no inputs");
    let start = initial_states(&Context::default(), &program, 1).expect("no limits").states;
    let time = Limits { time: Some(std::time::Duration::from_millis(20)), ..Limits::default() };
    let mut round = Round::default();
    let settings = RoundSettings {
        order: Order::Breadth,
        threads: 2,
        sizes: BatchSizes::tiny(),
        ..RoundSettings::default()
    };
    let context = Context::new(time, Cancel::default());
    let matching = Matching::States;
    let stopped = crate::round::search_open(
        &context,
        &machine,
        &start,
        matching,
        None,
        settings,
        &mut |_| Ok(Vec::new()),
        &mut round,
    );
    assert_eq!(stopped, Err(StopReason::TimeLimit));
    let n_followed = round.followed().len();
    assert_eq!(round.edges(&machine).len(), 2 * n_followed);
    assert!(round.n_visits() >= n_followed);
}
