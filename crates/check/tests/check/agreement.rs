//! The fast checker against the naive one, and the laws of three-valued checking, on random systems and formulas.

use tertium_check::{
    Labelling, Prepared, Record, Semantics, Settings, check, check_naively, evaluate, label,
};
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathQuantifier, Regular, parse};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Source};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{FormulaShape, SystemShape, random_cases, random_formula, random_system};
use tertium_truth::{Belnap, Cause, Verdict};

const FAMILIES: [fn(usize) -> SystemShape; 4] =
    [SystemShape::complete, SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts];

fn shape_of(rng: &mut Rng) -> SystemShape {
    let states = rng.between(1, 7);
    rng.pick(&FAMILIES)(states)
}

fn formula_shape() -> FormulaShape {
    FormulaShape { propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() }
}

fn fast(system: &PartialSystem, formula: &Formula) -> Labelling {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    label(&context, &prepared, formula, Semantics::Sis).expect("no limit")
}

#[test]
fn the_fast_checker_agrees_with_the_naive_one() {
    random_cases(4000, |rng| {
        let family = shape_of(rng);
        let system = random_system(rng, family);
        let formula = random_formula(rng, &formula_shape());
        assert_eq!(fast(&system, &formula), evaluate(&system, &formula), "{formula}\n{system:?}");
    });
}

#[test]
fn alternating_formulas_agree_too() {
    let patterns = [
        "nu X. mu Y. (p && <>X) || <>Y",
        "mu X. nu Y. (q || []X) && []Y",
        "nu X. mu Y. nu Z. (p && [a]X) || (q && <b>Y) || (<a>Z && [b]Z)",
        "mu X. nu Y. mu Z. (<a>X || q) && ([b]Y || p || <>Z)",
        "nu X. mu Y. (<a>(X && p) || [b](Y || q)) && (nu Z. <>Z || mu W. [a](W || Z || Y))",
        "nu Z. ([a] mu Y. (p || <b> Y)) && [a] Z",
    ];
    let formulas: Vec<Formula> =
        patterns.iter().map(|text| parse(&Source::new("f", *text)).expect("a formula")).collect();
    random_cases(600, |rng| {
        let family = shape_of(rng);
        let system = random_system(rng, SystemShape { degree: 2.5, ..family });
        for formula in &formulas {
            assert_eq!(fast(&system, formula), evaluate(&system, formula), "{formula}\n{system:?}");
        }
    });
}

#[test]
fn negation_swaps_proof_and_refutation() {
    random_cases(500, |rng| {
        let family = shape_of(rng);
        let system = random_system(rng, family);
        let formula = random_formula(rng, &formula_shape());
        assert_eq!(fast(&system, &formula.clone().negated()), fast(&system, &formula).negated(), "{formula}");
    });
}

#[test]
fn what_is_necessary_is_possible_and_excluded_middle_is_possible() {
    // Theorem 1, clauses 1, 2 and 4 of the modal framework, for must inside may.
    random_cases(500, |rng| {
        let states = rng.between(1, 7);
        let complete = rng.chance(0.3);
        let family = if complete { SystemShape::complete(states) } else { SystemShape::kmts(states) };
        let system = random_system(rng, family);
        let formula = random_formula(rng, &formula_shape());
        let value = fast(&system, &formula);
        assert!(value.must.is_subset(&value.may), "{formula}");
        if complete {
            assert_eq!(value.must, value.may, "{formula}");
        }
        let negated = formula.clone().negated();
        assert!(fast(&system, &Formula::all(vec![formula.clone(), negated.clone()])).must.is_empty());
        assert_eq!(fast(&system, &Formula::any(vec![formula, negated])).may.count(), states);
    });
}

/// Decides every open transition and label at random.
fn random_completion(rng: &mut Rng, system: &PartialSystem) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
    for state in system.states() {
        for edge in system.edges(state) {
            if edge.modality.is_must() || rng.chance(0.5) {
                builder.edge(state, edge.action, edge.other, Modality::Both);
            }
        }
    }
    for (prop, name) in system.labels().names().ids().zip(system.labels().names().names()) {
        let declared = builder.proposition(name, Belnap::Unknown);
        for state in system.states() {
            let value = match system.labels().get(prop, state) {
                Belnap::Unknown => Belnap::from(rng.chance(0.5)),
                definite => definite,
            };
            builder.label(state, declared, value);
        }
    }
    builder.build()
}

#[test]
fn refinement_preserves_definite_values() {
    random_cases(800, |rng| {
        let states = rng.between(1, 7);
        let system = random_system(rng, SystemShape::kmts(states));
        let refined = random_completion(rng, &system);
        let formula = random_formula(rng, &formula_shape());
        let (vague, precise) = (fast(&system, &formula), fast(&refined, &formula));
        for state in system.states() {
            assert!(vague.at(state).info_le(precise.at(state)), "{formula} at {state:?}\n{system:?}");
        }
    });
}

/// The pessimistic or optimistic ordinary system of a partial one: each action `x` becomes `x_A` (what boxes see) and
/// `x_E` (what diamonds see); labels `p` become `p_T` and `p_F` (what positive and negated literals see).
fn bound(system: &PartialSystem, pessimistic: bool) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    for state in system.states() {
        for edge in system.edges(state) {
            let name = system.actions().name(edge.action);
            for (suffix, may) in [("_A", pessimistic), ("_E", !pessimistic)] {
                let action = builder.action(&format!("{name}{suffix}"));
                if if may { edge.modality.is_may() } else { edge.modality.is_must() } {
                    builder.edge(state, action, edge.other, Modality::Both);
                }
            }
        }
    }
    for name in system.labels().names().names() {
        let prop = system.labels().names().get(name).expect("listed");
        let positive = builder.proposition(&format!("{name}_T"), Belnap::False);
        let negative = builder.proposition(&format!("{name}_F"), Belnap::False);
        for state in system.states() {
            let value = system.labels().get(prop, state);
            let (holds, fails) =
                if pessimistic { (value.must(), !value.may()) } else { (value.may(), !value.must()) };
            builder.label(state, positive, holds.into());
            builder.label(state, negative, fails.into());
        }
    }
    builder.build()
}

/// The translation T of the formula, in positive form, to the doubled alphabet.
fn translate(formula: &Formula, positive: bool) -> Formula {
    let flip = |kind: Formula| kind;
    match &formula.kind {
        FormulaKind::True => if positive { FormulaKind::True } else { FormulaKind::False }.into(),
        FormulaKind::False => if positive { FormulaKind::False } else { FormulaKind::True }.into(),
        FormulaKind::Proposition(name) => {
            Formula::proposition(format!("{name}{}", if positive { "_T" } else { "_F" }))
        }
        FormulaKind::Variable(name) => Formula::variable(name.clone()),
        FormulaKind::Not(inner) => translate(inner, !positive),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            let parts = parts.iter().map(|part| translate(part, positive)).collect();
            let and = matches!(formula.kind, FormulaKind::And(_)) == positive;
            flip(if and { Formula::all(parts) } else { Formula::any(parts) })
        }
        FormulaKind::Modal(quantifier, Regular::Step(actions), inner) => {
            let inner = translate(inner, positive);
            let diamond = (*quantifier == PathQuantifier::Some) == positive;
            let actions = suffixed(actions, if diamond { "_E" } else { "_A" });
            if diamond { Formula::diamond(actions, inner) } else { Formula::box_(actions, inner) }
        }
        FormulaKind::Fixpoint(sign, name, body) => {
            let sign = if positive { *sign } else { sign.dual() };
            Formula::fixpoint(sign, name.clone(), translate(body, positive))
        }
        other => panic!("an abbreviation after expansion: {other:?}"),
    }
}

/// The same set of actions, spelled out over the two actions of random systems, with a suffix.
fn suffixed(actions: &ActionFormula, suffix: &str) -> ActionFormula {
    let names = ["a", "b"].into_iter().filter(|name| actions.contains(name));
    ActionFormula::Or(names.map(|name| ActionFormula::action(format!("{name}{suffix}"))).collect())
}

#[test]
fn the_pessimistic_and_the_optimistic_system_give_the_two_bounds() {
    random_cases(1500, |rng| {
        let states = rng.between(1, 7);
        let family = if rng.chance(0.5) { SystemShape::kmts(states) } else { SystemShape::mixed(states) };
        let system = random_system(rng, family);
        let formula = random_formula(rng, &formula_shape());
        let translated = translate(&formula.expand(), true);
        let value = fast(&system, &formula);
        assert_eq!(
            fast(&bound(&system, true), &translated).must,
            value.must,
            "{formula}\n{translated}\n{system:?}"
        );
        assert_eq!(
            fast(&bound(&system, false), &translated).may,
            value.may,
            "{formula}\n{translated}\n{system:?}"
        );
    });
}

#[test]
fn evidence_changes_no_verdict_even_with_names_that_the_system_does_not_have() {
    let shape = FormulaShape { propositions: vec!["p".into(), "missing".into()], ..FormulaShape::default() };
    random_cases(1500, |rng| {
        let family = shape_of(rng);
        let system = random_system(rng, family);
        let formula = random_formula(rng, &shape);
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).expect("no limit");
        let answer =
            |record| check(&context, &prepared, &formula, &Settings { record, ..Settings::default() });
        let (bare, full) = (answer(Record::Values), answer(Record::Moves));
        assert_eq!(bare.verdict, full.verdict, "{formula}\n{system:?}");
        let oracle = check_naively(&Context::default(), &system, &formula, Semantics::Sis);
        assert_eq!(
            (oracle.verdict, &oracle.assumptions),
            (full.verdict, &full.assumptions),
            "{formula}\n{system:?}"
        );
        let oracle = evaluate(&system, &formula);
        for (state, value) in bare.values.into_iter().chain(full.values) {
            assert_eq!(value, oracle.at(state), "{formula}\n{system:?}");
        }
    });
}

#[test]
fn a_cancelled_check_is_unknown_and_claims_nothing() {
    let cancel = Cancel::default();
    let context = Context::new(Limits::default(), cancel.clone());
    let mut builder = SystemBuilder::numbered(100_000);
    let action = builder.action("a");
    builder.initial(StateId::new(0));
    for index in 0..99_999 {
        builder.edge(StateId::new(index), action, StateId::new(index + 1), Modality::Both);
    }
    let system = builder.build();
    let prepared = Prepared::new(&context, &system).expect("not cancelled yet");
    cancel.cancel();
    let formula = parse(&Source::new("f", "EF [a]false")).expect("a formula");
    let outcome = check(&context, &prepared, &formula, &Settings::default());
    assert_eq!(outcome.verdict, Verdict::Unknown(Cause::Interrupted));
    assert!(outcome.values.is_empty() && outcome.evidence.is_none());
}
