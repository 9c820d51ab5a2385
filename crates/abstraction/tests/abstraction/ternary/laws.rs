//! Ternary diagrams against explicit sets of vectors.

use super::{Tdd, TddManager, Tri};
use std::collections::BTreeSet;
use tertium_support::{Context, Rng, StopReason};
use tertium_testkit::random_cases;

type Set = BTreeSet<Vec<Tri>>;

/// All vectors of this length.
fn all(length: usize) -> Vec<Vec<Tri>> {
    (0..length).fold(vec![vec![]], |shorter, _| {
        let longer = |vector: &Vec<Tri>| {
            Tri::ALL.map(|component| vector.iter().copied().chain([component]).collect::<Vec<Tri>>())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn random_set(rng: &mut Rng, manager: &mut TddManager<bool>) -> (Tdd, Set) {
    let share = *rng.pick(&[0.1, 0.5, 0.9]);
    let set: Set = all(manager.length()).into_iter().filter(|_| rng.chance(share)).collect();
    let mut diagram = manager.constant(false);
    for vector in &set {
        diagram = manager.insert(diagram, vector).unwrap();
    }
    (diagram, set)
}

fn assert_is(manager: &TddManager<bool>, diagram: Tdd, set: &Set) {
    for vector in all(manager.length()) {
        assert_eq!(manager.contains(diagram, &vector), set.contains(&vector), "{vector:?}");
    }
    assert_eq!(manager.size(diagram), Some(set.len() as u128));
    assert!(manager.members(diagram).eq(set.iter().cloned()));
}

#[test]
fn set_operations_agree_with_explicit_sets() {
    random_cases(100, |rng| {
        let length = rng.between(0, 5);
        let mut manager = TddManager::new(&Context::default(), length);
        let ((f, f_set), (g, g_set)) = (random_set(rng, &mut manager), random_set(rng, &mut manager));
        assert_is(&manager, f, &f_set);
        let union = manager.union(f, g).unwrap();
        assert_is(&manager, union, &(&f_set | &g_set));
        let both = manager.intersection(f, g).unwrap();
        assert_is(&manager, both, &(&f_set & &g_set));
        let minus = manager.difference(f, g).unwrap();
        assert_is(&manager, minus, &(&f_set - &g_set));
        assert_eq!(manager.union(minus, both).unwrap(), f, "equal sets are equal diagrams");
        let mut keep = [union, minus];
        manager.collect(&mut keep);
        assert_is(&manager, keep[0], &(&f_set | &g_set));
        assert_is(&manager, keep[1], &(&f_set - &g_set));
    });
}

#[test]
fn restriction_forgets_a_component() {
    random_cases(60, |rng| {
        let length = rng.between(1, 5);
        let mut manager = TddManager::new(&Context::default(), length);
        let (f, set) = random_set(rng, &mut manager);
        let (at, component) = (rng.below(length), *rng.pick(&Tri::ALL));
        let restricted = manager.restrict(f, at, component).unwrap();
        let fixed = |vector: &Vec<Tri>| {
            let mut vector = vector.clone();
            vector[at] = component;
            set.contains(&vector)
        };
        assert_is(&manager, restricted, &all(length).into_iter().filter(fixed).collect());
    });
}

#[test]
fn a_star_is_another_value_than_an_open_component() {
    let mut manager = TddManager::new(&Context::default(), 2);
    let (no, yes) = (manager.constant(false), manager.constant(true));
    let star = manager.node(1, no, no, yes).unwrap();
    assert_eq!(manager.size(star), Some(3), "the first component is open");
    assert!(
        manager.contains(star, &[Tri::Zero, Tri::Star]) && !manager.contains(star, &[Tri::Zero, Tri::One])
    );
    assert_eq!(manager.node(0, star, star, star).unwrap(), star);
    assert_eq!(manager.node(1, yes, yes, yes).unwrap(), yes);
    assert_eq!(manager.size(yes), Some(9));
}

#[test]
fn a_function_built_from_its_branches_has_the_values_of_its_leaves() {
    /// Leaf values are what the sum of components is modulo three.
    fn build(manager: &mut TddManager<usize>, at: usize, sum: usize) -> Tdd {
        if at == manager.length() {
            return manager.constant(sum % 3);
        }
        let [zero, one, star] = [0, 1, 2].map(|component| build(manager, at + 1, sum + component));
        manager.node(at, zero, one, star).unwrap()
    }
    let mut manager = TddManager::new(&Context::default(), 5);
    let f = build(&mut manager, 0, 0);
    assert_eq!(manager.n_nodes(), 1 + 4 * 3, "sums are shared");
    for vector in all(5) {
        let sum: usize = vector.iter().map(|&component| component as usize).sum();
        assert_eq!(*manager.value(f, &vector), sum % 3);
    }
    assert_eq!(manager.count(f, |&value| value == 1), Some(81));
    assert_eq!(manager.vectors(f, |&value| value == 1).count(), 81);
    let odd = manager.map(f, |value| value % 2).unwrap();
    assert_eq!(manager.count(odd, |&value| value == 1), Some(81));
}

#[test]
fn numbers_beyond_128_bits_and_limits_are_values() {
    let mut manager = TddManager::new(&Context::default(), 100);
    let yes = manager.constant(true);
    assert_eq!(manager.size(yes), None);
    let no = manager.constant(false);
    assert_eq!(manager.size(no), Some(0));
    manager.set_node_limit(50);
    assert_eq!(manager.insert(no, &[Tri::Star; 100]), Err(StopReason::NodeLimit));
    manager.set_node_limit(100);
    let one = manager.insert(no, &[Tri::Star; 100]).unwrap();
    assert_eq!(manager.size(one), Some(1));
}
