//! Long random sequences of operations, with collections, limits and changes of the order in between, against truth tables.

use crate::table::{Table, random_manager};
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::{Rng, StopReason};
use tertium_testkit::random_cases;

/// Diagrams beside their tables.
struct Pool {
    manager: Manager,
    vars: Vec<Var>,
    functions: Vec<(Bdd, Table)>,
}

impl Pool {
    fn new(rng: &mut Rng, n: usize) -> Self {
        let (manager, vars) = random_manager(rng, n);
        let mut functions: Vec<(Bdd, Table)> = (0..n)
            .map(|i| (manager.var(vars[i]).unwrap(), Table::var(n, i)))
            .chain([false, true].map(|value| (manager.constant(value), Table::constant(n, value))))
            .collect();
        let table = Table::random(rng, n);
        functions.push((table.diagram(&manager, &vars), table));
        Self { manager, vars, functions }
    }

    fn pick<'a>(&'a self, rng: &mut Rng) -> (&'a Bdd, &'a Table) {
        let (bdd, table) = rng.pick(&self.functions);
        (bdd, table)
    }

    /// The result of a random operation on random functions, by both means.
    fn operation(&self, rng: &mut Rng) -> (Result<Bdd, StopReason>, Table) {
        let n = self.vars.len();
        let ((f, f_table), (g, g_table), (h, h_table)) = (self.pick(rng), self.pick(rng), self.pick(rng));
        let mask = rng.below(1 << n);
        let set = || self.manager.var_set((0..n).filter(|i| mask >> i & 1 == 1).map(|i| self.vars[i]));
        match rng.below(11) {
            0 => (f.and(g), f_table.with(g_table, |f, g| f && g)),
            1 => (f.or(g), f_table.with(g_table, |f, g| f || g)),
            2 => (f.xor(g), f_table.with(g_table, |f, g| f != g)),
            3 => (f.iff(g), f_table.with(g_table, |f, g| f == g)),
            4 => (f.implies(g), f_table.with(g_table, |f, g| !f || g)),
            5 => (f.diff(g), f_table.with(g_table, |f, g| f && !g)),
            6 => {
                let yes = f_table.with(g_table, |f, g| f && g);
                (f.ite(g, h), f_table.with(h_table, |f, h| !f && h).with(&yes, |x, y| x || y))
            }
            7 => (set().and_then(|set| f.exists(&set)), f_table.exists(mask)),
            8 => (set().and_then(|set| f.forall(&set)), f_table.not().exists(mask).not()),
            9 => {
                let both = f_table.with(g_table, |f, g| f && g);
                (set().and_then(|set| f.and_exists(g, &set)), both.exists(mask))
            }
            _ => {
                // Any map, also one that joins variables.
                let to: Vec<usize> = (0..n).map(|_| rng.below(n)).collect();
                let renaming = self.manager.renaming((0..n).map(|i| (self.vars[i], self.vars[to[i]])));
                let by: Vec<Table> = to.iter().map(|&i| Table::var(n, i)).collect();
                (f.rename(renaming), f_table.compose(&by))
            }
        }
    }

    fn disturb(&mut self, rng: &mut Rng) {
        match rng.below(12) {
            0 => self.manager.collect(),
            1 => self.manager.reorder().unwrap(),
            2 => {
                let mut order = self.vars.clone();
                rng.shuffle(&mut order);
                order.truncate(rng.between(0, order.len()));
                self.manager.set_order(&order).unwrap();
                assert_eq!(&self.manager.order()[..order.len()], order);
            }
            3 => self.manager.set_reordering(Some(rng.between(2, 300))),
            4 => self.manager.set_reordering(None),
            _ => {}
        }
    }

    fn check(&self) {
        for (at, (f, f_table)) in self.functions.iter().enumerate() {
            assert_eq!(Table::of(&self.vars, f), *f_table);
            for (g, g_table) in &self.functions[at..] {
                assert_eq!(f == g, f_table == g_table, "equal functions are equal handles");
            }
        }
    }
}

#[test]
fn long_sequences_of_operations_agree_with_truth_tables() {
    random_cases(60, |rng| {
        let n = rng.between(1, 10);
        let mut pool = Pool::new(rng, n);
        for step in 0..150 {
            let (result, table) = pool.operation(rng);
            let result = result.unwrap();
            assert_eq!(Table::of(&pool.vars, &result), table, "step {step}");
            pool.functions.push((result, table));
            while pool.functions.len() > 12 {
                let at = rng.below(pool.functions.len());
                pool.functions.swap_remove(at);
            }
            pool.disturb(rng);
        }
        pool.check();
    });
}

#[test]
fn twelve_variables_agree_too() {
    random_cases(4, |rng| {
        let mut pool = Pool::new(rng, 12);
        for _ in 0..60 {
            let (result, table) = pool.operation(rng);
            let result = result.unwrap();
            assert_eq!(Table::of(&pool.vars, &result), table);
            pool.functions.push((result, table));
            let at = rng.below(pool.functions.len());
            pool.functions.swap_remove(at);
            pool.disturb(rng);
        }
        pool.check();
    });
}

#[test]
fn an_operation_that_hits_the_node_limit_leaves_everything_as_it_was() {
    let mut hits = 0;
    let run = random_cases(40, |rng| {
        let n = rng.between(5, 9);
        let mut pool = Pool::new(rng, n);
        for _ in 0..80 {
            pool.manager.collect();
            let room = rng.between(0, 40);
            let limit = pool.manager.n_nodes() + room;
            pool.manager.set_node_limit(limit);
            if rng.chance(0.2) {
                pool.manager.set_reordering(Some(rng.between(2, limit)));
            }
            let (result, table) = pool.operation(rng);
            match result {
                Ok(result) => {
                    assert_eq!(Table::of(&pool.vars, &result), table);
                    pool.functions.push((result, table));
                }
                Err(reason) => {
                    assert_eq!(reason, StopReason::NodeLimit);
                    hits += 1;
                    pool.check();
                }
            }
            if pool.functions.len() > 8 {
                let at = rng.below(pool.functions.len());
                pool.functions.swap_remove(at);
            }
            pool.manager.set_node_limit(usize::MAX);
        }
        pool.check();
    });
    run.enough(hits > 100, format_args!("only {hits} operations hit the limit"));
}

#[test]
fn after_all_handles_are_gone_only_the_terminal_is_left() {
    random_cases(20, |rng| {
        let pool = Pool::new(rng, 8);
        let manager = pool.manager.clone();
        let results: Vec<Bdd> = (0..30).map(|_| pool.operation(rng).0.unwrap()).collect();
        manager.reorder().unwrap();
        drop((pool, results));
        manager.collect();
        assert_eq!(manager.n_nodes(), 1);
        assert!(manager.peak_nodes() > 1);
    });
}

#[test]
fn minimised_functions_agree_on_the_care_set_and_obey_their_laws() {
    random_cases(150, |rng| {
        let n = rng.between(1, 8);
        let (manager, vars) = random_manager(rng, n);
        let mut function = || {
            let table = Table::random(rng, n);
            (table.diagram(&manager, &vars), table)
        };
        let ((f, f_table), (g, _), (care, care_table)) = (function(), function(), function());
        if care.is_false() {
            return;
        }
        let agrees = |result: &Bdd| {
            let inside = |table: &Table| table.with(&care_table, |f, care| f && care);
            assert_eq!(inside(&Table::of(&vars, result)), inside(&f_table));
        };
        let constrained = f.constrain(&care).unwrap();
        agrees(&constrained);
        let other = g.constrain(&care).unwrap();
        assert_eq!(f.and(&g).unwrap().constrain(&care).unwrap(), constrained.and(&other).unwrap());
        assert_eq!(f.xor(&g).unwrap().constrain(&care).unwrap(), constrained.xor(&other).unwrap());
        assert_eq!(f.not().constrain(&care).unwrap(), constrained.not());
        let restricted = f.restrict(&care).unwrap();
        agrees(&restricted);
        let support = f.support();
        assert!(restricted.support().iter().all(|var| support.contains(var)));
        manager.reorder().unwrap();
        agrees(&f.restrict(&care).unwrap());
        agrees(&f.constrain(&care).unwrap());
    });
}

#[test]
fn a_cube_with_contradicting_literals_is_false() {
    let manager = Manager::new(&tertium_support::Context::default());
    let (x, y) = (manager.add_var(), manager.add_var());
    assert!(Bdd::cube(&manager, [(x, true), (y, true), (x, false)]).unwrap().is_false());
    let both = manager.var(x).unwrap().and(&manager.var(y).unwrap()).unwrap();
    assert_eq!(Bdd::cube(&manager, [(x, true), (y, true), (x, true)]).unwrap(), both);
}

#[test]
fn an_operation_without_new_nodes_notices_a_cancellation() {
    use tertium_support::{Cancel, Context, Limits};
    let cancel = Cancel::default();
    let manager = Manager::new(&Context::new(Limits::default(), cancel.clone()));
    let pairs: Vec<(Bdd, Bdd)> = (0..17)
        .map(|_| (manager.add_var(), manager.add_var()))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(x, y)| (manager.var(x).unwrap(), manager.var(y).unwrap()))
        .collect();
    // All firsts above all seconds: a diagram with 2^17 nodes.
    manager.set_order(&manager.order().into_iter().step_by(2).collect::<Vec<_>>()).unwrap();
    let same = pairs.iter().fold(manager.constant(true), |all, (x, y)| all.and(&x.iff(y).unwrap()).unwrap());
    let odd = pairs.iter().fold(manager.constant(true), |sum, (x, y)| sum.xor(x).unwrap().xor(y).unwrap());
    let first = pairs[0].0.xor(&pairs[0].1).unwrap();
    let other = odd.xor(&first).unwrap();
    assert!(same.is_subset(&odd).unwrap());
    cancel.cancel();
    // The answer is yes, so no node would be made on the way to it.
    assert_eq!(same.is_subset(&other), Err(StopReason::Interrupted));
}

/// A conjunction of equalities of variables that are far from each other: exponentially large.
fn large(manager: &Manager, vars: &[Var]) -> Result<Bdd, StopReason> {
    let half = vars.len() / 2;
    (0..half).try_fold(manager.constant(true), |all, at| {
        all.and(&manager.var(vars[at])?.iff(&manager.var(vars[at + half])?)?)
    })
}

#[test]
fn an_allowance_of_steps_ends_an_operation_at_the_same_step_every_time_and_can_be_lifted() {
    let run = || {
        let manager = Manager::new(&tertium_support::Context::default());
        let vars: Vec<Var> = (0..40).map(|_| manager.add_var()).collect();
        manager.allow_steps(Some(100_000));
        let stopped = large(&manager, &vars);
        assert_eq!(stopped, Err(StopReason::NodeLimit));
        let steps = manager.n_steps();
        manager.allow_steps(None);
        let smaller = [&vars[..8], &vars[20..28]].concat();
        assert!(large(&manager, &smaller).is_ok());
        assert!(manager.n_steps() > steps);
        steps
    };
    let steps = run();
    assert!((100_000..300_000).contains(&steps), "{steps}");
    assert_eq!(run(), steps);
}

#[test]
fn an_allowance_leaves_the_order_alone() {
    let manager = Manager::new(&tertium_support::Context::default());
    let vars: Vec<Var> = (0..30).map(|_| manager.add_var()).collect();
    manager.set_reordering(Some(1_000));
    let order = manager.order();
    manager.allow_steps(Some(u64::MAX));
    assert_eq!(large(&manager, &vars), Err(StopReason::NodeLimit));
    assert_eq!(manager.order(), order);
    manager.allow_steps(None);
    assert!(large(&manager, &vars).is_ok(), "a better order is found");
    assert_ne!(manager.order(), order);
}

#[test]
fn new_variables_can_come_first() {
    let manager = Manager::new(&tertium_support::Context::default());
    let old: Vec<Var> = (0..3).map(|_| manager.add_var()).collect();
    let f = large(&manager, &old[..2]).unwrap();
    let new = manager.add_first_vars(2).unwrap();
    assert_eq!(manager.order(), [new.as_slice(), &old].concat());
    assert_eq!(large(&manager, &old[..2]).unwrap(), f);
}
