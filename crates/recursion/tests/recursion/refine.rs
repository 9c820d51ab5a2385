//! Refinement from no predicates.

use crate::build::Build;
use crate::explicit::Explicit;
use crate::fixtures::random_finite;
use tertium_expr::Term;
use tertium_program::{Icfg, PointId};
use tertium_recursion::{Answer, Entries, Evidence, Judgement, Question, Settings, decide, prover, validate};
use tertium_support::{Context, Id};
use tertium_testkit::random_cases;
use tertium_truth::Kleene;

fn reach(icfg: &Icfg, target: PointId, settings: &Settings) -> Answer {
    let context = Context::default();
    let mut prover = prover();
    let answer = decide(&context, icfg, &Question::Reach(vec![target]), settings, &mut prover);
    match &answer.evidence {
        Evidence::Proof(invariants) => {
            assert_eq!(answer.value, Kleene::False);
            let judged = validate(&context, icfg, &Entries::new(icfg), invariants, &[target]);
            assert_eq!(judged, Judgement::Stands);
        }
        Evidence::Run { run, .. } => {
            assert_eq!(answer.value, Kleene::True);
            assert_eq!(run.replay(icfg).expect("it is a run").point(), target);
        }
        Evidence::Open(_) => assert_eq!(answer.value, Kleene::Unknown),
        Evidence::Ends | Evidence::Diverges { .. } => panic!("it was not asked about ends"),
    }
    answer
}

fn expect(icfg: &Icfg, target: PointId, value: Kleene) -> Answer {
    let answer = reach(icfg, target, &Settings { rounds: 40, ..Settings::default() });
    assert_eq!(answer.value, value, "{:?} after {} rounds", answer.evidence, answer.rounds);
    answer
}

/// x := 0; while (*) x := x + step; can x be `bad`?
fn counting(step: i64, bad: impl Fn(&Build, Term) -> Term) -> (Icfg, PointId) {
    let mut b = Build::new();
    let (main, v) = b.procedure("main", &[], &["x"], &[]);
    let (head, error) = (b.point(main), b.point(main));
    b.step(b.entry(main), head, None, &[(v[0], b.int(0))]);
    b.step(head, head, None, &[(v[0], b.plus(v[0], step))]);
    let wrong = bad(&b, b.var(v[0]));
    b.step(head, error, Some(wrong), &[]);
    b.step(head, b.exit(main), Some(b.not(wrong)), &[]);
    (b.icfg, error)
}

#[test]
fn a_counter_stays_above_zero_and_even() {
    let (icfg, error) = counting(1, |b, x| b.less(x, b.int(0)));
    expect(&icfg, error, Kleene::False);
    let (icfg, error) = counting(2, |b, x| b.eq(b.icfg.terms.modulo(x, 2), b.int(1)));
    expect(&icfg, error, Kleene::False);
    let (icfg, error) = counting(3, |b, x| b.eq(x, b.int(12)));
    expect(&icfg, error, Kleene::True);
}

/// f(n) returns n + 1, main asks whether f(x) can differ from x + 1.
#[test]
fn a_summary_relates_what_comes_back_with_what_was_given() {
    for (more, value) in [(1, Kleene::False), (2, Kleene::True)] {
        let mut b = Build::new();
        let (main, v) = b.procedure("main", &[], &["x", "y"], &[]);
        let (f, w) = b.procedure("f", &["n"], &[], &["n"]);
        let (after, error) = (b.point(main), b.point(main));
        b.call(b.entry(main), after, f, &[b.var(v[0])], &[Some(v[1])]);
        let right = b.eq(b.var(v[1]), b.plus(v[0], more));
        b.step(after, error, Some(b.not(right)), &[]);
        b.step(after, b.exit(main), Some(right), &[]);
        b.step(b.entry(f), b.exit(f), None, &[(w[0], b.plus(w[0], 1))]);
        expect(&b.icfg, error, value);
    }
}

/// id(n) = n == 0 ? 0 : id(n - 1) + 1, for n >= 0.
#[test]
fn recursion_is_the_identity() {
    let mut b = Build::new();
    let (main, v) = b.procedure("main", &[], &["x", "y"], &[]);
    let (f, w) = b.procedure("id", &["n"], &["r"], &["r"]);
    let (start, after, error) = (b.point(main), b.point(main), b.point(main));
    b.step(b.entry(main), start, Some(b.not(b.less(b.var(v[0]), b.int(0)))), &[]);
    b.call(start, after, f, &[b.var(v[0])], &[Some(v[1])]);
    let right = b.eq(b.var(v[1]), b.var(v[0]));
    b.step(after, error, Some(b.not(right)), &[]);
    b.step(after, b.exit(main), Some(right), &[]);
    let (calls, back) = (b.point(f), b.point(f));
    let zero = b.eq(b.var(w[0]), b.int(0));
    b.step(b.entry(f), b.exit(f), Some(zero), &[(w[1], b.int(0))]);
    b.step(b.entry(f), calls, Some(b.not(zero)), &[]);
    b.call(calls, back, f, &[b.plus(w[0], -1)], &[Some(w[1])]);
    b.step(back, b.exit(f), None, &[(w[1], b.plus(w[1], 1))]);
    expect(&b.icfg, error, Kleene::False);
}

/// old = g; inc(); can g differ from old + 1?
#[test]
fn a_caller_compares_a_global_with_what_it_was() {
    for (more, value) in [(1, Kleene::False), (3, Kleene::True)] {
        let mut b = Build::new();
        let g = b.global("g");
        let (main, v) = b.procedure("main", &[], &["old"], &[]);
        let (f, _) = b.procedure("inc", &[], &[], &[]);
        let (before, after, error) = (b.point(main), b.point(main), b.point(main));
        b.step(b.entry(main), before, None, &[(v[0], b.var(g))]);
        b.call(before, after, f, &[], &[]);
        let right = b.eq(b.var(g), b.plus(v[0], more));
        b.step(after, error, Some(b.not(right)), &[]);
        b.step(b.entry(f), b.exit(f), None, &[(g, b.plus(g, 1))]);
        expect(&b.icfg, error, value);
    }
}

/// Every verdict on random programs is that of enumeration, every proof stands, and every run is one; hardly any stays open.
#[test]
fn verdicts_on_finite_programs_are_right() {
    let mut counts = [0; 3];
    let run = random_cases(60, |rng| {
        let icfg = random_finite(rng);
        let entries = Entries::new(&icfg);
        let reached = Explicit { icfg: &icfg, entries: &entries }.reached();
        let points: Vec<PointId> = PointId::first(icfg.points().len()).collect();
        for _ in 0..3 {
            let target = *rng.pick(&points);
            let is_reached = reached.get(&target).is_some_and(|states| !states.is_empty());
            let answer = reach(&icfg, target, &Settings { rounds: 60, ..Settings::default() });
            counts[answer.value as usize] += 1;
            assert!(answer.value == Kleene::Unknown || answer.value == Kleene::from(is_reached));
        }
    });
    run.enough(counts[0] > 20 && counts[2] > 20 && counts[1] == 0, counts);
}
