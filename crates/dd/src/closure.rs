//! All that steps of a relation reach from a set, by saturation.
//!
//! A disjunct is local: it reads and changes few variables, the first of which in the order is its top. If no disjunct from
//! number k on (by top) is about a variable v, the states with v and those without do not meet under these disjuncts, and
//! each half can be closed alone:
//!
//! ```text
//! close(S, k) = if v then close(S with v, k) else close(S without v, k)      v first in S, not in disjuncts k..
//! close(S, k) = least T ⊇ S with T = close(T, k') ∪ steps of disjuncts k..k' from T,   the disjuncts with the top of k
//! ```
//!
//! So deep disjuncts work on small functions that many states share, and intermediate sets stay close to closed ones, which
//! tend to be smaller than the layers of a breadth-first search \[CLS01\]. Results are remembered by function and number. What
//! is said of v holds whatever the order is, so a change of the order on the way makes this slower at most.

use crate::bdd::Bdd;
use crate::relation::Relation;
use crate::store::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_support::StopReason;

/// So many results are remembered, then all are forgotten: each keeps its diagrams alive.
const MOST_KNOWN: usize = 1 << 20;

/// Closes sets of states under steps.
#[derive(Debug)]
pub struct Saturation<'r> {
    relation: &'r Relation,
    /// Numbers of disjuncts with the same top, first tops first.
    groups: Vec<Vec<usize>>,
    /// By variable, how many groups must be left out until none is about it.
    last: Vec<usize>,
    /// With the function itself, lest its node be used for another one.
    known: FxHashMap<(u32, usize), (Bdd, Bdd)>,
    n_images: u64,
}

impl<'r> Saturation<'r> {
    /// Knows nothing yet.
    pub fn new(relation: &'r Relation) -> Self {
        let manager = relation.manager();
        let mut by_top: Vec<(usize, usize, FxHashSet<Var>)> = Vec::new();
        for (number, disjunct) in relation.disjuncts().iter().enumerate() {
            let about = disjunct.about(relation.frame());
            let top = about.iter().map(|&var| manager.level(var)).min();
            by_top.push((top.unwrap_or(manager.n_vars()), number, about));
        }
        by_top.sort_by_key(|(top, number, _)| (*top, *number));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut last = vec![0; manager.n_vars()];
        let mut previous = None;
        for (top, number, about) in by_top {
            if previous != Some(top) {
                groups.push(Vec::new());
                previous = Some(top);
            }
            let n_groups = groups.len();
            groups[n_groups - 1].push(number);
            about.into_iter().for_each(|var| last[var.index()] = n_groups);
        }
        Self { relation, groups, last, known: FxHashMap::default(), n_images: 0 }
    }

    /// How many groups of disjuncts there are: those with the same top.
    pub fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// How many images were computed so far.
    pub fn n_images(&self) -> u64 {
        self.n_images
    }

    /// What any number of steps of the groups from this one on reaches from `set`, a function of current variables.
    pub fn close(&mut self, set: &Bdd, group: usize) -> Result<Bdd, StopReason> {
        let Some(top) = set.top().filter(|_| group < self.groups.len()) else {
            return Ok(set.clone());
        };
        let key = (set.raw(), group);
        if let Some((_, closed)) = self.known.get(&key) {
            return Ok(closed.clone());
        }
        let closed = if self.last[top.index()] <= group {
            let (without, with) = set.halves();
            let (without, with) = (self.close(&without, group)?, self.close(&with, group)?);
            self.relation.manager().var(top)?.ite(&with, &without)?
        } else {
            self.apply(set, group)?
        };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, (set.clone(), closed.clone()));
        Ok(closed)
    }

    /// The same if the first variable may be changed by the groups.
    fn apply(&mut self, set: &Bdd, group: usize) -> Result<Bdd, StopReason> {
        let mut closed = set.clone();
        loop {
            let before = closed.clone();
            closed = self.close(&closed, group + 1)?;
            for at in 0..self.groups[group].len() {
                self.n_images += 1;
                let image = self.relation.image_of(self.groups[group][at], &closed)?;
                closed = closed.or(&image)?;
            }
            if closed == before {
                return Ok(closed);
            }
        }
    }
}
