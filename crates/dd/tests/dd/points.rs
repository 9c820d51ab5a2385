//! Counting, enumeration and substitution against truth tables.

use crate::table::{Table, random_manager};
use std::collections::HashSet;
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::Context;
use tertium_testkit::random_cases;

#[test]
fn counts_agree_with_truth_tables() {
    random_cases(200, |rng| {
        let n = rng.between(0, 10);
        let (manager, mut vars) = random_manager(rng, n);
        let table = Table::random(rng, n);
        let function = table.diagram(&manager, &vars);
        let points = table.0.iter().filter(|&&value| value).count() as u128;
        let count = function.count(&vars);
        assert_eq!(count.exact(), Some(points));
        assert!(points == 0 || (count.log2() - (points as f64).log2()).abs() < 1e-9);
        // Each further variable doubles the number, wherever it stands in the order.
        vars.push(manager.add_var());
        rng.shuffle(&mut vars);
        manager.set_order(&vars).unwrap();
        assert_eq!(function.count(&vars).exact(), Some(2 * points));
        assert_eq!(function.not().count(&vars).exact(), Some((1 << (n + 1)) - 2 * points));
    });
}

#[test]
fn a_small_set_in_a_large_space_is_counted_exactly() {
    let manager = Manager::new(&Context::default());
    let vars: Vec<Var> = (0..500).map(|_| manager.add_var()).collect();
    let zero = Bdd::cube(&manager, vars.iter().map(|&var| (var, false))).unwrap();
    let half = Bdd::cube(&manager, vars[..400].iter().map(|&var| (var, true))).unwrap();
    let set = zero.or(&half).unwrap();
    assert_eq!(set.count(&vars).exact(), Some((1 << 100) + 1));
    let most = set.not().count(&vars);
    assert_eq!(most.exact(), None);
    assert!((most.log2() - 500.0).abs() < 1e-9 && most > set.count(&vars));
}

#[test]
fn cubes_are_disjoint_and_cover_the_set_even_if_the_order_changes_meanwhile() {
    random_cases(100, |rng| {
        let n = rng.between(0, 8);
        let (manager, vars) = random_manager(rng, n);
        let table = Table::random(rng, n);
        let function = table.diagram(&manager, &vars);
        let cubes = function.cubes();
        drop(function);
        let mut covered = manager.constant(false);
        for cube in cubes {
            let cube = Bdd::cube(&manager, cube).unwrap();
            assert!(cube.is_disjoint(&covered).unwrap());
            covered = covered.or(&cube).unwrap();
            if rng.chance(0.2) {
                manager.reorder().unwrap();
            }
        }
        assert_eq!(Table::of(&vars, &covered), table);
    });
}

#[test]
fn minterms_are_the_points_of_the_table_each_once() {
    random_cases(100, |rng| {
        let n = rng.between(0, 8);
        let (manager, vars) = random_manager(rng, n);
        let table = Table::random(rng, n);
        let points: Vec<usize> = table
            .diagram(&manager, &vars)
            .minterms(&vars)
            .map(|point| point.iter().rev().fold(0, |k, &bit| 2 * k + usize::from(bit)))
            .collect();
        let set: HashSet<usize> = points.iter().copied().collect();
        assert_eq!(set.len(), points.len());
        assert_eq!(set, (0..1 << n).filter(|&k| table.0[k]).collect());
    });
}

#[test]
fn composition_replaces_all_variables_at_once() {
    random_cases(150, |rng| {
        let n = rng.between(1, 8);
        let (manager, vars) = random_manager(rng, n);
        let table = Table::random(rng, n);
        let function = table.diagram(&manager, &vars);
        let by: Vec<Table> =
            (0..n).map(|i| if rng.chance(0.5) { Table::random(rng, n) } else { Table::var(n, i) }).collect();
        let diagrams: Vec<Bdd> = by.iter().map(|table| table.diagram(&manager, &vars)).collect();
        if rng.chance(0.3) {
            manager.set_reordering(Some(rng.between(2, 100)));
        }
        let pairs: Vec<(Var, &Bdd)> = vars
            .iter()
            .copied()
            .zip(&diagrams)
            .filter(|(var, by)| **by != manager.var(*var).unwrap())
            .collect();
        assert_eq!(Table::of(&vars, &function.compose(&pairs).unwrap()), table.compose(&by));
    });
}
