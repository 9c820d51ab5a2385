//! The validator of solutions. It shares no code with any solver.
//!
//! A solution is right iff, for each player, inside the set the player is said to win: the player has a move that
//! stays inside wherever the player moves, the opponent cannot leave, and no cycle that these moves allow has a
//! highest priority that the opponent likes. Vertices where the opponent cannot move are won by the law of arenas.
//! As the two sets partition the vertices, both claims together say who wins where, and how.
//!
//! Linear, but for the cycles: see [`super::wrong_cycle`].

use super::wrong_cycle::wrong_cycle;
use super::{Arena, Player, Solution, VertexId};
use std::fmt;
use tertium_support::Id;

/// Why a solution is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It speaks of another number of vertices.
    WrongSize {
        /// The number of vertices of the game.
        expected: usize,
        /// The number of vertices of the solution.
        found: usize,
    },
    /// The winner of this vertex owns it, but no move is given.
    MissingMove(VertexId),
    /// The loser of this vertex owns it, and yet a move is given.
    SpuriousMove(VertexId),
    /// The move given at the first vertex is not an edge.
    NotAnEdge(VertexId, VertexId),
    /// The move given at the first vertex leads to where the other player is said to win.
    LeavesRegion(VertexId, VertexId),
    /// The loser owns the first vertex and can move to where the loser is said to win.
    OpponentEscapes(VertexId, VertexId),
    /// The moves of this player allow a cycle through this vertex on which its priority is the highest, and the
    /// opponent likes it.
    WrongCycle(Player, VertexId),
}

/// Checks that `solution` is right, or tells the first flaw found.
pub fn check_solution(arena: &impl Arena, solution: &Solution) -> Result<(), Flaw> {
    let n = arena.n_vertices();
    if solution.n_vertices() != n {
        return Err(Flaw::WrongSize { expected: n, found: solution.n_vertices() });
    }
    VertexId::first(n).try_for_each(|v| check_moves(arena, solution, v))?;
    for player in [Player::Even, Player::Odd] {
        if let Some(v) = wrong_cycle(arena, solution, player) {
            return Err(Flaw::WrongCycle(player, v));
        }
    }
    Ok(())
}

/// Checks that the play cannot change hands at `v`.
fn check_moves(arena: &impl Arena, solution: &Solution, v: VertexId) -> Result<(), Flaw> {
    let winner = solution.winner(v);
    match (arena.owner(v) == winner, solution.strategy(v)) {
        (true, None) => Err(Flaw::MissingMove(v)),
        (false, Some(_)) => Err(Flaw::SpuriousMove(v)),
        (true, Some(w)) if !arena.successors(v).any(|other| other == w) => Err(Flaw::NotAnEdge(v, w)),
        (true, Some(w)) if solution.winner(w) != winner => Err(Flaw::LeavesRegion(v, w)),
        (true, Some(_)) => Ok(()),
        (false, None) => match arena.successors(v).find(|&w| solution.winner(w) != winner) {
            Some(w) => Err(Flaw::OpponentEscapes(v, w)),
            None => Ok(()),
        },
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::WrongSize { expected, found } => {
                write!(f, "the game has {expected} vertices, the solution {found}")
            }
            Flaw::MissingMove(v) => write!(f, "no move is given at vertex {}, which its owner wins", v.raw()),
            Flaw::SpuriousMove(v) => {
                write!(f, "a move is given at vertex {}, which its owner loses", v.raw())
            }
            Flaw::NotAnEdge(v, w) => write!(f, "the move from {} to {} is not an edge", v.raw(), w.raw()),
            Flaw::LeavesRegion(v, w) => {
                write!(f, "the move from {} to {} leads to where the other player wins", v.raw(), w.raw())
            }
            Flaw::OpponentEscapes(v, w) => {
                write!(f, "the loser of vertex {} can move to {} and win there", v.raw(), w.raw())
            }
            Flaw::WrongCycle(player, v) => {
                write!(f, "the moves of player {player} allow a lost cycle through vertex {}", v.raw())
            }
        }
    }
}

impl std::error::Error for Flaw {}

#[cfg(test)]
mod tests {
    use super::super::ParityGame;
    use super::*;
    use tertium_support::IdSet;

    const A: VertexId = VertexId::from_raw(0);
    const B: VertexId = VertexId::from_raw(1);
    const C: VertexId = VertexId::from_raw(2);

    /// Even moves at `a` (priority 1) to `a` or `b`; Odd moves at `b` (priority 2) to `a`; Odd is stuck at `c`.
    fn game() -> ParityGame {
        let vertices = [(1, Player::Even), (2, Player::Odd), (1, Player::Odd)];
        ParityGame::new(&vertices, &[(A, A), (A, B), (B, A)])
    }

    fn flaw(won_by_odd: &[VertexId], choice: [Option<VertexId>; 3]) -> Result<(), Flaw> {
        check_solution(&game(), &Solution::new(IdSet::of(3, won_by_odd.iter().copied()), &choice))
    }

    #[test]
    fn each_flaw_is_found_and_the_right_solution_has_none() {
        assert_eq!(flaw(&[], [Some(B), None, None]), Ok(()));
        assert_eq!(flaw(&[], [Some(A), None, None]), Err(Flaw::WrongCycle(Player::Even, A)));
        assert_eq!(flaw(&[], [None, None, None]), Err(Flaw::MissingMove(A)));
        assert_eq!(flaw(&[], [Some(B), Some(A), None]), Err(Flaw::SpuriousMove(B)));
        assert_eq!(flaw(&[], [Some(C), None, None]), Err(Flaw::NotAnEdge(A, C)));
        assert_eq!(flaw(&[B], [Some(B), Some(A), None]), Err(Flaw::LeavesRegion(A, B)));
        assert_eq!(flaw(&[A], [None, None, None]), Err(Flaw::OpponentEscapes(A, B)));
        assert_eq!(flaw(&[C], [Some(B), None, None]), Err(Flaw::MissingMove(C)));
        let empty = Solution::new(IdSet::empty(0), &[]);
        assert_eq!(check_solution(&game(), &empty), Err(Flaw::WrongSize { expected: 3, found: 0 }));
    }
}
