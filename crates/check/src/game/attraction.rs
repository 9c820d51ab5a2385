//! What a player can force, on one byte per vertex.
//!
//! The attraction of a set inside a sub-game, in rounds from near to far, so that recorded moves lead along shortest
//! ways. Whether the opponent can still escape at a vertex is found by looking at its successors again: the walk ends
//! at the first escape, so short rows cost little, and no counter is stored. Vertices with long rows would make that
//! quadratic: past [`SHORT`] successors, the place of the last known escape is kept in a table and the walk goes on
//! from there, cyclically, which makes it a few walks over the row for each set that is attracted.
//!
//! Without moves to record, the first round may go forwards instead, over the vertices outside the set, if they are
//! the fewer: they stop at the first successor that tells.

use super::frontier::Frontier;
use super::solution::NO_MOVE;
use super::vertex_sets::{Membership, Set, Sets};
use super::{Arena, Player, VertexId};
use rustc_hash::FxHashMap;
use tertium_support::{Id, StopReason, Ticker};

/// How many successors are looked at before the table of escapes is asked.
const SHORT: usize = 16;

/// The vertices of a game, in their sets.
pub(super) struct Field<'a, A> {
    pub(super) arena: &'a A,
    pub(super) memberships: Vec<Membership>,
    /// The moves to record, if they are wanted.
    pub(super) choice: Option<Vec<u32>>,
    escapes: Escapes,
    now: Frontier,
    next: Frontier,
    /// How many vertices were attracted so far, in all.
    pub(super) attracted: usize,
}

/// Cursors of the last known escapes at vertices with long rows.
#[derive(Default)]
struct Escapes(FxHashMap<VertexId, u32>);

impl<'a, A: Arena> Field<'a, A> {
    pub(super) fn new(arena: &'a A, memberships: Vec<Membership>, choice: Option<Vec<u32>>) -> Self {
        let n = memberships.len();
        debug_assert_eq!(n, arena.n_vertices(), "one cell per vertex");
        debug_assert!(choice.as_ref().is_none_or(|choice| choice.len() == n), "one move per vertex");
        Self {
            arena,
            memberships,
            choice,
            escapes: Escapes::default(),
            now: Frontier::new(n),
            next: Frontier::new(n),
            attracted: 0,
        }
    }

    /// Records at all vertices that satisfy `here` a move to a vertex inside `sets`.
    ///
    /// Panics if there is none.
    pub(super) fn record_all(&mut self, sets: Sets, here: impl Fn(Membership) -> bool) {
        let Some(choice) = &mut self.choice else { return };
        for v in VertexId::first(self.memberships.len()).filter(|v| here(self.memberships[v.index()])) {
            let stay = self.arena.find_successor(v, 0, |w| sets.has(self.memberships[w.index()]));
            choice[v.index()] = stay.expect("a move inside the game at hand").0.raw();
        }
    }

    /// Moves to `set` the vertices of `within` from which `player` can force a visit to `set`, and gives how many they
    /// are. Where the opponent moves inside `within`, some successor is in `within` or in `set`.
    pub(super) fn attract(
        &mut self,
        player: Player,
        set: Set,
        within: Sets,
        ticker: &mut Ticker<'_>,
    ) -> Result<usize, StopReason> {
        let before = self.attracted;
        debug_assert!(self.now.is_empty() && self.next.is_empty(), "frontiers are empty between attractions");
        let (mut inside, mut outside) = (0, 0);
        for &membership in &self.memberships {
            inside += usize::from(membership.is_in(set));
            outside += usize::from(within.has(membership));
        }
        debug_assert!(inside + outside <= self.memberships.len(), "what is attracted is outside the set");
        if inside == 0 || outside == 0 {
            return Ok(0);
        }
        if self.choice.is_none() && outside < inside {
            self.first_round_forwards(player, set, within, ticker)?;
        } else {
            for v in VertexId::first(self.memberships.len()) {
                if self.memberships[v.index()].is_in(set) {
                    self.next.push(v);
                }
            }
        }
        while !self.next.is_empty() {
            std::mem::swap(&mut self.now, &mut self.next);
            self.round(player, set, within, ticker)?;
        }
        debug_assert!(self.attracted - before <= outside, "a vertex is attracted once");
        Ok(self.attracted - before)
    }

    fn first_round_forwards(
        &mut self,
        player: Player,
        set: Set,
        within: Sets,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), StopReason> {
        let Self { arena, memberships, next, attracted, .. } = self;
        for v in VertexId::first(memberships.len()) {
            let membership = memberships[v.index()];
            if !within.has(membership) {
                continue;
            }
            let mut work = 1;
            let found = arena.find_successor(v, 0, |w| {
                work += 1;
                let there = memberships[w.index()];
                if membership.owner() == player { there.is_in(set) } else { within.has(there) }
            });
            if found.is_some() == (membership.owner() == player) {
                memberships[v.index()].put(set);
                next.push(v);
                *attracted += 1;
            }
            ticker.tick(work)?;
        }
        Ok(())
    }

    /// Attracts what can be forced to the frontier in one move.
    fn round(
        &mut self,
        player: Player,
        set: Set,
        within: Sets,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), StopReason> {
        let Self { arena, memberships, choice, escapes, now, next, attracted } = self;
        now.drain(|w| {
            let mut work = 1;
            arena.predecessors(w, |u| {
                work += 1;
                let membership = memberships[u.index()];
                if !within.has(membership) {
                    return;
                }
                if membership.owner() == player {
                    if let Some(choice) = choice {
                        choice[u.index()] = w.raw();
                    }
                } else if escapes.find(*arena, u, |w| within.has(memberships[w.index()])) {
                    return;
                }
                memberships[u.index()].put(set);
                next.push(u);
                *attracted += 1;
            });
            ticker.tick(work)
        })
    }

    /// Moves to the set won by the opponent the free vertices where `loser` cannot move.
    pub(super) fn put_stuck(&mut self, loser: Player) {
        for v in VertexId::first(self.memberships.len()) {
            let membership = &mut self.memberships[v.index()];
            if membership.owner() == loser
                && membership.is_in(Set::FREE)
                && self.arena.next_successor(v, 0).is_none()
            {
                membership.put(Set::won(loser.opponent()));
            }
        }
    }

    /// Moves the free vertices of class `c` to `forced(c)`, and gives how many they are.
    pub(super) fn put_heads(&mut self, c: usize) -> usize {
        let mut heads = 0;
        for membership in &mut self.memberships {
            if membership.is_in(Set::FREE) && membership.class() == c {
                membership.put(Set::forced(c));
                heads += 1;
            }
        }
        heads
    }

    /// Moves every vertex of `from` to `to`, and gives how many they were.
    pub(super) fn pour(&mut self, from: Sets, to: Set) -> usize {
        let mut moved = 0;
        for membership in &mut self.memberships {
            if from.has(*membership) {
                membership.put(to);
                moved += 1;
            }
        }
        moved
    }

    /// The recorded moves, without those of losers.
    pub(super) fn moves(&mut self) -> Option<Vec<u32>> {
        let mut choice = self.choice.take()?;
        for (membership, choice) in self.memberships.iter().zip(&mut choice) {
            if !membership.is_in(Set::won(membership.owner())) {
                *choice = NO_MOVE;
            }
            debug_assert!(
                *choice == NO_MOVE || self.memberships[*choice as usize].is_in(Set::won(membership.owner())),
                "a winner's move stays where the winner wins"
            );
        }
        Some(choice)
    }
}

impl Escapes {
    /// Whether some successor of `v` is an escape.
    #[inline]
    fn find(&mut self, arena: &impl Arena, v: VertexId, escape: impl Fn(VertexId) -> bool) -> bool {
        let mut seen = 0;
        let stop = arena.find_successor(v, 0, |w| {
            seen += 1;
            seen > SHORT || escape(w)
        });
        match stop {
            None => false,
            Some(_) if seen <= SHORT => true,
            Some((_, after)) => self.find_far(arena, v, after - 1, escape),
        }
    }

    /// The same for what lies at or behind the cursor `first`, in a long row.
    #[cold]
    fn find_far(
        &mut self,
        arena: &impl Arena,
        v: VertexId,
        first: u32,
        escape: impl Fn(VertexId) -> bool,
    ) -> bool {
        let watched = self.0.entry(v).or_insert(first);
        debug_assert!(*watched >= first, "the watched escape lies in the far part of the row");
        if let Some((_, after)) = arena.find_successor(v, *watched, &escape) {
            *watched = after - 1;
            return true;
        }
        match arena.find_successor(v, first, escape) {
            // None lies behind the watched one, so this one lies before it.
            Some((_, after)) => {
                *watched = after - 1;
                true
            }
            None => false,
        }
    }
}
