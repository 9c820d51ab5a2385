//! Changes of the order: functions stay, groups stay together, known functions become small.

use crate::table::{Table, random_manager};
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::{Cancel, Context, Limits, Rng, StopReason};
use tertium_testkit::random_cases;

/// The pairs (x, y) in the order x1 x2 .. y1 y2 ..: worst for what relates x and y of the same number.
fn pairs(manager: &Manager, n: usize) -> Vec<(Var, Var)> {
    let vars: Vec<Var> = (0..2 * n).map(|_| manager.add_var()).collect();
    (0..n).map(|i| (vars[i], vars[n + i])).collect()
}

/// x1 & y1 | x2 & y2 | ..
fn matching(manager: &Manager, pairs: &[(Var, Var)]) -> Result<Bdd, StopReason> {
    pairs
        .iter()
        .try_fold(manager.constant(false), |all, &(x, y)| all.or(&manager.var(x)?.and(&manager.var(y)?)?))
}

fn random_groups(rng: &mut Rng, manager: &Manager) -> Vec<Vec<Var>> {
    let mut left = manager.order();
    rng.shuffle(&mut left);
    let mut groups = Vec::new();
    while !left.is_empty() {
        groups.push(left.split_off(left.len() - rng.between(1, left.len().min(3))));
    }
    groups
}

fn are_together(manager: &Manager, group: &[Var]) -> bool {
    let levels: Vec<usize> = group.iter().map(|&var| manager.level(var)).collect();
    levels.iter().max().unwrap() - levels.iter().min().unwrap() + 1 == group.len()
}

#[test]
fn sifting_makes_a_matching_linear() {
    let manager = Manager::new(&Context::default());
    let pairs = pairs(&manager, 12);
    let function = matching(&manager, &pairs).unwrap();
    assert_eq!(function.n_nodes(), (1 << 13) - 2);
    manager.reorder().unwrap();
    assert_eq!(function.n_nodes(), 24);
    for (x, y) in pairs {
        assert_eq!(manager.level(x).abs_diff(manager.level(y)), 1);
    }
}

#[test]
fn automatic_reordering_keeps_a_matching_of_many_pairs_small() {
    let manager = Manager::new(&Context::default());
    manager.set_reordering(Some(1000));
    // 2^41 nodes in the first order.
    let pairs = pairs(&manager, 40);
    let function = matching(&manager, &pairs).unwrap();
    assert!(manager.peak_nodes() < 10_000, "{}", manager.peak_nodes());
    manager.reorder().unwrap();
    assert_eq!(function.n_nodes(), 80);
}

#[test]
fn an_operation_that_explodes_alone_is_relieved_by_its_own_results() {
    // Both operands are small in the first order, their conjunction is not.
    let build = |reordering: Option<usize>| {
        let manager = Manager::new(&Context::default());
        let pairs = pairs(&manager, 14);
        let (some, others) = pairs.split_at(7);
        let (f, g) = (matching(&manager, some).unwrap(), matching(&manager, others).unwrap());
        manager.set_reordering(reordering);
        let both = f.and(&g).unwrap();
        (manager.peak_nodes(), both.n_nodes())
    };
    let ((plain_peak, _), (peak, nodes)) = (build(None), build(Some(1000)));
    assert!(peak < plain_peak && nodes < 200, "{peak} of {plain_peak}, {nodes} left");
}

#[test]
fn functions_stay_under_random_orders_and_groups_stay_together() {
    random_cases(150, |rng| {
        let n = rng.between(1, 9);
        let (manager, vars) = random_manager(rng, n);
        let functions: Vec<(Bdd, Table)> = (0..rng.between(1, 4))
            .map(|_| {
                let table = Table::random(rng, n);
                (table.diagram(&manager, &vars), table)
            })
            .collect();
        let check = || {
            for (bdd, table) in &functions {
                assert_eq!(Table::of(&vars, bdd), *table);
                assert_eq!(table.diagram(&manager, &vars), *bdd);
                let levels: Vec<usize> = bdd.support().iter().map(|&var| manager.level(var)).collect();
                assert!(levels.is_sorted());
            }
        };
        let mut order = vars.clone();
        rng.shuffle(&mut order);
        manager.set_order(&order).unwrap();
        assert_eq!(manager.order(), order);
        check();
        let groups = random_groups(rng, &manager);
        groups.iter().for_each(|group| manager.group(group));
        check();
        assert!(groups.iter().all(|group| are_together(&manager, group)));
        let before: usize = {
            manager.collect();
            manager.n_nodes()
        };
        manager.reorder().unwrap();
        assert!(manager.n_nodes() <= before);
        assert!(groups.iter().all(|group| are_together(&manager, group)));
        check();
        // An order from outside wins over groups; what it tears apart moves freely afterwards.
        manager.set_order(&order).unwrap();
        assert_eq!(manager.order(), order);
        manager.reorder().unwrap();
        check();
    });
}

#[test]
fn new_variables_after_a_reordering_come_last() {
    let manager = Manager::new(&Context::default());
    let pairs = pairs(&manager, 4);
    let function = matching(&manager, &pairs).unwrap();
    manager.reorder().unwrap();
    let new = manager.add_var();
    assert_eq!(manager.level(new), 8);
    let more = function.and(&manager.var(new).unwrap()).unwrap();
    assert_eq!(more.n_nodes(), 9);
    manager.reorder().unwrap();
    assert_eq!(more.n_nodes(), 9);
}

#[test]
fn a_cancelled_reordering_leaves_functions_and_groups_whole() {
    let cancel = Cancel::default();
    let manager = Manager::new(&Context::new(Limits::default(), cancel.clone()));
    let pairs = pairs(&manager, 14);
    for twins in pairs.chunks(2) {
        manager.group(&[twins[0].0, twins[1].0]);
    }
    let function = matching(&manager, &pairs).unwrap();
    cancel.cancel();
    assert_eq!(manager.reorder(), Err(StopReason::Interrupted));
    assert!(pairs.chunks(2).all(|twins| are_together(&manager, &[twins[0].0, twins[1].0])));
    manager.set_context(&Context::default());
    assert_eq!(matching(&manager, &pairs).unwrap(), function);
    manager.reorder().unwrap();
    assert!(function.n_nodes() < 100, "{}", function.n_nodes());
}
