//! Processes that a variable chooses, against models in which somebody wrote the cases out, state by state.

use std::collections::BTreeSet;
use tertium_expr::Value;
use tertium_front_gcl::{Model, PropertyMeaning, read_plainly, warnings};
use tertium_program::{Interpreter, Program, State};
use tertium_support::{Context, Source};

fn read(text: &str) -> Model {
    let source = Source::new("test", text);
    match read_plainly(&Context::default(), &source, &[]) {
        Ok((model, _)) => model,
        Err(error) => panic!("{error:?}\n{text}"),
    }
}

/// Every state of a program.
fn states(program: &Program) -> Vec<State> {
    let domains = program.variables().iter().map(|own| own.domain.values(100).expect("there are few"));
    let all = domains.fold(vec![Vec::new()], |before: Vec<Vec<Value>>, values| {
        let with = |value: &Value| {
            let value = value.clone();
            before.iter().map(move |own| [own.clone(), vec![value.clone()]].concat())
        };
        values.iter().flat_map(with).collect()
    });
    all.into_iter().map(|values| State(values.into())).collect()
}

/// The steps from a state, by action.
fn steps(program: &Program, state: &State) -> BTreeSet<(String, State)> {
    let next = Interpreter::new(program).successors(state).expect("inputs have few values");
    let action = |at: usize| program.commands()[at].action.clone();
    next.into_iter().map(|next| (action(tertium_support::Id::index(next.command)), next.state)).collect()
}

const COMMON: &str = "var v: -1..3 = 0; var u: 0..1 = 0;
    process w[i in 0..1] { var x: 0..2 = 0; var b: bool = false; var a: array 1..2 of bool = false; prop big = x > i; }";

/// Commands with a process that a variable chooses, and the same with the cases written out.
const TWINS: [(&str, &str); 12] = [
    (
        "w[v].x = 1 -> v := 0;",
        "v = 0 && w[0].x = 1 || v = 1 && w[1].x = 1 -> v := 0;",
    ),
    (
        "!w[v].b -> v := 1;",
        "v = 0 && !w[0].b || v = 1 && !w[1].b -> v := 1;",
    ),
    (
        "v > 1 || w[v].b -> v := 2;",
        "v > 1 || v = 0 && w[0].b || v = 1 && w[1].b -> v := 2;",
    ),
    (
        "v < 0 ? true : w[v + 1].x > 0 -> skip;",
        "v < 0 || v = 0 && w[1].x > 0 -> skip;",
    ),
    // One that is always there needs no demand.
    ("w[u].b -> u := 1 - u;", "u = 0 && w[0].b || u = 1 && w[1].b -> u := 1 - u;"),
    (
        "true -> w[v].x := w[1 - v].x + 1;",
        "v in 0..1 -> w[0].x := v = 0 ? w[1].x + 1 : w[0].x, w[1].x := v = 1 ? w[0].x + 1 : w[1].x;",
    ),
    (
        "w[w[v].x].b -> v := w[v].x;",
        "v in 0..1 && (v = 0 && w[0].x = 0 && w[0].b || v = 0 && w[0].x = 1 && w[1].b || v = 1 && w[1].x = 0 && w[0].b
            || v = 1 && w[1].x = 1 && w[1].b) -> v := v = 0 ? w[0].x : w[1].x;",
    ),
    (
        "true -> w[v].a[w[v].x] := true;",
        "v in 0..1 && (v = 0 ? w[0].x in 1..2 : w[1].x in 1..2) ->
            w[0].a[v = 0 ? w[0].x : w[1].x] := v = 0 || w[0].a[v = 0 ? w[0].x : w[1].x],
            w[1].a[v = 0 ? w[0].x : w[1].x] := v = 1 || w[1].a[v = 0 ? w[0].x : w[1].x];",
    ),
    (
        "w[u].a[v] -> v := 0;",
        "v in 1..2 && (u = 0 && w[0].a[v in 1..2 ? v : 1] || u = 1 && w[1].a[v in 1..2 ? v : 1]) -> v := 0;",
    ),
    // Each alternative blocks by itself.
    (
        "true -> either v := 0 or u := w[v].x or w[v - 1].b := true;",
        "true -> either v := 0
            or u := v = 0 ? w[0].x : v = 1 ? w[1].x : 5
            or w[0].b := v = 1 || w[0].b, w[1].b := v = 2 || w[1].b, u := v in 1..2 ? u : 5;",
    ),
    (
        "exists k in 0..1: w[v].x > k && w[k].b -> w[v].b := !w[v].b, v := 0;",
        "v in 0..1 && ((v = 0 ? w[0].x : w[1].x) > 0 && w[0].b || (v = 0 ? w[0].x : w[1].x) > 1 && w[1].b) ->
            w[0].b := v = 0 ? !w[0].b : w[0].b, w[1].b := v = 1 ? !w[1].b : w[1].b, v := 0;",
    ),
    ("w[v].x = w[v].x -> skip;", "true -> skip;"),
];

#[test]
fn a_chosen_process_is_a_case_distinction_that_blocks_where_there_is_none() {
    for (chosen, cases) in TWINS {
        let [one, other] = [chosen, cases].map(|command| read(&format!("{COMMON}\n[go] {command}")));
        // What is printed means the same.
        let printed = read(&one.to_string());
        let mut n_steps = 0;
        for state in states(&one.program) {
            let found = steps(&one.program, &state);
            assert_eq!(found, steps(&other.program, &state), "{chosen}\n{state:?}");
            assert_eq!(found, steps(&printed.program, &state), "{chosen}\n{one}\n{state:?}");
            n_steps += found.len();
        }
        assert!(n_steps > 0, "{chosen}");
    }
}

#[test]
fn in_properties_a_process_that_is_not_there_has_the_first_value() {
    let text = |property: &str| format!("{COMMON}\ninvariant p: {property};");
    for (chosen, cases) in [
        ("w[v].x = 0", "v = 0 && w[0].x = 0 || v = 1 && w[1].x = 0 || !(v in 0..1)"),
        ("w[v].b", "v = 0 && w[0].b || v = 1 && w[1].b"),
        ("w[v].big", "v = 0 && w[0].x > 0 || v = 1 && w[1].x > 1"),
        ("w[v].a[u + 1]", "v = 0 && w[0].a[u + 1] || v = 1 && w[1].a[u + 1]"),
        (
            "w[w[v].x].b",
            "v = 0 && w[0].x = 0 && w[0].b || v = 0 && w[0].x = 1 && w[1].b || v = 1 && w[1].x = 0 && w[0].b
            || v = 1 && w[1].x = 1 && w[1].b || !(v in 0..1) && w[0].b",
        ),
    ] {
        let holding = |property: &str| {
            let model = read(&text(property));
            let PropertyMeaning::Branching(meaning) = &model.properties[0].meaning else {
                panic!("{property}")
            };
            let claim = meaning.claim(&model.program.terms).expect("an invariant").holds;
            let interpreter = Interpreter::new(&model.program);
            states(&model.program).iter().map(|state| interpreter.holds(state, claim)).collect::<Vec<bool>>()
        };
        assert_eq!(holding(chosen), holding(cases), "{chosen}");
    }
}

#[test]
fn a_warning_says_where_a_process_may_not_be_there() {
    let told = |command: &str| {
        let model = read(&format!("{COMMON}\n[go] {command}"));
        let found = warnings(&Context::default(), &model).expect("there is no limit");
        found.into_iter().map(|warning| warning.message).collect::<Vec<String>>()
    };
    let can_leave = |index: &str| format!("the index {index} can leave 0..1: the command is blocked then");
    assert_eq!(told("w[v].x = 1 && w[v].b -> skip;"), [can_leave("v")]);
    assert_eq!(told("true -> w[v].b := true;"), [can_leave("v")]);
    assert_eq!(told("v in 0..1 && w[v].x = 1 -> w[v].b := true;"), [""; 0]);
    assert_eq!(told("w[u].x = 1 -> w[u].b := true;"), [""; 0]);
    assert_eq!(told("true -> w[u].b := w[u].x = 1 && w[v].b;"), [can_leave("v")]);
    // One assignment to each process, and one warning.
    let leaves = "this assignment can leave the range 0..2 of `w[0].x`: the command is blocked then";
    assert_eq!(told("true -> w[u].x := w[u].x + 1;"), [leaves]);
}

#[test]
fn what_is_chosen_again_and_again_is_bounded() {
    let nested = |depth: usize| (0..depth).fold("v".to_owned(), |index, _| format!("w[{index}].x"));
    for depth in [2, 40] {
        for text in [
            format!("{COMMON}\n[go] {} = 0 -> skip;", nested(depth)),
            format!("{COMMON}\n[go] true -> {} := 0;", nested(depth)),
            format!("{COMMON}\ninvariant p: {} = 0;", nested(depth)),
        ] {
            let source = Source::new("test", text.as_str());
            let read = read_plainly(&Context::default(), &source, &[]);
            assert_eq!(read.is_ok(), depth == 2, "{text}");
            if let Ok((model, _)) = read {
                assert!(model.to_string().len() < 100_000);
            }
        }
    }
}
