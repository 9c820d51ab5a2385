//! CTL over lattices against the classical checks one by one, and against the classical checker.

use super::{KripkeStructure, LatticeError, Values, evaluate_explicitly};
use crate::symbolic_oracle::{Case, Explicit, Shape, random_case};
use std::fmt::Debug;
use tertium_logic::{Formula, FormulaKind, Polarity, Written};
use tertium_support::{Context, Id, Rng};
use tertium_system::StateId;
use tertium_testkit::lattice::{
    BelnapTruth, Chain, FiniteLattice, ItemId, KleeneTruth, Powerset, Product, TwoValued, UpSets,
    VacuityLattice,
};
use tertium_testkit::{FormulaShape, random_cases, random_formula};

/// A random system with two propositions that have values.
struct Valued<E> {
    case: Case,
    structure: KripkeStructure<E>,
    /// The values of the two, by state.
    given: Vec<(String, Vec<E>)>,
}

fn random_shape(rng: &mut Rng) -> Shape {
    Shape { justice: rng.below(3), compassion: 0, deadlocks: rng.chance(0.5) }
}

fn random_valued<L: FiniteLattice>(rng: &mut Rng, lattice: &L) -> Valued<L::Element> {
    let shape = random_shape(rng);
    let case = random_case(rng, shape);
    let explicit = &case.explicit;
    let mut structure = KripkeStructure::new(explicit.n_states, explicit.justice.len());
    for &(s, i, t) in &explicit.edges {
        let met = (0..explicit.justice.len()).filter(|&k| explicit.justice[k][s][i]);
        structure.add_step(StateId::new(s), StateId::new(t), met);
    }
    let two = |value: bool| if value { lattice.top() } else { lattice.bottom() };
    for (name, set) in &explicit.propositions {
        structure.set_proposition(name, |state| two(set[state.index()]));
    }
    let elements: Vec<L::Element> = lattice.elements().collect();
    let mut given = Vec::new();
    // `r` becomes one with values, and hides the other.
    for name in ["u", "r"] {
        let mut values = vec![lattice.bottom(); explicit.n_states];
        if rng.chance(0.4) {
            values.fill(rng.pick(&elements).clone());
        } else {
            for (_, set) in &explicit.propositions {
                let value = rng.pick(&elements).clone();
                let inside = (0..explicit.n_states).filter(|&s| set[s]);
                inside.for_each(|s| values[s] = lattice.join(&values[s], &value));
            }
        }
        structure.set_proposition(name, |state| values[state.index()].clone());
        given.push((name.to_owned(), values));
    }
    Valued { case, structure, given }
}

fn random_ctl(rng: &mut Rng, negation: bool) -> Formula {
    let propositions = ["p", "q", "r", "u"].map(String::from).to_vec();
    let shape = FormulaShape {
        propositions,
        actions: Vec::new(),
        depth: 4,
        fixpoints: 0,
        negation,
        ctl: true,
        regular: false,
    };
    random_formula(rng, &shape)
}

/// Some random formulas over one random system.
fn compare<L: FiniteLattice + Debug>(rng: &mut Rng, values: Values<'_, L>) {
    let lattice = values.lattice;
    let valued = random_valued(rng, lattice);
    for _ in 0..5 {
        let negation = values.negation().is_some() && rng.chance(0.7);
        let formula = random_ctl(rng, negation);
        let value = |formula: &Formula| {
            evaluate_explicitly(&Context::default(), values, &valued.structure, formula).unwrap()
        };
        let found = value(&formula);
        if !negation {
            one_by_one(&valued, lattice, &formula, &found);
        } else if let Some(negate) = values.negation() {
            let expected: Vec<L::Element> = found.iter().map(negate).collect();
            assert_eq!(value(&formula.clone().negated()), expected, "not {formula} over {lattice:?}");
        }
    }
}

/// The classical checks for each join-irreducible element, by a checker that knows no lattices.
fn one_by_one<L: FiniteLattice>(
    valued: &Valued<L::Element>,
    lattice: &L,
    formula: &Formula,
    expected: &[L::Element],
) {
    for j in lattice.join_irreducibles() {
        let mut classical = valued.case.explicit.clone();
        for (name, values) in &valued.given {
            classical.propositions.retain(|(own, _)| own != name);
            let slice = values.iter().map(|value| lattice.le(&j, value)).collect();
            classical.propositions.push((name.clone(), slice));
        }
        let set = classical.evaluate(formula);
        for s in (0..classical.n_states).filter(|&s| classical.valid[s]) {
            assert_eq!(lattice.le(&j, &expected[s]), set[s], "{j:?} in {formula} at {s}");
        }
    }
}

#[test]
fn over_two_values_it_is_the_classical_checker() {
    random_cases(150, |rng| {
        let values = Values::with_negation(&TwoValued);
        let valued = random_valued(rng, &TwoValued);
        let mut classical: Explicit = valued.case.explicit.clone();
        for (name, set) in &valued.given {
            classical.propositions.retain(|(own, _)| own != name);
            classical.propositions.push((name.clone(), set.clone()));
        }
        for _ in 0..5 {
            let formula = random_ctl(rng, true);
            let value =
                evaluate_explicitly(&Context::default(), values, &valued.structure, &formula).unwrap();
            let set = classical.evaluate(&formula);
            for s in (0..classical.n_states).filter(|&s| classical.valid[s]) {
                assert_eq!(value[s], set[s], "{formula} at {s}");
            }
        }
    });
    random_cases(100, |rng| compare(rng, Values::with_negation(&TwoValued)));
}

#[test]
fn one_evaluation_is_many_checks_over_the_truth_orders() {
    random_cases(100, |rng| compare(rng, Values::with_negation(&KleeneTruth)));
    random_cases(100, |rng| compare(rng, Values::with_negation(&BelnapTruth)));
}

#[test]
fn one_evaluation_is_many_checks_over_chains_and_their_products() {
    random_cases(100, |rng| {
        let chain = Chain::new(rng.between(1, 6));
        compare(rng, Values::with_negation(&chain));
    });
    random_cases(100, |rng| {
        let product = Product(Chain::new(rng.between(2, 4)), Chain::new(rng.between(1, 4)));
        compare(rng, Values::with_negation(&product));
    });
    random_cases(60, |rng| compare(rng, Values::with_negation(&Product(BelnapTruth, Chain::new(3)))));
}

#[test]
fn one_evaluation_is_many_checks_over_powersets() {
    random_cases(100, |rng| {
        let powerset = Powerset::new(rng.below(5));
        compare(rng, Values::with_negation(&powerset));
    });
}

#[test]
fn one_evaluation_is_many_checks_over_up_sets_without_negation() {
    random_cases(150, |rng| {
        let n_items = rng.between(1, 5);
        let pairs: Vec<(ItemId, ItemId)> = (0..rng.below(6))
            .map(|_| (ItemId::new(rng.below(n_items)), ItemId::new(rng.below(n_items))))
            .collect();
        compare(rng, Values::positive(&UpSets::new(n_items, pairs)));
    });
}

#[test]
fn negation_is_refused_without_one() {
    random_cases(20, |rng| {
        let lattice = UpSets::new(2, []);
        let values = Values::positive(&lattice);
        let Valued { structure, .. } = random_valued(rng, &lattice);
        let context = Context::default();
        let formula = Formula::proposition("u").negated();
        let refused = Some(LatticeError::NoNegation);
        assert_eq!(evaluate_explicitly(&context, values, &structure, &formula).err(), refused);
        let unknown = Some(LatticeError::UnknownProposition("x".into()));
        let formula = Formula::proposition("x");
        assert_eq!(evaluate_explicitly(&context, values, &structure, &formula).err(), unknown);
    });
}

#[test]
fn the_value_of_vacuity_is_above_an_irreducible_element_iff_a_replacement_holds() {
    let (mut above, mut below) = (0, 0);
    let run = random_cases(120, |rng| {
        let shape = random_shape(rng);
        let case = random_case(rng, shape);
        let explicit = &case.explicit;
        let names: Vec<String> = explicit.propositions.iter().map(|(name, _)| name.clone()).collect();
        let formula = random_formula(
            rng,
            &FormulaShape {
                propositions: names,
                actions: Vec::new(),
                depth: 3,
                fixpoints: 0,
                negation: true,
                ctl: true,
                regular: false,
            },
        );
        let written = Written::new(&formula);
        let atoms = written.atoms();
        // `EX true` is an atom too, but none with a value of its own here.
        let is_plain = |atom| {
            written.part(atom).polarity != Polarity::Mixed
                && matches!(written.formula_of(atom).kind, FormulaKind::Proposition(_))
        };
        if !atoms.iter().all(|&atom| is_plain(atom)) {
            return;
        }
        // Every atom has a name and a bit of its own; in it every other atom is vacuous.
        let lattice = VacuityLattice::new(atoms.len());
        let name = |part| format!("a{}", atoms.iter().position(|&atom| atom == part).expect("an atom"));
        let marked = written.replace(&atoms, |part, _, _| Formula::proposition(name(part)));
        let mut structure = KripkeStructure::new(explicit.n_states, explicit.justice.len());
        let mut classical = KripkeStructure::new(explicit.n_states, explicit.justice.len());
        for &(s, i, t) in &explicit.edges {
            let met: Vec<usize> =
                (0..explicit.justice.len()).filter(|&k| explicit.justice[k][s][i]).collect();
            structure.add_step(StateId::new(s), StateId::new(t), met.clone());
            classical.add_step(StateId::new(s), StateId::new(t), met);
        }
        for (own, set) in &explicit.propositions {
            classical.set_proposition(own, |state| set[state.index()]);
        }
        for (at, &atom) in atoms.iter().enumerate() {
            let FormulaKind::Proposition(own) = &written.formula_of(atom).kind else { panic!("an atom") };
            let set = &explicit.propositions.iter().find(|(name, _)| name == own).expect("known").1;
            structure.set_proposition(&name(atom), |state| lattice.literal(at, set[state.index()]));
        }
        let context = Context::default();
        let values = Values::with_negation(&lattice);
        let found = evaluate_explicitly(&context, values, &structure, &marked).unwrap();
        for (at, &atom) in atoms.iter().enumerate() {
            for (best, irreducible) in
                [(false, lattice.element(true, [at])), (true, lattice.literal(at, false))]
            {
                let replaced = written.replace(&[atom], |_, polarity, _| {
                    let value = best == (polarity == Polarity::Positive);
                    if value { FormulaKind::True } else { FormulaKind::False }.into()
                });
                let two = Values::with_negation(&TwoValued);
                let expected = evaluate_explicitly(&context, two, &classical, &replaced).unwrap();
                for s in 0..explicit.n_states {
                    let is_above = lattice.le(&irreducible, &found[s]);
                    assert_eq!(is_above, expected[s], "{formula}, atom {at}, state {s}");
                    above += usize::from(is_above);
                    below += usize::from(!is_above);
                }
            }
        }
    });
    run.enough(above > 500 && below > 500, format_args!("{above} {below}"));
}
