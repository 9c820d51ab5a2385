//! Thorough semantics by enumeration: its two-valued evaluation against the oracle, its bound, its borders.

use std::ops::ControlFlow;
use std::time::Duration;
use tertium_check::{
    EnumerationFlaw, Labelling, NotEnumerated, Prepared, Record, Semantics, Settings, check,
    check_enumeration, evaluate, evaluate_thorough,
};
use tertium_evidence::Evidence;
use tertium_logic::{ActionFormula, Formula, parse};
use tertium_support::{Cancel, Context, Id, Limits, Source, StopReason};
use tertium_system::partial::Refinements;
use tertium_system::{ConcreteId, Modality, StateId, StateSet, SystemBuilder, UNLABELLED};
use tertium_testkit::{DomainShape, FormulaShape, random_cases, random_domain_system, random_formula};
use tertium_truth::{Belnap, Cause, Verdict};

fn p() -> Formula {
    Formula::proposition("p")
}

/// One state with a may loop, a must if asked, and an unknown proposition `p`.
fn loops(modality: Modality) -> SystemBuilder {
    let mut builder = SystemBuilder::numbered(1);
    let s = StateId::new(0);
    builder.initial(s);
    let step = builder.action(UNLABELLED);
    builder.edge(s, step, s, modality);
    builder.proposition("p", Belnap::Unknown);
    builder
}

#[test]
fn the_values_are_those_of_all_refinements_evaluated_one_by_one() {
    random_cases(600, |rng| {
        let concrete = rng.between(1, 3);
        let shape = DomainShape { propositions: 1, ..DomainShape::gkmts(concrete) };
        let system = random_domain_system(rng, shape);
        let shape = FormulaShape {
            propositions: vec!["p".into()],
            actions: vec![],
            depth: 4,
            ..FormulaShape::default()
        };
        let formula = random_formula(rng, &shape);
        let Ok(answer) = evaluate_thorough(&Context::default(), &system, &formula, 8) else { return };
        let domain = system.domain().unwrap();
        let n = system.n_states();
        let mut expected = Labelling { must: StateSet::full(n), may: StateSet::empty(n) };
        let visited = Refinements::of(&system).visit(11, |bts| {
            let values = evaluate(&bts.to_system(&system), &formula);
            let holds = |c: ConcreteId| values.at(StateId::new(c.index())) == Belnap::True;
            for s in system.states() {
                if !domain.gamma(s).iter().all(holds) {
                    expected.must.remove(s);
                }
                if domain.gamma(s).iter().any(holds) {
                    expected.may.insert(s);
                }
            }
            ControlFlow::Continue(())
        });
        assert_eq!(visited, Ok(()));
        assert_eq!(answer.labelling, expected, "{formula}\n{system:?}");
    });
}

#[test]
fn a_tautology_is_true_though_its_parts_are_unknown() {
    let system = loops(Modality::May).build();
    let formula = Formula::any(vec![p(), p().negated()]);
    assert_eq!(evaluate(&system, &formula).at(StateId::new(0)), Belnap::Unknown);
    let answer = evaluate_thorough(&Context::default(), &system, &formula, 2).unwrap();
    assert_eq!((answer.labelling.at(StateId::new(0)), answer.refinements), (Belnap::True, 4));
}

#[test]
fn a_system_without_refinement_proves_and_refutes_everything() {
    let system = loops(Modality::Must).build();
    let answer = evaluate_thorough(&Context::default(), &system, &p(), 0).unwrap();
    assert_eq!((answer.labelling.at(StateId::new(0)), answer.refinements), (Belnap::Inconsistent, 0));
}

#[test]
fn a_proposition_that_the_system_does_not_have_is_open() {
    let system = loops(Modality::Both).build();
    let q = Formula::proposition("q");
    let answer = evaluate_thorough(&Context::default(), &system, &q, 4).unwrap();
    assert_eq!((answer.labelling.at(StateId::new(0)), answer.refinements), (Belnap::Unknown, 2));
}

#[test]
fn too_many_free_bits_are_an_answer() {
    let system = loops(Modality::May).build();
    let formula = Formula::diamond(ActionFormula::True, p());
    let answer = evaluate_thorough(&Context::default(), &system, &formula, 1);
    assert_eq!(answer, Err(NotEnumerated::TooLarge { free_bits: 2 }));
}

#[test]
fn the_enumeration_stops_at_a_limit() {
    let mut builder = SystemBuilder::numbered(5);
    let step = builder.action(UNLABELLED);
    builder.initial(StateId::new(0));
    for s in StateId::first(5) {
        for t in StateId::first(5) {
            builder.edge(s, step, t, Modality::May);
        }
    }
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let context = Context::new(limits, Cancel::default());
    let formula = Formula::diamond(ActionFormula::True, p());
    let answer = evaluate_thorough(&context, &builder.build(), &formula, 60);
    assert_eq!(answer, Err(NotEnumerated::Stopped(StopReason::TimeLimit)));
}

/// A chain of `n` states whose steps have this modality.
fn chain(n: usize, modality: Modality) -> tertium_system::PartialSystem {
    let mut builder = SystemBuilder::numbered(n);
    let step = builder.action(UNLABELLED);
    builder.initial(StateId::new(0));
    for index in 1..n {
        builder.edge(StateId::new(index - 1), step, StateId::new(index), modality);
    }
    builder.build()
}

#[test]
fn large_systems_are_answered_if_nothing_is_open_and_refused_at_once_if_something_is() {
    let formula = Formula::diamond(ActionFormula::True, tertium_logic::FormulaKind::True.into());
    let context = Context::default();
    let settings = Settings { semantics: Semantics::Thorough, ..Settings::default() };
    let verdict = |modality| {
        let system = chain(100_000, modality);
        let prepared = Prepared::new(&context, &system).expect("no limit");
        check(&context, &prepared, &formula, &settings).verdict
    };
    assert_eq!(verdict(Modality::Both), Verdict::True);
    assert_eq!(verdict(Modality::May), Verdict::Unknown(Cause::Bound));
}

#[test]
fn what_thorough_semantics_leaves_open_has_a_culprit() {
    let system = loops(Modality::May).build();
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit");
    let settings = Settings { semantics: Semantics::Thorough, ..Settings::default() };
    let outcome = check(&context, &prepared, &p(), &settings);
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Imprecise));
    assert!(matches!(outcome.evidence, Some(Evidence::Open(_))), "{:?}", outcome.evidence);
}

#[test]
fn thorough_verdicts_are_replayed_and_wrong_ones_rejected() {
    let (mut replayed, mut rejected) = (0, 0);
    let run = random_cases(600, |rng| {
        let shape = DomainShape { propositions: 1, ..DomainShape::mixed(rng.between(1, 3)) };
        let system = random_domain_system(rng, shape);
        let formula = random_formula(rng, &FormulaShape { depth: 3, ..FormulaShape::over(1, 1) });
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).expect("no limit");
        let settings = Settings { semantics: Semantics::Thorough, record: Record::Values };
        let outcome = check(&context, &prepared, &formula, &settings);
        let Some(Evidence::Enumeration { refinements }) = outcome.evidence else { return };
        let replay =
            |verdict, refinements| check_enumeration(&context, &system, &formula, verdict, refinements);
        let verdict = outcome.verdict;
        if !matches!(verdict, Verdict::True | Verdict::False) {
            return;
        }
        let answer = replay(verdict, refinements);
        assert!(answer.is_ok(), "{answer:?} {verdict} {formula}\n{system:?}");
        replayed += usize::from(answer == Ok(true));
        if answer == Ok(true) {
            let other = if verdict == Verdict::True { Verdict::False } else { Verdict::True };
            assert_eq!(replay(other, refinements), Err(EnumerationFlaw::Disagrees), "{formula}\n{system:?}");
            let fewer = replay(verdict, refinements - 1);
            assert!(matches!(fewer, Err(EnumerationFlaw::Count | EnumerationFlaw::NotTheRefinements)));
            rejected += 1;
        }
    });
    run.enough(replayed > 50 && rejected > 50, format_args!("{replayed} {rejected}"));
}

#[test]
fn many_refinements_are_replayed_too() {
    // Thirteen open labels, and a tautology that no inductive semantics proves.
    let mut builder = SystemBuilder::numbered(13);
    let a = builder.action("a");
    builder.proposition("p", Belnap::Unknown);
    let s = StateId::new;
    builder.initial(s(0));
    (0..12).for_each(|at| builder.edge(s(at), a, s(at + 1), Modality::Both));
    let system = builder.build();
    let formula = parse(&Source::new("formula", "nu X. (p || !p) && [a] X")).expect("a formula");
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit");
    let settings = Settings { semantics: Semantics::Thorough, ..Settings::default() };
    let outcome = check(&context, &prepared, &formula, &settings);
    assert_eq!(outcome.verdict, Verdict::True);
    let replay = |n| check_enumeration(&context, &system, &formula, Verdict::True, n);
    assert_eq!(replay(1 << 13), Ok(true));
    assert_eq!(replay((1 << 13) + 1), Err(EnumerationFlaw::Count));
}
