//! Graphs with procedures as plain programs.

use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Terms, Value};
use tertium_program::{
    Action, Call, Domain, Icfg, Interpreter, ProcedureId, State, Step, initial_states, inlined,
};
use tertium_support::{Context, Id, Span};

const SPAN: Span = Span::new(0, 0);

fn range(low: i32, high: i32) -> Domain {
    Domain::Range(low.into(), high.into())
}

/// `main: x := twice(1); y := twice(x); if y = 4 then good else bad`, where `twice(n)` gives n plus what `same(n)` gives. If `again`,
/// `same` calls `twice`.
fn twice(again: bool) -> Icfg {
    let mut icfg = Icfg::new(Terms::new());
    let [main, twice, same] = ["main", "twice", "same"].map(|name| icfg.add_procedure(name, SPAN));
    let [x, y] = ["x", "y"].map(|name| icfg.add_variable(main, name, range(0, 9), SPAN));
    let [n, m] = ["n", "m"].map(|name| icfg.add_variable(twice, name, range(0, 9), SPAN));
    let k = icfg.add_variable(same, "k", range(0, 9), SPAN);
    icfg.add_formal(twice, n);
    icfg.add_result(twice, n);
    icfg.add_formal(same, k);
    icfg.add_result(same, k);
    let ends = |icfg: &Icfg, id: ProcedureId| (icfg.procedure(id).entry, icfg.procedure(id).exit);
    let (start, _) = ends(&icfg, main);
    let [one, two, good, bad] = [(); 4].map(|()| icfg.add_point(main, SPAN));
    icfg.add_label("good", good);
    icfg.add_label("bad", bad);
    let call = |callee, argument, result| {
        Action::Call(Call { callee, arguments: vec![argument], results: vec![Some(result)] })
    };
    let first = call(twice, icfg.terms.integer(1), x);
    icfg.add_edge(start, one, first, true, SPAN);
    let second = call(twice, icfg.terms.variable(x), y);
    icfg.add_edge(one, two, second, true, SPAN);
    let is_four = icfg.terms.equal(icfg.terms.variable(y), icfg.terms.integer(4));
    for (to, guard) in [(good, is_four), (bad, icfg.terms.not(is_four))] {
        let step = Step { guard, inputs: Vec::new(), updates: BTreeMap::new() };
        icfg.add_edge(two, to, Action::Step(step), true, SPAN);
    }
    let (entry, exit) = ends(&icfg, twice);
    let between = icfg.add_point(twice, SPAN);
    let inner = call(same, icfg.terms.variable(n), m);
    icfg.add_edge(entry, between, inner, true, SPAN);
    let sum = icfg.terms.sum([icfg.terms.variable(n), icfg.terms.variable(m)]);
    let step =
        Step { guard: icfg.terms.boolean(true), inputs: Vec::new(), updates: BTreeMap::from([(n, sum)]) };
    icfg.add_edge(between, exit, Action::Step(step), true, SPAN);
    let (entry, exit) = ends(&icfg, same);
    let action = match again {
        true => call(twice, icfg.terms.variable(k), k),
        false => Action::Step(Step {
            guard: icfg.terms.boolean(true),
            inputs: Vec::new(),
            updates: BTreeMap::new(),
        }),
    };
    icfg.add_edge(entry, exit, action, true, SPAN);
    icfg
}

#[test]
fn procedures_without_recursion_are_one_program() {
    let icfg = twice(false);
    let made = inlined(&icfg).expect("nothing calls itself");
    let start = initial_states(&Context::default(), &made.program, 10).expect("there are no limits");
    assert!(start.complete && start.states.len() == 1, "{start:?}");
    let interpreter = Interpreter::new(&made.program);
    let mut depths = Vec::new();
    let mut names = BTreeSet::new();
    let mut state: State = start.states[0].clone();
    loop {
        let (point, calls) = made.position(&icfg, &state.0).expect("a state has a position");
        depths.push(calls.len());
        for (name, points) in &icfg.labels {
            if points.contains(&point) {
                names.insert(name.clone());
            }
        }
        let after = interpreter.successors(&state).expect("inputs are few");
        match &after[..] {
            [] => break,
            [only] => state = only.state.clone(),
            several => panic!("{} states after one", several.len()),
        }
    }
    assert_eq!(depths, [0, 1, 2, 2, 1, 1, 0, 1, 2, 2, 1, 1, 0, 0]);
    assert_eq!(names, BTreeSet::from(["good".to_owned()]));
    // What a procedure left behind is gone: only main knows something.
    let known = made.program.variables().iter().zip(state.0.iter());
    let left = known.filter(|(own, value)| {
        !own.is_control()
            && **value != Value::int(0)
            && made.program.terms.name(own.variable).starts_with("twice")
    });
    assert_eq!(left.count(), 0);
    assert_eq!(made.edges.len(), made.program.commands().len());
    assert!(made.callers.keys().all(|id| id.index() > 0));
}

#[test]
fn recursion_and_inexact_edges_are_refused() {
    assert!(inlined(&twice(true)).is_none());
    let mut icfg = twice(false);
    let (entry, exit) = (icfg.procedure(icfg.main).entry, icfg.procedure(icfg.main).exit);
    let step = Step { guard: icfg.terms.boolean(true), inputs: Vec::new(), updates: BTreeMap::new() };
    icfg.add_edge(entry, exit, Action::Step(step), false, SPAN);
    assert!(inlined(&icfg).is_none());
}
