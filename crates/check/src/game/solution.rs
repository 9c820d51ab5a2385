//! Who wins each vertex, and the move to make there: one bit and four bytes per vertex.

use super::{Player, VertexId};
use tertium_support::{Id, IdSet};

/// The solution of a parity game. Laws, which `check_solution` validates: `strategy(v)` is `Some` iff the winner of
/// `v` owns it, and is then a successor of `v` won by the same player; following it wins every play from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    won_by_odd: IdSet<VertexId>,
    choice: Vec<u32>,
}

/// Stands in `choice` for "no move chosen here".
pub(super) const NO_MOVE: u32 = u32::MAX;

impl Solution {
    /// A claim that Odd wins exactly `won_by_odd`, by the moves `choice` (one entry per vertex).
    ///
    /// Panics if the two speak of different numbers of vertices.
    pub fn new(won_by_odd: IdSet<VertexId>, choice: &[Option<VertexId>]) -> Self {
        Self::from_raw(won_by_odd, choice.iter().map(|w| w.map_or(NO_MOVE, VertexId::raw)).collect())
    }

    pub(super) fn from_raw(won_by_odd: IdSet<VertexId>, choice: Vec<u32>) -> Self {
        assert_eq!(won_by_odd.universe(), choice.len(), "one winner and one move per vertex");
        Self { won_by_odd, choice }
    }

    /// How many vertices it speaks of.
    pub fn n_vertices(&self) -> usize {
        self.choice.len()
    }

    /// Who wins from `v`.
    #[inline]
    pub fn winner(&self, v: VertexId) -> Player {
        if self.won_by_odd.contains(v) { Player::Odd } else { Player::Even }
    }

    /// The winner's move at `v`, if the winner moves there.
    #[inline]
    pub fn strategy(&self, v: VertexId) -> Option<VertexId> {
        Some(self.choice[v.index()]).filter(|&w| w != NO_MOVE).map(VertexId::from_raw)
    }

    /// The vertices won by `player`.
    pub fn region(&self, player: Player) -> IdSet<VertexId> {
        match player {
            Player::Even => self.won_by_odd.complement(),
            Player::Odd => self.won_by_odd.clone(),
        }
    }
}
