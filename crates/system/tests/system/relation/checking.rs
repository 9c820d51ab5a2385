//! Checking given relations: the worked examples of partial systems over abstract domains, accepted and rejected with
//! the violating pair and clause.

use super::pair;
use std::cell::Cell;
use tertium_support::Id;
use tertium_system::relation::{
    Clause, DomainViolation, Relation, Violation, check_refinement, is_bisimulation, refines_through_domain,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder, UNLABELLED};
use tertium_testkit::random_cases;

/// A system over a domain: states with the concrete states they stand for, musts, mays.
fn over_domain(states: &[(&str, &[&str])], must: &[(&str, &[&str])], may: &[(&str, &str)]) -> PartialSystem {
    let mut builder = SystemBuilder::named();
    let step = builder.action(UNLABELLED);
    for (name, stands_for) in states {
        let state = builder.state(name);
        builder.initial(state);
        for concrete in *stands_for {
            let concrete = builder.concrete(concrete);
            builder.concretise(state, concrete);
        }
    }
    for (from, to) in may {
        let (from, to) = (builder.state(from), builder.state(to));
        builder.edge(from, step, to, Modality::May);
    }
    for (from, to) in must {
        let from = builder.state(from);
        let to = to.iter().map(|to| builder.state(to)).collect();
        builder.hyper_must(from, step, to);
    }
    builder.build()
}

/// An ordinary system with these steps.
fn concrete(states: &[&str], steps: &[(&str, &str)]) -> PartialSystem {
    let mut builder = SystemBuilder::named();
    let step = builder.action(UNLABELLED);
    for name in states {
        let state = builder.state(name);
        builder.initial(state);
    }
    for (from, to) in steps {
        let (from, to) = (builder.find_state(from).unwrap(), builder.find_state(to).unwrap());
        builder.edge(from, step, to, Modality::Both);
    }
    builder.build()
}

const INTEGERS: [&str; 4] = ["1", "2", "-1", "-2"];
/// a1 = positive and odd, a2 = positive, a3 = not positive and odd, a4 = not positive; -2 to 2 without 0.
const SIGN_AND_PARITY: [(&str, &[&str]); 4] =
    [("a1", &["1"]), ("a2", &["1", "2"]), ("a3", &["-1"]), ("a4", &["-1", "-2"])];

fn m2() -> PartialSystem {
    let may = [
        ("a1", "a1"),
        ("a1", "a2"),
        ("a2", "a1"),
        ("a2", "a3"),
        ("a2", "a4"),
        ("a3", "a3"),
        ("a3", "a4"),
        ("a4", "a3"),
        ("a4", "a4"),
    ];
    over_domain(&SIGN_AND_PARITY, &[("a2", &["a3"]), ("a2", &["a4"])], &may)
}

fn m3() -> PartialSystem {
    let must: [(&str, &[&str]); 4] = [("a1", &["a3"]), ("a1", &["a4"]), ("a2", &["a3"]), ("a2", &["a4"])];
    let may = [
        ("a1", "a1"),
        ("a2", "a1"),
        ("a2", "a3"),
        ("a2", "a4"),
        ("a3", "a3"),
        ("a3", "a4"),
        ("a4", "a3"),
        ("a4", "a4"),
    ];
    over_domain(&SIGN_AND_PARITY, &must, &may)
}

/// Whether any of the 2¹⁶ systems over four concrete states refines `system` through its domain.
fn is_consistent(system: &PartialSystem) -> bool {
    (0..1u32 << 16).any(|bits| {
        let steps: Vec<(&str, &str)> = (0..16)
            .filter(|edge| bits >> edge & 1 == 1)
            .map(|edge| (INTEGERS[edge / 4], INTEGERS[edge % 4]))
            .collect();
        refines_through_domain(&concrete(&INTEGERS, &steps), system).is_ok()
    })
}

#[test]
fn m2_and_m3_are_refined_by_nothing_through_the_domain() {
    assert!(!is_consistent(&m2()));
    assert!(!is_consistent(&m3()));
    // The reason in M2: 1 is in a1 and in a2; a2 forces a move to -1, which a1 forbids.
    let system = concrete(&INTEGERS, &[("1", "-1"), ("2", "-1"), ("-1", "-1"), ("-2", "-1")]);
    let m2 = m2();
    let Err(DomainViolation::Violation(violation)) = refines_through_domain(&system, &m2) else {
        panic!("M2 is inconsistent")
    };
    let state = |name: &str| system.state_named(name).unwrap();
    let clause = Clause::May { action: String::new(), target: state("-1") };
    assert_eq!(violation, Violation { pair: (state("1"), m2.state_named("a1").unwrap()), clause });
    assert_eq!(violation.describe(&system, &m2), "(1, a1): 1 -->may -1 is not allowed by a1");
}

#[test]
fn m2_is_implemented_via_another_relation() {
    // Positive odd to 2, positive even to -1 and -2, negative to -1; states are read by sign and parity alone.
    let system = concrete(&INTEGERS, &[("1", "2"), ("2", "-1"), ("2", "-2"), ("-1", "-1"), ("-2", "-1")]);
    let m2 = m2();
    let pairs = [("1", "a1"), ("2", "a2"), ("-1", "a3"), ("-2", "a4")];
    let pairs = pairs.map(|(c, a)| (system.state_named(c).unwrap(), m2.state_named(a).unwrap()));
    let relation = Relation::from_pairs(4, 4, pairs);
    assert_eq!(check_refinement(&system, &m2, &relation), Ok(()));
}

#[test]
fn m4_is_refined_although_it_has_a_must_outside_may() {
    let m4 = over_domain(
        &[("a1", &["1", "2"]), ("a3", &["-1", "-2"]), ("a4", &["-1"])],
        &[("a1", &["a3"]), ("a3", &["a3"]), ("a4", &["a3"]), ("a4", &["a4"])],
        &[("a1", "a4"), ("a3", "a3"), ("a3", "a4"), ("a4", "a4")],
    );
    let good = [("1", "-1"), ("2", "-1"), ("-1", "-1"), ("-2", "-2")];
    assert!(refines_through_domain(&concrete(&INTEGERS, &good), &m4).is_ok());
    let system = concrete(&INTEGERS, &good[..3]);
    let Err(DomainViolation::Violation(violation)) = refines_through_domain(&system, &m4) else {
        panic!("-2 has no step")
    };
    assert_eq!(violation.pair.0, system.state_named("-2").unwrap());
    let a3 = m4.state_named("a3").unwrap();
    assert_eq!(violation.clause, Clause::Must { action: String::new(), targets: vec![a3] });
}

/// G1: a1 = {-2}, a2 = {1}, a3 = {2}, a4 = {-1}, with p = positive and q = odd.
fn g1() -> PartialSystem {
    let system = over_domain(
        &[("a1", &["-2"]), ("a2", &["1"]), ("a3", &["2"]), ("a4", &["-1"])],
        &[("a1", &["a2", "a3"]), ("a2", &["a4"]), ("a3", &["a2"])],
        &[("a1", "a2"), ("a1", "a3"), ("a2", "a4"), ("a3", "a2"), ("a4", "a4")],
    );
    labelled(&system, |name| match name {
        "a1" => [false, false],
        "a2" => [true, true],
        "a3" => [true, false],
        _ => [false, true],
    })
}

fn labelled(system: &PartialSystem, values: impl Fn(&str) -> [bool; 2]) -> PartialSystem {
    let mut builder = system.to_builder();
    let props = ["p", "q"].map(|name| builder.proposition(name, false.into()));
    for s in system.states() {
        for (prop, value) in props.into_iter().zip(values(&system.state_name(s))) {
            builder.label(s, prop, value.into());
        }
    }
    builder.build()
}

fn sign_and_parity(name: &str) -> [bool; 2] {
    let n: i32 = name.parse().unwrap();
    [n > 0, n % 2 != 0]
}

#[test]
fn g1_accepts_either_way_to_meet_its_hyper_must_and_rejects_neither() {
    let steps = [("1", "-1"), ("2", "1"), ("-2", "1"), ("-2", "2")];
    let system = |steps: &[(&str, &str)]| labelled(&concrete(&INTEGERS, steps), sign_and_parity);
    let g1 = g1();
    assert!(refines_through_domain(&system(&steps), &g1).is_ok());
    assert!(refines_through_domain(&system(&steps[..3]), &g1).is_ok());
    let neither = refines_through_domain(&system(&steps[..2]), &g1);
    let Err(DomainViolation::Violation(Violation { clause: Clause::Must { targets, .. }, .. })) = neither
    else {
        panic!("the hyper-must is not met: {neither:?}")
    };
    assert_eq!(targets.len(), 2);
    let unlike = labelled(&concrete(&INTEGERS, &steps), |_| [true, true]);
    let Err(DomainViolation::Violation(Violation { clause, .. })) = refines_through_domain(&unlike, &g1)
    else {
        panic!("labels differ")
    };
    assert_eq!(clause, Clause::Label { proposition: "q".to_owned() });
}

/// Pairs (x, y), x in {1, 2} for the parity, y in {-2, -1, 1}.
const POINTS: [&str; 6] = ["1,-2", "1,-1", "1,1", "2,-2", "2,-1", "2,1"];

fn m7(extra_may: &[(&str, &str)]) -> PartialSystem {
    let mut may = vec![
        ("a1", "a1"),
        ("a1", "a3"),
        ("a2", "a1"),
        ("a2", "a2"),
        ("a2", "a3"),
        ("a3", "a3"),
        ("a4", "a3"),
    ];
    may.extend(extra_may);
    over_domain(
        &[
            ("a1", &["1,1"]),
            ("a2", &POINTS),
            ("a3", &["1,-2", "1,-1"]),
            ("a4", &["1,-2", "1,-1", "2,-2", "2,-1"]),
        ],
        &[("a1", &["a2"]), ("a2", &["a4"])],
        &may,
    )
}

#[test]
fn adding_the_musts_of_m7_to_may_admits_a_system_that_m7_does_not() {
    // For odd x: x stays, y becomes -x. For even x: x + 1 (odd), y becomes -x. The extra step: x + 1 where y > 0 and x
    // is odd.
    let steps = [
        ("1,-2", "1,-1"),
        ("1,-1", "1,-1"),
        ("1,1", "1,-1"),
        ("2,-2", "1,-2"),
        ("2,-1", "1,-2"),
        ("2,1", "1,-2"),
    ];
    let more = [&steps[..], &[("1,1", "2,1")]].concat();
    let (plain, bold) = (concrete(&POINTS, &steps), concrete(&POINTS, &more));
    let k1 = m7(&[("a1", "a2"), ("a2", "a4")]);
    assert!(refines_through_domain(&plain, &m7(&[])).is_ok());
    assert!(refines_through_domain(&bold, &k1).is_ok());
    let m7 = m7(&[]);
    let Err(DomainViolation::Violation(violation)) = refines_through_domain(&bold, &m7) else {
        panic!("(1,1) to (2,1) is not allowed")
    };
    let state = |name: &str| bold.state_named(name).unwrap();
    assert_eq!(violation.pair, (state("1,1"), m7.state_named("a1").unwrap()));
    assert_eq!(violation.clause, Clause::May { action: String::new(), target: state("2,1") });
}

#[test]
fn a_domain_that_does_not_fit_is_named() {
    let system = concrete(&INTEGERS, &[]);
    assert_eq!(refines_through_domain(&system, &system), Err(DomainViolation::NoDomain));
    let unknown = over_domain(&[("a", &["7"])], &[], &[]);
    assert_eq!(refines_through_domain(&system, &unknown), Err(DomainViolation::NoSuchState("7".to_owned())));
    let partial = over_domain(&[("a", &["1"])], &[], &[]);
    assert_eq!(refines_through_domain(&system, &partial), Err(DomainViolation::NotCovered(StateId::new(1))));
}

#[test]
fn a_bisimulation_is_a_refinement_both_ways() {
    let found = Cell::new(0);
    let run = random_cases(3000, |rng| {
        let (a, b) = pair(rng);
        let pairs: Vec<_> = a.states().flat_map(|p| b.states().map(move |q| (p, q))).collect();
        let mut relation = Relation::from_pairs(a.n_states(), b.n_states(), pairs);
        // Dropping violating pairs leaves the greatest bisimulation.
        while let Err(violation) = is_bisimulation(&a, &b, &relation) {
            relation.remove(violation.pair.0, violation.pair.1);
        }
        found.set(found.get() + relation.count());
        assert_eq!(is_bisimulation(&b, &a, &relation.converse()), Ok(()));
        assert_eq!(check_refinement(&a, &b, &relation), Ok(()));
        assert_eq!(check_refinement(&b, &a, &relation.converse()), Ok(()));
    });
    run.enough(found.get() > 500, found.get());
}
