//! The worked examples for reduced semantics and for contradictions [Wei09, §5.4 and §5.6.1], with −4..4 in place of
//! the integers: only sign and parity matter.

use tertium_check::{Labelling, evaluate, evaluate_reduced, reduce};
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_support::Id;
use tertium_system::partial::{Precision, gtom, monotone_closure};
use tertium_system::{Modality, PartialSystem, StateId, StateSet, SystemBuilder, UNLABELLED};
use tertium_testkit::{FormulaShape, random_cases, random_formula};
use tertium_truth::Belnap;

/// A state with what it stands for.
type Region = (&'static str, fn(i32) -> bool);

fn over_integers(regions: &[Region]) -> SystemBuilder {
    let mut builder = SystemBuilder::named();
    builder.action(UNLABELLED);
    for (name, member) in regions {
        let state = builder.state(name);
        for x in -4..=4 {
            let c = builder.concrete(&x.to_string());
            if member(x) {
                builder.concretise(state, c);
            }
        }
    }
    builder.initial(StateId::new(0));
    builder
}

fn odd(x: i32) -> bool {
    x.rem_euclid(2) == 1
}

/// Adds `a1->a2 …`, states by number from 1.
fn edges(builder: &mut SystemBuilder, list: &[(usize, usize)], modality: Modality) {
    let step = builder.action(UNLABELLED);
    for &(source, target) in list {
        builder.edge(StateId::new(source - 1), step, StateId::new(target - 1), modality);
    }
}

fn g1() -> PartialSystem {
    let mut builder = over_integers(&[
        ("a1", |x| x <= 0 && !odd(x)),
        ("a2", |x| x > 0 && odd(x)),
        ("a3", |x| x > 0 && !odd(x)),
        ("a4", |x| x <= 0 && odd(x)),
    ]);
    let step = builder.action(UNLABELLED);
    builder.hyper_must(StateId::new(0), step, vec![StateId::new(1), StateId::new(2)]);
    edges(&mut builder, &[(2, 4), (3, 2)], Modality::Must);
    edges(&mut builder, &[(1, 2), (1, 3), (2, 4), (3, 2), (4, 4)], Modality::May);
    let p = builder.proposition("p", Belnap::Unknown);
    let q = builder.proposition("q", Belnap::Unknown);
    for (index, (positive, is_odd)) in
        [(false, false), (true, true), (true, false), (false, true)].into_iter().enumerate()
    {
        builder.label(StateId::new(index), p, positive.into());
        builder.label(StateId::new(index), q, is_odd.into());
    }
    builder.build()
}

/// The labelling with these states, numbered from 1.
fn pair(n: usize, must: &[usize], may: &[usize]) -> Labelling {
    let set = |list: &[usize]| StateSet::of(n, list.iter().map(|&i| StateId::new(i - 1)));
    Labelling { must: set(must), may: set(may) }
}

fn q_or_not_q() -> Formula {
    let q = || Formula::proposition("q");
    Formula::any(vec![q(), q().negated()])
}

#[test]
fn the_reduction_recovers_what_gtom_loses() {
    let (g1, m5) = (g1(), gtom(&g1()).unwrap());
    let phi = Formula::diamond(ActionFormula::True, q_or_not_q());
    assert_eq!(evaluate(&g1, &phi), pair(4, &[1, 2, 3], &[1, 2, 3, 4]));
    assert_eq!(evaluate(&m5, &phi), pair(5, &[2, 3], &[1, 2, 3, 4, 5]));
    assert_eq!(evaluate_reduced(&m5, &phi), pair(5, &[1, 2, 3, 5], &[1, 2, 3, 4, 5]));
    let e2 = evaluate(&m5, &q_or_not_q());
    assert_eq!(e2, pair(5, &[1, 2, 3, 4], &[1, 2, 3, 4, 5]));
    assert_eq!(reduce(m5.domain().unwrap(), &e2), pair(5, &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]));
    let order = Precision::of(&m5).unwrap();
    let above: Vec<StateId> =
        order.finer(StateId::new(4)).iter().copied().filter(|&s| order.best_states().contains(s)).collect();
    assert_eq!(above, [StateId::new(1), StateId::new(2)]);
}

#[test]
fn a_formula_that_is_its_own_minimal_form_is_still_lost_and_recovered() {
    let (g1, m5) = (g1(), gtom(&g1()).unwrap());
    let target = Formula::all(vec![Formula::proposition("p").negated(), Formula::proposition("q")]);
    let finally = FormulaKind::Path(PathQuantifier::Some, PathOperator::Finally(Box::new(target))).into();
    let a1 = StateId::new(0);
    assert_eq!(evaluate(&g1, &finally).at(a1), Belnap::True);
    assert_eq!(evaluate(&m5, &finally).at(a1), Belnap::Unknown);
    assert_eq!(evaluate_reduced(&m5, &finally).at(a1), Belnap::True);
}

/// M3: without a refinement, and monotone.
fn m3() -> SystemBuilder {
    let mut builder = over_integers(&[
        ("a1", |x| x > 0 && odd(x)),
        ("a2", |x| x > 0),
        ("a3", |x| x <= 0 && odd(x)),
        ("a4", |x| x <= 0),
    ]);
    edges(&mut builder, &[(2, 3)], Modality::Must);
    edges(&mut builder, &[(1, 2), (2, 4), (2, 1), (3, 4), (4, 4)], Modality::May);
    monotone_closure(&builder.build()).unwrap().to_builder()
}

#[test]
fn a_labelling_can_show_that_m3_contradicts_itself() {
    let mut builder = m3();
    let p = builder.proposition("p", Belnap::Unknown);
    for (state, value) in [(0, Belnap::False), (1, Belnap::False), (2, Belnap::True)] {
        builder.label(StateId::new(state), p, value);
    }
    let possible = Formula::diamond(ActionFormula::True, Formula::proposition("p"));
    assert_eq!(evaluate(&builder.build(), &possible).at(StateId::new(0)), Belnap::Inconsistent);
}

#[test]
fn without_labels_no_formula_shows_that_m3_contradicts_itself() {
    let mut builder = m3();
    builder.proposition("p", Belnap::Unknown);
    let m3 = builder.build();
    let shape = FormulaShape { propositions: vec!["p".into()], actions: vec![], ..FormulaShape::default() };
    random_cases(3000, |rng| {
        let formula = random_formula(rng, &shape);
        let labelling = evaluate(&m3, &formula);
        assert!(m3.states().all(|s| labelling.at(s) != Belnap::Inconsistent), "{formula}");
    });
}
