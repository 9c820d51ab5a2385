//! Images and pre-images of random relations in parts, against enumeration of all steps.

use crate::table::Table;
use tertium_dd::{Bdd, Frame, Manager, Relation, Saturation, Var};
use tertium_support::{Context, Rng};
use tertium_testkit::random_cases;

/// A relation beside the table of all its steps: bits of the state before, then after, then the inputs.
struct Case {
    manager: Manager,
    vars: Vec<Var>,
    n: usize,
    relation: Relation,
    steps: Table,
}

fn random_case(rng: &mut Rng) -> Case {
    let manager = Manager::new(&Context::default());
    let (n, inputs) = (rng.between(1, 4), rng.below(3));
    let all = 2 * n + inputs;
    let mut vars: Vec<Var> = (0..all).map(|_| manager.add_var()).collect();
    rng.shuffle(&mut vars);
    if rng.chance(0.5) {
        (0..n).for_each(|i| manager.group(&[vars[i], vars[n + i]]));
    }
    let mut steps = Table::constant(all, false);
    let mut parts = Vec::new();
    for _ in 0..rng.below(4) {
        let mut conjuncts = Vec::new();
        let mut product = Table::constant(all, true);
        for _ in 0..rng.below(4) {
            // A part of few variables, so that there is something to quantify early.
            let (x, y, z) = (rng.below(all), rng.below(all), rng.below(all));
            let (f, g, h) = (Table::var(all, x), Table::var(all, y), Table::var(all, z));
            let part = f.with(&g, |f, g| f == g).with(&h, |fg, h| if x > y { fg || h } else { fg && h });
            conjuncts.push(part.diagram(&manager, &vars));
            product = product.with(&part, |x, y| x && y);
        }
        // Some disjuncts say of some variables that they stay as they are.
        for k in (0..n).filter(|_| rng.chance(0.3)) {
            let same = Table::var(all, k).with(&Table::var(all, n + k), |now, next| now == next);
            conjuncts.push(same.diagram(&manager, &vars));
            product = product.with(&same, |x, y| x && y);
        }
        parts.push(conjuncts);
        steps = steps.with(&product, |x, y| x || y);
    }
    let frame =
        Frame { current: vars[..n].to_vec(), next: vars[n..2 * n].to_vec(), input: vars[2 * n..].to_vec() };
    let relation = Relation::new(&manager, frame, parts).unwrap();
    Case { manager, vars, n, relation, steps }
}

impl Case {
    /// A random set of states (and inputs, if wanted).
    fn random_set(&self, rng: &mut Rng, with_inputs: bool) -> (Bdd, Table) {
        let all = self.vars.len();
        let random = Table::random(rng, all);
        let keep = |k: usize| {
            let inputs = if with_inputs { k >> (2 * self.n) << (2 * self.n) } else { 0 };
            k & ((1 << self.n) - 1) | inputs
        };
        let table = Table((0..1 << all).map(|k| random.0[keep(k)]).collect());
        (table.diagram(&self.manager, &self.vars), table)
    }

    /// The parts of a step.
    fn split(&self, step: usize) -> (usize, usize, usize) {
        let mask = (1 << self.n) - 1;
        (step & mask, step >> self.n & mask, step >> (2 * self.n) << (2 * self.n))
    }

    /// The set of all points whose state satisfies `holds`.
    fn states(&self, holds: impl Fn(usize) -> bool) -> Table {
        Table((0..1 << self.vars.len()).map(|k| holds(self.split(k).0)).collect())
    }

    fn some_step(&self, mut holds: impl FnMut(usize, usize, usize) -> bool) -> bool {
        (0..self.steps.0.len()).filter(|&step| self.steps.0[step]).any(|step| {
            let (before, after, input) = self.split(step);
            holds(before, after, input)
        })
    }

    fn assert_is(&self, found: &Bdd, expected: &Table) {
        assert_eq!(Table::of(&self.vars, found), *expected);
    }
}

#[test]
fn images_and_preimages_agree_with_enumeration() {
    random_cases(250, |rng| {
        let case = random_case(rng);
        for _ in 0..3 {
            let (from, from_table) = case.random_set(rng, true);
            let image = case.states(|state| case.some_step(|b, a, i| a == state && from_table.0[b | i]));
            case.assert_is(&case.relation.image(&from).unwrap(), &image);

            let (to, to_table) = case.random_set(rng, false);
            let before = case.states(|state| case.some_step(|b, a, _| b == state && to_table.0[a]));
            let everywhere = case.manager.constant(true);
            case.assert_is(&case.relation.preimage(&to, &everywhere).unwrap(), &before);

            let by = case
                .states(|state| case.some_step(|b, a, i| b == state && to_table.0[a] && from_table.0[b | i]));
            case.assert_is(&case.relation.preimage_by(&from, &to, &everywhere).unwrap(), &by);

            let steps = Table(
                (0..case.steps.0.len())
                    .map(|step| {
                        let (b, a, i) = case.split(step);
                        case.steps.0[step] && from_table.0[b | i] && to_table.0[a]
                    })
                    .collect(),
            );
            case.assert_is(&case.relation.steps(&from, &to).unwrap(), &steps);
            case.manager.reorder().unwrap();
        }
        let stuck = case.states(|state| !case.some_step(|b, _, _| b == state));
        case.assert_is(&case.relation.deadlocks(&case.manager.constant(true)).unwrap(), &stuck);
    });
}

#[test]
fn saturation_reaches_what_enumeration_reaches() {
    random_cases(250, |rng| {
        let case = random_case(rng);
        let (from, from_table) = case.random_set(rng, false);
        let mask = (1 << case.n) - 1;
        let mut reached: Vec<bool> = (0..=mask).map(|state| from_table.0[state]).collect();
        loop {
            let before = reached.clone();
            case.some_step(|b, a, _| {
                reached[a] |= reached[b];
                false
            });
            if reached == before {
                break;
            }
        }
        let mut saturation = Saturation::new(&case.relation);
        if rng.chance(0.5) {
            // Whatever was closed before, and whatever the order is by now, the rest is found.
            let some = saturation.n_groups() / 2;
            saturation.close(&from, some).unwrap();
            case.manager.reorder().unwrap();
        }
        case.assert_is(&saturation.close(&from, 0).unwrap(), &case.states(|state| reached[state]));
    });
}

#[test]
fn priming_and_unpriming_are_inverse() {
    random_cases(50, |rng| {
        let case = random_case(rng);
        let (set, _) = case.random_set(rng, false);
        let primed = case.relation.primed(&set).unwrap();
        assert!(primed.support().iter().all(|var| case.relation.frame().next.contains(var)));
        assert_eq!(case.relation.unprimed(&primed).unwrap(), set);
    });
}

#[test]
fn extending_a_relation_is_the_same_as_making_it_with_more_parts() {
    random_cases(150, |rng| {
        let manager = Manager::new(&Context::default());
        let vars: Vec<Var> = (0..8).map(|_| manager.add_var()).collect();
        let part = |rng: &mut Rng| {
            let (x, y, z) = (rng.below(8), rng.below(8), rng.below(8));
            let (f, g, h) = (Table::var(8, x), Table::var(8, y), Table::var(8, z));
            f.with(&g, |f, g| f == g).with(&h, |fg, h| fg || h).diagram(&manager, &vars)
        };
        let mut parts: Vec<Vec<Bdd>> =
            (0..rng.below(3)).map(|_| (0..rng.below(4)).map(|_| part(rng)).collect()).collect();
        let more: Vec<Bdd> = (0..rng.below(4)).map(|_| part(rng)).collect();
        let frame = |range: std::ops::Range<usize>, input: Vec<Var>| Frame {
            current: range.clone().map(|k| vars[2 * k]).collect(),
            next: range.map(|k| vars[2 * k + 1]).collect(),
            input,
        };
        let small = Relation::new(&manager, frame(0..2, vec![vars[6]]), parts.clone()).unwrap();
        let extended = small.extended(&frame(2..3, vec![vars[7]]), &more).unwrap();
        parts.iter_mut().for_each(|conjuncts| conjuncts.extend(more.iter().cloned()));
        let whole = Relation::new(&manager, frame(0..3, vec![vars[6], vars[7]]), parts).unwrap();
        let set = manager.var(vars[4]).unwrap().iff(&manager.var(vars[0]).unwrap()).unwrap();
        assert_eq!(extended.frame().current, whole.frame().current);
        assert_eq!(extended.image(&set).unwrap(), whole.image(&set).unwrap());
        let whole_set = manager.constant(true);
        let (here, there) =
            (extended.preimage(&set, &whole_set).unwrap(), whole.preimage(&set, &whole_set).unwrap());
        assert_eq!(here, there);
    });
}
