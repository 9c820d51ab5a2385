//! Multi-terminal diagrams: functions from Boolean variables to values of any type \[FMY97\].
//!
//! Built for fixpoints over lattices: values are combined point by point, joined over variables, and joined along a relation,
//! which is what a pre-image becomes when sets are lattice-valued. The order of the variables is fixed when the manager is
//! made. Conditions are two-valued diagrams of the same manager; a [`Bdd`] becomes one at a cost linear in its size if both
//! orders agree, and by composition otherwise.

use crate::bdd::Bdd;
use crate::manager::Manager;
use crate::multiway::{Made, Multiway, Pairs, Ref};
use crate::store::Var;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use tertium_support::{Context, StopReason};

/// What stands at the end of a path: an answer of a condition, or a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Leaf<T> {
    No,
    Yes,
    Value(T),
}

/// A function from the variables to values. Equal functions of one manager are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mtbdd(Ref);

/// A set of points, to choose and to restrict by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition(Ref);

/// Owner of multi-terminal diagrams with values T.
#[derive(Debug)]
pub struct MtbddManager<T> {
    store: Multiway<Leaf<T>, 2>,
    order: Vec<Var>,
    level_of: FxHashMap<Var, u32>,
}

impl<T: Clone + Eq + Hash> MtbddManager<T> {
    /// An empty manager for these variables, in this order.
    pub fn new(context: &Context, order: Vec<Var>) -> Self {
        let level_of = order.iter().copied().zip(0..).collect();
        Self { store: Multiway::new(context), order, level_of }
    }

    /// From now on at most this many nodes; reaching it is an error of the operation.
    pub fn set_node_limit(&mut self, nodes: usize) {
        self.store.set_node_limit(nodes);
    }

    /// Nodes in use, some of which may be unreachable until the next collection.
    pub fn n_nodes(&self) -> usize {
        self.store.n_nodes()
    }

    /// Frees everything that these diagrams do not need. All others become invalid.
    pub fn collect(&mut self, functions: &mut [Mtbdd], conditions: &mut [Condition]) {
        let functions = functions.iter_mut().map(|function| &mut function.0);
        self.store.collect(functions.chain(conditions.iter_mut().map(|condition| &mut condition.0)));
    }

    /// The same value everywhere.
    pub fn constant(&mut self, value: T) -> Mtbdd {
        Mtbdd(self.store.terminal(Leaf::Value(value)))
    }

    /// The points where a set holds, which depends on variables of this manager only.
    pub fn condition(&mut self, set: &Bdd) -> Result<Condition, StopReason> {
        self.import(set, &mut FxHashMap::default()).map(Condition)
    }

    fn import(&mut self, set: &Bdd, known: &mut FxHashMap<u32, Ref>) -> Made {
        if let Some(&known) = known.get(&set.edge.raw()) {
            return Ok(known);
        }
        let result = match set.split() {
            None => self.store.terminal(if set.is_true() { Leaf::Yes } else { Leaf::No }),
            Some((var, low, high)) => {
                let (low, high) = (self.import(&low, known)?, self.import(&high, known)?);
                self.branch(self.level_of[&var], low, high)?
            }
        };
        known.insert(set.edge.raw(), result);
        Ok(result)
    }

    /// `if the variable at level then high else low`, wherever both stand.
    fn branch(&mut self, level: u32, low: Ref, high: Ref) -> Made {
        if level < self.store.level(low) && level < self.store.level(high) {
            return self.store.make(level, [low, high]);
        }
        let (no, yes) = (self.store.terminal(Leaf::No), self.store.terminal(Leaf::Yes));
        let literal = self.store.make(level, [no, yes])?;
        self.choose(literal, high, low, &mut FxHashMap::default())
    }

    /// The values of `yes` where the condition holds and of `no` elsewhere.
    pub fn ite(&mut self, condition: Condition, yes: Mtbdd, no: Mtbdd) -> Result<Mtbdd, StopReason> {
        self.choose(condition.0, yes.0, no.0, &mut FxHashMap::default()).map(Mtbdd)
    }

    fn choose(&mut self, c: Ref, yes: Ref, no: Ref, known: &mut FxHashMap<(Ref, Ref, Ref), Ref>) -> Made {
        match self.store.value(c) {
            Some(Leaf::Yes) => return Ok(yes),
            Some(_) => return Ok(no),
            None if yes == no => return Ok(yes),
            None => {}
        }
        if let Some(&known) = known.get(&(c, yes, no)) {
            return Ok(known);
        }
        self.store.step()?;
        let level = self.store.level(c).min(self.store.level(yes)).min(self.store.level(no));
        let [c_low, c_high] = self.store.branches(c, level);
        let [yes_low, yes_high] = self.store.branches(yes, level);
        let [no_low, no_high] = self.store.branches(no, level);
        let low = self.choose(c_low, yes_low, no_low, known)?;
        let high = self.choose(c_high, yes_high, no_high, known)?;
        let result = self.store.make(level, [low, high])?;
        known.insert((c, yes, no), result);
        Ok(result)
    }

    /// The function with every value replaced.
    pub fn map(&mut self, f: Mtbdd, mut op: impl FnMut(&T) -> T) -> Result<Mtbdd, StopReason> {
        let mut op = |leaf: &Leaf<T>| match leaf {
            Leaf::Value(value) => Leaf::Value(op(value)),
            answer => answer.clone(),
        };
        self.store.map(f.0, &mut op, &mut FxHashMap::default()).map(Mtbdd)
    }

    /// Both functions combined point by point.
    pub fn apply(
        &mut self,
        f: Mtbdd,
        g: Mtbdd,
        mut op: impl FnMut(&T, &T) -> T,
    ) -> Result<Mtbdd, StopReason> {
        self.store.apply(f.0, g.0, &mut on_values(&mut op), &mut Pairs::default()).map(Mtbdd)
    }

    /// At each point the join of the values over all values of `vars`. The operation must be that of a semilattice.
    pub fn join(
        &mut self,
        f: Mtbdd,
        vars: &[Var],
        join: impl FnMut(&T, &T) -> T,
    ) -> Result<Mtbdd, StopReason> {
        let yes = Condition(self.store.terminal(Leaf::Yes));
        // No point is left out, so the bottom does not occur.
        self.join_where(yes, f, f.0, vars, join)
    }

    /// At each point the join of the values over all values of `vars` for which the relation holds, and `bottom` where it
    /// holds for none. The operation must be that of a semilattice with this bottom.
    pub fn join_along(
        &mut self,
        relation: Condition,
        f: Mtbdd,
        vars: &[Var],
        bottom: T,
        join: impl FnMut(&T, &T) -> T,
    ) -> Result<Mtbdd, StopReason> {
        let bottom = self.constant(bottom).0;
        self.join_where(relation, f, bottom, vars, join)
    }

    fn join_where(
        &mut self,
        relation: Condition,
        f: Mtbdd,
        bottom: Ref,
        vars: &[Var],
        mut join: impl FnMut(&T, &T) -> T,
    ) -> Result<Mtbdd, StopReason> {
        let mut joined = vec![false; self.order.len()];
        vars.iter().for_each(|var| joined[self.level_of[var] as usize] = true);
        let last = joined.iter().rposition(|&joined| joined).map_or(0, |last| last as u32 + 1);
        let known = Pairs::default();
        let mut joining =
            Joining { joined, last, bottom, join: on_values(&mut join), known, pairs: Pairs::default() };
        joining.run(&mut self.store, relation.0, f.0).map(Mtbdd)
    }

    /// The function of other variables: each first variable becomes its second, all at once.
    pub fn rename(&mut self, f: Mtbdd, pairs: &[(Var, Var)]) -> Result<Mtbdd, StopReason> {
        let mut to: Vec<u32> = (0..self.order.len() as u32).collect();
        pairs.iter().for_each(|(old, new)| to[self.level_of[old] as usize] = self.level_of[new]);
        self.substitute(f.0, &to, &mut FxHashMap::default()).map(Mtbdd)
    }

    fn substitute(&mut self, f: Ref, to: &[u32], known: &mut FxHashMap<Ref, Ref>) -> Made {
        if self.store.value(f).is_some() {
            return Ok(f);
        }
        if let Some(&known) = known.get(&f) {
            return Ok(known);
        }
        self.store.step()?;
        let level = self.store.level(f);
        let [low, high] = self.store.branches(f, level);
        let (low, high) = (self.substitute(low, to, known)?, self.substitute(high, to, known)?);
        let result = self.branch(to[level as usize], low, high)?;
        known.insert(f, result);
        Ok(result)
    }

    /// The value at a point.
    pub fn eval(&self, f: Mtbdd, value: impl Fn(Var) -> bool) -> &T {
        match self.store.eval(f.0, |level| usize::from(value(self.order[level as usize]))) {
            Leaf::Value(value) => value,
            Leaf::No | Leaf::Yes => unreachable!("a function ends in values"),
        }
    }

    /// The values that occur.
    pub fn values(&self, f: Mtbdd) -> Vec<&T> {
        fn value<T>(leaf: &Leaf<T>) -> Option<&T> {
            if let Leaf::Value(value) = leaf { Some(value) } else { None }
        }
        self.store.values(f.0).into_iter().filter_map(value).collect()
    }

    /// The points whose value satisfies the predicate, as a diagram of the given manager.
    pub fn to_bdd(&self, manager: &Manager, f: Mtbdd, holds: impl Fn(&T) -> bool) -> Result<Bdd, StopReason> {
        let mut known: FxHashMap<Ref, Bdd> = FxHashMap::default();
        let mut order = Vec::new();
        self.store.visit(f.0, |at| order.push(at));
        // Deepest first, so that children are there when they are needed.
        order.sort_by_key(|&at| std::cmp::Reverse(self.store.level(at)));
        for at in order {
            let set = if let Some(leaf) = self.store.value(at) {
                manager.constant(matches!(leaf, Leaf::Value(value) if holds(value)))
            } else {
                let level = self.store.level(at);
                let [low, high] = self.store.branches(at, level);
                manager.var(self.order[level as usize])?.ite(&known[&high], &known[&low])?
            };
            known.insert(at, set);
        }
        Ok(known.remove(&f.0).expect("the root is visited"))
    }
}

fn on_values<T>(op: &mut impl FnMut(&T, &T) -> T) -> impl FnMut(&Leaf<T>, &Leaf<T>) -> Leaf<T> {
    |x, y| match (x, y) {
        (Leaf::Value(x), Leaf::Value(y)) => Leaf::Value(op(x, y)),
        _ => unreachable!("values are combined with values"),
    }
}

/// A join over variables under way.
struct Joining<J> {
    /// Whether each level is joined over, and the end of the levels that are.
    joined: Vec<bool>,
    last: u32,
    bottom: Ref,
    join: J,
    known: Pairs,
    /// Results of the join itself.
    pairs: Pairs,
}

impl<J> Joining<J> {
    fn run<T: Clone + Eq + Hash>(&mut self, store: &mut Multiway<Leaf<T>, 2>, relation: Ref, f: Ref) -> Made
    where
        J: FnMut(&Leaf<T>, &Leaf<T>) -> Leaf<T>,
    {
        let level = store.level(relation).min(store.level(f));
        match store.value(relation) {
            Some(Leaf::No) => return Ok(self.bottom),
            Some(_) if level >= self.last => return Ok(f),
            _ => {}
        }
        if let Some(&known) = self.known.get(&(relation, f)) {
            return Ok(known);
        }
        store.step()?;
        let [relation_low, relation_high] = store.branches(relation, level);
        let [f_low, f_high] = store.branches(f, level);
        let low = self.run(store, relation_low, f_low)?;
        let high = self.run(store, relation_high, f_high)?;
        let result = if self.joined[level as usize] {
            store.apply(low, high, &mut self.join, &mut self.pairs)?
        } else {
            store.make(level, [low, high])?
        };
        self.known.insert((relation, f), result);
        Ok(result)
    }
}
