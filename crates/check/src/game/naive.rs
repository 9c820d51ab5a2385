//! The slow twin: Zielonka's recursion on sets, as in the textbook \[Zie98\].
//!
//! Let `p` be the highest priority of the game `G`, `x` the player who likes it, `A` the set from which `x` can force
//! a visit to `p`. If `x` wins all of `G \ A`, then `x` wins `G`. Otherwise the opponent wins some `U` there, hence
//! also `B`, from where a visit to `U` can be forced, and the rest is the solution of `G \ B`. Exponential in the
//! number of priorities and generous with copies: for tests and small games only.

use super::{Arena, Player, VertexId};
use tertium_support::{Context, IdSet, StopReason, Ticker};

/// The set of vertices that Even wins.
pub fn naive_regions(context: &Context, arena: &impl Arena) -> Result<IdSet<VertexId>, StopReason> {
    let mut ticker = context.ticker("solving the game naively");
    let n = arena.n_vertices();
    let mut game = IdSet::full(n);
    let mut won_by_even = IdSet::empty(n);
    // Whoever cannot move loses: take those vertices and all from where they can be forced. What is left has moves.
    for loser in [Player::Even, Player::Odd] {
        let stuck = IdSet::filter(n, |v| {
            game.contains(v) && arena.owner(v) == loser && arena.successors(v).next().is_none()
        });
        let lost = attract(arena, &game, loser.opponent(), stuck, &mut ticker)?;
        if loser == Player::Odd {
            won_by_even.union_with(&lost);
        }
        game.difference_with(&lost);
    }
    won_by_even.union_with(&recurse(arena, game, &mut ticker)?);
    Ok(won_by_even)
}

/// What Even wins of the sub-game `game`, in which everybody can move.
fn recurse(
    arena: &impl Arena,
    game: IdSet<VertexId>,
    ticker: &mut Ticker<'_>,
) -> Result<IdSet<VertexId>, StopReason> {
    let Some(top) = game.iter().map(|v| arena.priority(v)).max() else {
        return Ok(game);
    };
    let player = Player::of_priority(top);
    let heads = IdSet::filter(game.universe(), |v| game.contains(v) && arena.priority(v) == top);
    let forced = attract(arena, &game, player, heads, ticker)?;
    let lost = match (player, recurse(arena, minus(&game, &forced), ticker)?) {
        (Player::Even, won) => minus(&minus(&game, &forced), &won),
        (Player::Odd, won) => won,
    };
    if lost.is_empty() {
        return Ok(if player == Player::Even { game } else { lost });
    }
    let lost = attract(arena, &game, player.opponent(), lost, ticker)?;
    let mut won = recurse(arena, minus(&game, &lost), ticker)?;
    if player == Player::Odd {
        won.union_with(&lost);
    }
    Ok(won)
}

/// The vertices of `game` from which `player` can force a visit to `target`, by adding one at a time.
fn attract(
    arena: &impl Arena,
    game: &IdSet<VertexId>,
    player: Player,
    mut target: IdSet<VertexId>,
    ticker: &mut Ticker<'_>,
) -> Result<IdSet<VertexId>, StopReason> {
    loop {
        ticker.tick(game.universe())?;
        let forced = game.iter().find(|&v| {
            let mut moves = arena.successors(v).filter(|&w| game.contains(w)).peekable();
            !target.contains(v)
                && match arena.owner(v) == player {
                    true => moves.any(|w| target.contains(w)),
                    false => moves.peek().is_some() && moves.all(|w| target.contains(w)),
                }
        });
        match forced {
            Some(v) => target.insert(v),
            None => return Ok(target),
        };
    }
}

fn minus(left: &IdSet<VertexId>, right: &IdSet<VertexId>) -> IdSet<VertexId> {
    let mut rest = left.clone();
    rest.difference_with(right);
    rest
}
