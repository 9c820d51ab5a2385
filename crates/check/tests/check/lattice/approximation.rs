//! Approximations of lattices of sets: approximating the value of a formula is evaluating it approximately.

use super::{KripkeStructure, Values, evaluate_explicitly};
use tertium_logic::Formula;
use tertium_support::{Context, Id, IdSet, Rng};
use tertium_system::StateId;
use tertium_testkit::lattice::{Approximation, FiniteLattice, ItemId, Powerset, UpSets};
use tertium_testkit::{FormulaShape, random_cases, random_formula};

type Items = IdSet<ItemId>;

/// The formulas over n propositions up to equivalence, as sets of assignments in bits, each implying those above it.
fn propositional(n: usize) -> UpSets {
    let n_formulas = 1 << (1 << n);
    let implied = |f: usize| {
        (0..n_formulas).filter(move |g| f & !g == 0).map(move |g| (ItemId::new(f), ItemId::new(g)))
    };
    UpSets::new(n_formulas, (0..n_formulas).flat_map(implied))
}

/// The formulas with this many satisfying assignments.
fn with_assignments(n: usize, assignments: u32) -> Items {
    let n_formulas = 1 << (1 << n);
    IdSet::filter(n_formulas, |f: ItemId| (f.index() as u32).count_ones() == assignments)
}

fn random_up_set(rng: &mut Rng, lattice: &UpSets) -> Items {
    let n_items = lattice.top().universe();
    let chosen: Vec<Items> =
        (0..rng.below(4)).map(|_| lattice.principal(ItemId::new(rng.below(n_items))).clone()).collect();
    lattice.join_all(&chosen)
}

/// A random structure whose propositions have values in the lattice; `u` and `v` are constants.
fn random_structure(rng: &mut Rng, lattice: &UpSets) -> (KripkeStructure<Items>, Vec<(String, Vec<Items>)>) {
    let (n, n_justice) = (rng.between(1, 7), rng.below(3));
    let mut structure = KripkeStructure::new(n, n_justice);
    for s in 0..n {
        for _ in 0..rng.below(4) {
            let met: Vec<usize> = (0..n_justice).filter(|_| rng.chance(0.4)).collect();
            structure.add_step(StateId::new(s), StateId::new(rng.below(n)), met);
        }
    }
    let mut propositions = Vec::new();
    for name in ["p", "q"] {
        let two = |rng: &mut Rng| if rng.chance(0.5) { lattice.top() } else { lattice.bottom() };
        propositions.push((name.to_owned(), (0..n).map(|_| two(rng)).collect()));
    }
    for name in ["u", "v"] {
        propositions.push((name.to_owned(), vec![random_up_set(rng, lattice); n]));
    }
    for (name, values) in &propositions {
        structure.set_proposition(name, |state| values[state.index()].clone());
    }
    (structure, propositions)
}

/// f(⟦φ⟧(s)) = ⟦A(φ)⟧(s), where A replaces constants, and the values of propositions, by their images.
fn assert_theorem(rng: &mut Rng, lattice: &UpSets, map: impl Fn(&Items) -> Items) {
    let n_items = lattice.top().universe();
    let approximation = Approximation::new(lattice.clone(), Powerset::new(n_items), map);
    let (structure, propositions) = random_structure(rng, lattice);
    let mut approximate = structure.clone();
    for (name, values) in &propositions {
        approximate.set_proposition(name, |state| approximation.apply(&values[state.index()]));
    }
    let names = ["p", "q", "u", "v"].map(String::from).to_vec();
    let shape = FormulaShape {
        propositions: names,
        actions: Vec::new(),
        depth: 4,
        fixpoints: 0,
        negation: false,
        ctl: true,
        regular: false,
    };
    for _ in 0..4 {
        let formula: Formula = random_formula(rng, &shape);
        let context = Context::default();
        let value = evaluate_explicitly(&context, Values::positive(lattice), &structure, &formula).unwrap();
        let image =
            evaluate_explicitly(&context, Values::positive(&approximation), &approximate, &formula).unwrap();
        for s in 0..structure.n_states() {
            assert_eq!(approximation.apply(&value[s]), image[s], "{formula} at {s}");
        }
    }
}

#[test]
fn the_minterms_of_the_solutions_come_from_minterms_alone() {
    let minterms = with_assignments(2, 1);
    let lattice = propositional(2);
    random_cases(150, |rng| assert_theorem(rng, &lattice, |set| set.intersection(&minterms)));
    let one = with_assignments(1, 1);
    let small = Approximation::new(propositional(1), Powerset::new(4), |set: &Items| set.intersection(&one));
    assert_eq!(small.flaw(), None);
}

#[test]
fn the_maxterms_of_the_solutions_come_from_maxterms_alone() {
    // A maxterm over two propositions is false at one assignment only.
    let maxterms = with_assignments(2, 3);
    let lattice = propositional(2);
    random_cases(150, |rng| assert_theorem(rng, &lattice, |set| set.intersection(&maxterms)));
}

#[test]
fn truth_under_one_replacement_is_an_approximation() {
    // Replacements of two atoms: false, itself, true for each. Kept is whether the formula survives each single replacement.
    let number = |a: usize, b: usize| ItemId::new(3 * a + b);
    let mut pairs = Vec::new();
    for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
        pairs.extend((a < 2).then(|| (number(a, b), number(a + 1, b))));
        pairs.extend((b < 2).then(|| (number(a, b), number(a, b + 1))));
    }
    let lattice = UpSets::new(9, pairs);
    let single = IdSet::of(9, [number(1, 1), number(0, 1), number(1, 0), number(2, 1), number(1, 2)]);
    let cut = |set: &Items| set.intersection(&single);
    assert_eq!(Approximation::new(lattice.clone(), Powerset::new(9), cut).flaw(), None);
    random_cases(150, |rng| assert_theorem(rng, &lattice, cut));
}

#[test]
fn an_approximation_of_ones_own_need_not_be_a_cut() {
    // Keep a formula if what is left of it without the last assignment is in the set: f(B) = { x : g(x) in B } with g(x)
    // below x. It commutes with union and intersection, and B is closed upwards, so x is in B too.
    let lattice = propositional(2);
    let own = |set: &Items| IdSet::filter(16, |f: ItemId| set.contains(ItemId::new(f.index() & 0b0111)));
    random_cases(150, |rng| assert_theorem(rng, &lattice, own));
    let small = Approximation::new(propositional(1), Powerset::new(4), |set: &Items| {
        IdSet::filter(4, |f: ItemId| set.contains(ItemId::new(f.index() & 0b01)))
    });
    assert_eq!(small.flaw(), None);
}
