//! The worked examples for partial systems over a domain [Wei09, Fig. 5.1 to 5.3], with finite ranges in place of the
//! integers. Only signs and parities of the numbers matter to the statements; a step that leaves the range is led back
//! to a number of the same sign and parity, or, where the example allows it, dropped.

use std::collections::BTreeSet;
use tertium_support::Id;
use tertium_system::partial::{
    Classification, ConcreteBts, Consistency, Contradiction, DomainKind, Family, MonotoneClause,
    RefinementClause, classify, consistency, destination_closure, gtom, monotone_closure, monotone_violation,
    mtok, refinement_violation, source_closure,
};
use tertium_system::{ActionId, ConcreteId, Modality, PartialSystem, StateId, SystemBuilder, UNLABELLED};
use tertium_truth::Belnap;

/// A concrete state: a number, or two.
type Point = (i32, i32);
/// A state with what it stands for.
type Region<'a> = (&'a str, fn(Point) -> bool);

fn odd(x: i32) -> bool {
    x.rem_euclid(2) == 1
}

fn integers() -> Vec<Point> {
    (-4..=4).map(|x| (x, 0)).collect()
}

fn over(
    points: &[Point],
    regions: &[Region],
    must: &[(&str, &[&str])],
    may: &[(&str, &str)],
) -> SystemBuilder {
    let mut builder = SystemBuilder::named();
    let step = builder.action(UNLABELLED);
    points.iter().for_each(|point| {
        builder.concrete(&format!("{point:?}"));
    });
    for (name, member) in regions {
        let state = builder.state(name);
        for (index, _) in points.iter().enumerate().filter(|(_, point)| member(**point)) {
            builder.concretise(state, ConcreteId::new(index));
        }
    }
    let state = |builder: &SystemBuilder, name: &str| builder.find_state(name).expect("a known state");
    builder.initial(StateId::new(0));
    for (source, targets) in must {
        let targets = targets.iter().map(|target| state(&builder, target)).collect();
        builder.hyper_must(state(&builder, source), step, targets);
    }
    for (source, target) in may {
        builder.edge(state(&builder, source), step, state(&builder, target), Modality::May);
    }
    builder
}

fn pairs(list: &str) -> BTreeSet<(String, String)> {
    let pair = |pair: &str| {
        let (source, target) = pair.split_once("->").expect("an arrow");
        (source.to_owned(), target.to_owned())
    };
    list.split_whitespace().map(pair).collect()
}

fn mays(system: &PartialSystem) -> BTreeSet<(String, String)> {
    let name = |s: StateId| system.state_name(s).into_owned();
    system.states().flat_map(|s| system.may(s).map(move |(_, t)| (name(s), name(t)))).collect()
}

fn musts(system: &PartialSystem) -> BTreeSet<(String, String)> {
    assert!(system.hyper_musts().is_empty());
    let name = |s: StateId| system.state_name(s).into_owned();
    system.states().flat_map(|s| system.must(s).map(move |(_, t)| (name(s), name(t)))).collect()
}

/// The concrete system over `points` with these steps; steps out of the range are dropped.
fn concrete(points: &[Point], system: &PartialSystem, step: impl Fn(Point) -> Vec<Point>) -> ConcreteBts {
    let mut bts = ConcreteBts::still(system);
    let id = |point: Point| points.iter().position(|&p| p == point).map(ConcreteId::new);
    for &point in points {
        for target in step(point).into_iter().filter_map(id) {
            bts.add(id(point).expect("in range"), ActionId::new(0), target);
        }
    }
    bts
}

const SIGN_PARITY: [Region; 4] = [
    ("a1", |(x, _)| x > 0 && odd(x)),
    ("a2", |(x, _)| x > 0),
    ("a3", |(x, _)| x <= 0 && odd(x)),
    ("a4", |(x, _)| x <= 0),
];

fn m1() -> PartialSystem {
    let may = [("a1", "a2"), ("a2", "a4"), ("a2", "a1"), ("a3", "a4"), ("a4", "a4")];
    over(&integers(), &SIGN_PARITY, &[("a2", &["a3"])], &may).build()
}

fn m4() -> PartialSystem {
    let regions: [Region; 3] =
        [("a1", |(x, _)| x > 0), ("a3", |(x, _)| x <= 0), ("a4", |(x, _)| x <= 0 && odd(x))];
    let must: [(&str, &[&str]); 4] = [("a1", &["a3"]), ("a3", &["a3"]), ("a4", &["a3"]), ("a4", &["a4"])];
    let may = [("a1", "a4"), ("a3", "a3"), ("a3", "a4"), ("a4", "a4")];
    over(&integers(), &regions, &must, &may).build()
}

#[test]
fn the_closures_of_m1_are_m2_and_m3() {
    let m1 = m1();
    let violation = monotone_violation(&m1).unwrap().expect("M1 is not monotone");
    assert!(!violation.describe(&m1).is_empty());
    let m2 = destination_closure(&m1).unwrap();
    assert_eq!(musts(&m2), pairs("a2->a3 a2->a4"));
    let may = "a1->a1 a1->a2 a2->a1 a2->a3 a2->a4 a3->a3 a3->a4 a4->a3 a4->a4";
    assert_eq!(mays(&m2), pairs(may));
    let m3 = source_closure(&m2).unwrap();
    assert_eq!(musts(&m3), pairs("a1->a3 a1->a4 a2->a3 a2->a4"));
    assert_eq!(mays(&m3), pairs("a1->a1 a2->a1 a2->a3 a2->a4 a3->a3 a3->a4 a4->a3 a4->a4"));
    assert_eq!(monotone_violation(&m3).unwrap(), None);
    assert_eq!(monotone_closure(&m1).unwrap(), m3);
    let violation = monotone_violation(&m2).unwrap().expect("M2 is not monotone");
    assert!(matches!(violation.clause, MonotoneClause::MaySource | MonotoneClause::MustSource));
}

#[test]
fn the_verdicts_on_m2_m3_and_m4() {
    let m2 = destination_closure(&m1()).unwrap();
    let flags = |class: &Classification| {
        (class.must_within_may, class.mix_condition, class.monotone, class.consistent)
    };
    let class = classify(&m2);
    assert_eq!(flags(&class), (true, true, Some(false), Some(false)));
    assert_eq!((class.family, class.domain), (Family::Kmts, DomainKind::Ordered));
    let class = classify(&monotone_closure(&m2).unwrap());
    assert_eq!(flags(&class), (false, false, Some(true), Some(false)));
    let class = classify(&m4());
    assert_eq!(flags(&class), (false, false, Some(true), Some(true)));
    assert_eq!(class.family, Family::MixTs);
}

#[test]
fn m3_is_contradicted_at_a1_by_the_labelling_that_marks_a3() {
    let m3 = monotone_closure(&m1()).unwrap();
    let Consistency::Inconsistent(Contradiction::Must(witness)) = consistency(&m3).unwrap() else {
        panic!("M3 has no refinement");
    };
    assert_eq!(m3.state_name(witness.state), "a1");
    assert_eq!(witness.targets.iter().map(|&t| m3.state_name(t)).collect::<Vec<_>>(), ["a3"]);
    let p = witness.labelled.labels().names().get("p").unwrap();
    let value = |name| witness.labelled.labels().get(p, witness.labelled.state_named(name).unwrap());
    assert_eq!(
        ["a1", "a2", "a3", "a4"].map(value),
        [Belnap::False, Belnap::False, Belnap::True, Belnap::Unknown]
    );
}

#[test]
fn m2_is_implementable_through_another_relation_than_its_domain() {
    let m2 = destination_closure(&m1()).unwrap();
    let regions: [Region; 4] = [
        ("a1", |(x, _)| x > 0 && odd(x)),
        ("a2", |(x, _)| x > 0 && !odd(x)),
        ("a3", |(x, _)| x <= 0 && odd(x)),
        ("a4", |(x, _)| x <= 0 && !odd(x)),
    ];
    let may: Vec<_> = mays(&m2).into_iter().collect();
    let may: Vec<_> = may.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    let other = over(&integers(), &regions, &[("a2", &["a3"]), ("a2", &["a4"])], &may).build();
    let step = |(x, _): Point| match x {
        1.. if odd(x) => vec![(2, 0)],
        1.. => vec![(-3, 0), (-2, 0)],
        0 => vec![],
        _ => vec![(-3, 0)],
    };
    let b = concrete(&integers(), &m2, step);
    assert_eq!(refinement_violation(&b, &other), None);
    assert!(refinement_violation(&b, &m2).is_some());
}

#[test]
fn m4_is_refined_by_the_given_system_and_by_the_constructed_one() {
    let m4 = m4();
    // x - 2, led back into the range at its lower end with the same parity.
    let step =
        |(x, _): Point| if x > 0 { vec![(-1, 0)] } else { vec![(if x - 2 < -4 { x } else { x - 2 }, 0)] };
    assert_eq!(refinement_violation(&concrete(&integers(), &m4, step), &m4), None);
    let Consistency::Consistent(refinement) = consistency(&m4).unwrap() else {
        panic!("M4 has a refinement")
    };
    assert_eq!(refinement_violation(&ConcreteBts::of(&refinement, &m4).unwrap(), &m4), None);
    let wrong = concrete(&integers(), &m4, |(x, _)| if x > 0 { vec![(0, 0)] } else { vec![(x, 0)] });
    let violation = refinement_violation(&wrong, &m4).unwrap();
    assert!(matches!(violation.clause, RefinementClause::May(..)), "{}", violation.describe(&m4));
    let still = refinement_violation(&ConcreteBts::still(&m4), &m4).unwrap();
    assert!(matches!(still.clause, RefinementClause::Must(..)), "{}", still.describe(&m4));
}

#[test]
fn g1_becomes_m5_with_a_state_for_the_positive_numbers() {
    let regions: [Region; 4] = [
        ("a1", |(x, _)| x <= 0 && !odd(x)),
        ("a2", |(x, _)| x > 0 && odd(x)),
        ("a3", |(x, _)| x > 0 && !odd(x)),
        ("a4", |(x, _)| x <= 0 && odd(x)),
    ];
    let must: [(&str, &[&str]); 3] = [("a1", &["a2", "a3"]), ("a2", &["a4"]), ("a3", &["a2"])];
    let may = [("a1", "a2"), ("a1", "a3"), ("a2", "a4"), ("a3", "a2"), ("a4", "a4")];
    let mut builder = over(&integers(), &regions, &must, &may);
    for (name, positive, is_odd) in
        [("a1", false, false), ("a2", true, true), ("a3", true, false), ("a4", false, true)]
    {
        let state = builder.find_state(name).unwrap();
        for (p, value) in [("p", positive), ("q", is_odd)] {
            let p = builder.proposition(p, Belnap::Unknown);
            builder.label(state, p, value.into());
        }
    }
    let g1 = builder.build();
    let m5 = gtom(&g1).unwrap();
    assert_eq!(m5.n_states(), 5);
    assert_eq!(musts(&m5), pairs("a1->a2+a3 a2->a4 a3->a2"));
    assert_eq!(mays(&m5), pairs("a1->a2 a1->a3 a2->a4 a3->a2 a4->a4 a2+a3->a4 a2+a3->a2"));
    let a5 = m5.state_named("a2+a3").unwrap();
    let value = |name| m5.labels().get(m5.labels().names().get(name).unwrap(), a5);
    assert_eq!((value("p"), value("q")), (Belnap::True, Belnap::Unknown));
    let domain = m5.domain().unwrap();
    assert_eq!(
        domain.gamma(a5).iter().map(|c| domain.concrete().name(c)).collect::<Vec<_>>(),
        ["(1, 0)", "(2, 0)", "(3, 0)", "(4, 0)"]
    );
}

#[test]
fn g2_becomes_m6_without_a_new_state() {
    let regions: [Region; 4] = [
        ("a1", |(x, _)| x <= 0 && !odd(x)),
        ("a2", |(x, _)| x > 0 && odd(x)),
        ("a3", |(x, _)| x > 0),
        ("a4", |(x, _)| x <= 0 && odd(x)),
    ];
    let g2 = over(&integers(), &regions, &[("a1", &["a2", "a3"])], &[("a1", "a3")]).build();
    let m6 = gtom(&g2).unwrap();
    assert_eq!(m6.n_states(), 4);
    assert_eq!(musts(&m6), pairs("a1->a3"));
}

/// Points with 0 < x ≤ 3 and |y| ≤ 3: y' = −x stays inside, and the only step out is x' = 4 from x = 3 in the first
/// disjunct of B, which is dropped. The other disjunct of B still serves all musts there.
fn half_plane() -> Vec<Point> {
    (1..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))).collect()
}

fn m7(extra_may: &[(&str, &str)]) -> PartialSystem {
    let regions: [Region; 4] = [
        ("a1", |(x, y)| odd(x) && y > 0),
        ("a2", |_| true),
        ("a3", |(x, y)| odd(x) && y <= 0),
        ("a4", |(_, y)| y <= 0),
    ];
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
    over(&half_plane(), &regions, &[("a1", &["a2"]), ("a2", &["a4"])], &may).build()
}

#[test]
fn m7_becomes_k2_with_a_state_for_the_odd_numbers() {
    let m7 = m7(&[]);
    let k2 = mtok(&m7).unwrap();
    assert_eq!(k2.n_states(), 5);
    let a5 = "hat(a1,a2)";
    let gamma = k2.domain().unwrap().gamma(k2.state_named(a5).unwrap()).clone();
    let odd_points: Vec<_> = half_plane().iter().map(|&(x, _)| odd(x)).collect();
    assert!(
        half_plane().iter().enumerate().all(|(i, _)| gamma.contains(ConcreteId::new(i)) == odd_points[i])
    );
    assert_eq!(musts(&k2), pairs(&format!("a1->{a5} a2->a4 {a5}->a4")));
    let mut may = mays(&m7);
    may.extend(pairs(&format!("a1->{a5} a2->a4 {a5}->a4 {a5}->a1 {a5}->a2 {a5}->a3")));
    assert_eq!(mays(&k2), may);
    assert!(classify(&k2).must_within_may);
}

#[test]
fn adding_the_missing_mays_to_m7_is_not_equivalent_but_k2_is() {
    let (m7, k1) = (m7(&[]), m7(&[("a1", "a2"), ("a2", "a4")]));
    let k2 = mtok(&m7).unwrap();
    assert!(classify(&k1).must_within_may);
    let second = |(x, _): Point| vec![if odd(x) { (x, -x) } else { (x + 1, -x) }];
    let first = |(x, y): Point| if y > 0 && odd(x) { vec![(x + 1, y)] } else { vec![] };
    let b = concrete(&half_plane(), &m7, |point| [first(point), second(point)].concat());
    let without_first = concrete(&half_plane(), &m7, second);
    let violation = refinement_violation(&b, &m7).expect("B does not refine M7");
    let domain = m7.domain().unwrap();
    assert_eq!(m7.state_name(violation.state), "a1");
    let RefinementClause::May(_, target) = violation.clause else { panic!("{violation:?}") };
    assert_eq!(
        (domain.concrete().name(violation.concrete), domain.concrete().name(target)),
        ("(1, 1)", "(2, 1)")
    );
    assert_eq!(refinement_violation(&b, &k1), None);
    assert!(refinement_violation(&b, &k2).is_some());
    for system in [&m7, &k1, &k2] {
        assert_eq!(refinement_violation(&without_first, system), None);
    }
}
