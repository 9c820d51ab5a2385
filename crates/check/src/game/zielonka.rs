//! Games with few priorities: Zielonka's recursion \[Zie98\] on one byte per vertex.
//!
//! Let `c` be the highest class of the game `G`, `x` the player who likes it, `y` the opponent. `A` is the set from
//! which `x` can force a visit to `c`; `G \ A` is solved recursively. What `y` wins there, `y` wins in `G`, and so does
//! `y` in `B`, from where it can be forced; the rest is solved anew. Once `B` adds nothing to what `y` won below,
//! nothing more is lost: `A` is untouched, the part of `G \ A` that `x` won still is, and `x` wins the rest of `G`.
//!
//! Polynomial for a fixed number of classes, but each round of a level costs a pass over what is left, and games made of
//! many small pieces in a row need many rounds. So the recursion has limited patience: it gives up after work that is
//! linear in the game, and what it knows by then is a start for [`super::promotion`], which takes components one by one.
//!
//! Memory: the cell of each vertex, the frontiers (at most a byte per vertex), and moves if they are asked for.
//! Invariant, at each level: its game is [`Set::FREE`] when a round starts, and afterwards the union of `forced(c)`,
//! what was won below, and `lost(c)`, where losses of earlier rounds are no part of it any more.

use super::attraction::Field;
use super::vertex_sets::{Classes, Membership, Set, Sets};
use super::{Arena, Player};
use tertium_support::{StopReason, Ticker};

/// How many passes over the game may be spent before giving up.
const PATIENCE: usize = 32;
/// What a sweep over the cells costs, compared with attracting as many vertices.
const SWEEP: usize = 64;

/// Why the recursion ended early.
enum Break {
    Stop(StopReason),
    Impatient,
}

impl From<StopReason> for Break {
    fn from(reason: StopReason) -> Self {
        Self::Stop(reason)
    }
}

/// Moves every vertex to the set `won` of its winner, or leaves it free if patience was lost before it was decided.
/// Gives whether all are decided. Decided vertices have moves where `choice` asks for them.
pub(super) fn recurse<A: Arena>(
    field: &mut Field<'_, A>,
    classes: &Classes,
    ticker: &mut Ticker<'_>,
) -> Result<bool, StopReason> {
    for stuck in [Player::Odd, Player::Even] {
        field.put_stuck(stuck);
        field.attract(stuck.opponent(), Set::won(stuck.opponent()), Sets::of(Set::FREE), ticker)?;
    }
    let Some(top) = classes.len().checked_sub(1) else { return Ok(true) };
    let mut recursion = Recursion { field, classes, work: 0, ticker };
    match recursion.solve(top) {
        Err(Break::Stop(reason)) => Err(reason),
        Ok(()) => {
            for player in [Player::Even, Player::Odd] {
                field.pour(Sets::of(Set::won_below(player)), Set::won(player));
            }
            let won = Sets::of(Set::won(Player::Even)).and(Set::won(Player::Odd));
            debug_assert!(
                field.memberships.iter().all(|&membership| won.has(membership)),
                "every vertex has a winner"
            );
            Ok(true)
        }
        Err(Break::Impatient) => {
            // Losses at the highest level are final.
            field.pour(Sets::of(Set::lost(top)), Set::won(classes.player(top).opponent()));
            field.pour(Sets::of(Set::won(Player::Even)).and(Set::won(Player::Odd)).complement(), Set::FREE);
            Ok(false)
        }
    }
}

struct Recursion<'f, 'a, 't, 'c, A> {
    field: &'f mut Field<'a, A>,
    classes: &'f Classes,
    work: usize,
    ticker: &'t mut Ticker<'c>,
}

impl<A: Arena> Recursion<'_, '_, '_, '_, A> {
    /// Divides the free vertices, all of class `c` or less, each with a free successor, into what either player wins.
    fn solve(&mut self, c: usize) -> Result<(), Break> {
        let x = self.classes.player(c);
        let y = x.opponent();
        let free = |membership: &Membership| membership.is_in(Set::FREE);
        debug_assert!(
            self.field.memberships.iter().filter(|membership| free(membership)).all(|free| free.class() <= c),
            "no free vertex is above the highest class"
        );
        let won = Sets::of(Set::forced(c)).and(Set::won_below(x));
        while self.field.put_heads(c) > 0 || c > 0 {
            self.field.attract(x, Set::forced(c), Sets::of(Set::FREE), self.ticker)?;
            if c == 0 {
                break;
            }
            self.solve(c - 1)?;
            if self.field.pour(Sets::of(Set::won_below(y)), Set::lost(c)) == 0
                || self.field.attract(y, Set::lost(c), won, self.ticker)? == 0
            {
                break;
            }
            self.work += self.field.memberships.len() / SWEEP;
            if self.work + self.field.attracted > PATIENCE * self.field.memberships.len() {
                return Err(Break::Impatient);
            }
            self.field.pour(won, Set::FREE);
        }
        debug_assert!(!self.field.memberships.iter().any(free), "the whole game is divided");
        // At a head of its own `x` may go anywhere in the game; elsewhere moves are known.
        self.field.record_all(won, |membership| {
            membership.is_in(Set::forced(c)) && membership.class() == c && membership.owner() == x
        });
        self.field.pour(Sets::of(Set::forced(c)), Set::won_below(x));
        self.field.pour(Sets::of(Set::lost(c)), Set::won_below(y));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ParityGame, VertexId};
    use super::*;
    use tertium_support::{Context, Id};

    /// Even can rest at each even vertex, of priority 1, or go past the odd one behind it, of priority 2, to the next;
    /// at the last one only rest. Odd wins everywhere, but each round sees it for one vertex to rest at.
    fn row(pieces: usize) -> ParityGame {
        let vertices: Vec<_> = (0..=2 * pieces).map(|v| (1 + v as u32 % 2, Player::Even)).collect();
        let rests = (0..=pieces).map(|at| (2 * at, 2 * at));
        let edges: Vec<_> = (0..2 * pieces).map(|v| (v, v + 1)).chain(rests).collect();
        let vertex = |(v, w)| (VertexId::new(v), VertexId::new(w));
        ParityGame::new(&vertices, &edges.into_iter().map(vertex).collect::<Vec<_>>())
    }

    fn undecided(pieces: usize) -> (bool, usize) {
        let game = row(pieces);
        let context = Context::default();
        let mut ticker = context.ticker("test");
        let classes = Classes::few(&game, &mut ticker).expect("no limit").expect("two classes");
        let mut field = Field::new(&game, classes.memberships(&game), None);
        let finished = recurse(&mut field, &classes, &mut ticker).expect("no limit");
        assert!(field.memberships.iter().all(|membership| !membership.is_in(Set::won(Player::Even))));
        (finished, field.memberships.iter().filter(|membership| membership.is_in(Set::FREE)).count())
    }

    #[test]
    fn a_short_row_is_finished_and_a_long_one_is_given_up_with_what_is_known() {
        assert_eq!(undecided(20), (true, 0));
        let (finished, left) = undecided(1_000);
        assert!(!finished && left > 0 && left < 2_001, "{left} left");
    }
}
