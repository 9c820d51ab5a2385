//! The examples of the thesis on small ranges: summaries, mixed runs, and what is computed on demand.

use crate::pl_fixtures::{
    ACK, EX0, EX1, NESTED, QUICKSORT, SHIFT, finite, inputs_and_outputs, point, procedure, read, value,
    values,
};
use std::collections::BTreeSet;
use tertium_recursion::demand::{Diverging, Goal, Reaching, Side, StateId, diverging, reaching};
use tertium_recursion::finite::{FiniteProgram, Pushdown, ThreeSteps};
use tertium_support::{Context, Id};
use tertium_truth::Belnap;

fn pairs(x: impl IntoIterator<Item = i64> + Clone, y: impl Fn(i64) -> Vec<i64>) -> BTreeSet<Vec<i64>> {
    x.into_iter().flat_map(|x| y(x).into_iter().map(move |y| vec![x, y])).collect()
}

#[test]
fn the_summary_of_f2_is_what_it_does() {
    let icfg = read(EX1);
    let program = finite(&icfg);
    let three = ThreeSteps::new(&program);
    let summary = three.summary(procedure(&icfg, "f2")).iter();
    let found: BTreeSet<(i64, i64)> =
        summary.map(|&(entry, exit)| (value(&program, entry, "z"), value(&program, exit, "z"))).collect();
    let expected = (-6..=6).map(|z| (z, if z > 0 { z - 1 } else { -1 })).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_mixed_run_jumps_over_a_call_or_goes_into_it_and_ends_at_the_exit() {
    let icfg = read(EX1);
    let program = finite(&icfg);
    let three = ThreeSteps::new(&program);
    let (five, six) = (point(&icfg, "l5"), point(&icfg, "l6"));
    let start = program
        .states_at(five)
        .find(|&state| (value(&program, state, "x"), value(&program, state, "y")) == (3, 0))
        .expect("there is such a state");
    let [one, other] = three.successors(start) else { panic!("there are two ways") };
    let (over, mut inside) = if program.point(*one) == six { (*one, *other) } else { (*other, *one) };
    assert_eq!((value(&program, over, "x"), value(&program, over, "y")), (2, 0));
    assert_eq!(program.point(inside), icfg.procedure(procedure(&icfg, "f2")).entry);
    assert_eq!(value(&program, inside, "z"), 3);
    while let [next] = three.successors(inside) {
        inside = *next;
    }
    assert!(three.successors(inside).is_empty(), "the run blocks");
    assert_eq!(program.point(inside), icfg.procedure(procedure(&icfg, "f2")).exit);
    assert_eq!(value(&program, inside, "z"), 2);
}

#[test]
fn reachability_in_ex1_computes_what_it_needs_only() {
    let icfg = read(EX1);
    let (program, context) = (finite(&icfg), Context::default());
    let exact = program.exact();
    let goal = |label| Goal::at(&exact, &[point(&icfg, label)]);
    for side in [Side::Must, Side::May] {
        let five = Reaching::solve(&context, &exact, &goal("l5"), side).expect("there is no limit");
        assert!(five.holds() && five.summaries().is_empty(), "nothing is called before place 5");
        let eight = Reaching::solve(&context, &exact, &goal("l8"), side).expect("there is no limit");
        let summaries = inputs_and_outputs(&program, "f2", "z", "z", &eight.summaries());
        assert_eq!(summaries, BTreeSet::from([(3, 2)]));
        let at = |label| {
            values(&program, point(&icfg, label), &["x", "y"], |state| eight.contains(StateId::new(state)))
        };
        let nonpositive = |_: i64| (-6..=0).collect::<Vec<i64>>();
        assert_eq!(at("l8"), pairs(-6..=6, |_| (-6..=6).collect()));
        assert_eq!(at("l7"), pairs([2], nonpositive));
        assert_eq!(at("l6"), pairs([2], nonpositive));
        assert_eq!(at("l5"), pairs([3], nonpositive));
    }
}

#[test]
fn non_termination_in_ex1_is_exact_with_partial_summaries() {
    let icfg = read(EX1);
    let (program, context) = (finite(&icfg), Context::default());
    let exact = program.exact();
    let nt = Diverging::solve(&context, &exact, Side::Must).expect("there is no limit");
    let at =
        |label| values(&program, point(&icfg, label), &["x", "y"], |state| nt.contains(StateId::new(state)));
    for label in ["l6", "l7", "l9"] {
        assert_eq!(at(label), pairs([2], |_| (-6..=0).collect()));
    }
    assert_eq!(at("l5"), pairs([3], |_| (-6..=0).collect()));
    assert_eq!(at("l8"), pairs([2], |_| (-6..=1).collect()));
    assert!(at("l10").is_empty());
    let summaries = inputs_and_outputs(&program, "f2", "z", "z", &nt.summaries());
    let expected = (-6..=0).map(|z| (z, -1)).chain([(3, 2), (1, 0)]).collect();
    assert_eq!(summaries, expected);
    // With empty summaries at the call in the loop, all would be lost.
    let naive = greatest_without_summaries(&program);
    for label in ["l7", "l8", "l9"] {
        assert!(program.states_at(point(&icfg, label)).all(|state| !naive[state]), "{label}");
    }
}

/// NT with pre-images over calls while summaries are still empty: the order that is wrong.
fn greatest_without_summaries(program: &FiniteProgram<'_>) -> Vec<bool> {
    let mut inside = vec![true; program.n_states()];
    loop {
        let mut changed = false;
        for state in 0..program.n_states() {
            let calls = program.calls(state).iter().flat_map(|(_, entries)| entries.iter().copied());
            let mut next = program.steps(state).iter().map(|&(_, target)| target).chain(calls);
            if inside[state] && !next.any(|next| inside[next]) {
                inside[state] = false;
                changed = true;
            }
        }
        if !changed {
            return inside;
        }
    }
}

#[test]
fn nested_calls_are_right_where_the_printed_equations_fail() {
    let icfg = read(NESTED);
    let (program, context) = (finite(&icfg), Context::default());
    let exact = program.exact();
    let end = point(&icfg, "END");
    let at_start = |contains: &dyn Fn(usize) -> bool| values(&program, point(&icfg, "l1"), &["x"], contains);
    let reaching = reaching(&context, &exact, &Goal::at(&exact, &[end])).expect("there is no limit");
    assert_eq!(reaching.value(), Belnap::True);
    for side in [&reaching.must, &reaching.may] {
        let found = at_start(&|state| side.contains(StateId::new(state)));
        assert_eq!(found, BTreeSet::from([vec![1], vec![2]]));
    }
    let diverging = diverging(&context, &exact).expect("there is no limit");
    assert_eq!(diverging.value(), Belnap::True);
    for side in [&diverging.must, &diverging.may] {
        assert_eq!(at_start(&|state| side.contains(StateId::new(state))), BTreeSet::from([vec![0]]));
        for name in ["f", "g"] {
            let summaries = inputs_and_outputs(&program, name, "x", "x", &side.summaries());
            assert_eq!(summaries, BTreeSet::from([(0, 0)]), "{name}");
        }
    }
    let printed = crate::printed::reaching(&program, |state| program.point(state) == end);
    assert!(at_start(&|state| printed[state]).is_empty(), "the printed equations lose this");
    let printed = crate::printed::diverging(&program);
    assert!(at_start(&|state| printed[state]).is_empty(), "the printed equations lose this");
}

/// The verdicts of all solvers on a fixture: can the label be reached, and is there an infinite run.
fn verdicts(text: &str, label: &str) -> (bool, bool) {
    let icfg = read(text);
    let (program, context) = (finite(&icfg), Context::default());
    let exact = program.exact();
    let goal = point(&icfg, label);
    let reach = reaching(&context, &exact, &Goal::at(&exact, &[goal])).expect("there is no limit");
    let nt = diverging(&context, &exact).expect("there is no limit");
    let pushdown = Pushdown::new(&program);
    let starts = |inside: &[bool]| program.initial().any(|state| inside[state]);
    let expected =
        (starts(&pushdown.reaching(|state| program.point(state) == goal)), starts(&pushdown.diverging()));
    assert_eq!(reach.value(), Belnap::from_bits(expected.0, expected.0));
    assert_eq!(nt.value(), Belnap::from_bits(expected.1, expected.1));
    expected
}

#[test]
fn the_examples_have_their_verdicts_on_small_ranges() {
    assert_eq!(verdicts(EX0, "ERROR"), (false, true));
    assert_eq!(verdicts(ACK, "END"), (true, true));
    assert_eq!(verdicts(SHIFT, "END"), (true, true));
    assert_eq!(verdicts(QUICKSORT, "END"), (true, true));
}

#[test]
fn shift_ends_just_for_multiples_of_three() {
    let icfg = read(SHIFT);
    let (program, context) = (finite(&icfg), Context::default());
    let exact = program.exact();
    let nt = Diverging::solve(&context, &exact, Side::Must).expect("there is no limit");
    let found = values(&program, point(&icfg, "l1"), &["x"], |state| nt.contains(StateId::new(state)));
    assert_eq!(found, (-6..=6).filter(|x| x % 3 != 0).map(|x| vec![x]).collect());
}
