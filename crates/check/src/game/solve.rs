//! The solver: components of the arena from the bottom up, each decided by forcing and, where that is not enough, by
//! priority promotion.
//!
//! When a component is reached, all its exits lead to decided vertices. What either player can force into won exits
//! is decided first (this also settles vertices without moves). If the rest has priorities of one parity only, its
//! owner wins all of it; otherwise [`super::promotion`] takes over. So games without alternation, as formulas of
//! alternation depth one give, are solved in linear time, and the number of priorities costs only inside a component.
//!
//! Memory: two words per vertex (`mark`, `choice`), plus the search stack of [`super::components`] and one more word
//! per vertex of the largest component that needs promotion. Nothing is copied per priority.
//!
//! Forcing must know whether a vertex of the loser can still escape. Instead of counting escapes, one of them is
//! *watched*: `choice[v]` of an undecided vertex is the cursor of a successor that was an escape when last looked at,
//! and the walk goes on (cyclically) only when that one is lost. No initialisation, no undoing, at most two walks
//! over the successors for each set that is forced.

use super::attraction::Field;
use super::cells::{Classes, Set};
use super::components::Components;
use super::promotion::promote;
use super::solution::NO_MOVE;
use super::zielonka::recurse;
use super::{Arena, Player, Regions, Solution, VertexId};
use tertium_support::{Context, Id, IdSet, StopReason, Ticker};

/// Which algorithm solves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The recursion if the game has few priorities, and promotion for what it leaves undecided.
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
    let Some(classes) = classes else {
        context.reserve(8 * n as u64)?;
        return promote_all(arena, vec![UNSEEN; n], vec![0; n], &mut ticker);
    };
    context.reserve(if ask == Ask::Strategies { 7 } else { 3 } * n as u64)?;
    let choice = (ask == Ask::Strategies).then(|| vec![0; n]);
    let mut field = Field::new(arena, classes.cells(arena), choice);
    let all_decided = recurse(&mut field, &classes, &mut ticker)?;
    let choice = field.moves();
    let Field { cells, .. } = field;
    if all_decided {
        let won_by_odd = IdSet::filter(n, |v: VertexId| cells[v.index()].is_in(Set::won(Player::Odd)));
        return Ok((Regions::new(won_by_odd), choice));
    }
    context.reserve(8 * n as u64)?;
    let mark: Vec<u32> = cells
        .iter()
        .map(|cell| {
            let mut players = [Player::Even, Player::Odd].into_iter();
            players.find(|&player| cell.is_in(Set::won(player))).map_or(UNSEEN, decided)
        })
        .collect();
    let mut choice = choice.unwrap_or_else(|| vec![0; n]);
    for (choice, _) in choice.iter_mut().zip(&mark).filter(|(_, mark)| **mark == UNSEEN) {
        *choice = 0;
    }
    promote_all(arena, mark, choice, &mut ticker)
}

/// Decides every vertex that is not yet, component by component. `choice` is 0 at vertices that are not.
fn promote_all<A: Arena>(
    arena: &A,
    mut mark: Vec<u32>,
    choice: Vec<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<(Regions, Option<Vec<u32>>), StopReason> {
    let mut board = Board { arena, choice, queue: Vec::new() };
    let mut components = Components::new(UNSEEN);
    for start in VertexId::first(mark.len()) {
        components.search(
            start,
            &mut mark,
            ticker,
            |_, v, cursor| arena.next_successor(v, cursor),
            |mark, component, ticker| board.decide_component(mark, component, ticker),
        )?;
    }
    let won_by_odd = IdSet::filter(mark.len(), |v: VertexId| mark[v.index()] == decided(Player::Odd));
    Ok((Regions::new(won_by_odd), Some(board.choice)))
}

/// The mark of a vertex that is in the component at work, undecided, and in no region.
pub(super) const FREE: u32 = 1 << 31;
const UNSEEN: u32 = 0;

/// The mark of a decided vertex.
pub(super) const fn decided(winner: Player) -> u32 {
    u32::MAX - 1 + winner as u32
}

/// The winner that a mark stands for.
#[inline]
pub(super) fn winner_of(mark: u32) -> Option<Player> {
    match mark {
        EVEN_WON => Some(Player::Even),
        ODD_WON => Some(Player::Odd),
        _ => None,
    }
}
const EVEN_WON: u32 = decided(Player::Even);
const ODD_WON: u32 = decided(Player::Odd);

/// What the phases of solving share. `choice[v]` is the winner's move (or [`NO_MOVE`]) once `v` is decided or lies in
/// a region, and the watched cursor while it is [`FREE`].
pub(super) struct Board<'a, A> {
    pub(super) arena: &'a A,
    pub(super) choice: Vec<u32>,
    /// Decided vertices whose predecessors were not looked at; empty between phases.
    pub(super) queue: Vec<VertexId>,
}

impl<A: Arena> Board<'_, A> {
    /// Decides all vertices of one component.
    fn decide_component(
        &mut self,
        mark: &mut [u32],
        component: &mut [VertexId],
        ticker: &mut Ticker<'_>,
    ) -> Result<(), StopReason> {
        for &v in &*component {
            mark[v.index()] = FREE;
        }
        for &v in &*component {
            self.look_outside(mark, v);
        }
        self.force(mark, ticker)?;
        if component.len() == 1 && mark[component[0].index()] != FREE {
            return Ok(());
        }
        let mut live = 0;
        let mut parities = [false; 2];
        for at in 0..component.len() {
            let v = component[at];
            if mark[v.index()] == FREE {
                parities[Player::of_priority(self.arena.priority(v)) as usize] = true;
                component.swap(live, at);
                live += 1;
            }
        }
        let component = &mut component[..live];
        match parities {
            [false, false] => Ok(()),
            [true, true] => promote(self, mark, component, ticker),
            [only_even, _] => {
                let winner = if only_even { Player::Even } else { Player::Odd };
                self.give_all(mark, component, winner);
                Ok(())
            }
        }
    }

    /// Decides `v` if its owner can leave to a won exit, or must leave to a lost one, or cannot move.
    fn look_outside(&mut self, mark: &mut [u32], v: VertexId) {
        let owner = self.arena.owner(v);
        let mut stays = false;
        for w in self.arena.successors(v) {
            match winner_of(mark[w.index()]) {
                Some(winner) if winner == owner => return self.decide(mark, v, owner, w.raw()),
                Some(_) => {}
                None => stays = true,
            }
        }
        if !stays {
            self.decide(mark, v, owner.opponent(), NO_MOVE);
        }
    }

    /// Gives every vertex, all undecided and with a move among themselves, to `winner`.
    fn give_all(&mut self, mark: &mut [u32], vertices: &[VertexId], winner: Player) {
        for &v in vertices {
            let stays = |w: &VertexId| mark[w.index()] == FREE || mark[w.index()] == decided(winner);
            self.choice[v.index()] = match self.arena.owner(v) == winner {
                true => self
                    .arena
                    .successors(v)
                    .find(stays)
                    .expect("undecided vertices have undecided successors")
                    .raw(),
                false => NO_MOVE,
            };
            mark[v.index()] = decided(winner);
        }
    }

    /// Notes that `winner` wins `v`, by moving to `choice` if the winner owns it.
    pub(super) fn decide(&mut self, mark: &mut [u32], v: VertexId, winner: Player, choice: u32) {
        mark[v.index()] = decided(winner);
        self.choice[v.index()] = choice;
        self.queue.push(v);
    }

    /// Decides all [`FREE`] vertices from which either player can force a visit to won vertices of the queue.
    pub(super) fn force(&mut self, mark: &mut [u32], ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        while let Some(w) = self.queue.pop() {
            let winner = winner_of(mark[w.index()]).expect("the queue holds decided vertices");
            let arena = self.arena;
            let mut work = 1;
            arena.predecessors(w, |u| {
                work += 1;
                if mark[u.index()] != FREE {
                } else if arena.owner(u) == winner {
                    self.decide(mark, u, winner, w.raw());
                } else if !self.escapes(mark, u) {
                    // No escape is left; but the owner may win at a successor that still waits in the queue.
                    self.look_outside(mark, u);
                }
            });
            ticker.tick(work)?;
        }
        Ok(())
    }

    /// Whether the [`FREE`] vertex `v` has a [`FREE`] successor; watches the one it finds.
    #[inline]
    pub(super) fn escapes(&mut self, mark: &[u32], v: VertexId) -> bool {
        let start = self.choice[v.index()];
        let mut cursor = start;
        let mut wrapped = start == 0;
        loop {
            match self.arena.next_successor(v, cursor) {
                Some((w, _)) if mark[w.index()] == FREE => {
                    self.choice[v.index()] = cursor;
                    return true;
                }
                Some((_, after)) => cursor = after,
                None if wrapped => return false,
                None => (cursor, wrapped) = (0, true),
            }
            if wrapped && start > 0 && cursor >= start {
                return false;
            }
        }
    }
}
