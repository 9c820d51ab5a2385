//! What promotion has learnt: tangles, and when one can be attracted.
//!
//! A *tangle* of player `x` \[Dij18\] is a set of vertices with moves for `x` that stay inside, such that the play can go
//! from everywhere to everywhere and `x` wins whatever stays inside for ever. So the opponent must leave it sooner or
//! later, if at all. When all its *exits*, the targets of the opponent's edges that leave it, are gone but for some in
//! a region of `x`, the whole tangle can be added to that region.
//!
//! Each tangle watches one of its exits that was free when last looked at, as single vertices watch a successor.
//! Tangles are only a memory: forgetting them costs time, never correctness.

use super::decomposition::FREE;
use super::{Player, VertexId};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tertium_support::{Id, IdSet};

struct Tangle {
    player: Player,
    moves: Range<usize>,
    exits: Range<usize>,
    watched: usize,
}

/// The end of a list of entries.
const END: u32 = u32::MAX;

/// Tangles, findable by their exits.
pub(super) struct Tangles {
    tangles: Vec<Tangle>,
    /// The vertices of all tangles, with the move of the player or `NO_MOVE`.
    moves: Vec<(VertexId, u32)>,
    exits: Vec<VertexId>,
    /// Per exit a list of entries: a tangle and the next entry.
    entries: Vec<(u32, u32)>,
    first_entry: FxHashMap<VertexId, u32>,
    /// The keys of `first_entry`: most vertices are no exit, and one bit tells.
    is_exit: IdSet<VertexId>,
}

impl Tangles {
    /// None, in a game of `n` vertices.
    pub(super) fn new(n: usize) -> Self {
        Self {
            tangles: Vec::new(),
            moves: Vec::new(),
            exits: Vec::new(),
            entries: Vec::new(),
            first_entry: FxHashMap::default(),
            is_exit: IdSet::empty(n),
        }
    }

    /// Forgets the tangles that lost a vertex: keeps those whose vertices are all free, without the exits that are
    /// not. One without any exit left is won by its player: gives the vertices and moves of such tangles.
    pub(super) fn keep_free(&mut self, mark: &[u32]) -> Vec<(Player, VertexId, u32)> {
        let free = |v: VertexId| mark[v.index()] == FREE;
        let old = std::mem::replace(self, Self::new(0));
        self.is_exit = old.is_exit;
        for &v in &old.exits {
            self.is_exit.remove(v);
        }
        let mut won = Vec::new();
        let mut exits = Vec::new();
        for tangle in old.tangles {
            let moves = &old.moves[tangle.moves];
            if moves.iter().all(|&(v, _)| free(v)) {
                exits.clear();
                exits.extend(old.exits[tangle.exits].iter().copied().filter(|&v| free(v)));
                if exits.is_empty() {
                    won.extend(moves.iter().map(|&(v, choice)| (tangle.player, v, choice)));
                } else {
                    self.learn(tangle.player, moves.iter().copied(), &mut exits);
                }
            }
        }
        won
    }

    /// Forgets all tangles if they fill more than `numbers` numbers of four bytes.
    pub(super) fn bound(&mut self, numbers: usize) {
        if 2 * self.moves.len() + 5 * self.exits.len() > numbers {
            *self = Self::new(self.is_exit.universe());
        }
    }

    /// Adds a tangle of `player`, given by its vertices with their moves and by its exits, repeated or not.
    pub(super) fn learn(
        &mut self,
        player: Player,
        moves: impl Iterator<Item = (VertexId, u32)>,
        exits: &mut Vec<VertexId>,
    ) {
        exits.sort_unstable();
        exits.dedup();
        let (first_move, first_exit) = (self.moves.len(), self.exits.len());
        self.moves.extend(moves);
        debug_assert!(first_move < self.moves.len(), "a tangle has vertices");
        for &v in &*exits {
            self.is_exit.insert(v);
            let entry = self.entries.len() as u32;
            let next = self.first_entry.insert(v, entry).unwrap_or(END);
            self.entries.push((self.tangles.len() as u32, next));
        }
        self.exits.extend_from_slice(exits);
        self.tangles.push(Tangle {
            player,
            moves: first_move..self.moves.len(),
            exits: first_exit..self.exits.len(),
            watched: first_exit,
        });
    }

    /// Calls `enter` with the free vertices, and the moves there, of each tangle of `player` that has `exit` as an exit
    /// and can be added to the region of `exit`: no exit is free, and all its vertices are free or in that region.
    pub(super) fn attracted(
        &mut self,
        mark: &mut [u32],
        player: Player,
        exit: VertexId,
        mut enter: impl FnMut(&mut [u32], VertexId, u32),
    ) {
        if !self.is_exit.contains(exit) {
            return;
        }
        let region = mark[exit.index()];
        debug_assert!(region != FREE, "tangles are attracted to regions");
        let mut entry = self.first_entry.get(&exit).copied().unwrap_or(END);
        while entry != END {
            let (index, next) = self.entries[entry as usize];
            entry = next;
            let tangle = &mut self.tangles[index as usize];
            if tangle.player != player || tangle.finds_free_exit(&self.exits, mark) {
                continue;
            }
            let moves = &self.moves[tangle.moves.clone()];
            if moves.iter().all(|&(v, _)| mark[v.index()] == FREE || mark[v.index()] == region) {
                for &(v, choice) in moves {
                    if mark[v.index()] == FREE {
                        enter(mark, v, choice);
                    }
                }
            }
        }
    }
}

impl Tangle {
    /// Whether some exit is free; watches the one it finds.
    fn finds_free_exit(&mut self, exits: &[VertexId], mark: &[u32]) -> bool {
        debug_assert!(
            self.exits.is_empty() || self.exits.contains(&self.watched),
            "a tangle watches one of its exits"
        );
        let around = (self.watched..self.exits.end).chain(self.exits.start..self.watched);
        match around.into_iter().find(|&at| mark[exits[at].index()] == FREE) {
            Some(at) => {
                self.watched = at;
                true
            }
            None => false,
        }
    }
}
