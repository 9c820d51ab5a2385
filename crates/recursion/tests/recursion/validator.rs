//! The judge of proofs: right proofs stand, wrong ones fail, and for finite domains it agrees with enumeration.

use crate::explicit::{Explicit, Sets};
use crate::fixtures::{counting, mc_carthy, random_finite};
use tertium_program::PointId;
use tertium_recursion::{Entries, Invariants, Judgement, Obligation, validate};
use tertium_support::{Context, Id};
use tertium_testkit::random_cases;

#[test]
fn a_loop_is_proven_by_its_invariant() {
    let (icfg, error) = counting(None, |terms, n| terms.sum([terms.scaled(2, n), terms.integer(1)]));
    let terms = &icfg.terms;
    let entries = Entries::new(&icfg);
    let [s] = icfg.globals() else { panic!("one global") };
    let [i, n] = icfg.procedure(icfg.main).variables[..] else { panic!("two variables") };
    let (s, i, n) = (terms.variable(*s), terms.variable(i), terms.variable(n));
    let zero = terms.equal(s, terms.integer(0));
    let even = terms.equal(s, terms.scaled(2, i));
    let head = icfg.points().iter().position(|point| point.is_loop_head).expect("there is a loop");
    let mut invariants = Invariants::default();
    let main = icfg.procedure(icfg.main);
    for &point in &main.points {
        invariants.at.insert(point, zero);
    }
    invariants.at.remove(&error);
    invariants.at.insert(main.exit, terms.boolean(true));
    let inside = terms.and([even, terms.at_most(i, n)]);
    invariants.at.insert(PointId::new(head), inside);
    let judge =
        |invariants: &Invariants| validate(&Context::default(), &icfg, &entries, invariants, &[error]);
    assert_eq!(judge(&invariants), Judgement::Stands);
    invariants.at.insert(PointId::new(head), terms.at_most(i, n));
    assert!(matches!(
        judge(&invariants),
        Judgement::Fails { obligation: Obligation::Step(_), model: Some(_) }
    ));
    invariants.at.insert(PointId::new(head), terms.and([inside, terms.equal(n, terms.integer(7))]));
    assert!(matches!(
        judge(&invariants),
        Judgement::Fails { obligation: Obligation::Step(_), model: Some(_) }
    ));
    invariants.at.insert(error, terms.boolean(true));
    assert!(matches!(judge(&invariants), Judgement::Fails { obligation: Obligation::Target(_), .. }));
    let other = terms.variable(terms.declare("nobody", &tertium_expr::Sort::Int));
    invariants.at.insert(error, terms.at_most(other, other));
    invariants.at.insert(error, terms.at_most(other, s));
    assert_eq!(judge(&invariants), Judgement::Malformed(error));
}

#[test]
fn a_recursion_is_proven_by_its_summary() {
    let (icfg, error) = mc_carthy(100, |terms, _, y| terms.not(terms.equal(y, terms.integer(91))));
    let terms = &icfg.terms;
    let entries = Entries::new(&icfg);
    let f = &icfg.procedures()[1];
    let [n, t, r] = f.variables[..] else { panic!("three variables") };
    let before = terms.variable(entries.ghost(n).expect("a formal has a ghost"));
    let (n, t, r) = (terms.variable(n), terms.variable(t), terms.variable(r));
    let same = terms.equal(n, before);
    let low = |term| terms.at_most(term, terms.integer(100));
    let summary = |from, to| {
        let high = terms.equal(to, terms.sum([from, terms.integer(-10)]));
        terms.ite(low(from), terms.equal(to, terms.integer(91)), high)
    };
    let [x, y] = icfg.procedure(icfg.main).variables[..] else { panic!("two variables") };
    let (x, y) = (terms.variable(x), terms.variable(y));
    let mut invariants = Invariants::default();
    let [_, _, below, once, twice] = f.points[..] else { panic!("five points") };
    invariants.at.insert(f.entry, same);
    invariants.at.insert(below, terms.and([same, low(n)]));
    invariants.at.insert(once, terms.and([same, low(n), summary(terms.sum([n, terms.integer(11)]), t)]));
    invariants.at.insert(twice, terms.and([same, summary(n, r)]));
    invariants.at.insert(f.exit, summary(before, r));
    let main = icfg.procedure(icfg.main);
    for &point in &main.points {
        invariants.at.insert(point, terms.boolean(true));
    }
    invariants.at.insert(main.points[5], low(x));
    invariants.at.insert(main.points[3], terms.and([low(x), terms.equal(y, terms.integer(91))]));
    invariants.at.remove(&error);
    let judge =
        |invariants: &Invariants| validate(&Context::default(), &icfg, &entries, invariants, &[error]);
    assert_eq!(judge(&invariants), Judgement::Stands);
    // A weaker summary is still one of the procedure, but not enough for main.
    let mut weaker = invariants.clone();
    weaker.at.insert(f.exit, terms.at_most(terms.integer(91), r));
    assert!(matches!(judge(&weaker), Judgement::Fails { obligation: Obligation::Return(_), .. }));
    let mut stronger = invariants;
    stronger.at.insert(f.entry, terms.and([same, low(n)]));
    assert!(matches!(judge(&stronger), Judgement::Fails { obligation: Obligation::Call(_), .. }));
}

#[test]
fn on_finite_domains_a_proof_stands_exactly_if_enumeration_says_so() {
    let (mut standing, mut failing) = (0, 0);
    let run = random_cases(20, |rng| {
        let icfg = random_finite(rng);
        let entries = Entries::new(&icfg);
        let explicit = Explicit { icfg: &icfg, entries: &entries };
        let reached = explicit.reached();
        let points = (0..icfg.points().len()).map(PointId::new);
        let never: Vec<PointId> = points.filter(|point| !reached.contains_key(point)).collect();
        let judge = |sets: &Sets| {
            validate(&Context::default(), &icfg, &entries, &explicit.as_invariants(sets), &never)
        };
        assert_eq!(judge(&reached), Judgement::Stands);
        for _ in 0..3 {
            let mut changed = reached.clone();
            for _ in 0..1 + rng.below(2) {
                let keys: Vec<PointId> = changed.keys().copied().collect();
                let set = changed.get_mut(&keys[rng.below(keys.len())]).expect("it is a key");
                let all: Vec<_> = set.iter().cloned().collect();
                if all.is_empty() {
                    continue;
                }
                let (ghosts, mut state) = all[rng.below(all.len())].clone();
                if rng.chance(0.3) {
                    set.remove(&(ghosts, state));
                } else {
                    let variables: Vec<_> = state.keys().copied().collect();
                    let variable = variables[rng.below(variables.len())];
                    state.insert(variable, tertium_expr::Value::int(rng.below(3) as i64));
                    set.insert((ghosts, state));
                }
            }
            let expected = explicit.is_inductive(&changed);
            let found = judge(&changed);
            assert_eq!(found == Judgement::Stands, expected, "{found:?}");
            assert!(expected || matches!(found, Judgement::Fails { .. }), "{found:?}");
            if expected { standing += 1 } else { failing += 1 }
        }
    });
    run.enough(standing > 5 && failing > 5, (standing, failing));
}
