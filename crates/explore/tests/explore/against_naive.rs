//! States, steps, their order and what was left out, on random programs, by one thread and by several, with bounds that
//! cut.

use crate::naive::{Naive, explore, start};
use tertium_explore::{BatchSizes, Exploration, Gap, Settings, reachable_within};
use tertium_expr::Term;
use tertium_program::{Interpreter, Program, State};
use tertium_support::{Context, Source};
use tertium_testkit::{ProgramShape, random_atom, random_cases, random_gcl, random_program};

pub(crate) fn read(text: &str) -> Program {
    let read = tertium_front_gcl::read(&Context::default(), &Source::new("test", text));
    read.unwrap_or_else(|complaints| panic!("{text}\n{complaints:?}")).0.program
}

pub(crate) fn explored(program: &Program, kept: usize, followed: usize, threads: usize) -> Exploration {
    let sizes = if threads == 1 { BatchSizes::default() } else { BatchSizes::tiny() };
    let settings = Settings { kept, followed, threads, sizes, ..Settings::default() };
    reachable_within(&Context::default(), program, &settings).expect("no limits")
}

fn compare(program: &Program, found: &Exploration, right: &Naive, propositions: &[(&str, Term)]) {
    assert!(found.states().eq(right.states.iter().cloned()), "{:?}", right.states);
    assert_eq!((found.n_initial(), found.n_followed()), (right.n_initial, right.n_followed));
    assert_eq!(found.steps().collect::<Vec<_>>(), right.steps);
    assert_eq!(found.unfollowed().collect::<Vec<_>>(), right.unfollowed);
    assert_eq!(found.gaps, right.gaps);
    let interpreter = Interpreter::new(program);
    for number in found.n_initial()..found.n_states() {
        let (parent, command, step) = found.parent(number).expect("it was found from another");
        let successors =
            interpreter.successors_by(&found.state(parent), command, step).expect("it was followed");
        assert!(successors.iter().any(|successor| successor.state == found.state(number)));
    }
    let system = found.to_system(program, propositions.iter().copied());
    assert_eq!(system, right.to_system(program, propositions));
}

/// The initial states of an exploration. Where the solver was asked, which ones it finds first is its own matter.
pub(crate) fn start_of(program: &Program, found: &Exploration, most: usize) -> (Vec<State>, bool) {
    let interpreter = Interpreter::new(program);
    let states: Vec<State> = found.states().take(found.n_initial()).collect();
    assert!(states.iter().all(|state| interpreter.is_initial(state)) && states.is_sorted());
    start(program, most).unwrap_or((states, !found.gaps.contains(&Gap::Initial)))
}

fn compare_all(program: &Program, bounds: &[(usize, usize)], propositions: &[(&str, Term)]) -> usize {
    let mut n_states = 0;
    for &(kept, followed) in bounds {
        for threads in 1..=3 {
            let found = explored(program, kept, followed, threads);
            let right = explore(program, start_of(program, &found, kept), kept, followed);
            compare(program, &found, &right, propositions);
            n_states += if threads == 1 { right.states.len() } else { 0 };
        }
    }
    n_states
}

#[test]
fn explorations_of_random_programs_are_those_of_the_interpreter() {
    let (mut n_states, mut n_cut) = (0, 0);
    let run = random_cases(60, |rng| {
        let shape = ProgramShape { n_commands: 6, bounded: rng.chance(0.6), choices: rng.chance(0.7) };
        let program = random_program(rng, shape);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let atoms = [(); 2].map(|()| random_atom(rng, &program.terms, &variables));
        let propositions = [("p", atoms[0]), ("q", atoms[1])];
        let mut bounds = vec![(rng.between(1, 30), usize::MAX), (60, rng.below(20)), (1, 1)];
        if shape.bounded {
            bounds.push((usize::MAX, usize::MAX));
        }
        n_cut +=
            bounds.iter().filter(|bounds| !explored(&program, bounds.0, bounds.1, 1).is_complete()).count();
        n_states += compare_all(&program, &bounds, &propositions);
        let program = read(&random_gcl(rng));
        let propositions: Vec<_> =
            program.propositions.iter().map(|(name, &term)| (name.as_str(), term)).collect();
        let bounds = [(usize::MAX, usize::MAX), (rng.between(1, 20), usize::MAX), (25, rng.below(25))];
        n_states += compare_all(&program, &bounds, &propositions);
    });
    run.enough(n_states > 3000 && n_cut > 40, format_args!("{n_states}, {n_cut}"));
}

#[test]
fn numbers_that_fit_no_word_and_huge_ones_are_followed_or_beyond() {
    let wide = read(
        "control n: 0..70 = 0;\ncontrol m: 0..3 = 0;\nvar x: int = 1;\nprop far = x > 7000000000000000000000;\n\
         [up] n < 70 -> n := n + 1, x := 2*x + 1;\n[other] m < 3 -> m := m + 1;\n[down] n > 0 && m = 2 -> n := n - 1, x := x - 7;\n",
    );
    let far = [("far", wide.propositions["far"])];
    assert!(compare_all(&wide, &[(300, usize::MAX), (150, 140)], &far) == 450);
    let huge = read(
        "var x: int = 2;\nvar b: bool = false;\n[square] true -> x := x * x;\n[flip] true -> b := !b;\n",
    );
    assert!(compare_all(&huge, &[(100, usize::MAX)], &[]) > 20);
    assert_eq!(explored(&huge, 100, usize::MAX, 2).gaps, [Gap::Bound]);
}

#[test]
fn inputs_are_all_tried_or_named_as_not_followed() {
    let text = "enum color = { red, green, blue };\nvar x, y: int = 0;\nvar c: color = red;\nvar b: bool = false;\n\
        [few] x < 3 -> x := input 0..4, b := input;\n[paint] c = red -> c := input;\n\
         [huge] x = 2 -> y := input 9223372036854775806..9223372036854775809;\n\
        [open] y > 5 && b -> y := input;\n[many] c = blue && x = 4 -> x := input 0..70000;\n[back] y > 5 -> y := 0;\n";
    let program = read(text);
    assert!(compare_all(&program, &[(5000, usize::MAX), (40, usize::MAX), (400, 37)], &[]) > 100);
    let gaps = explored(&program, 5000, usize::MAX, 1).gaps;
    assert!(gaps.iter().filter(|gap| matches!(gap, Gap::Input(_))).count() == 2, "{gaps:?}");
}

#[test]
fn programs_without_variables_states_or_commands_are_explored() {
    for (text, n_states) in [
        ("[step] true -> ;\n", 1),
        ("var x: 0..3; init x = 5;", 0),
        ("var x: 7..7;\n[loop] true -> x := input 7..7;\n", 1),
        ("var x: 0..3;", 4),
    ] {
        let Ok(read) = tertium_front_gcl::read(&Context::default(), &Source::new("test", text)) else {
            continue;
        };
        assert_eq!(compare_all(&read.0.program, &[(10, 10)], &[]), n_states, "{text}");
    }
}

/// Beyond some hundreds of transitions only those are looked at whose guards ask for a value that the state has.
#[test]
fn programs_with_many_commands_are_explored_as_by_the_interpreter() {
    let mut n_states = 0;
    let run = random_cases(3, |rng| {
        let mut text =
            String::from("var x: 0..40 = 0;\nvar y: -3..3 = 0;\nvar b: bool = false;\nvar z: int = 0;\n");
        for n in 0..600 {
            let x = rng.below(41);
            let guard = match rng.below(5) {
                0 => format!("x = {x} && y = {}", rng.between(0, 6) as i64 - 3),
                1 => format!("y = {} && x < {x}", rng.between(0, 6) as i64 - 3),
                2 => format!("x = {x} && !b"),
                3 => format!("z = {} && b", rng.below(4)),
                _ => format!("x >= {x} && y = 2"),
            };
            let target = rng.below(41);
            let update = match rng.below(4) {
                0 => format!("x := {target}, y := y + 1"),
                1 => format!("x := {target}, b := !b"),
                2 => format!("y := -y, z := {}", rng.below(4)),
                _ => format!("x := {target}, y := 2"),
            };
            text.push_str(&format!("[a{n}] {guard} -> {update};\n"));
        }
        let program = read(&text);
        n_states += compare_all(&program, &[(400, usize::MAX), (200, 50)], &[]);
    });
    run.enough(n_states > 300, format_args!("{n_states}"));
}

#[test]
fn arrays_are_read_and_written_element_by_element_as_by_the_interpreter() {
    let mut n_states = 0;
    let run = random_cases(30, |rng| {
        let (low, high) = (-(rng.below(3) as i64), 1 + rng.below(3) as i64);
        let most = 1 + rng.below(4);
        let mut text = format!(
            "var a: array {low}..{high} of 0..{most} = 0;\nvar i: -4..4 = {low};\nvar x: 0..{most} = 0;\n"
        );
        for n in 0..4 {
            let index = ["i", "i + 1", "x", "-i"][rng.below(4)];
            let value = [format!("a[{index}] + 1"), "x".to_owned(), format!("{most} - a[i]"), "0".to_owned()];
            let value = &value[rng.below(4)];
            let guard = [format!("a[{index}] < {most}"), "true".to_owned(), "a[x] = x".to_owned()];
            let guard = &guard[rng.below(3)];
            let moves = ["i := i + 1", "i := i - 1", "x := a[i]", "i := x"][rng.below(4)];
            text.push_str(&format!("[a{n}] {guard} -> a[{index}] := {value}, {moves};\n"));
        }
        n_states += compare_all(&read(&text), &[(1_000, usize::MAX), (40, 20)], &[]);
    });
    run.enough(n_states > 300, format_args!("{n_states}"));
}
