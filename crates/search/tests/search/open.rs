//! Inputs and many initial states: tried one by one, and chosen.

use crate::common::{context, error_of, model, search};
use crate::laws::{case_of, replay};
use std::collections::{BTreeSet, HashSet};
use tertium_explore::check_run;
use tertium_expr::{BigInt, Terms, Value, Variable};
use tertium_program::{Domain, Interpreter, Program, Role, State, Statement};
use tertium_search::{
    Answer, Ending, InputSettings, Inputs, LossSettings, Order, Reason, Settings, search_with_refinement,
    starting_predicates,
};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Span, StopReason};
use tertium_testkit::{random_atom, random_cases, random_number, random_truth};

fn by(how: Inputs) -> Settings {
    Settings { inputs: InputSettings { how, within: None }, ..Settings::default() }
}

fn within(low: i64, high: i64) -> Settings {
    let inputs = InputSettings { how: Inputs::Enumerate, within: Some((low, high)) };
    Settings { inputs, ..Settings::default() }
}

/// The names of propositions that were seen to hold, and of those that were seen to fail.
fn seen<'p>(answer: &Answer<'p>) -> (BTreeSet<&'p str>, BTreeSet<&'p str>) {
    let (mut holds, mut fails) = (BTreeSet::new(), BTreeSet::new());
    let program = answer.machine.program();
    for (name, &term) in &program.propositions {
        let seen = answer.seen(term, 100_000);
        for (run, term, names) in
            [(seen.holds, term, &mut holds), (seen.fails, program.terms.not(term), &mut fails)]
        {
            if let Some(run) = run {
                assert_eq!(check_run(program, &run, term), Ok(()));
                names.insert(name.as_str());
            }
        }
    }
    (holds, fails)
}

const VALVE: &str = "\
control pc: 0..2 = 0;
var x, y: int = 0;
[in] pc = 0 -> x := input -20..20, pc := 1;
[low] pc = 1 && x < y - 3 -> y := x, pc := 0;
[high] pc = 1 && x > y + 7 -> pc := 2;
[same] pc = 1 && x >= y - 3 && x <= y + 7 -> pc := 0;
prop error = pc = 2 && y < -10;
prop negative = y < 0;
prop far = x > 19;
prop never = x > 20;
";

#[test]
fn values_one_by_one_and_by_choice_find_the_same_labels() {
    let own = model(VALVE);
    let goal = own.program.propositions["never"];
    let answers = [Inputs::Enumerate, Inputs::Solve, Inputs::Auto].map(|how| {
        let settings = by(how);
        let mut start = starting_predicates(&own.program, goal, &settings);
        for &term in own.program.propositions.values() {
            for atom in own.program.terms.atoms_of(term) {
                let written = tertium_search::Written::new(&own.program.terms, atom);
                start.add(&own.program, written, tertium_search::Scope::Everywhere);
            }
        }
        let mut prover = Prover::new(Z3::new());
        search_with_refinement(&context(), &own.program, Some(goal), start, &settings, &mut prover)
    });
    for answer in &answers {
        assert_eq!(answer.ending, Ending::Exact);
        assert_eq!(seen(answer).0, BTreeSet::from(["error", "negative", "far"]));
        assert_eq!(seen(answer).1, BTreeSet::from(["error", "negative", "far", "never"]));
        replay(&answer.machine, answer.last());
    }
    assert!(answers[1].last().n_generated < answers[0].last().n_generated);
}

#[test]
fn an_input_without_bounds_is_searched_and_proved() {
    // The error needs an input above 1000000, which no enumeration would try.
    let text = |bound: &str| {
        format!(
            "control pc: 0..3 = 0;\nvar x, y: int = 0;\n[a] pc = 0 -> x := input, pc := 1;\n\
             [b] pc = 1 && x > 1000000 -> y := input, pc := 2;\n[c] pc = 2 && y = 2 * x {bound} -> pc := 3;\n\
             prop error = pc = 3;\n"
        )
    };
    let own = model(&text(""));
    let answer = search(&own, &Settings::default());
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    let run = answer.last().run_to(&answer.machine, visit);
    assert_eq!(check_run(&own.program, &run, error_of(&own)), Ok(()));
    let own = model(&text("&& y < 2000002"));
    let answer = search(&own, &Settings::default());
    assert_eq!(answer.ending, Ending::Exact);
}

#[test]
fn at_most_one_question_for_each_combination() {
    // Remainders are beyond what is done without a solver; the start has the five predicates about x and the parity.
    let text = "control pc: 0..1 = 0;\nvar x, y: int = 0;\n[a] pc = 0 -> x := input, pc := 1;\n\
                prop error = pc = 1 && (x % 3 = 1) && x < 10 && x % 5 = 2 && x > y && false;\n\
                prop a = x % 3 = 1;\nprop b = x < 10;\nprop c = x % 5 = 2;\n";
    let own = model(text);
    let terms = &own.program.terms;
    let settings = by(Inputs::Solve);
    let goal = terms.and(["a", "b", "c"].map(|name| own.program.propositions[name]));
    let start = starting_predicates(&own.program, goal, &settings);
    assert_eq!(start.len(), 3);
    let mut prover = Prover::new(Z3::new());
    let answer = search_with_refinement(&context(), &own.program, None, start, &settings, &mut prover);
    assert_eq!(answer.ending, Ending::Exact);
    for iteration in &answer.iterations {
        assert!((1..=8).contains(&iteration.n_input_questions), "{}", iteration.n_input_questions);
    }
    assert_eq!(answer.last().n_visits(), 1 + 8, "all combinations can be had");
}

#[test]
fn control_can_come_from_outside() {
    let text = "control pc: 0..5 = 0;\nvar x: int = 0;\n[a] pc = 0 -> pc := input 0..9, x := input;\n\
                [b] pc = 4 && x > 7 -> x := 0;\nprop error = pc = 5 && x = 3;\nprop two = pc = 2;\n";
    let own = model(text);
    for how in [Inputs::Solve, Inputs::Auto] {
        let answer = search(&own, &by(how));
        assert!(matches!(answer.ending, Ending::Reached(_)), "{:?}", answer.ending);
        assert!(seen(&answer).0.contains("two"));
    }
}

#[test]
fn a_truncated_input_finds_but_never_proves() {
    let text = "control pc: 0..2 = 0;\nvar x: int = 0;\n[a] pc = 0 -> x := input, pc := 1;\n\
                [b] pc = 1 && x > 7 -> pc := 2;\nprop error = pc = 2;\n";
    let own = model(text);
    assert!(matches!(search(&own, &within(0, 10)).ending, Ending::Reached(_)));
    assert_eq!(search(&own, &within(0, 5)).ending, Ending::Open(Reason::Truncated));
    let answer = search(&own, &by(Inputs::Enumerate));
    assert!(matches!(answer.ending, Ending::Open(Reason::TooManyInputs(command)) if command.index() == 0));
    // A range that leaves nothing out is no truncation.
    let bounded = model(&text.replace("x := input", "x := input 0..5"));
    assert_eq!(search(&bounded, &within(0, 1)).ending, Ending::Exact);
}

#[test]
fn what_cannot_be_eliminated_is_never_proved_without_values() {
    // Which products of x there are is beyond linear arithmetic.
    let text = "control pc: 0..2 = 0;\nvar x, y: int = 0;\n[a] pc = 0 -> x := x + 1;\n[b] pc = 0 -> y := input, pc := 1;\n\
                [c] pc = 1 && x * y = 17 && y > x -> pc := 1;\n[d] pc = 1 -> y := input, x := x * y, pc := 1;\n\
                prop error = pc = 2;\n";
    let own = model(text);
    let settings = Settings { values_after: None, iterations: 4, ..by(Inputs::Solve) };
    let answer = search(&own, &settings);
    assert!(matches!(answer.ending, Ending::Open(_)), "{:?}", answer.ending);
}

#[test]
fn many_initial_states_have_one_representative_for_each_combination() {
    let text = "control pc: 0..1;\nvar x, y: int;\n[a] pc = 0 && x < y -> x := x + 1;\n\
                prop error = x > y && pc = 0 && false;\nprop less = x < y;\nprop most = x <= 100;\n";
    let own = model(text);
    let terms = &own.program.terms;
    let goal = terms.and([own.program.propositions["less"], own.program.propositions["most"]]);
    let mut prover = Prover::new(Z3::new());
    let settings = Settings { iterations: 1, ..Settings::default() };
    let start = starting_predicates(&own.program, goal, &settings);
    let answer = search_with_refinement(&context(), &own.program, None, start, &settings, &mut prover);
    let first = (0..answer.last().n_visits()).filter(|&visit| answer.last().parent(visit).is_none()).count();
    assert_eq!(first, 2 * 2 * 2, "two places, two predicates");
    // All of them are needed: here an initial state is the error.
    let own =
        model("var x, y: int;\ninit x > y;\n[a] true -> y := y;\nprop error = x = 1234567 && y = 7654;\n");
    let answer = search(&own, &Settings::default());
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    assert!(answer.last().parent(visit).is_none());
    let own = model("var x, y: int;\ninit x > y;\n[a] x > y -> x := x + 1;\nprop error = x <= y;\n");
    assert_eq!(search(&own, &Settings::default()).ending, Ending::Exact);
}

#[test]
fn a_program_without_initial_states_visits_nothing() {
    let own = model("var x: int;\ninit x > 3 && x < 4;\n[a] true -> x := x + 1;\nprop error = x = 7;\n");
    let answer = search(&own, &Settings::default());
    assert_eq!((answer.ending, answer.last().n_visits()), (Ending::Exact, 0));
}

#[test]
fn an_end_without_answer_says_why_and_keeps_the_labels() {
    // Each round sees one more value; nothing is ever proved.
    let text = "control pc: 0..1 = 0;\nvar x, y, z: int = 0;\n[a] pc = 0 && y >= 0 -> y := y + x, z := 1 - z;\n[b] pc = 0 -> pc := 1;\n\
                prop error = y < 0;\nprop done = pc = 1;\n";
    let own = model(text);
    let settings = Settings { values_after: None, iterations: 3, ..Settings::default() };
    let answer = search(&own, &settings);
    assert_eq!(answer.ending, Ending::Open(Reason::Iterations));
    assert_eq!(seen(&answer), (BTreeSet::from(["done"]), BTreeSet::from(["done", "error"])));
    let few = Settings { predicates: 2, iterations: 50, ..settings };
    assert_eq!(search(&own, &few).ending, Ending::Open(Reason::Predicates));
}

#[test]
fn a_label_that_a_later_round_misses_stays_seen() {
    // As in figure 5: with x = 1 as predicate, x >= 4 at E is lost.
    let text = "control pc: { A, B, C, D, E, F } = A;\nvar x: int = 0;\n\
        [a] pc = A -> x := x + 1, pc := B;\n[b] pc = A -> pc := C;\n[c] pc = B -> pc := C;\n[d] pc = B -> x := x + 1, pc := E;\n\
        [e] pc = C -> pc := D;\n[f] pc = C && x = 1 -> x := x + 2, pc := E;\n[g] pc = D && x != 1 -> x := x + 4, pc := E;\n\
        [h] pc = E -> pc := F;\nprop three = x >= 3;\nprop four = x >= 4;\nprop error = false;\n";
    let own = model(text);
    let settings = Settings { start: tertium_search::Start::Goal, ..Settings::default() };
    let goal = own.program.propositions["three"];
    let start = starting_predicates(&own.program, goal, &settings);
    let mut prover = Prover::new(Z3::new());
    let answer = search_with_refinement(&context(), &own.program, None, start, &settings, &mut prover);
    let four = own.program.propositions["four"];
    let interpreter = Interpreter::new(&own.program);
    let has = |round: &tertium_search::Round| {
        (0..round.n_visits()).any(|visit| interpreter.holds(&round.state(visit), four))
    };
    assert!(has(&answer.rounds[0]));
    assert!(seen(&answer).0.contains("four"));
}

#[test]
fn what_was_found_before_the_stop_is_kept() {
    let own = model("var x: int = 0;\n[a] true -> x := x + 1;\nprop error = x < 0;\nprop some = x >= 0;\n");
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = Context::new(Limits::default(), cancel);
    let settings = Settings::default();
    let start = starting_predicates(&own.program, error_of(&own), &settings);
    let mut prover = Prover::new(Z3::new());
    let answer =
        search_with_refinement(&stopped, &own.program, Some(error_of(&own)), start, &settings, &mut prover);
    assert_eq!(answer.ending, Ending::Open(Reason::Stopped(StopReason::Interrupted)));
    assert_eq!(answer.rounds.len(), 1);
}

/// A program whose commands read values from outside, into data and control, and go on only with some.
fn random_open_program(rng: &mut Rng, bounded: bool) -> Program {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    let range = |low: i32, high: i32| Domain::Range(BigInt::from(low), BigInt::from(high));
    let number = if bounded { range(-2, 2) } else { Domain::Int };
    program.add_variable("pc", range(0, 2), Role::Control, place);
    program.add_variable("x", number.clone(), Role::Data, place);
    program.add_variable("y", number.clone(), Role::Data, place);
    program.add_variable("b", Domain::Bool, Role::Data, place);
    let variables: Vec<Variable> = program.variables().iter().map(|own| own.variable).collect();
    let terms = &program.terms;
    let pc = terms.variable(variables[0]);
    let first = terms.equal(pc, terms.integer(0));
    let initial = match rng.below(3) {
        0 => first,
        1 => terms.and([first, random_atom(rng, terms, &variables[1..])]),
        _ => terms.and(variables[1..].iter().map(|&own| {
            terms.equal(terms.variable(own), terms.value(&Value::default_of(&terms.sort_of(own))))
        })),
    };
    let mut commands = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let at = terms.equal(pc, terms.integer(rng.below(3)));
        let mut parts = vec![Statement::Assume(at)];
        if rng.chance(0.4) {
            parts.push(Statement::Assume(random_truth(rng, terms, &variables[1..], 1)));
        }
        let wide = |rng: &mut Rng, bounded: bool| match bounded {
            true => range(-(rng.below(6) as i32), 6 + rng.below(20) as i32),
            false => Domain::Int,
        };
        for &variable in &variables[1..3] {
            if rng.chance(0.5) {
                parts.push(Statement::Havoc(variable, wide(rng, bounded)));
            }
        }
        if rng.chance(0.2) {
            parts.push(Statement::Havoc(variables[0], range(-1, 3)));
        }
        if rng.chance(0.3) {
            parts.push(Statement::Havoc(variables[3], Domain::Bool));
        }
        if rng.chance(0.4) {
            parts.push(Statement::Assume(random_atom(rng, terms, &variables[1..])));
        }
        let mut updates = Vec::new();
        if rng.chance(0.6) {
            updates.push((variables[0], terms.integer(rng.below(3))));
        }
        if rng.chance(0.4) {
            updates.push((variables[1], random_number(rng, terms, &variables[1..], 1)));
        }
        parts.push(Statement::Assign(updates));
        commands.push(Statement::Sequence(parts));
    }
    program.initial = initial;
    for (n, statement) in commands.into_iter().enumerate() {
        program.add_command(["a", "b", "c"][n % 3], statement, place);
    }
    program
}

#[test]
fn both_ways_agree_with_all_states_also_if_the_solver_gives_up() {
    let (mut n_found, mut n_exact, mut n_open) = (0, 0, 0);
    let run = random_cases(40, |rng| {
        let program = random_open_program(rng, true);
        let Some(case) = case_of(rng, program) else { return };
        let order = if rng.chance(0.5) { Order::Breadth } else { Order::Depth };
        let losses = LossSettings { by_location: rng.chance(0.3), unasked: false };
        for (how, every, iterations) in
            [(Inputs::Solve, usize::MAX, 100), (Inputs::Auto, usize::MAX, 100), (Inputs::Solve, 3, 4)]
        {
            let settings = Settings { order, losses, values_after: Some(2), iterations, ..by(how) };
            let answer = case.search(&settings, every);
            replay(&answer.machine, answer.last());
            match answer.ending {
                Ending::Reached(visit) => {
                    n_found += 1;
                    let run = answer.last().run_to(&answer.machine, visit);
                    assert_eq!(check_run(&case.program, &run, case.goal), Ok(()));
                }
                Ending::Exact => {
                    n_exact += 1;
                    assert!(!case.is_goal_reachable());
                    assert!(case.is_bisimilar(&answer.machine, answer.last()));
                }
                Ending::AllStates => {
                    assert!(!case.is_goal_reachable());
                    case.expect_all_states(answer.last());
                }
                Ending::Open(reason) => {
                    n_open += 1;
                    assert_eq!(every, 3, "programs with finitely many states come to an end: {reason:?}");
                }
            }
        }
    });
    run.enough(
        n_found > 0 && n_exact > 0 && n_open > 0,
        format_args!("{n_found} found, {n_exact} exact, {n_open} open"),
    );
}

/// States that can be reached in few steps with inputs of a window.
fn reachable_in_window(program: &Program, window: i32, most: usize) -> BTreeSet<State> {
    let interpreter = Interpreter::new(program);
    let mut known = BTreeSet::new();
    let numbers: Vec<Value> = (-window..=window).map(Value::int).collect();
    for pc in 0..3 {
        for (x, y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (x, y))) {
            for b in [false, true] {
                let state = State([Value::int(pc), x.clone(), y.clone(), Value::Bool(b)].into());
                if interpreter.is_initial(&state) {
                    known.insert(state);
                }
            }
        }
    }
    let mut waiting: Vec<State> = known.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let mut all: Vec<Vec<Value>> = vec![Vec::new()];
            for input in &step.inputs {
                let values = input.domain.values(100).unwrap_or_else(|| numbers.clone());
                all = all
                    .iter()
                    .flat_map(|before| {
                        values.iter().map(|value| [before.clone(), vec![value.clone()]].concat())
                    })
                    .collect();
            }
            for inputs in all {
                if let Some(next) = interpreter.take(&state, step, &inputs)
                    && known.len() < most
                    && known.insert(next.clone())
                {
                    waiting.push(next);
                }
            }
        }
    }
    known
}

#[test]
fn without_bounds_what_a_window_reaches_is_never_proved_unreachable() {
    let (mut n_found, mut n_exact) = (0, 0);
    let run = random_cases(40, |rng| {
        let program = random_open_program(rng, false);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let goal = program.terms.and([
            random_atom(rng, &program.terms, &variables),
            random_atom(rng, &program.terms, &variables[1..]),
            random_atom(rng, &program.terms, &variables[1..]),
        ]);
        for every in [usize::MAX, 4] {
            let settings = Settings { iterations: 5, ..Settings::default() };
            let start = starting_predicates(&program, goal, &settings);
            let mut prover = Prover::new(GivesUp::new(Z3::new(), every));
            let answer =
                search_with_refinement(&context(), &program, Some(goal), start, &settings, &mut prover);
            replay(&answer.machine, answer.last());
            match answer.ending {
                Ending::Reached(visit) => {
                    n_found += 1;
                    let run = answer.last().run_to(&answer.machine, visit);
                    assert_eq!(check_run(&program, &run, goal), Ok(()));
                }
                Ending::Exact => {
                    n_exact += 1;
                    let interpreter = Interpreter::new(&program);
                    let reached = reachable_in_window(&program, 4, 2000);
                    assert!(!reached.iter().any(|state| interpreter.holds(state, goal)));
                    // Every state that the window reaches is matched with one that was visited.
                    let keys: HashSet<_> =
                        (0..answer.last().n_visits()).map(|visit| answer.last().key(visit)).collect();
                    for state in &reached {
                        assert!(keys.contains(&answer.precision.key(&interpreter, state)));
                    }
                }
                Ending::AllStates => panic!("inputs without bounds lead to infinitely many states"),
                Ending::Open(_) => {}
            }
        }
    });
    run.enough(n_found > 0 && n_exact > 0, format_args!("{n_found} found, {n_exact} exact"));
}
