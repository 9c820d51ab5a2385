//! Relational abstraction: its laws and what it refuses.

use super::eval::{evaluate, random_formula};
use super::{pair, small, unlimited};
use std::cell::Cell;
use tertium_support::{Id, Rng};
use tertium_system::relation::{
    NotTotal, Relation, Side, abstract_by, check_refinement, greatest_refinement, refines_through_domain,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{SystemShape, random_cases, random_system};

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("b{i}")).collect()
}

/// A random relation that is total on both sides.
fn total(rng: &mut Rng, n_left: usize, n_right: usize) -> Relation {
    let density = rng.below(4) as f64 * 0.15;
    let mut relation = Relation::empty(n_left, n_right);
    for p in StateId::first(n_left) {
        relation.insert(p, StateId::new(rng.below(n_right)));
        StateId::first(n_right).filter(|_| rng.chance(density)).for_each(|q| {
            relation.insert(p, q);
        });
    }
    for q in StateId::first(n_right) {
        relation.insert(StateId::new(rng.below(n_left)), q);
    }
    relation
}

fn must_inside_may(system: &PartialSystem) -> bool {
    system.hyper_musts().is_empty()
        && system.states().all(|s| system.edges(s).all(|edge| edge.modality != Modality::Must))
}

#[test]
fn the_system_refines_its_abstraction_via_the_relation() {
    let (musts, hypers) = (Cell::new(0), Cell::new(0));
    let run = random_cases(3000, |rng| {
        let system = small(rng);
        let n = rng.between(1, system.n_states());
        let relation = total(rng, system.n_states(), n);
        let result = abstract_by(&system, &names(n), &relation).unwrap();
        assert_eq!(check_refinement(&system, &result, &relation), Ok(()));
        assert!(relation.is_subset(&greatest_refinement(&unlimited(), &system, &result).unwrap()));
        assert!(
            system.initial().iter().all(|&s| relation.image(s).iter().all(|b| result.initial().contains(&b)))
        );
        if must_inside_may(&system) {
            assert!(must_inside_may(&result), "the abstraction of an MTS is an MTS");
        }
        musts.set(musts.get() + result.states().map(|s| result.must(s).count()).sum::<usize>());
        hypers.set(hypers.get() + result.hyper_musts().len());
        // Stepwise: abstracting the abstraction again is sound too.
        let again = total(rng, n, 1);
        let coarser = abstract_by(&result, &names(1), &again).unwrap();
        assert_eq!(check_refinement(&system, &coarser, &relation.then(&again)), Ok(()));
    });
    run.enough(musts.get() > 1000 && hypers.get() > 100, (musts.get(), hypers.get()));
}

#[test]
fn definite_values_of_the_abstraction_are_those_of_the_system() {
    random_cases(2000, |rng| {
        let system = small(rng);
        let n = rng.between(1, system.n_states());
        let relation = total(rng, system.n_states(), n);
        let result = abstract_by(&system, &names(n), &relation).unwrap();
        let formula = random_formula(rng, &["p", "q"], 4);
        let (of_system, of_result) = (evaluate(&system, &formula), evaluate(&result, &formula));
        for (p, q) in relation.pairs() {
            assert!(of_result[q.index()].info_le(of_system[p.index()]), "{formula:?}");
        }
    });
}

#[test]
fn along_a_total_refinement_no_must_and_no_label_of_the_other_abstraction_is_lost() {
    let cases = Cell::new(0);
    let run = random_cases(6000, |rng| {
        let (a, b) = pair(rng);
        let relation = greatest_refinement(&unlimited(), &a, &b).unwrap();
        if !relation.is_total(Side::Left) || !relation.is_total(Side::Right) {
            return;
        }
        cases.set(cases.get() + 1);
        let result = abstract_by(&a, &names(b.n_states()), &relation).unwrap();
        assert_eq!(check_refinement(&a, &result, &relation), Ok(()));
        for q in b.states() {
            for (action, next) in b.must(q) {
                let name = b.actions().name(action);
                let action = result.actions().get(name).expect("a must of b is met by a");
                assert!(result.must(q).any(|step| step == (action, next)));
            }
            for (prop, name) in b.labels().names().ids().zip(b.labels().names().names()) {
                let value = result.labels().names().get(name).map(|prop| result.labels().get(prop, q));
                let value = value.unwrap_or(tertium_truth::Belnap::Unknown);
                assert!(b.labels().get(prop, q).info_le(value));
            }
        }
    });
    run.enough(cases.get() > 300, cases.get());
}

#[test]
fn along_equality_everything_stays() {
    random_cases(1000, |rng| {
        let system = small(rng);
        let identity = Relation::identity(system.n_states());
        let own: Vec<String> = system.states().map(|s| system.state_name(s).into_owned()).collect();
        let result = abstract_by(&system, &own, &identity).unwrap();
        let go = |a: &PartialSystem, b: &PartialSystem| greatest_refinement(&unlimited(), a, b).unwrap();
        assert!(identity.is_subset(&go(&system, &result)) && identity.is_subset(&go(&result, &system)));
    });
}

#[test]
fn a_relation_that_is_not_total_is_refused_with_the_state_left_out() {
    let system = random_system(&mut Rng::seeded(3), SystemShape::kmts(3));
    let s = StateId::new;
    let relation = Relation::from_pairs(3, 2, [(s(0), s(0)), (s(1), s(1))]);
    let refused = abstract_by(&system, &names(2), &relation);
    assert_eq!(refused, Err(NotTotal { side: Side::Left, state: s(2) }));
    let relation = Relation::from_pairs(3, 2, [(s(0), s(1)), (s(1), s(1)), (s(2), s(1))]);
    let refused = abstract_by(&system, &names(2), &relation);
    assert_eq!(refused, Err(NotTotal { side: Side::Right, state: s(0) }));
}

#[test]
fn an_abstraction_of_an_abstraction_stands_for_the_same_concrete_states() {
    random_cases(500, |rng| {
        let concrete = random_system(rng, SystemShape::complete(4));
        let mut builder = concrete.to_builder();
        for s in concrete.states() {
            let c = builder.concrete(&concrete.state_name(s));
            builder.concretise(s, c);
        }
        let relation = total(rng, 4, 3);
        let result = abstract_by(&builder.build(), &names(3), &relation).unwrap();
        assert_eq!(refines_through_domain(&concrete, &result).unwrap(), relation);
    });
}

/// Integers from -4 to 4 for x, y and z would be 729 states; parity and signs are all that matters, so x ranges over
/// {0, 1}, y over {0, 1} and z over {-2, -1, 0, 1}. The statement is x := z (its parity).
fn example_1() -> (PartialSystem, Vec<[bool; 3]>) {
    let mut builder = SystemBuilder::named();
    let step = builder.action("");
    let mut predicates = Vec::new();
    let name = |x: i32, y: i32, z: i32| format!("{x} {y} {z}");
    for x in 0..2 {
        for y in 0..2 {
            for z in -2..2 {
                let s = builder.state(&name(x, y, z));
                builder.initial(s);
                predicates.push([x == 1, y > 0, z < 0]);
            }
        }
    }
    for x in 0..2 {
        for y in 0..2 {
            for z in -2i32..2 {
                let (from, to) = (builder.state(&name(x, y, z)), builder.state(&name(z.rem_euclid(2), y, z)));
                builder.edge(from, step, to, Modality::Both);
            }
        }
    }
    (builder.build(), predicates)
}

/// The predicate abstraction with the chosen predicates: states are bit vectors.
fn by_predicates(chosen: &[usize]) -> (PartialSystem, Relation) {
    let (system, predicates) = example_1();
    let n = 1 << chosen.len();
    let vector = |values: &[bool; 3]| chosen.iter().fold(0, |bits, &i| bits << 1 | usize::from(values[i]));
    let images: Vec<StateId> = predicates.iter().map(|values| StateId::new(vector(values))).collect();
    let relation = Relation::from_function(&images, n);
    let width = chosen.len();
    let names: Vec<String> = (0..n).map(|bits| format!("{bits:0width$b}")).collect();
    (abstract_by(&system, &names, &relation).unwrap(), relation)
}

#[test]
fn example_1_has_eight_states_sixteen_may_steps_and_no_must() {
    let (b, _) = by_predicates(&[0, 1, 2]);
    assert_eq!((b.n_states(), b.transitions().len()), (8, 16));
    assert!(b.states().all(|s| b.must(s).count() == 0));
    let s = b.state_named("111").unwrap();
    let targets: Vec<_> = b.may(s).map(|(_, t)| b.state_name(t).into_owned()).collect();
    assert_eq!(targets, ["011", "111"]);
}

#[test]
fn example_2_more_predicates_need_not_refine() {
    let (coarse, _) = by_predicates(&[1, 2]);
    assert_eq!((coarse.n_states(), coarse.transitions().len()), (4, 4));
    assert!(coarse.states().all(|s| coarse.must(s).map(|(_, t)| t).eq([s])));
    let (fine, _) = by_predicates(&[0, 1, 2]);
    assert!(greatest_refinement(&unlimited(), &fine, &coarse).unwrap().is_empty());
}
