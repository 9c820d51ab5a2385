//! Laws that relate the semantics of partial systems over a domain, on random systems and formulas:
//! standard ⪯ reduced ⪯ thorough, conversions keep what they promise, and contradictions can be seen.

use tertium_check::{
    Labelling, Prepared, Semantics, Settings, check, check_strategy, evaluate, evaluate_reduced,
    evaluate_thorough, info_le, is_monotone_labelling, label, reduce, reduce_monotone, semantic_le,
};
use tertium_evidence::Evidence;
use tertium_logic::Formula;
use tertium_support::{Context, Rng};
use tertium_system::partial::{
    Consistency, Contradiction, Precision, Refinements, consistency, gtom, monotone_closure, mtok,
};
use tertium_system::{Domain, PartialSystem, StateSet};
use tertium_testkit::{
    DomainShape, FormulaShape, SystemShape, random_cases, random_consistent_system, random_domain_system,
    random_formula, random_system,
};
use tertium_truth::{Belnap, Cause, Verdict};

const CASES: usize = 2000;
/// Larger spaces of refinements are skipped where thorough semantics is needed.
const MAX_BITS: usize = 10;

fn shape(rng: &mut Rng, base: fn(usize) -> DomainShape) -> DomainShape {
    let concrete = rng.between(1, 4);
    let (vague, actions) = (rng.between(1, 3), rng.between(1, 2));
    let (must, may) = (*rng.pick(&[0.05, 0.15, 0.3]), *rng.pick(&[0.3, 0.5, 0.8]));
    DomainShape { vague, actions, propositions: 2, must, may, ..base(concrete) }
}

fn system(rng: &mut Rng) -> PartialSystem {
    let base = if rng.chance(0.5) { DomainShape::mixed } else { DomainShape::gkmts };
    let shape = shape(rng, base);
    random_domain_system(rng, shape)
}

fn consistent_system(rng: &mut Rng) -> PartialSystem {
    let base = if rng.chance(0.5) { DomainShape::mixed } else { DomainShape::gkmts };
    let shape = shape(rng, base);
    random_consistent_system(rng, shape)
}

fn formula(rng: &mut Rng, system: &PartialSystem) -> Formula {
    let actions = system.actions().names().filter(|name| !name.is_empty()).map(String::from).collect();
    let propositions = system.labels().names().names().map(String::from).collect();
    let shape = FormulaShape {
        actions,
        propositions,
        depth: 4,
        fixpoints: 2,
        regular: false,
        ..FormulaShape::default()
    };
    random_formula(rng, &shape)
}

fn domain(system: &PartialSystem) -> &Domain {
    system.domain().expect("random systems of this kind have a domain")
}

fn equivalent(a: (&PartialSystem, &Labelling), b: (&PartialSystem, &Labelling)) -> bool {
    semantic_le(domain(a.0), a.1, domain(b.0), b.1) && semantic_le(domain(b.0), b.1, domain(a.0), a.1)
}

fn random_labelling(rng: &mut Rng, n: usize) -> Labelling {
    let mut set = || StateSet::filter(n, |_| rng.chance(0.5));
    Labelling { must: set(), may: set() }
}

/// The labelling with what each state knows passed on to more precise states.
fn made_monotone(order: &Precision, labelling: &Labelling) -> Labelling {
    let up = |set: &StateSet| StateSet::of(set.universe(), set.iter().flat_map(|s| order.finer(s)).copied());
    Labelling { must: up(&labelling.must), may: up(&labelling.may.complement()).complement() }
}

#[test]
fn the_reduction_says_the_same_is_monotone_idempotent_and_decides_most() {
    random_cases(CASES, |rng| {
        let system = system(rng);
        let order = Precision::of(&system).unwrap();
        let any = random_labelling(rng, system.n_states());
        let reduced = reduce(domain(&system), &any);
        assert!(equivalent((&system, &any), (&system, &reduced)));
        assert!(info_le(&any, &reduced));
        assert_eq!(reduce(domain(&system), &reduced), reduced);
        assert!(is_monotone_labelling(&order, &reduced));
        let other = random_labelling(rng, system.n_states());
        if equivalent((&system, &any), (&system, &other)) {
            assert!(info_le(&other, &reduced));
        }
        let monotone = made_monotone(&order, &any);
        assert!(is_monotone_labelling(&order, &monotone));
        assert_eq!(reduce_monotone(&order, &monotone), reduce(domain(&system), &monotone));
    });
}

#[test]
fn standard_is_at_most_as_precise_as_reduced_which_is_at_most_as_precise_as_thorough() {
    let (mut reduced_wins, mut thorough_wins, mut compared) = (0, 0, 0);
    let run = random_cases(CASES, |rng| {
        let system = consistent_system(rng);
        let formula = formula(rng, &system);
        let standard = evaluate(&system, &formula);
        let reduced = evaluate_reduced(&system, &formula);
        let le = |a: &Labelling, b: &Labelling| semantic_le(domain(&system), a, domain(&system), b);
        assert!(le(&standard, &reduced), "{formula}\n{system:?}");
        reduced_wins += usize::from(!le(&reduced, &standard));
        let Ok(thorough) = evaluate_thorough(&Context::default(), &system, &formula, MAX_BITS) else {
            return;
        };
        assert!(le(&reduced, &thorough.labelling), "{formula}\n{system:?}");
        compared += 1;
        thorough_wins += usize::from(!le(&thorough.labelling, &reduced));
        // A system with a refinement is logically consistent: where a state stands for something, no formula is both.
        for s in system.states().filter(|&s| domain(&system).is_consistent(s)) {
            for labelling in [&standard, &reduced, &thorough.labelling] {
                assert_ne!(labelling.at(s), Belnap::Inconsistent, "{formula}\n{system:?}");
            }
        }
    });
    run.enough(
        compared > CASES / 4 && reduced_wins > 0 && thorough_wins > 0,
        format_args!("{compared} {reduced_wins} {thorough_wins}"),
    );
}

#[test]
fn the_fast_checker_agrees_with_the_oracles_over_a_domain() {
    random_cases(CASES, |rng| {
        let shape = shape(rng, DomainShape::gkmts);
        let system = if rng.chance(0.5) { random_domain_system(rng, shape) } else { consistent_system(rng) };
        let formula = formula(rng, &system);
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).unwrap();
        for (semantics, expected) in [
            (Semantics::Sis, evaluate(&system, &formula)),
            (Semantics::Ris, evaluate_reduced(&system, &formula)),
        ] {
            let fast = label(&context, &prepared, &formula, semantics).unwrap();
            assert_eq!(fast, expected, "{semantics:?} {formula}\n{system:?}");
        }
    });
}

#[test]
fn reduced_verdicts_have_evidence_that_the_validator_accepts() {
    let mut definite = 0;
    let run = random_cases(CASES, |rng| {
        let shape = shape(rng, DomainShape::gkmts);
        let system = if rng.chance(0.5) { random_domain_system(rng, shape) } else { consistent_system(rng) };
        let formula = formula(rng, &system);
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).unwrap();
        let settings = Settings { semantics: Semantics::Ris, ..Settings::default() };
        let outcome = check(&context, &prepared, &formula, &settings);
        let strategies = match &outcome.evidence {
            Some(Evidence::Proof(strategy)) => vec![(strategy, system.initial().to_vec())],
            Some(Evidence::Refutation(strategy)) => vec![(strategy, Vec::new())],
            Some(Evidence::Contradiction { proof, refutation }) => {
                vec![(proof, Vec::new()), (refutation, Vec::new())]
            }
            _ => Vec::new(),
        };
        assert_eq!(strategies.is_empty(), outcome.verdict == Verdict::Unknown(Cause::Imprecise));
        for (strategy, states) in strategies {
            definite += 1;
            assert!(!strategy.roots().is_empty());
            if let Err(flaw) = check_strategy(&system, None, Semantics::Ris, strategy, &states) {
                panic!("{flaw}\n{formula}\n{system:?}\n{strategy:?}");
            }
        }
    });
    run.enough(definite > 0, "no definite verdict");
}

#[test]
fn definite_answers_hold_in_every_refinement() {
    random_cases(CASES, |rng| {
        let system = consistent_system(rng);
        let formula = formula(rng, &system);
        let reduced = evaluate_reduced(&system, &formula);
        let mut seen = 0;
        let visited = Refinements::of(&system).visit(MAX_BITS, |bts| {
            seen += 1;
            let concrete = evaluate(&bts.to_system(&system), &formula);
            for s in system.states() {
                for c in domain(&system).gamma(s).iter() {
                    let value = concrete.at(tertium_support::Id::new(tertium_support::Id::index(c)));
                    assert!(reduced.at(s).info_le(value), "{formula}\n{system:?}");
                }
            }
            // A few refinements per system; the other tests look at all of them.
            if seen < 20 { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
        });
        assert!(visited.is_err() || seen > 0);
    });
}

#[test]
fn gtom_keeps_reduced_and_thorough_semantics() {
    let mut grown = 0;
    let run = random_cases(CASES, |rng| {
        let shape = shape(rng, DomainShape::gkmts);
        let system = if rng.chance(0.5) {
            random_domain_system(rng, shape)
        } else {
            random_consistent_system(rng, shape)
        };
        let mixed = gtom(&system).unwrap();
        grown += usize::from(mixed.n_states() > system.n_states());
        let formula = formula(rng, &system);
        let (before, after) = (evaluate_reduced(&system, &formula), evaluate_reduced(&mixed, &formula));
        assert!(equivalent((&system, &before), (&mixed, &after)), "{formula}\n{system:?}");
        check_thorough(&system, &mixed, &formula);
    });
    run.enough(grown > CASES / 20, format_args!("{grown}"));
}

#[test]
fn mtok_keeps_thorough_semantics() {
    random_cases(CASES, |rng| {
        let system = if rng.chance(0.5) { system(rng) } else { consistent_system(rng) };
        let formula = formula(rng, &system);
        check_thorough(&system, &mtok(&system).unwrap(), &formula);
    });
}

#[test]
fn the_monotone_closure_keeps_thorough_semantics() {
    random_cases(CASES, |rng| {
        let system = if rng.chance(0.5) { system(rng) } else { consistent_system(rng) };
        let formula = formula(rng, &system);
        check_thorough(&system, &monotone_closure(&system).unwrap(), &formula);
    });
}

/// Both systems, the second with perhaps more states, have the same values at the states of the first.
fn check_thorough(system: &PartialSystem, converted: &PartialSystem, formula: &Formula) {
    let thorough = |system: &PartialSystem| {
        let answer = evaluate_thorough(&Context::default(), system, formula, MAX_BITS).ok()?;
        assert_eq!(answer.refinements == 0, Refinements::of(system).is_empty());
        Some(answer)
    };
    let (before, after) = (thorough(system), thorough(converted));
    assert_eq!(
        before.as_ref().map(|answer| answer.refinements),
        after.as_ref().map(|answer| answer.refinements),
        "{formula}\n{system:?}"
    );
    if let (Some(before), Some(after)) = (before, after) {
        for s in system.states() {
            assert_eq!(before.labelling.at(s), after.labelling.at(s), "{formula}\n{system:?}");
        }
    }
}

#[test]
fn under_standard_semantics_gtom_loses_precision_on_monotone_systems_only() {
    let mut gained = 0;
    let run = random_cases(CASES, |rng| {
        let shape = DomainShape { nothing: 0.0, empty_targets: 0.0, ..shape(rng, DomainShape::gkmts) };
        let system = random_consistent_system(rng, shape);
        let formula = formula(rng, &system);
        let loses = |system: &PartialSystem| {
            let mixed = gtom(system).unwrap();
            let (before, after) = (evaluate(system, &formula), evaluate(&mixed, &formula));
            semantic_le(domain(&mixed), &after, domain(system), &before)
        };
        let closed = monotone_closure(&system).unwrap();
        assert!(loses(&closed), "{formula}\n{closed:?}");
        gained += usize::from(!loses(&system));
    });
    run.enough(gained > 0, "without monotonicity the converted system is sometimes more precise");
}

#[test]
fn a_contradiction_comes_with_a_labelling_and_a_formula_that_is_inconsistent() {
    let mut found = 0;
    let run = random_cases(CASES, |rng| {
        let system = system(rng);
        let Consistency::Inconsistent(Contradiction::Must(witness)) = consistency(&system).unwrap() else {
            return;
        };
        found += 1;
        for evaluated in [
            evaluate(&witness.labelled, &witness.formula),
            evaluate_reduced(&witness.labelled, &witness.formula),
        ] {
            assert_eq!(evaluated.at(witness.state), Belnap::Inconsistent, "{system:?}");
        }
    });
    run.enough(found > CASES / 4, format_args!("{found}"));
}

#[test]
fn without_a_domain_a_contradiction_is_seen_as_well() {
    random_cases(CASES, |rng| {
        let states = rng.between(1, 5);
        let system = random_system(rng, SystemShape::gkmts(states));
        if let Consistency::Inconsistent(Contradiction::Must(witness)) = consistency(&system).unwrap() {
            let value = evaluate(&witness.labelled, &witness.formula).at(witness.state);
            assert_eq!(value, Belnap::Inconsistent, "{system:?}");
        }
    });
}
