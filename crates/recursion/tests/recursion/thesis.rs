//! The programs of the thesis, with mathematical integers \[Wei09, §4\].

use crate::build::Build;
use tertium_program::{Action, EdgeId, Icfg, PointId};
use tertium_recursion::{
    Answer, Entries, Evidence, IcfgRun, Judgement, Move, Question, RunStep, Settings, abstract_values,
    decide, prover, validate,
};
use tertium_support::{Context, Id};
use tertium_truth::{Belnap, Kleene};

fn ask(icfg: &Icfg, question: &Question) -> Answer {
    let context = Context::default();
    let settings = Settings { rounds: 60, ..Settings::default() };
    let answer = decide(&context, icfg, question, &settings, &mut prover());
    if let Evidence::Proof(invariants) = &answer.evidence {
        let Question::Reach(targets) = question else { panic!("proofs are about points") };
        assert_eq!(validate(&context, icfg, &Entries::new(icfg), invariants, targets), Judgement::Stands);
    }
    answer
}

/// Whether a run ends with the globals and the variables that it had after `at` steps, at the same point, and kept all activations
/// that were there.
fn comes_back(icfg: &Icfg, run: &IcfgRun, at: usize) -> bool {
    let states = run.states(icfg).expect("it is a run");
    let (first, last) = (&states[at], states.last().expect("it has states"));
    let below = &first.stack[..first.stack.len() - 1];
    first.globals == last.globals
        && (first.point(), &first.top().values) == (last.point(), &last.top().values)
        && states[at..].iter().all(|state| state.stack.len() > below.len() && state.stack.starts_with(below))
}

/// The question is answered by a run that comes back to where it was.
fn expect_cycle(icfg: &Icfg) {
    let answer = expect(icfg, &Question::Diverge, Kleene::True);
    assert!(matches!(answer.evidence, Evidence::Diverges { cycle: Some(_), .. }), "{:?}", answer.evidence);
}

/// The question has this answer, and there is a run of some length for it if it is true.
fn expect(icfg: &Icfg, question: &Question, value: Kleene) -> Answer {
    let answer = ask(icfg, question);
    assert_eq!(answer.value, value, "{:?} after {} rounds", answer.evidence, answer.rounds);
    match &answer.evidence {
        Evidence::Run { run, .. } => assert!(run.replay(icfg).is_ok()),
        Evidence::Diverges { run, cycle } => {
            assert!(!run.steps.is_empty() && run.replay(icfg).is_ok());
            assert!(cycle.is_none_or(|at| comes_back(icfg, run, at) && run.repeats(icfg, at) == Ok(true)));
        }
        _ => {}
    }
    answer
}

/// The first program: x grows for ever if it begins above zero; else y falls.
fn ex0() -> (Icfg, PointId, PointId) {
    let mut b = Build::new();
    let (main, v) = b.procedure("main", &[], &["x", "y"], &[]);
    let [x, y] = [v[0], v[1]];
    let (up, grown, down, error) = (b.point(main), b.point(main), b.point(main), b.point(main));
    let (start, end) = (b.entry(main), b.exit(main));
    let (above, y_above) = (b.less(b.int(0), b.var(x)), b.less(b.int(0), b.var(y)));
    b.step(start, up, Some(above), &[]);
    b.step(start, down, Some(b.not(above)), &[]);
    b.step(up, grown, Some(above), &[(x, b.plus(x, 1))]);
    b.step(grown, error, Some(b.not(above)), &[]);
    b.step(grown, up, Some(above), &[]);
    b.step(up, end, Some(b.not(above)), &[]);
    b.step(down, down, Some(y_above), &[(y, b.plus(y, -1))]);
    b.step(down, end, Some(b.not(y_above)), &[]);
    (b.icfg, up, error)
}

#[test]
fn one_abstraction_shows_both_answers() {
    let (icfg, _, error) = ex0();
    let terms = &icfg.terms;
    let x = icfg.procedure(icfg.main).variables[0];
    let above = terms.less(terms.integer(0), terms.variable(x));
    let points = icfg.procedure(icfg.main).points.iter();
    let settings = Settings { hints: points.map(|&point| (point, above)).collect(), ..Settings::default() };
    let questions = [Question::Reach(vec![error]), Question::Diverge];
    let mut prover = prover();
    let values = abstract_values(&Context::default(), &icfg, &questions, &settings, &mut prover);
    assert_eq!(values, Ok(Some(vec![Belnap::False, Belnap::True])));
    expect(&icfg, &questions[0], Kleene::False);
    expect(&icfg, &questions[1], Kleene::True);
}

/// Ackermann's function without its last result.
fn ack() -> Icfg {
    let mut b = Build::new();
    let (main, m) = b.procedure("main", &[], &["mx", "my"], &[]);
    let (ack, v) = b.procedure("ack", &["x", "y"], &["n", "r"], &["r"]);
    let [x, y, n, r] = [v[0], v[1], v[2], v[3]];
    b.call(b.entry(main), b.exit(main), ack, &[b.var(m[0]), b.var(m[1])], &[None]);
    let (deep, both, ready) = (b.point(ack), b.point(ack), b.point(ack));
    let (x_above, y_above) = (b.less(b.int(0), b.var(x)), b.less(b.int(0), b.var(y)));
    b.step(b.entry(ack), deep, Some(x_above), &[]);
    b.step(b.entry(ack), b.exit(ack), Some(b.not(x_above)), &[(r, b.plus(y, 1))]);
    b.step(deep, both, Some(y_above), &[(y, b.plus(y, -1))]);
    b.step(deep, ready, Some(b.not(y_above)), &[(n, b.int(1))]);
    b.call(both, ready, ack, &[b.var(x), b.var(y)], &[Some(n)]);
    b.call(ready, b.exit(ack), ack, &[b.var(x), b.var(n)], &[Some(r)]);
    b.icfg
}

#[test]
fn the_wrong_ackermann_function_does_not_end() {
    expect_cycle(&ack());
}

fn shift() -> Icfg {
    let mut b = Build::new();
    let (main, m) = b.procedure("main", &[], &["x"], &[]);
    let (turn, v) = b.procedure("foo", &["y"], &[], &[]);
    let (x, y) = (m[0], v[0]);
    let (head, inside) = (b.point(main), b.point(main));
    b.call(b.entry(main), head, turn, &[b.var(x)], &[]);
    let zero = b.eq(b.var(x), b.int(0));
    let below = b.less(b.var(x), b.int(0));
    b.step(head, b.exit(main), Some(zero), &[]);
    b.step(head, inside, Some(b.not(zero)), &[]);
    let negative = b.icfg.terms.scaled(-1, b.var(x));
    b.step(inside, head, Some(below), &[(x, negative)]);
    let moved = b.icfg.terms.sum([negative, b.int(3)]);
    b.step(inside, head, Some(b.not(below)), &[(x, moved)]);
    let turned = b.point(turn);
    let negative = b.icfg.terms.scaled(-1, b.var(y));
    b.step(b.entry(turn), turned, None, &[(y, negative)]);
    let below = b.less(b.var(y), b.int(0));
    let again = b.point(turn);
    b.step(turned, again, Some(below), &[]);
    b.step(turned, b.exit(turn), Some(b.not(below)), &[]);
    b.call(again, b.exit(turn), turn, &[b.var(y)], &[]);
    b.icfg
}

#[test]
fn shift_does_not_end() {
    expect_cycle(&shift());
}

fn quicksort() -> Icfg {
    let mut b = Build::new();
    let (main, m) = b.procedure("main", &[], &["l", "r"], &[]);
    let (sort, v) = b.procedure("quicksort", &["left", "right"], &["lo", "hi"], &[]);
    let [left, right, lo, hi] = [v[0], v[1], v[2], v[3]];
    b.call(b.entry(main), b.exit(main), sort, &[b.var(m[0]), b.var(m[1])], &[]);
    let (head, choose, first, second) = (b.point(sort), b.point(sort), b.point(sort), b.point(sort));
    let more = b.less(b.var(left), b.var(right));
    b.step(b.entry(sort), b.exit(sort), Some(b.not(more)), &[]);
    b.step(b.entry(sort), head, Some(more), &[(lo, b.var(left)), (hi, b.var(right))]);
    let ended = b.less(b.var(hi), b.var(lo));
    b.step(head, b.exit(sort), Some(ended), &[]);
    b.step(head, choose, Some(b.not(ended)), &[]);
    let input = b.icfg.terms.fresh("nondet", &tertium_expr::Sort::Int);
    let zero = b.eq(b.var(input), b.int(0));
    let other = b.point(sort);
    b.step_with(choose, first, Some(b.not(zero)), &[(lo, b.plus(lo, 1))], &[input]);
    b.step_with(choose, other, Some(zero), &[], &[input]);
    let same = b.icfg.terms.and([b.eq(b.var(lo), b.var(left)), b.eq(b.var(hi), b.var(right))]);
    b.step(other, first, Some(same), &[]);
    b.step(other, first, Some(b.not(same)), &[(hi, b.plus(hi, -1))]);
    b.call(first, second, sort, &[b.var(left), b.var(hi)], &[]);
    b.call(second, head, sort, &[b.var(lo), b.var(right)], &[]);
    b.icfg
}

#[test]
fn the_wrong_quicksort_does_not_end() {
    expect_cycle(&quicksort());
}

/// The levels of T1, or of T2.
fn levels(n: usize, is_second: bool) -> (Icfg, PointId) {
    let mut b = Build::new();
    let g = b.global("g");
    let (main, _) = b.procedure("main", &[], &[], &[]);
    let level: Vec<_> = (1..=n).map(|i| b.procedure(&format!("level_{i}"), &[], &["t"], &[])).collect();
    let negative = b.icfg.terms.scaled(-1, b.var(g));
    let (after, error) = (b.point(main), b.point(main));
    b.call(b.entry(main), after, level[0].0, &[], &[]);
    let below = b.less(b.var(g), b.int(0));
    b.step(after, error, Some(below), &[]);
    b.step(after, b.exit(main), Some(b.not(below)), &[]);
    for i in 0..n {
        let (own, t) = (level[i].0, level[i].1[0]);
        let (turned, deep, last) = (b.point(own), b.point(own), b.point(own));
        let above = b.less(b.int(0), b.var(g));
        b.step(b.entry(own), turned, None, &[(t, b.int(0)), (g, negative)]);
        b.step(turned, last, Some(b.not(above)), &[(t, b.plus(t, 1))]);
        b.step(turned, deep, Some(above), &[]);
        let callee = if i + 1 < n {
            Some(level[i + 1].0)
        } else if is_second {
            Some(own)
        } else {
            None
        };
        match callee {
            Some(callee) => {
                let (once, between) = (b.point(own), b.point(own));
                b.call(deep, once, callee, &[], &[]);
                b.step(once, between, None, &[(g, negative)]);
                b.call(between, last, callee, &[], &[]);
            }
            None => {
                b.step(deep, last, None, &[(g, negative)]);
            }
        }
        b.step(last, b.exit(own), None, &[(g, negative)]);
    }
    (b.icfg, error)
}

#[test]
fn levels_are_told_apart_by_parity() {
    for n in 1..6 {
        let (icfg, error) = levels(n, false);
        expect(&icfg, &Question::Reach(vec![error]), Kleene::from(n % 2 == 0));
        let (icfg, error) = levels(n, true);
        expect(&icfg, &Question::Reach(vec![error]), Kleene::False);
        expect(&icfg, &Question::Diverge, Kleene::True);
    }
}

/// Procedures that are alike share what is asked, and each is explored once: rounds and questions do not grow, states grow by as much as
/// the program.
#[test]
fn many_levels_cost_no_more_than_they_are() {
    for (is_second, diverges) in [(false, false), (true, false), (true, true)] {
        let counts = [40, 80, 160].map(|n| {
            let (icfg, error) = levels(n, is_second);
            let question = if diverges { Question::Diverge } else { Question::Reach(vec![error]) };
            let answer = expect(&icfg, &question, Kleene::from(diverges || !is_second));
            let count = |name| answer.statistics.get(name).expect("it is counted");
            [
                answer.rounds as u64,
                count("new questions about steps"),
                count("solver calls"),
                count("abstract states"),
            ]
        });
        assert_eq!(counts[0][..3], counts[1][..3]);
        assert_eq!(counts[1][..3], counts[2][..3]);
        assert_eq!(counts[2][3] - counts[1][3], 2 * (counts[1][3] - counts[0][3]), "{counts:?}");
    }
}

/// Main counts its calls of a procedure without variables, which is the same each time.
#[test]
fn a_run_that_uses_what_was_below_does_not_repeat() {
    let mut b = Build::new();
    let (main, m) = b.procedure("main", &[], &["n"], &[]);
    let (idle, _) = b.procedure("idle", &[], &[], &[]);
    let back = b.point(main);
    b.call(b.entry(main), back, idle, &[], &[]);
    b.step(back, b.entry(main), None, &[(m[0], b.plus(m[0], 1))]);
    b.step(b.entry(idle), b.exit(idle), None, &[]);
    let icfg = b.icfg;
    let id = |is_it: &dyn Fn(&Action) -> bool| {
        EdgeId::new(icfg.edges().iter().position(|edge| is_it(&edge.action)).expect("there is one"))
    };
    let call = id(&|action| matches!(action, Action::Call(_)));
    let count = id(&|action| matches!(action, Action::Step(step) if !step.updates.is_empty()));
    let pass = id(&|action| matches!(action, Action::Step(step) if step.updates.is_empty()));
    let moves = [
        (Move::Call, call),
        (Move::Step, pass),
        (Move::Return, call),
        (Move::Step, count),
        (Move::Call, call),
    ];
    let depths = [1, 2, 2, 1, 1];
    let steps = moves.into_iter().zip(depths);
    let steps =
        steps.map(|((what, edge), depth)| RunStep { edge, what, depth, inputs: Vec::new() }).collect();
    let run = IcfgRun { steps, ..IcfgRun::default() };
    assert!(run.replay(&icfg).is_ok(), "it is a run");
    // Inside the procedure everything is as before, but main was used in between.
    assert_eq!(run.repeats(&icfg, 1), Ok(false));
    assert!(!comes_back(&icfg, &run, 1));
    assert_eq!(run.repeats(&icfg, 0), Ok(false));
}
