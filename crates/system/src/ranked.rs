//! How integer ranks change along the steps of a system: which of them fall, and which may grow.
//!
//! A rank is an integer that each concrete state has; what it is made of is known elsewhere. Along a step of a partial
//! system a rank *falls* if every concrete step that it stands for makes the rank smaller, and it was at least 0
//! before. It *may grow* unless no concrete step makes it greater. So an infinite run is impossible on which some rank
//! falls infinitely often and may grow only finitely often.
//!
//! Nothing is known of a step that is not listed: no rank falls on it, and each may grow.

use crate::{ActionId, StateId};
use rustc_hash::FxHashMap;

/// A step between two states: source, action, target.
pub type Step = (StateId, ActionId, StateId);

/// What a step does to ranks. Bit i of a set is rank i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RankChange {
    /// The ranks that fall.
    pub falls: u64,
    /// The ranks that may grow.
    pub may_grow: u64,
}

impl RankChange {
    /// Of what keeps the concrete state: every rank keeps its value.
    pub const NONE: Self = Self { falls: 0, may_grow: 0 };
}

/// Ranks with their names, and what each step does to them. Invariant: a rank that falls on a step does not grow on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankedSteps {
    names: Vec<String>,
    /// The changes that occur, each once; most systems have few.
    changes: Vec<RankChange>,
    places: FxHashMap<RankChange, u32>,
    steps: FxHashMap<Step, u32>,
}

impl RankedSteps {
    /// There are at most so many ranks.
    pub const MOST: usize = 64;

    /// Ranks with these names, as the user should read them, and no step yet. Panics if there are more than
    /// [`RankedSteps::MOST`].
    pub fn new(names: Vec<String>) -> Self {
        assert!(names.len() <= Self::MOST, "a set of ranks is one word");
        Self { names, ..Self::default() }
    }

    /// How many ranks there are.
    pub fn n_ranks(&self) -> usize {
        self.names.len()
    }

    /// The name of a rank.
    pub fn name(&self, rank: usize) -> &str {
        &self.names[rank]
    }

    /// The set of all ranks.
    pub fn all(&self) -> u64 {
        if self.names.len() == Self::MOST { u64::MAX } else { (1 << self.names.len()) - 1 }
    }

    /// Says what a step does to the ranks; what was said of it before is forgotten. Panics if a rank is named that does
    /// not exist, or one that falls and may grow.
    pub fn set(&mut self, source: StateId, action: ActionId, target: StateId, falls: u64, may_grow: u64) {
        assert!((falls | may_grow) & !self.all() == 0, "only ranks that exist change");
        assert!(falls & may_grow == 0, "a rank that falls on a step does not grow on it");
        let change = RankChange { falls, may_grow };
        let next = u32::try_from(self.changes.len()).expect("fewer changes than steps");
        let place = *self.places.entry(change).or_insert(next);
        if place == next {
            self.changes.push(change);
        }
        self.steps.insert((source, action, target), place);
    }

    /// What a step does to the ranks.
    pub fn of(&self, source: StateId, action: ActionId, target: StateId) -> RankChange {
        match self.steps.get(&(source, action, target)) {
            Some(&place) => self.changes[place as usize],
            None => RankChange { falls: 0, may_grow: self.all() },
        }
    }

    /// How many steps are listed.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The listed steps, in order.
    pub fn steps(&self) -> Vec<(Step, RankChange)> {
        let mut steps: Vec<_> =
            self.steps.iter().map(|(&step, &place)| (step, self.changes[place as usize])).collect();
        steps.sort_unstable();
        steps
    }
}

/// The ranks of a set, in order.
pub fn ranks_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let rank = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(rank)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(source: u32, target: u32) -> Step {
        (StateId::from_raw(source), ActionId::from_raw(0), StateId::from_raw(target))
    }

    #[test]
    fn what_is_not_listed_may_let_all_grow_and_the_last_word_counts() {
        let mut ranks = RankedSteps::new(vec!["x".into(), "y - x".into()]);
        let (s, a, t) = step(1, 2);
        assert_eq!(ranks.of(s, a, t), RankChange { falls: 0, may_grow: 0b11 });
        ranks.set(s, a, t, 0b01, 0b10);
        ranks.set(t, a, s, 0b01, 0b10);
        ranks.set(s, a, t, 0b10, 0);
        assert_eq!(ranks.of(s, a, t), RankChange { falls: 0b10, may_grow: 0 });
        let listed = [
            (step(1, 2), RankChange { falls: 0b10, may_grow: 0 }),
            (step(2, 1), RankChange { falls: 0b01, may_grow: 0b10 }),
        ];
        assert_eq!(ranks.steps(), listed);
        assert_eq!((ranks.n_steps(), ranks.name(1)), (2, "y - x"));
        assert_eq!(ranks_of(0b1010).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn sixty_four_ranks_are_the_most() {
        let ranks = RankedSteps::new((0..64).map(|rank| format!("r{rank}")).collect());
        assert_eq!(ranks.all(), u64::MAX);
        assert_eq!(RankedSteps::new(Vec::new()).all(), 0);
        assert!(std::panic::catch_unwind(|| RankedSteps::new(vec![String::new(); 65])).is_err());
    }

    #[test]
    #[should_panic(expected = "does not grow on it")]
    fn a_rank_that_falls_and_grows_is_refused() {
        let (s, a, t) = step(0, 0);
        RankedSteps::new(vec!["x".into()]).set(s, a, t, 1, 1);
    }
}
