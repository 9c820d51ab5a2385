//! Laws of partial systems over a domain, on random systems and *all* concrete systems over up to three concrete
//! states. Two systems over the same concrete states are equivalent iff the same concrete systems refine them; the
//! oracle tries every relation by the definition of refinement and shares nothing with the algorithms.

use tertium_support::{Id, Rng};
use tertium_system::partial::{
    ConcreteBts, Consistency, Contradiction, Family, Refinements, TooManyFreeBits, classify, consistency,
    destination_closure, domain_flaws, gtom, is_consistent, monotone_closure, monotone_violation, mtok,
    refinement_violation, source_closure,
};
use tertium_system::{ActionId, ConcreteId, Modality, PartialSystem, PropId, StateId, SystemBuilder};
use tertium_testkit::{
    DomainShape, SystemShape, random_cases, random_consistent_system, random_domain_system, random_system,
};

/// Every concrete system over the concrete states of `system`, by number.
fn candidate(system: &PartialSystem, number: u64) -> ConcreteBts {
    let n = system.domain_or_flat().n_concrete();
    let n_actions = system.actions().len();
    let mut bts = ConcreteBts::still(system);
    let mut bits = (0..).map(|bit| number >> bit & 1 == 1);
    for c in ConcreteId::first(n) {
        for action in ActionId::first(n_actions) {
            for d in ConcreteId::first(n) {
                if bits.next() == Some(true) {
                    bts.add(c, action, d);
                }
            }
        }
        for p in PropId::first(system.labels().names().len()) {
            if bits.next() == Some(true) {
                bts.set_label(p, c);
            }
        }
    }
    bts
}

fn n_candidates(system: &PartialSystem) -> u64 {
    let n = system.domain_or_flat().n_concrete();
    1 << (n * n * system.actions().len() + n * system.labels().names().len())
}

/// Which candidates refine `system`.
fn refinements(system: &PartialSystem) -> Vec<bool> {
    let refines = |number| refinement_violation(&candidate(system, number), system).is_none();
    (0..n_candidates(system)).map(refines).collect()
}

/// Shapes whose concrete systems can all be tried.
fn small_shape(rng: &mut Rng, base: fn(usize) -> DomainShape) -> DomainShape {
    let (concrete, actions, propositions) =
        *rng.pick(&[(1, 1, 1), (1, 2, 1), (2, 1, 0), (2, 1, 1), (2, 1, 1), (2, 2, 0), (2, 2, 1), (3, 1, 0)]);
    let vague = rng.between(1, 3);
    let must = *rng.pick(&[0.05, 0.15, 0.3]);
    let may = *rng.pick(&[0.3, 0.5, 0.8]);
    DomainShape { actions, propositions, vague, must, may, ..base(concrete) }
}

fn small_system(rng: &mut Rng, base: fn(usize) -> DomainShape) -> PartialSystem {
    let shape = small_shape(rng, base);
    if rng.chance(0.5) { random_consistent_system(rng, shape) } else { random_domain_system(rng, shape) }
}

fn either(rng: &mut Rng) -> PartialSystem {
    let base = *rng.pick(&[DomainShape::mixed as fn(usize) -> DomainShape, DomainShape::gkmts]);
    small_system(rng, base)
}

const CASES: usize = 2000;

#[test]
fn the_monotone_closure_is_monotone_idempotent_and_has_the_same_refinements() {
    random_cases(CASES, |rng| {
        let system = either(rng);
        let closure = monotone_closure(&system).unwrap();
        assert_eq!(monotone_violation(&closure).unwrap(), None);
        assert_eq!(monotone_closure(&closure).unwrap(), closure);
        assert_eq!(refinements(&closure), refinements(&system));
        assert!(!system.hyper_musts().is_empty() || closure.hyper_musts().is_empty());
        let in_steps = source_closure(&destination_closure(&system).unwrap()).unwrap();
        assert_eq!(in_steps, closure);
    });
}

#[test]
fn destinations_alone_keep_the_refinements_but_sources_alone_do_not() {
    let mut lost = 0;
    let run = random_cases(CASES, |rng| {
        let system = either(rng);
        assert_eq!(refinements(&destination_closure(&system).unwrap()), refinements(&system));
        lost += u32::from(refinements(&source_closure(&system).unwrap()) != refinements(&system));
    });
    run.enough(lost > 0, "sources need closed destinations");
}

/// SRCT with the must rule as the source document prints it: musts are taken from *more* precise states.
fn printed_source_closure(system: &PartialSystem) -> PartialSystem {
    let domain = system.domain().expect("a domain");
    let right = source_closure(system).unwrap();
    let mut builder = SystemBuilder::named();
    system.states().for_each(|s| {
        builder.state(&system.state_name(s));
    });
    domain.concrete().names().for_each(|name| {
        builder.concrete(name);
    });
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
    builder.initial(StateId::new(0));
    for a in system.states() {
        domain.gamma(a).iter().for_each(|c| builder.concretise(a, c));
        for (action, target) in right.may(a) {
            builder.edge(a, action, target, Modality::May);
        }
        for fine in system.states().filter(|&fine| domain.precision_le(a, fine)) {
            for (action, target) in system.must(fine) {
                builder.edge(a, action, target, Modality::Must);
            }
        }
    }
    builder.build()
}

#[test]
fn the_source_rule_as_printed_is_wrong() {
    let (mut not_monotone, mut not_equivalent) = (0, 0);
    let run = random_cases(CASES, |rng| {
        let shape = DomainShape { propositions: 0, ..small_shape(rng, DomainShape::mixed) };
        let system = random_domain_system(rng, shape);
        let printed = printed_source_closure(&destination_closure(&system).unwrap());
        not_monotone += u32::from(monotone_violation(&printed).unwrap().is_some());
        not_equivalent += u32::from(refinements(&printed) != refinements(&system));
    });
    run.enough(not_monotone > 100 && not_equivalent > 20, format_args!("{not_monotone} {not_equivalent}"));
}

#[test]
fn a_system_is_consistent_iff_some_concrete_system_refines_it() {
    let mut inconsistent = 0;
    let run = random_cases(CASES, |rng| {
        let system = either(rng);
        let exists = refinements(&system).contains(&true);
        match consistency(&system).unwrap() {
            Consistency::Consistent(refinement) => {
                assert!(exists);
                assert!(refinement.is_complete());
                let bts = ConcreteBts::of(&refinement, &system).unwrap();
                assert_eq!(refinement_violation(&bts, &system), None);
            }
            Consistency::Inconsistent(Contradiction::Must(witness)) => {
                assert!(!exists);
                inconsistent += 1;
                assert!(system.domain_or_flat().is_consistent(witness.state));
                assert_eq!(domain_flaws(&witness.labelled), [], "the labelling fits the domain");
            }
            Consistency::Inconsistent(label) => panic!("labels fit, but {label:?}"),
        }
        assert_eq!(is_consistent(&system), Ok(exists));
        assert_eq!(is_consistent(&gtom(&system).unwrap()), Ok(exists));
        assert_eq!(is_consistent(&monotone_closure(&system).unwrap()), Ok(exists));
        assert_eq!(Refinements::of(&system).is_empty(), !exists);
    });
    run.enough(inconsistent > 100, format_args!("{inconsistent}"));
}

#[test]
fn labels_that_do_not_fit_are_a_contradiction_of_their_own() {
    let mut found = 0;
    let run = random_cases(CASES, |rng| {
        let shape = DomainShape { propositions: 1, ..small_shape(rng, DomainShape::mixed) };
        let shape = DomainShape { concrete: shape.concrete.min(2), ..shape };
        let system = random_consistent_system(rng, shape);
        let mut builder = system.to_builder();
        let p = builder.proposition("p", tertium_truth::Belnap::Unknown);
        for s in system.states() {
            builder.label(s, p, *rng.pick(&tertium_truth::Belnap::ALL));
        }
        let system = builder.build();
        let exists = refinements(&system).contains(&true);
        let answer = consistency(&system).unwrap();
        assert_eq!(matches!(answer, Consistency::Consistent(_)), exists);
        found += u32::from(matches!(answer, Consistency::Inconsistent(Contradiction::Label { .. })));
    });
    run.enough(found > 100, format_args!("{found}"));
}

#[test]
fn gtom_gives_a_mixed_system_with_the_same_refinements_and_few_new_states() {
    let mut grown = 0;
    let run = random_cases(CASES, |rng| {
        let system = small_system(rng, DomainShape::gkmts);
        let mixed = gtom(&system).unwrap();
        assert!(classify(&mixed).family.is_within(Family::MixTs));
        assert_eq!(domain_flaws(&mixed), []);
        assert_eq!(refinements(&mixed), refinements(&system));
        assert!(mixed.n_states() <= system.n_states() + system.hyper_musts().len());
        grown += usize::from(mixed.n_states() > system.n_states());
    });
    run.enough(grown > CASES / 40, format_args!("{grown}"));
}

#[test]
fn mtok_gives_a_kmts_with_the_same_refinements_and_at_most_quadratically_many_new_states() {
    let mut grown = 0;
    let run = random_cases(CASES, |rng| {
        let system = either(rng);
        let mixed = gtom(&system).unwrap();
        let kmts = mtok(&system).unwrap();
        assert!(classify(&kmts).must_within_may);
        assert!(classify(&kmts).family.is_within(Family::Kmts));
        assert_eq!(domain_flaws(&kmts), []);
        assert_eq!(refinements(&kmts), refinements(&system));
        let bound = mixed.n_states() * mixed.n_states() * system.actions().len();
        assert!(kmts.n_states() <= mixed.n_states() + bound);
        grown += usize::from(kmts.n_states() > mixed.n_states());
    });
    run.enough(grown > CASES / 40, format_args!("{grown}"));
}

#[test]
fn every_kmts_on_the_flat_domain_is_monotone_and_consistent() {
    random_cases(300, |rng| {
        let states = rng.between(1, 6);
        let system = random_system(rng, SystemShape::kmts(states));
        let class = classify(&system);
        assert_eq!((class.monotone, class.consistent), (Some(true), Some(true)));
        assert_eq!(monotone_closure(&system).unwrap(), system);
    });
}

#[test]
fn the_flat_domain_gives_the_same_answers_written_out_or_not() {
    random_cases(CASES, |rng| {
        let shape = SystemShape { inconsistent: 0.05, ..SystemShape::gkmts(3) };
        // The way through a builder turns hyper-musts whose targets are all the same into single musts.
        let silent = random_system(rng, shape).to_builder().build();
        let mut builder = silent.to_builder();
        for s in silent.states() {
            let c = builder.concrete(&s.index().to_string());
            builder.concretise(s, c);
        }
        let written = builder.build();
        assert_eq!(is_consistent(&silent), is_consistent(&written));
        assert_eq!(monotone_violation(&written).unwrap(), None);
        let (a, b) = (classify(&silent), classify(&written));
        assert_eq!((a.mix_condition, a.family), (b.mix_condition, b.family));
        if let Consistency::Consistent(refinement) = consistency(&silent).unwrap() {
            let bts = ConcreteBts::of(&refinement, &silent).unwrap();
            assert_eq!(refinement_violation(&bts, &silent), None);
        }
    });
}

#[test]
fn the_enumeration_visits_each_refinement_once() {
    random_cases(CASES, |rng| {
        let system = either(rng);
        let all = Refinements::of(&system);
        let mut count = 0;
        let mut seen = Vec::new();
        let result = all.visit(20, |bts| {
            assert_eq!(refinement_violation(bts, &system), None);
            count += 1;
            seen.push(format!("{bts:?}"));
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(result, Ok(()));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
        assert_eq!(refinements(&system).iter().filter(|&&yes| yes).count(), count);
        if !all.is_empty() && all.free_bits() > 0 {
            let too_many = Err(TooManyFreeBits(all.free_bits()));
            assert_eq!(all.visit(all.free_bits() - 1, |_| unreachable!()), too_many);
        }
    });
}

#[test]
fn refinements_survive_the_way_through_an_explicit_system() {
    random_cases(200, |rng| {
        let system = either(rng);
        let bts = candidate(&system, rng.bits() % n_candidates(&system));
        assert_eq!(ConcreteBts::of(&bts.to_system(&system), &system), Ok(bts));
    });
}
