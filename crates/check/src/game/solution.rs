//! Who wins each vertex, one bit per vertex, and the move to make there, four more bytes.

use super::{Player, VertexId};
use tertium_support::{Id, IdSet};

/// Who wins each vertex of a parity game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    won_by_odd: IdSet<VertexId>,
}

impl Regions {
    /// A claim that Odd wins exactly `won_by_odd`.
    pub fn new(won_by_odd: IdSet<VertexId>) -> Self {
        Self { won_by_odd }
    }

    /// How many vertices it speaks of.
    pub fn n_vertices(&self) -> usize {
        self.won_by_odd.universe()
    }

    /// Who wins from `v`.
    #[inline]
    pub fn winner(&self, v: VertexId) -> Player {
        if self.won_by_odd.contains(v) { Player::Odd } else { Player::Even }
    }

    /// The vertices won by `player`.
    pub fn region(&self, player: Player) -> IdSet<VertexId> {
        match player {
            Player::Even => self.won_by_odd.complement(),
            Player::Odd => self.won_by_odd.clone(),
        }
    }
}

/// The solution of a parity game. Laws, which `check_solution` validates: `strategy(v)` is `Some` iff the winner of
/// `v` owns it, and is then a successor of `v` won by the same player; following it wins every play from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    regions: Regions,
    choice: Vec<u32>,
}

/// Stands in `choice` for "no move chosen here".
pub(super) const NO_MOVE: u32 = u32::MAX;

impl Solution {
    /// A claim that Odd wins exactly `won_by_odd`, by the moves `choice` (one entry per vertex).
    ///
    /// Panics if the two speak of different numbers of vertices.
    pub fn new(won_by_odd: IdSet<VertexId>, choice: &[Option<VertexId>]) -> Self {
        let choice = choice.iter().map(|w| w.map_or(NO_MOVE, VertexId::raw)).collect();
        Self::from_raw(Regions::new(won_by_odd), choice)
    }

    pub(super) fn from_raw(regions: Regions, choice: Vec<u32>) -> Self {
        assert_eq!(regions.n_vertices(), choice.len(), "one winner and one move per vertex");
        Self { regions, choice }
    }

    /// How many vertices it speaks of.
    pub fn n_vertices(&self) -> usize {
        self.choice.len()
    }

    /// Who wins each vertex, without the moves.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Who wins from `v`.
    #[inline]
    pub fn winner(&self, v: VertexId) -> Player {
        self.regions.winner(v)
    }

    /// The winner's move at `v`, if the winner moves there.
    #[inline]
    pub fn strategy(&self, v: VertexId) -> Option<VertexId> {
        Some(self.choice[v.index()]).filter(|&w| w != NO_MOVE).map(VertexId::from_raw)
    }

    /// The vertices won by `player`.
    pub fn region(&self, player: Player) -> IdSet<VertexId> {
        self.regions.region(player)
    }
}
