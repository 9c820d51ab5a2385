//! Ways that were not taken yet, and which comes next.
//!
//! Several orders take turns, so that none can starve the search: an edge that was taken least often, the way nearest to a target, the
//! newest and the oldest. Runs that have had turns before and would just go on *sleep*: they may be endless, and get a share of the steps
//! while there are others. Turns get longer, and runs with equally many turns share the steps equally with those that had more or fewer,
//! so that many new runs do not starve one that is long, and none that is endless starves the rest.

use super::state::State;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tertium_expr::Term;
use tertium_program::EdgeId;

/// So many ways are kept.
const MOST: usize = 200_000;

/// A way to go on.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// From here.
    pub(super) state: Rc<State>,
    /// Along this edge; nothing if the state goes on as it would have.
    pub(super) edge: Option<EdgeId>,
    /// What has to hold for that, where the values of inputs do not satisfy it yet.
    pub(super) condition: Option<Term>,
    /// The part of that which the edge does not say: the case that inputs are in.
    pub(super) case: Option<Term>,
    /// Lower bound of edges to a target.
    pub(super) distance: u32,
}

/// All ways that are left.
#[derive(Debug, Default)]
pub(super) struct Pool {
    ways: BTreeMap<u64, Way>,
    by_edge: BTreeMap<Option<EdgeId>, BTreeSet<u64>>,
    by_distance: BTreeSet<(u32, u64)>,
    /// Runs that sleep, by the number of turns that they have had.
    sleepers: BTreeMap<(u32, u64), Way>,
    /// Steps that were done by sleepers, by the number of their turns.
    slept: BTreeMap<u32, usize>,
    next: u64,
    turn: usize,
}

impl Pool {
    pub(super) fn len(&self) -> usize {
        self.ways.len() + self.sleepers.len()
    }

    /// Adds a way. Says whether there is room: else the one farthest from a target goes.
    pub(super) fn add(&mut self, way: Way) -> bool {
        let id = self.next;
        self.next += 1;
        if way.edge.is_none() && way.state.turns > 0 {
            self.sleepers.insert((way.state.turns, id), way);
            return self.len() <= MOST || self.sleepers.pop_last().is_none();
        }
        self.by_edge.entry(way.edge).or_default().insert(id);
        // Of several that are as near the newest comes first.
        self.by_distance.insert((way.distance, u64::MAX - id));
        self.ways.insert(id, way);
        let is_full = self.len() > MOST;
        if is_full && let Some(&(_, farthest)) = self.by_distance.last() {
            self.remove(u64::MAX - farthest);
        }
        !is_full
    }

    fn remove(&mut self, id: u64) -> Option<Way> {
        let way = self.ways.remove(&id)?;
        self.by_edge.get_mut(&way.edge).map(|ids| ids.remove(&id));
        self.by_distance.remove(&(way.distance, u64::MAX - id));
        Some(way)
    }

    /// A run that has slept, the oldest of those whose turn it is.
    pub(super) fn wake(&mut self) -> Option<Way> {
        let first_of = |turns: u32| self.sleepers.range((turns, 0)..).next().map(|(&(turns, _), _)| turns);
        let classes = std::iter::successors(first_of(0), |&turns| first_of(turns + 1));
        let steps = |turns: &u32| self.slept.get(turns).copied().unwrap_or_default();
        let turns = classes.min_by_key(steps)?;
        let (&key, _) = self.sleepers.range((turns, 0)..).next()?;
        self.sleepers.remove(&key)
    }

    /// Notes the steps of a run that was woken with so many turns behind it.
    pub(super) fn slept(&mut self, turns: u32, steps: usize) {
        *self.slept.entry(turns).or_default() += steps;
    }

    /// The next way that does not sleep; `taken` tells how often an edge was taken.
    pub(super) fn take(&mut self, taken: impl Fn(EdgeId) -> u64) -> Option<Way> {
        let newest = self.ways.keys().next_back().copied();
        let rarest = || {
            let often = |edge: &Option<EdgeId>| edge.map_or(u64::MAX, &taken);
            let buckets = self.by_edge.iter().filter(|(_, ids)| !ids.is_empty());
            buckets.min_by_key(|(edge, _)| often(edge)).and_then(|(_, ids)| ids.last().copied())
        };
        let nearest = || self.by_distance.first().map(|&(_, id)| u64::MAX - id);
        self.turn += 1;
        let id = match self.turn % 8 {
            0 | 3 => rarest(),
            1 | 4 | 6 => nearest(),
            7 => self.ways.keys().next().copied(),
            _ => newest,
        }?;
        self.remove(id)
    }
}
