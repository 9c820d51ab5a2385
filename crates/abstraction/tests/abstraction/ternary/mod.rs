//! Ternary diagrams: functions of vectors over {0, 1, *} \[GHJ01\].
//!
//! The star is a third value of a component, not an open one: a vector with a star is another vector than those without. A
//! component that a diagram does not look at may be any of the three. Used for cartesian abstraction, where a vector is an
//! abstract state: a predicate is false, true, or not known there. Sets are functions to `bool`; other terminals serve for
//! three-valued answers. Components are numbered from 0 in the order of the levels.

mod laws;
mod multiway;

use multiway::{Made, Multiway, Pairs, Ref};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use tertium_support::{Context, StopReason};

/// A component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tri {
    /// False.
    Zero,
    /// True.
    One,
    /// Left open.
    Star,
}

impl Tri {
    /// All three.
    pub(crate) const ALL: [Tri; 3] = [Tri::Zero, Tri::One, Tri::Star];
}

/// A function of vectors. Equal functions of one manager are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tdd(Ref);

/// Owner of ternary diagrams over vectors of one length with values T.
#[derive(Debug)]
pub(crate) struct TddManager<T> {
    store: Multiway<T, 3>,
    length: usize,
}

impl<T: Clone + Eq + Hash> TddManager<T> {
    /// An empty manager for vectors of this length.
    pub(crate) fn new(context: &Context, length: usize) -> Self {
        Self { store: Multiway::new(context), length }
    }

    /// The length of the vectors.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// From now on at most this many nodes; reaching it is an error of the operation.
    pub(crate) fn set_node_limit(&mut self, nodes: usize) {
        self.store.set_node_limit(nodes);
    }

    /// Nodes in use, some of which may be unreachable until the next collection.
    pub(crate) fn n_nodes(&self) -> usize {
        self.store.n_nodes()
    }

    /// Frees everything that these diagrams do not need. All others become invalid.
    pub(crate) fn collect(&mut self, keep: &mut [Tdd]) {
        self.store.collect(keep.iter_mut().map(|function| &mut function.0));
    }

    /// The same value for all vectors.
    pub(crate) fn constant(&mut self, value: T) -> Tdd {
        Tdd(self.store.terminal(value))
    }

    /// The function that goes on with `zero`, `one` or `star` by component `at`; these depend on later components only.
    pub(crate) fn node(&mut self, at: usize, zero: Tdd, one: Tdd, star: Tdd) -> Result<Tdd, StopReason> {
        self.store.make(at as u32, [zero.0, one.0, star.0]).map(Tdd)
    }

    /// The value at a vector.
    pub(crate) fn value(&self, f: Tdd, vector: &[Tri]) -> &T {
        self.store.eval(f.0, |level| vector[level as usize] as usize)
    }

    /// The function with another value at one vector.
    pub(crate) fn with(&mut self, f: Tdd, vector: &[Tri], value: T) -> Result<Tdd, StopReason> {
        let mut way = vec![f.0];
        for (level, &component) in vector.iter().enumerate() {
            way.push(self.store.branches(way[level], level as u32)[component as usize]);
        }
        let mut result = self.store.terminal(value);
        for (level, &component) in vector.iter().enumerate().rev() {
            let mut children = self.store.branches(way[level], level as u32);
            children[component as usize] = result;
            result = self.store.make(level as u32, children)?;
        }
        Ok(Tdd(result))
    }

    /// The function with every value replaced.
    pub(crate) fn map(&mut self, f: Tdd, mut op: impl FnMut(&T) -> T) -> Result<Tdd, StopReason> {
        self.store.map(f.0, &mut op, &mut FxHashMap::default()).map(Tdd)
    }

    /// Both functions combined vector by vector.
    pub(crate) fn apply(
        &mut self,
        f: Tdd,
        g: Tdd,
        mut op: impl FnMut(&T, &T) -> T,
    ) -> Result<Tdd, StopReason> {
        self.store.apply(f.0, g.0, &mut op, &mut Pairs::default()).map(Tdd)
    }

    /// The function that looks at component `at` no more, as if it were `component` always.
    pub(crate) fn restrict(&mut self, f: Tdd, at: usize, component: Tri) -> Result<Tdd, StopReason> {
        self.fix(f.0, at as u32, component, &mut FxHashMap::default()).map(Tdd)
    }

    fn fix(&mut self, f: Ref, at: u32, component: Tri, known: &mut FxHashMap<Ref, Ref>) -> Made {
        let level = self.store.level(f);
        if level >= at {
            return Ok(self.store.branches(f, at)[component as usize]);
        }
        if let Some(&known) = known.get(&f) {
            return Ok(known);
        }
        self.store.step()?;
        let mut children = self.store.branches(f, level);
        for child in &mut children {
            *child = self.fix(*child, at, component, known)?;
        }
        let result = self.store.make(level, children)?;
        known.insert(f, result);
        Ok(result)
    }

    /// How many vectors have a value that satisfies the predicate, or `None` if 128 bits do not hold the number.
    pub(crate) fn count(&self, f: Tdd, holds: impl Fn(&T) -> bool) -> Option<u128> {
        let mut order = Vec::new();
        self.store.visit(f.0, |at| order.push(at));
        order.sort_by_key(|&at| std::cmp::Reverse(self.store.level(at)));
        let rank = |at: Ref| self.store.level(at).min(self.length as u32);
        let mut counts: FxHashMap<Ref, u128> = FxHashMap::default();
        // A level that is skipped counts three times; nothing times whatever is nothing.
        let times = |count: u128, skipped: u32| match count {
            0 => Some(0),
            _ => 3u128.checked_pow(skipped).and_then(|power| count.checked_mul(power)),
        };
        for at in order {
            let count = if let Some(value) = self.store.value(at) {
                u128::from(holds(value))
            } else {
                let level = self.store.level(at);
                let mut sum = 0u128;
                for child in self.store.branches(at, level) {
                    sum = sum.checked_add(times(counts[&child], rank(child) - level - 1)?)?;
                }
                sum
            };
            counts.insert(at, count);
        }
        times(counts[&f.0], rank(f.0))
    }

    /// The vectors whose value satisfies the predicate, zero before one before star, first component first.
    pub(crate) fn vectors(&self, f: Tdd, holds: impl Fn(&T) -> bool) -> impl Iterator<Item = Vec<Tri>> {
        let mut left = vec![(Vec::new(), f.0)];
        std::iter::from_fn(move || {
            loop {
                let (vector, at): (Vec<Tri>, Ref) = left.pop()?;
                if self.store.value(at).is_some_and(|value| !holds(value)) {
                    continue;
                }
                if vector.len() == self.length {
                    return Some(vector);
                }
                let branches = self.store.branches(at, vector.len() as u32);
                for component in Tri::ALL.into_iter().rev() {
                    let mut longer = vector.clone();
                    longer.push(component);
                    left.push((longer, branches[component as usize]));
                }
            }
        })
    }
}

impl TddManager<bool> {
    /// The set with one more vector.
    pub(crate) fn insert(&mut self, set: Tdd, vector: &[Tri]) -> Result<Tdd, StopReason> {
        self.with(set, vector, true)
    }

    /// Whether the vector is in the set.
    pub(crate) fn contains(&self, set: Tdd, vector: &[Tri]) -> bool {
        *self.value(set, vector)
    }

    /// The vectors of either set.
    pub(crate) fn union(&mut self, f: Tdd, g: Tdd) -> Result<Tdd, StopReason> {
        self.apply(f, g, |&x, &y| x || y)
    }

    /// The vectors of both sets.
    pub(crate) fn intersection(&mut self, f: Tdd, g: Tdd) -> Result<Tdd, StopReason> {
        self.apply(f, g, |&x, &y| x && y)
    }

    /// The vectors of the first set that are not in the second.
    pub(crate) fn difference(&mut self, f: Tdd, g: Tdd) -> Result<Tdd, StopReason> {
        self.apply(f, g, |&x, &y| x && !y)
    }

    /// How many vectors the set has, or `None` if 128 bits do not hold the number.
    pub(crate) fn size(&self, set: Tdd) -> Option<u128> {
        self.count(set, |&is_in| is_in)
    }

    /// The vectors of the set in order.
    pub(crate) fn members(&self, set: Tdd) -> impl Iterator<Item = Vec<Tri>> {
        self.vectors(set, |&is_in| is_in)
    }
}
