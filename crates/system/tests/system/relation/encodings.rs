//! Labels as actions and transitions as labels: every formula keeps its value.

use super::eval::{evaluate, random_formula};
use super::{mutant, small, unlimited};
use std::cell::Cell;
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathQuantifier, Regular};
use tertium_support::{Id, Rng, Span};
use tertium_system::relation::{
    Untranslatable, greatest_refinement, labels_to_actions, transitions_to_labels,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::random_cases;
use tertium_truth::Belnap;

/// A random formula over the propositions that the system has.
fn formula_about(rng: &mut Rng, system: &PartialSystem) -> Formula {
    let propositions: Vec<&str> = system.labels().names().names().collect();
    let depth = rng.between(1, 5);
    random_formula(rng, &propositions, depth)
}

#[test]
fn values_stay_when_labels_become_actions() {
    let seen = Cell::new([0; 4]);
    let run = random_cases(4000, |rng| {
        let system = small(rng);
        let encoded = labels_to_actions(&system);
        assert!(encoded.system.labels().names().is_empty());
        let formula = formula_about(rng, &system);
        let translated = encoded.translate(&formula).unwrap();
        let values = evaluate(&system, &formula);
        assert_eq!(evaluate(&encoded.system, &translated), values, "{formula:?}");
        count(&seen, &values);
    });
    run.enough(seen.get().iter().all(|&n| n > 100), seen.get());
}

#[test]
fn values_stay_when_transitions_become_labels() {
    let seen = Cell::new([0; 4]);
    let run = random_cases(4000, |rng| {
        let system = small(rng);
        let encoded = transitions_to_labels(&system);
        let all_certain = |s| encoded.system.edges(s).all(|edge| edge.modality == Modality::Both);
        assert!(encoded.system.states().all(all_certain) && encoded.system.hyper_musts().is_empty());
        let formula = formula_about(rng, &system);
        let translated = encoded.translate(&formula).unwrap();
        let values = evaluate(&system, &formula);
        assert_eq!(evaluate(&encoded.system, &translated)[..system.n_states()], values, "{formula:?}");
        for s in system.states() {
            assert_eq!(encoded.system.state_name(s), system.state_name(s));
        }
        count(&seen, &values);
    });
    run.enough(seen.get().iter().all(|&n| n > 100), seen.get());
}

fn count(seen: &Cell<[usize; 4]>, values: &[Belnap]) {
    let mut counts = seen.get();
    values.iter().for_each(|v| counts[Belnap::ALL.iter().position(|w| w == v).unwrap()] += 1);
    seen.set(counts);
}

#[test]
fn both_encodings_after_each_other_keep_values_too() {
    random_cases(1000, |rng| {
        let system = small(rng);
        let modal = labels_to_actions(&system);
        let kripke = transitions_to_labels(&modal.system);
        let formula = formula_about(rng, &system);
        let translated = kripke.translate(&modal.translate(&formula).unwrap()).unwrap();
        assert_eq!(evaluate(&kripke.system, &translated)[..system.n_states()], evaluate(&system, &formula));
    });
}

#[test]
fn refinement_stays_when_labels_become_actions() {
    random_cases(1500, |rng| {
        let a = small(rng);
        let b = mutant(rng, &a);
        if a.labels().names() != b.labels().names() {
            return;
        }
        let (encoded_a, encoded_b) = (labels_to_actions(&a).system, labels_to_actions(&b).system);
        assert_eq!(
            greatest_refinement(&unlimited(), &encoded_a, &encoded_b).unwrap(),
            greatest_refinement(&unlimited(), &a, &b).unwrap()
        );
    });
}

#[test]
fn a_partial_kripke_structure_becomes_a_modal_system_and_back_a_three_valued_one() {
    let mut builder = SystemBuilder::named();
    let (s, t) = (builder.state("s"), builder.state("t"));
    let step = builder.action("go");
    let p = builder.proposition("p", Belnap::Unknown);
    builder.initial(s);
    builder.edge(s, step, t, Modality::May);
    builder.edge(t, step, t, Modality::Both);
    builder.label(t, p, Belnap::True);
    let encoded = transitions_to_labels(&builder.build());
    let system = &encoded.system;
    let names: Vec<_> = system.states().map(|s| system.state_name(s).into_owned()).collect();
    assert_eq!(names, ["s", "t", "go_m_t", "go_t_t"]);
    let exists = system.labels().names().get("exists_go").unwrap();
    let values: Vec<_> = system.states().map(|s| system.labels().get(exists, s)).collect();
    assert_eq!(values, [Belnap::False, Belnap::False, Belnap::Unknown, Belnap::True]);
    let modal = labels_to_actions(system);
    let observe = modal.system.actions().get("obs_exists_go").unwrap();
    let middle = StateId::new(2);
    assert_eq!(modal.system.transitions().find(middle, observe, middle), Some(Modality::May));
}

#[test]
fn taken_names_are_avoided() {
    let mut builder = SystemBuilder::numbered(1);
    let s = StateId::new(0);
    builder.initial(s);
    for action in ["obs_p", "x"] {
        let action = builder.action(action);
        builder.edge(s, action, s, Modality::May);
    }
    for prop in ["p", "exists_x"] {
        let prop = builder.proposition(prop, Belnap::True);
        builder.label(s, prop, Belnap::True);
    }
    let system = builder.build();
    assert_eq!(labels_to_actions(&system).observations[0], ("p".to_owned(), "obs_p_".to_owned()));
    assert_eq!(transitions_to_labels(&system).existence[1], ("x".to_owned(), "exists_x_".to_owned()));
}

#[test]
fn what_cannot_be_translated_is_named() {
    let system = small(&mut Rng::seeded(0));
    let star = Regular::Star(Box::new(Regular::Step(ActionFormula::True)));
    let regular = FormulaKind::Modal(PathQuantifier::Some, star, Box::new(FormulaKind::True.into())).into();
    let unknown = Formula::proposition("nowhere");
    let expected = Untranslatable::UnknownProposition("nowhere".to_owned(), Span::default());
    let encoded = labels_to_actions(&system);
    assert_eq!(encoded.translate(&regular), Err(Untranslatable::NotCore(Span::default())));
    assert_eq!(encoded.translate(&unknown), Err(expected.clone()));
    let encoded = transitions_to_labels(&system);
    assert_eq!(encoded.translate(&regular), Err(Untranslatable::NotCore(Span::default())));
    assert_eq!(encoded.translate(&unknown), Err(expected));
}
