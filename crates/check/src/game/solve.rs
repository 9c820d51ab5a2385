//! The solver: which way a game goes.
//!
//! Games whose priorities form few classes, as formulas of small alternation depth give, go to the recursion of
//! [`super::zielonka`]: it needs a byte or two per vertex, and four more only if moves are asked for. What it leaves
//! undecided, and games with many classes, go to [`super::decomposition`]: about thirty bytes per vertex, but neither rows of
//! small components nor the number of priorities hurt there. docs/decisions/002-parity-game-solver.md has the numbers.

use super::attraction::Field;
use super::decomposition::{UNSEEN, decide_components, decided};
use super::vertex_sets::{Classes, Membership, Set};
use super::zielonka::recurse;
use super::{Arena, Player, Regions, Solution, VertexId};
use tertium_support::{Context, Id, IdSet, StopReason};

/// Which algorithm solves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The recursion if priorities form few classes, and promotion for what is then undecided.
    Auto,
    /// Promotion only.
    Promotion,
}

/// Decides every vertex of `arena`, with a winning move for each vertex whose owner wins it.
pub fn solve<A: Arena>(context: &Context, arena: &A) -> Result<Solution, StopReason> {
    solve_by(context, arena, Method::Auto)
}

/// The same as [`solve`], by a given method.
pub fn solve_by<A: Arena>(context: &Context, arena: &A, method: Method) -> Result<Solution, StopReason> {
    let (regions, choice) = decide_all(context, arena, method, Ask::Strategies)?;
    Ok(Solution::from_raw(regions, choice.expect("moves were asked for")))
}

/// Decides every vertex of `arena`, without moves: in games with few priorities for less memory than [`solve`].
pub fn solve_regions<A: Arena>(context: &Context, arena: &A) -> Result<Regions, StopReason> {
    Ok(decide_all(context, arena, Method::Auto, Ask::Regions)?.0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    Regions,
    Strategies,
}

/// Who wins where, and at each vertex the winner's move; moves are there at least if they are asked for.
fn decide_all<A: Arena>(
    context: &Context,
    arena: &A,
    method: Method,
    ask: Ask,
) -> Result<(Regions, Option<Vec<u32>>), StopReason> {
    let n = arena.n_vertices();
    assert!(n < 1 << 31, "a game has fewer than 2^31 vertices");
    let mut ticker = context.ticker("solving the game");
    let classes = match method {
        Method::Auto => Classes::few(arena, &mut ticker)?,
        Method::Promotion => None,
    };
    let (mark, choice) = match classes {
        None => {
            context.reserve(8 * n as u64)?;
            (vec![UNSEEN; n], vec![0; n])
        }
        Some(classes) => {
            let bytes = if ask == Ask::Strategies { 7 } else { 3 };
            context.reserve(bytes * n as u64)?;
            let choice = (ask == Ask::Strategies).then(|| vec![0; n]);
            let mut field = Field::new(arena, classes.memberships(arena), choice);
            let all_decided = recurse(&mut field, &classes, &mut ticker)?;
            let choice = field.moves();
            let Field { memberships, .. } = field;
            if all_decided {
                let odd = Set::won(Player::Odd);
                let won_by_odd = IdSet::filter(n, |v: VertexId| memberships[v.index()].is_in(odd));
                return Ok((Regions::new(won_by_odd), choice));
            }
            context.reserve(8 * n as u64)?;
            let mark: Vec<u32> = memberships.iter().map(|&membership| mark_of(membership)).collect();
            let mut choice = choice.unwrap_or_else(|| vec![0; n]);
            for (choice, _) in choice.iter_mut().zip(&mark).filter(|(_, mark)| **mark == UNSEEN) {
                *choice = 0;
            }
            (mark, choice)
        }
    };
    let (regions, choice) = decide_components(arena, mark, choice, &mut ticker)?;
    Ok((regions, Some(choice)))
}

/// What the recursion knows of a vertex, as a mark.
fn mark_of(membership: Membership) -> u32 {
    let mut players = [Player::Even, Player::Odd].into_iter();
    players.find(|&player| membership.is_in(Set::won(player))).map_or(UNSEEN, decided)
}
