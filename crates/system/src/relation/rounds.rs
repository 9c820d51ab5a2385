//! In which round of the greatest fixpoint each pair fell.
//!
//! Round 0 removes pairs whose labels disagree; round k + 1 removes the pairs that have an unmatched step when only
//! the pairs left after round k are allowed. So the round of a pair is the least nesting of modalities of a formula
//! that tells its states apart.

use super::Relation;
use crate::StateId;
use tertium_support::Id;

/// The round in which each pair fell, in two bytes per pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    n_right: usize,
    /// `NEVER` for pairs that stay; numbers from `LATE` on are stored as `LATE`.
    rounds: Vec<u16>,
}

impl Rounds {
    const NEVER: u16 = u16::MAX;
    /// Rounds from this one on are not told apart.
    pub const LATE: usize = u16::MAX as usize - 1;

    /// Before the first removal by a step: what is outside `initial` fell in round 0.
    pub(crate) fn new(initial: &Relation) -> Self {
        let mut rounds = vec![0; initial.n_left() * initial.n_right()];
        for (p, q) in initial.pairs() {
            rounds[p.index() * initial.n_right() + q.index()] = Self::NEVER;
        }
        Self { n_right: initial.n_right(), rounds }
    }

    /// How many bytes the rounds of this many pairs take.
    pub(crate) fn bytes(n_left: usize, n_right: usize) -> u64 {
        n_left as u64 * n_right as u64 * size_of::<u16>() as u64
    }

    pub(crate) fn set(&mut self, left: StateId, right: StateId, round: usize) {
        debug_assert_eq!(self.fell(left, right), None, "a pair falls once");
        self.rounds[left.index() * self.n_right + right.index()] = round.min(Self::LATE) as u16;
    }

    /// The round in which the pair fell, or `None` if it never did. From [`Rounds::LATE`] on, a lower bound.
    #[inline]
    pub fn fell(&self, left: StateId, right: StateId) -> Option<usize> {
        let round = self.rounds[left.index() * self.n_right + right.index()];
        (round != Self::NEVER).then_some(round as usize)
    }

    /// Whether the pair fell before `round`.
    #[inline]
    pub(crate) fn fell_before(&self, left: StateId, right: StateId, round: usize) -> bool {
        debug_assert!(round <= Self::LATE, "late rounds are not told apart");
        self.fell(left, right).is_some_and(|fell| fell < round)
    }
}
