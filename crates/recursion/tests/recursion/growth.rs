//! Families of programs with n procedures: right answers, and work that grows like n.

use crate::pl_fixtures::{finite, point, read};
use std::fmt::Write;
use tertium_recursion::demand::{Goal, diverging, reaching};
use tertium_recursion::finite::{Pushdown, ThreeSteps};
use tertium_support::Context;
use tertium_truth::Belnap;

/// The error of main behind `n` levels; in the last one, `last` stands where the others call the next level twice.
fn levels(n: usize, last: &str) -> String {
    let mut text = "global g : -2..2;\n\
        main() { level_1(); if (g < 0) { ERROR: skip; } END: skip; }\n"
        .to_owned();
    for i in 1..=n {
        let next = format!("level_{}(); g := -1 * g; level_{}();", i + 1, i + 1);
        let inner = if i < n { &next } else { last };
        writeln!(
            text,
            "level_{i}() {{ var t : 0..1; t := 0; g := -1 * g; \
             if (g <= 0) {{ t := t + 1; }} else {{ {inner} }} g := -1 * g; }}"
        )
        .expect("strings can be written to");
    }
    text
}

fn t1(n: usize) -> String {
    levels(n, "g := -1 * g;")
}

fn t2(n: usize) -> String {
    levels(n, &format!("level_{n}(); g := -1 * g; level_{n}();"))
}

/// Rings of procedures that call each other, three times each, with a counter that is passed on and returned.
fn ring(n: usize) -> String {
    let mut text =
        "main() { var x : 0..3; x := f_0(x); if (x = 0) { ERROR: skip; } END: kill x; }\n".to_owned();
    for i in 0..n {
        let (next, back) = ((i + 1).min(n - 1), i - i % 2);
        writeln!(
            text,
            "f_{i}(a : 0..3) : a {{ if (a > 0) {{ a := a - 1; \
             either {{ a := f_{next}(a); }} or {{ a := f_{back}(a); a := f_{next}(a); }} \
             assume(a < 3); a := a + 1; }} }}"
        )
        .expect("strings can be written to");
    }
    text
}

/// The answers for the error and for infinite runs, and the work that the systems on demand took for them.
fn solve(text: &str) -> (Belnap, Belnap, u64) {
    let icfg = read(text);
    let program = finite(&icfg);
    let (partial, context) = (program.exact(), Context::default());
    let goal = Goal::at(&partial, &[point(&icfg, "ERROR")]);
    let reach = reaching(&context, &partial, &goal).expect("there is no limit").value();
    let nt = diverging(&context, &partial).expect("there is no limit").value();
    (reach, nt, context.spent())
}

/// Whether the error and an infinite run are possible, by the references.
fn reference(text: &str) -> (bool, bool) {
    let icfg = read(text);
    let program = finite(&icfg);
    let (three, pushdown) = (ThreeSteps::new(&program), Pushdown::new(&program));
    let is_goal = |state: usize| program.point(state) == point(&icfg, "ERROR");
    let starts = |inside: Vec<bool>| program.initial().any(|state| inside[state]);
    let answers = (starts(three.reaching(is_goal)), starts(three.diverging()));
    assert_eq!(answers, (starts(pushdown.reaching(is_goal)), starts(pushdown.diverging())));
    answers
}

#[test]
fn the_error_of_t1_is_reached_for_even_n_and_t2_goes_on_for_ever() {
    for n in 1..=6 {
        assert_eq!(reference(&t1(n)), (n % 2 == 0, false));
        assert_eq!(reference(&t2(n)), (false, true));
    }
    for n in [1, 2, 3, 4, 5, 20, 61, 100] {
        let is_even = n % 2 == 0;
        let (reach, nt, _) = solve(&t1(n));
        assert_eq!((reach, nt), (Belnap::from_bits(is_even, is_even), Belnap::False), "T1({n})");
        let (reach, nt, _) = solve(&t2(n));
        assert_eq!((reach, nt), (Belnap::False, Belnap::True), "T2({n})");
    }
}

#[test]
fn rings_agree_with_the_references() {
    for n in 1..=5 {
        let (reach, nt, _) = solve(&ring(n));
        let expected = reference(&ring(n));
        assert_eq!((reach.must(), reach.may()), (expected.0, expected.0), "ring {n}");
        assert_eq!((nt.must(), nt.may()), (expected.1, expected.1), "ring {n}");
    }
}

#[test]
fn work_grows_like_the_number_of_procedures() {
    for (name, family) in [("T1", t1 as fn(usize) -> String), ("T2", t2), ("ring", ring)] {
        let work: Vec<u64> = [40, 160].into_iter().map(|n| solve(&family(n)).2).collect();
        let exponent = (work[1] as f64 / work[0] as f64).log(4.0);
        assert!(exponent <= 1.1, "{name}: {work:?}, exponent {exponent}");
    }
}
