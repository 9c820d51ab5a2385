//! Multi-terminal diagrams against explicit tables of values.

use crate::table::{Table, random_manager};
use tertium_dd::{Bdd, Manager, Mtbdd, MtbddManager, Var};
use tertium_support::{Context, Rng, StopReason};
use tertium_testkit::random_cases;

/// Values are sets of three elements as bits: a lattice that is not a chain.
type Values = Vec<u8>;

struct Case {
    manager: Manager,
    vars: Vec<Var>,
    multi: MtbddManager<u8>,
}

impl Case {
    fn new(rng: &mut Rng, n: usize) -> Self {
        let (manager, vars) = random_manager(rng, n);
        let mut order = vars.clone();
        if rng.chance(0.5) {
            order = manager.order();
        } else {
            rng.shuffle(&mut order);
        }
        Self { manager, vars, multi: MtbddManager::new(&Context::default(), order) }
    }

    fn random(&mut self, rng: &mut Rng) -> (Mtbdd, Values) {
        let n = self.vars.len();
        let values: Values = (0..1 << n).map(|_| *rng.pick(&[0, 1, 1, 3, 6, 7])).collect();
        let mut function = self.multi.constant(0);
        for value in [1, 3, 6, 7] {
            let (set, _) = self.set(&Table(values.iter().map(|&other| other == value).collect()));
            let constant = self.multi.constant(value);
            function = self.multi.ite(set, constant, function).unwrap();
        }
        (function, values)
    }

    fn set(&mut self, table: &Table) -> (tertium_dd::Condition, Bdd) {
        let set = table.diagram(&self.manager, &self.vars);
        (self.multi.condition(&set).unwrap(), set)
    }

    fn assert_is(&self, function: Mtbdd, values: &[u8]) {
        let index = |var: Var| self.vars.iter().position(|&other| other == var).unwrap();
        for (k, value) in values.iter().enumerate() {
            assert_eq!(self.multi.eval(function, |var| k >> index(var) & 1 == 1), value, "at {k}");
        }
    }
}

#[test]
fn values_are_combined_point_by_point() {
    random_cases(80, |rng| {
        let n = rng.between(0, 7);
        let mut case = Case::new(rng, n);
        let ((f, f_values), (g, g_values)) = (case.random(rng), case.random(rng));
        case.assert_is(f, &f_values);
        let zip = |op: fn(u8, u8) -> u8| -> Values {
            f_values.iter().zip(&g_values).map(|(&x, &y)| op(x, y)).collect()
        };
        let both = case.multi.apply(f, g, |x, y| x & y).unwrap();
        case.assert_is(both, &zip(|x, y| x & y));
        let minus = case.multi.apply(f, g, |x, y| x & !y).unwrap();
        case.assert_is(minus, &zip(|x, y| x & !y));
        let flipped = case.multi.map(f, |x| 7 - x).unwrap();
        case.assert_is(flipped, &f_values.iter().map(|x| 7 - x).collect::<Values>());
        // Normal form: the same function by another way is the same diagram.
        let (not_f, not_g) = (flipped, case.multi.map(g, |x| 7 - x).unwrap());
        let either = case.multi.apply(not_f, not_g, |x, y| x | y).unwrap();
        assert_eq!(case.multi.map(either, |x| 7 - x).unwrap(), both);
        let table = Table::random(rng, n);
        let (condition, _) = case.set(&table);
        let chosen = case.multi.ite(condition, f, g).unwrap();
        let values: Values =
            (0..1 << n).map(|k| if table.0[k] { f_values[k] } else { g_values[k] }).collect();
        case.assert_is(chosen, &values);
        let mut occurring: Vec<u8> = case.multi.values(chosen).into_iter().copied().collect();
        occurring.sort_unstable();
        let mut expected = values;
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(occurring, expected);
    });
}

#[test]
fn joins_over_variables_and_along_relations_agree_with_enumeration() {
    random_cases(80, |rng| {
        let n = rng.between(1, 7);
        let mut case = Case::new(rng, n);
        let (f, values) = case.random(rng);
        let mask = rng.below(1 << n);
        let vars: Vec<Var> = (0..n).filter(|i| mask >> i & 1 == 1).map(|i| case.vars[i]).collect();
        let over = |k: usize| (0..1 << n).filter(move |&other| other & !mask == k & !mask);
        let joined = case.multi.join(f, &vars, |x, y| x | y).unwrap();
        let expected: Values = (0..1 << n).map(|k| over(k).fold(0, |all, at| all | values[at])).collect();
        case.assert_is(joined, &expected);
        let table = Table::random(rng, n);
        let (relation, _) = case.set(&table);
        let along = case.multi.join_along(relation, f, &vars, 0, |x, y| x | y).unwrap();
        let expected: Values = (0..1 << n)
            .map(|k| over(k).filter(|&at| table.0[at]).fold(0, |all, at| all | values[at]))
            .collect();
        case.assert_is(along, &expected);
        // The dual: meets, from the top.
        let along = case.multi.join_along(relation, f, &vars, 7, |x, y| x & y).unwrap();
        let expected: Values = (0..1 << n)
            .map(|k| over(k).filter(|&at| table.0[at]).fold(7, |all, at| all & values[at]))
            .collect();
        case.assert_is(along, &expected);
    });
}

#[test]
fn renaming_and_conversion_agree_with_tables() {
    random_cases(80, |rng| {
        let n = rng.between(1, 7);
        let mut case = Case::new(rng, n);
        let (f, values) = case.random(rng);
        let to: Vec<usize> = (0..n).map(|_| rng.below(n)).collect();
        let pairs: Vec<(Var, Var)> = (0..n).map(|i| (case.vars[i], case.vars[to[i]])).collect();
        let renamed = case.multi.rename(f, &pairs).unwrap();
        let point = |k: usize| (0..n).filter(|&i| k >> to[i] & 1 == 1).map(|i| 1 << i).sum::<usize>();
        case.assert_is(renamed, &(0..1 << n).map(|k| values[point(k)]).collect::<Values>());
        let set = case.multi.to_bdd(&case.manager, f, |value| value & 2 != 0).unwrap();
        assert_eq!(Table::of(&case.vars, &set).0, values.iter().map(|v| v & 2 != 0).collect::<Vec<_>>());
        case.manager.reorder().unwrap();
        let condition = case.multi.condition(&set).unwrap();
        let (two, five) = (case.multi.constant(2), case.multi.constant(5));
        let back = case.multi.ite(condition, two, five).unwrap();
        case.assert_is(back, &values.iter().map(|v| if v & 2 != 0 { 2 } else { 5 }).collect::<Values>());
    });
}

#[test]
fn a_collection_keeps_what_is_asked_for_and_a_limit_is_an_error() {
    random_cases(40, |rng| {
        let n = rng.between(3, 7);
        let mut case = Case::new(rng, n);
        let (f, values) = case.random(rng);
        let (_, table) = case.random(rng);
        let table = Table(table.iter().map(|v| v & 1 == 1).collect());
        let (condition, set) = case.set(&table);
        let (mut functions, mut conditions) = ([f], [condition]);
        let before = case.multi.n_nodes();
        case.multi.collect(&mut functions, &mut conditions);
        assert!(case.multi.n_nodes() <= before);
        case.assert_is(functions[0], &values);
        assert_eq!(case.multi.condition(&set).unwrap(), conditions[0]);
        let limit = case.multi.n_nodes();
        case.multi.set_node_limit(limit);
        match case.multi.join_along(conditions[0], functions[0], &case.vars[..1], 0, |x, y| x | y) {
            Ok(_) => assert!(case.multi.n_nodes() <= limit),
            Err(reason) => assert_eq!(reason, StopReason::NodeLimit),
        }
        case.assert_is(functions[0], &values);
    });
}
