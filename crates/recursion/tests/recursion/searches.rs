//! The search for runs: it finds inputs that matter, replays what it tells, and agrees with enumeration.

use crate::explicit::Explicit;
use crate::fixtures::{Making, counting, fibonacci, mc_carthy, random_finite};
use tertium_expr::Value;
use tertium_program::{Domain, Icfg, PointId};
use tertium_recursion::{Entries, Progress, Refutation, Search};
use tertium_support::{Context, Id};
use tertium_testkit::random_cases;

const BUDGET: u64 = 2_000_000_000;

fn found(icfg: &Icfg, target: PointId) -> Refutation {
    let context = Context::default();
    let mut search = Search::new(icfg, &[target]);
    let progress = search.step(&context, BUDGET);
    let Progress::Found(refutation) = progress else { panic!("{progress:?}") };
    assert_eq!(refutation.run.replay(icfg).as_ref(), Ok(&refutation.end));
    assert_eq!(refutation.end.point(), target);
    assert!(refutation.is_exact);
    *refutation
}

fn input(refutation: &Refutation) -> Value {
    refutation.run.steps[0].inputs[0].1.clone()
}

#[test]
fn it_finds_where_mc_carthys_function_is_not_91() {
    let (icfg, error) = mc_carthy(102, |terms, _, y| terms.not(terms.equal(y, terms.integer(91))));
    assert_eq!(input(&found(&icfg, error)), Value::int(102));
    let (icfg, error) = mc_carthy(102, |terms, x, y| {
        terms.and([terms.equal(y, terms.integer(91)), terms.equal(x, terms.integer(40))])
    });
    assert_eq!(input(&found(&icfg, error)), Value::int(40));
}

#[test]
fn it_finds_how_often_a_loop_has_to_run() {
    let (icfg, error) = counting(None, |terms, _| terms.integer(2000));
    let refutation = found(&icfg, error);
    assert_eq!(input(&refutation), Value::int(1000));
    assert_eq!(refutation.run.steps.len(), 1003);
    let (icfg, error) = counting(Some(20_000), |terms, _| terms.integer(40_000));
    assert_eq!(found(&icfg, error).run.steps.len(), 20_003);
}

#[test]
fn it_finds_the_argument_of_fibonaccis_function() {
    for (result, argument) in [(1, 2), (55, 10), (610, 15)] {
        let (icfg, error) = fibonacci(result);
        assert_eq!(input(&found(&icfg, error)), Value::int(argument));
    }
}

#[test]
fn what_ends_or_repeats_itself_is_exhausted() {
    let (icfg, error) = counting(Some(3000), |terms, _| terms.integer(1));
    assert_eq!(Search::new(&icfg, &[error]).step(&Context::default(), BUDGET), Progress::Exhausted);
    // while (1) { if (g == 3) g = 0; g++; if (g == 5) error; }
    let mut making = Making::new();
    let main = making.procedure("main");
    let g = making.global("g", Domain::Int);
    let (head, error) = (making.point(main), making.point(main));
    let is = |making: &Making, value| making.icfg.terms.equal(making.var(g), making.int(value));
    making.icfg.initial = is(&making, 0);
    making.step(making.entry(main), head, making.yes(), &[]);
    making.step(head, head, is(&making, 3), &[(g, making.int(1))]);
    let other = making.icfg.terms.not(is(&making, 3));
    making.step(head, head, other, &[(g, making.plus(g, 1))]);
    making.step(head, error, is(&making, 5), &[]);
    let mut search = Search::new(&making.icfg, &[error]);
    assert_eq!(search.step(&Context::default(), BUDGET), Progress::Exhausted);
    assert!(search.statistics().steps < 100, "{:?}", search.statistics());
}

#[test]
fn on_finite_domains_it_agrees_with_enumeration() {
    let (mut runs, mut exhausted, mut stuck) = (0, 0, 0);
    let run = random_cases(60, |rng| {
        let icfg = random_finite(rng);
        let entries = Entries::new(&icfg);
        let all = Explicit { icfg: &icfg, entries: &entries }.reached();
        for _ in 0..3 {
            let target = PointId::new(rng.below(icfg.points().len()));
            let is_reached = all.get(&target).is_some_and(|set| !set.is_empty());
            let mut search = Search::new(&icfg, &[target]);
            match search.step(&Context::default(), 60_000_000) {
                Progress::Found(refutation) => {
                    assert!(is_reached);
                    assert_eq!(refutation.run.replay(&icfg).as_ref(), Ok(&refutation.end));
                    let state = &refutation.end;
                    let known = |variable| state.value(variable).cloned().map(|value| (variable, value));
                    let end = icfg.in_scope(state.top().procedure).filter_map(known).collect();
                    assert!(all[&target].iter().any(|(_, values)| *values == end), "a state that is reached");
                    runs += 1;
                }
                Progress::Exhausted => {
                    assert!(!is_reached);
                    exhausted += 1;
                }
                Progress::Working => assert!(!is_reached, "{:?}", search.statistics()),
                // Values that depend on inputs in too many steps are taken as they are.
                Progress::Stuck => stuck += 1,
                Progress::Stopped(reason) => panic!("{reason:?}"),
            }
            assert_eq!(search.statistics().mismatches, 0);
        }
    });
    run.enough(runs > 30 && exhausted > 10 && stuck < 10, (runs, exhausted, stuck));
}
