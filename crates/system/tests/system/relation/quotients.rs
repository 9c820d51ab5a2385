//! Quotients: the fast partition is the naive one, the quotient is equivalent to the system, and nothing is left to
//! merge.

use super::{small, unlimited};
use std::cell::Cell;
use tertium_support::{Id, Rng};
use tertium_system::relation::{
    Equivalence, LabelMatch, Quotient, Relation, bisimulation, bisimulation_naive, check_refinement,
    greatest_refinement, greatest_simulation, is_bisimulation, minimise, refines_through_domain,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{SystemShape, random_cases, random_system};

/// A system in which many states are equivalent: copies of the states of a small one, each edge leading to some copy.
fn blurred(rng: &mut Rng, small: &PartialSystem) -> PartialSystem {
    let copies = rng.between(1, 3);
    let mut builder = SystemBuilder::numbered(small.n_states() * copies);
    small.actions().names().for_each(|name| {
        builder.action(name);
    });
    let copy = |rng: &mut Rng, s: StateId| StateId::new(s.index() * copies + rng.below(copies));
    let props: Vec<_> = small
        .labels()
        .names()
        .names()
        .map(|n| builder.proposition(n, tertium_truth::Belnap::Unknown))
        .collect();
    for s in small.states() {
        for c in 0..copies {
            let from = StateId::new(s.index() * copies + c);
            for edge in small.edges(s) {
                builder.edge(from, edge.action, copy(rng, edge.other), edge.modality);
            }
            for (action, targets) in small.hyper_musts().of(s) {
                builder.hyper_must(from, action, targets.iter().map(|&t| copy(rng, t)).collect());
            }
            for &prop in &props {
                builder.label(from, prop, small.labels().get(prop, s));
            }
        }
    }
    builder.initial(StateId::new(0));
    builder.build()
}

fn graph(system: &PartialSystem, quotient: &Quotient) -> Relation {
    assert_eq!(quotient.block_of.len(), system.n_states());
    Relation::from_function(&quotient.block_of, quotient.system.n_states())
}

#[test]
fn the_fast_partition_is_the_naive_one() {
    let merged = Cell::new(0);
    random_cases(3000, |rng| {
        let base = small(rng);
        let system = blurred(rng, &base);
        let fast = bisimulation(&unlimited(), &system).unwrap();
        assert_eq!(fast, bisimulation_naive(&unlimited(), &system).unwrap());
        merged.set(merged.get() + system.n_states() - fast.n_blocks());
    });
    let run = random_cases(50, |rng| {
        let shape = SystemShape { propositions: 1, degree: 1.1, ..SystemShape::kmts(300) };
        let system = random_system(rng, shape);
        let fast = bisimulation(&unlimited(), &system).unwrap();
        assert_eq!(fast, bisimulation_naive(&unlimited(), &system).unwrap());
    });
    run.enough(merged.get() > 3000, merged.get());
}

#[test]
fn the_quotient_is_bisimilar_minimal_and_stable() {
    random_cases(2000, |rng| {
        let base = small(rng);
        let system = blurred(rng, &base);
        let quotient = minimise(&unlimited(), &system, Equivalence::Bisimulation).unwrap();
        assert_eq!(is_bisimulation(&system, &quotient.system, &graph(&system, &quotient)), Ok(()));
        let again = bisimulation_naive(&unlimited(), &quotient.system).unwrap();
        assert_eq!(again.n_blocks(), quotient.system.n_states());
        let twice = minimise(&unlimited(), &quotient.system, Equivalence::Bisimulation).unwrap();
        assert_eq!(twice.system, quotient.system);
        for (s, &block) in system.states().zip(&quotient.block_of) {
            let least = system.states().find(|t| quotient.block_of[t.index()] == block).unwrap();
            assert_eq!(quotient.system.state_name(block), system.state_name(least), "{s:?}");
        }
    });
}

#[test]
fn the_simulation_quotient_of_a_complete_system_simulates_it_and_is_simulated() {
    let smaller = Cell::new(0);
    let run = random_cases(1500, |rng| {
        let shape = SystemShape { propositions: rng.below(2), ..SystemShape::complete(rng.between(1, 7)) };
        let system = random_system(rng, shape);
        let quotient = minimise(&unlimited(), &system, Equivalence::Simulation).unwrap();
        let go = |a: &PartialSystem, b: &PartialSystem| {
            greatest_simulation(&unlimited(), a, b, LabelMatch::Equal).unwrap()
        };
        assert!(graph(&system, &quotient).is_subset(&go(&system, &quotient.system)));
        assert!(graph(&system, &quotient).converse().is_subset(&go(&quotient.system, &system)));
        let own = go(&quotient.system, &quotient.system);
        assert_eq!(own.intersection(&own.converse()), Relation::identity(quotient.system.n_states()));
        let twice = minimise(&unlimited(), &quotient.system, Equivalence::Simulation).unwrap();
        assert_eq!(twice.system, quotient.system);
        let fine = minimise(&unlimited(), &system, Equivalence::Bisimulation).unwrap();
        smaller.set(smaller.get() + usize::from(quotient.system.n_states() < fine.system.n_states()));
    });
    run.enough(smaller.get() > 20, smaller.get());
}

#[test]
fn the_refinement_quotient_of_a_partial_system_refines_it_and_is_refined() {
    let smaller = Cell::new(0);
    let run = random_cases(3000, |rng| {
        let base = small(rng);
        let system = blurred(rng, &base);
        if system.is_complete() {
            return;
        }
        let quotient = minimise(&unlimited(), &system, Equivalence::Simulation).unwrap();
        let go = |a: &PartialSystem, b: &PartialSystem| greatest_refinement(&unlimited(), a, b).unwrap();
        assert!(graph(&system, &quotient).is_subset(&go(&system, &quotient.system)));
        assert!(graph(&system, &quotient).converse().is_subset(&go(&quotient.system, &system)));
        let own = go(&quotient.system, &quotient.system);
        assert_eq!(own.intersection(&own.converse()), Relation::identity(quotient.system.n_states()));
        if !quotient.system.is_complete() {
            let twice = minimise(&unlimited(), &quotient.system, Equivalence::Simulation).unwrap();
            assert_eq!(twice.system, quotient.system);
        }
        let fine = minimise(&unlimited(), &system, Equivalence::Bisimulation).unwrap();
        smaller.set(smaller.get() + usize::from(quotient.system.n_states() < fine.system.n_states()));
    });
    run.enough(smaller.get() > 20, smaller.get());
}

/// `system` over the domain where each state stands for some of three concrete states.
fn with_domain(rng: &mut Rng, system: &PartialSystem) -> PartialSystem {
    let mut builder = system.to_builder();
    let concrete: Vec<_> = (0..3).map(|c| builder.concrete(&c.to_string())).collect();
    for s in system.states() {
        for &c in &concrete {
            if c.index() == s.index() % 3 || c.index() == (s.index() + 1) % 2 || rng.chance(0.05) {
                builder.concretise(s, c);
            }
        }
    }
    builder.build()
}

#[test]
fn exactly_the_same_concrete_systems_refine_the_quotient_through_the_domain() {
    let (merged, refining) = (Cell::new(0), Cell::new(0));
    let run = random_cases(400, |rng| {
        let shape = SystemShape { actions: 1, propositions: 0, hyper: 0.2, ..SystemShape::kmts(5) };
        let shape = SystemShape { must_only: 0.1, degree: 2.0, may_only: 0.9, ..shape };
        let system = random_system(rng, shape);
        let system = with_domain(rng, &system);
        for equivalence in [Equivalence::Bisimulation, Equivalence::Simulation] {
            let quotient = minimise(&unlimited(), &system, equivalence).unwrap().system;
            merged.set(merged.get() + system.n_states() - quotient.n_states());
            // All relations over three concrete states.
            for bits in 0..1u32 << 9 {
                let mut builder = SystemBuilder::numbered(3);
                let a = builder.action("a");
                builder.initial(StateId::new(0));
                for edge in (0..9).filter(|edge| bits >> edge & 1 == 1) {
                    builder.edge(StateId::new(edge / 3), a, StateId::new(edge % 3), Modality::Both);
                }
                let concrete = builder.build();
                let refines = refines_through_domain(&concrete, &system).is_ok();
                assert_eq!(refines, refines_through_domain(&concrete, &quotient).is_ok());
                refining.set(refining.get() + usize::from(refines));
            }
        }
    });
    run.enough(merged.get() > 20 && refining.get() > 200, (merged.get(), refining.get()));
}

#[test]
fn identity_is_a_bisimulation_and_a_refinement() {
    random_cases(300, |rng| {
        let system = small(rng);
        let identity = Relation::identity(system.n_states());
        assert_eq!(is_bisimulation(&system, &system, &identity), Ok(()));
        assert_eq!(check_refinement(&system, &system, &identity), Ok(()));
    });
}

#[test]
fn a_partial_system_that_becomes_complete_by_merging_keeps_states_that_only_simulate_each_other_apart() {
    let mut builder = SystemBuilder::named();
    let a = builder.action("a");
    let mut edge = |from: &str, to: &str, modality| {
        let (from, to) = (builder.state(from), builder.state(to));
        builder.edge(from, a, to, modality);
    };
    // p and q simulate each other; p alone has a step to a state without steps.
    for (from, to) in [("p", "dead"), ("p", "one"), ("q", "one"), ("one", "dead")] {
        edge(from, to, Modality::Both);
    }
    // May to one and must to the other of two bisimilar states: complete once they are merged.
    edge("s", "dead", Modality::May);
    edge("s", "dead too", Modality::Must);
    let p = builder.state("p");
    builder.initial(p);
    let system = builder.build();
    let fine = minimise(&unlimited(), &system, Equivalence::Bisimulation).unwrap().system;
    assert!(!system.is_complete() && fine.is_complete());
    let quotient = minimise(&unlimited(), &system, Equivalence::Simulation).unwrap().system;
    assert!(quotient.state_named("p").is_some() && quotient.state_named("q").is_some());
    let quotient = minimise(&unlimited(), &fine, Equivalence::Simulation).unwrap().system;
    assert!(quotient.state_named("p").is_some() && quotient.state_named("q").is_none());
}
