//! What a solver needs to know of a parity game: the contract between games and solvers.
//!
//! An arena may store its edges or compute them on demand; solvers are generic over it and monomorphised. Edges are
//! walked forwards by a cursor, so that a search can be suspended at the price of one number, and backwards by
//! internal iteration, which suits arenas whose predecessors come from nested loops.

use std::fmt;
use tertium_support::define_id;

define_id!(
    /// A vertex of a parity game.
    VertexId
);

/// Who owns a vertex, or wins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player 0: wins when the highest priority seen infinitely often is even.
    Even,
    /// Player 1: wins when it is odd.
    Odd,
}

impl Player {
    /// The player who likes this priority.
    #[inline]
    pub const fn of_priority(priority: u32) -> Self {
        if priority.is_multiple_of(2) { Self::Even } else { Self::Odd }
    }

    /// The other player.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }
}

/// The number of the player, as files write it.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

/// A parity game. Laws:
///
/// - vertices are the first `n_vertices()` ids, fewer than 2³¹ of them;
/// - edges never change, and both directions agree: `w` is among the successors of `v` iff `v` is among the
///   predecessors of `w`. The same edge may appear several times in either; self-loops are allowed;
/// - the owner of a vertex without successors loses there.
pub trait Arena {
    /// How many vertices there are.
    fn n_vertices(&self) -> usize;

    /// Who moves at `v`.
    fn owner(&self, v: VertexId) -> Player;

    /// The priority of `v`.
    fn priority(&self, v: VertexId) -> u32;

    /// The first successor of `v` at or after `cursor`, and the cursor behind it. Laws: walking starts at cursor 0;
    /// the returned cursor is greater than the given one; `None` means that none is left, and stays `None` for every
    /// greater cursor; one less than a returned cursor leads to the same successor again. Only 0 and cursors returned for
    /// the same `v`, or one less, are given.
    fn next_successor(&self, v: VertexId, cursor: u32) -> Option<(VertexId, u32)>;

    /// The first successor of `v` at or after `cursor` that satisfies `test`, and the cursor behind it. Law: the same as
    /// asking [`Arena::next_successor`] until one does; arenas override it when they can walk faster than step by step.
    #[inline]
    fn find_successor(
        &self,
        v: VertexId,
        mut cursor: u32,
        mut test: impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, u32)> {
        loop {
            let (w, after) = self.next_successor(v, cursor)?;
            if test(w) {
                return Some((w, after));
            }
            cursor = after;
        }
    }

    /// Calls `visit` for each predecessor of `v`.
    fn predecessors(&self, v: VertexId, visit: impl FnMut(VertexId));

    /// The successors of `v`, in the order of their cursors.
    #[inline]
    fn successors(&self, v: VertexId) -> Successors<'_, Self>
    where
        Self: Sized,
    {
        Successors { arena: self, vertex: v, cursor: 0 }
    }
}

/// The successors of one vertex.
#[derive(Debug)]
pub struct Successors<'a, A> {
    arena: &'a A,
    vertex: VertexId,
    cursor: u32,
}

impl<A: Arena> Iterator for Successors<'_, A> {
    type Item = VertexId;

    #[inline]
    fn next(&mut self) -> Option<VertexId> {
        let (successor, cursor) = self.arena.next_successor(self.vertex, self.cursor)?;
        self.cursor = cursor;
        Some(successor)
    }
}
