//! Games with many priorities: components of the arena from the bottom up, each decided by forcing and, where that is
//! not enough, by priority promotion.
//!
//! When a component is reached, all its exits lead to decided vertices. What either player can force into won exits
//! is decided first (this also settles vertices without moves). If the rest has priorities of one parity only, its
//! owner wins all of it; otherwise [`super::promotion`] takes over. So the number of priorities costs only inside a
//! component that has both parities.
//!
//! Memory: two words per vertex (`mark`, `choice`), plus the search stack of [`super::components`] and one more word
//! per vertex of the largest component that needs promotion. Nothing is copied per priority.
//!
//! Forcing must know whether a vertex of the loser can still escape. Instead of counting escapes, one of them is
//! *watched*: `choice[v]` of an undecided vertex is the cursor of a successor that was an escape when last looked at,
//! and the walk goes on (cyclically) only when that one is lost. No initialisation, no undoing, at most two walks
//! over the successors for each set that is forced.

use super::components::Components;
use super::promotion::promote;
use super::solution::NO_MOVE;
use super::{Arena, Player, Regions, VertexId};
use tertium_support::{Id, IdSet, StopReason, Ticker};

/// Decides every vertex that has the mark [`UNSEEN`] and the choice 0; the others are decided, with their moves.
pub(super) fn decide_components<A: Arena>(
    arena: &A,
    mut mark: Vec<u32>,
    choice: Vec<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<(Regions, Vec<u32>), StopReason> {
    debug_assert_eq!(mark.len(), arena.n_vertices(), "one mark per vertex");
    debug_assert_eq!(choice.len(), mark.len(), "one move per vertex");
    let mut decomposition = Decomposition { arena, choice, queue: Vec::new() };
    let mut components = Components::new(UNSEEN);
    for start in VertexId::first(mark.len()) {
        components.search(
            start,
            &mut mark,
            ticker,
            |_, v, cursor| arena.next_successor(v, cursor),
            |mark, component, ticker| decomposition.decide_component(mark, component, ticker),
        )?;
    }
    debug_assert!(mark.iter().all(|&mark| winner_of(mark).is_some()), "every vertex is decided");
    let won_by_odd = IdSet::filter(mark.len(), |v: VertexId| mark[v.index()] == decided(Player::Odd));
    Ok((Regions::new(won_by_odd), decomposition.choice))
}

/// The mark of a vertex that is in the component at work, undecided, and in no region.
pub(super) const FREE: u32 = 1 << 31;
/// The mark of a vertex that was not reached yet.
pub(super) const UNSEEN: u32 = 0;

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
pub(super) struct Decomposition<'a, A> {
    pub(super) arena: &'a A,
    pub(super) choice: Vec<u32>,
    /// Decided vertices whose predecessors were not looked at; empty between phases.
    pub(super) queue: Vec<VertexId>,
}

impl<A: Arena> Decomposition<'_, A> {
    /// Decides all vertices of one component.
    fn decide_component(
        &mut self,
        mark: &mut [u32],
        component: &mut [VertexId],
        ticker: &mut Ticker<'_>,
    ) -> Result<(), StopReason> {
        debug_assert!(self.queue.is_empty(), "all decided vertices were looked at");
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
        debug_assert!(vertices.iter().all(|v| mark[v.index()] == FREE), "what is given away is undecided");
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
        debug_assert!(winner_of(mark[v.index()]).is_none(), "a vertex is decided once");
        debug_assert_eq!(
            choice != NO_MOVE,
            self.arena.owner(v) == winner,
            "there is a move exactly where the winner moves"
        );
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
