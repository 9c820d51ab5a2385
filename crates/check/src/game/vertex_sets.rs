//! One byte per vertex: who moves there, the class of its priority, and which set it is in right now.
//!
//! Neighbouring priorities of one parity, as far as the game has them, form one *class*: classes alternate between the
//! players, and a game with few of them needs few bits. The sets of the recursion in [`super::zielonka`] are disjoint,
//! so a vertex knows its set by a number of four bits, and a union of sets is a word of sixteen.

use super::{Arena, Player, VertexId};
use tertium_support::{Id, StopReason, Ticker};

/// The greatest number of classes for which there are enough numbers of sets.
pub(super) const MOST_CLASSES: usize = 5;

/// How many different priorities are looked at before the game counts as one with many.
const MOST_PRIORITIES: usize = 64;

/// A set of the recursion, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u8);

impl Set {
    /// The vertices of the game at hand about which nothing is known yet.
    pub(super) const FREE: Set = Set(0);

    /// What this player wins, for good.
    pub(super) const fn won(player: Player) -> Set {
        Set(1 + player as u8)
    }

    /// What this player wins in the sub-game solved last.
    pub(super) const fn won_below(player: Player) -> Set {
        Set(3 + player as u8)
    }

    /// From where the vertices of this class can be forced by the player who likes it.
    pub(super) const fn forced(class: usize) -> Set {
        debug_assert!(class < MOST_CLASSES, "there is a number for the set");
        Set(5 + class as u8)
    }

    /// What the opponent of the player who likes this class wins in the game whose highest class it is.
    pub(super) const fn lost(class: usize) -> Set {
        debug_assert!(class < MOST_CLASSES, "there is a number for the set");
        Set(5 + (MOST_CLASSES + class) as u8)
    }
}

/// A union of sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets(u16);

impl Sets {
    pub(super) const fn of(set: Set) -> Self {
        Self(1 << set.0)
    }

    pub(super) const fn and(self, set: Set) -> Self {
        Self(self.0 | 1 << set.0)
    }

    pub(super) const fn complement(self) -> Self {
        Self(!self.0)
    }

    /// Whether a vertex with this cell is inside.
    #[inline]
    pub(super) const fn has(self, membership: Membership) -> bool {
        self.0 >> (membership.0 & 15) & 1 == 1
    }
}

/// The byte of one vertex: four bits of the set, three of the class, one of the owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membership(u8);

impl Membership {
    fn new(owner: Player, class: usize) -> Self {
        debug_assert!(class < MOST_CLASSES, "the class fits its three bits");
        Self(Set::FREE.0 | (class as u8) << 4 | (owner as u8) << 7)
    }

    #[inline]
    pub(super) const fn owner(self) -> Player {
        if self.0 >> 7 == 0 { Player::Even } else { Player::Odd }
    }

    #[inline]
    pub(super) const fn class(self) -> usize {
        (self.0 >> 4 & 7) as usize
    }

    #[inline]
    pub(super) const fn put(&mut self, set: Set) {
        self.0 = self.0 & !15 | set.0;
    }

    #[inline]
    pub(super) const fn is_in(self, set: Set) -> bool {
        self.0 & 15 == set.0
    }
}

/// The classes of a game: the greatest priority in each, from low to high.
pub(super) struct Classes(Vec<u32>);

impl Classes {
    /// The classes of a game with at most [`MOST_CLASSES`] of them, if it is one.
    pub(super) fn few(arena: &impl Arena, ticker: &mut Ticker<'_>) -> Result<Option<Self>, StopReason> {
        let mut priorities: Vec<u32> = Vec::new();
        let mut last = None;
        for v in VertexId::first(arena.n_vertices()) {
            ticker.tick(1)?;
            let priority = arena.priority(v);
            if last == Some(priority) {
                continue;
            }
            last = Some(priority);
            if let Err(place) = priorities.binary_search(&priority) {
                if priorities.len() == MOST_PRIORITIES {
                    return Ok(None);
                }
                priorities.insert(place, priority);
            }
        }
        let mut tops: Vec<u32> = Vec::new();
        for priority in priorities {
            match tops.last_mut() {
                Some(top) if *top % 2 == priority % 2 => *top = priority,
                _ => tops.push(priority),
            }
        }
        debug_assert!(
            tops.windows(2).all(|pair| pair[0] < pair[1] && pair[0] % 2 != pair[1] % 2),
            "classes rise and alternate between the players"
        );
        Ok((tops.len() <= MOST_CLASSES).then_some(Self(tops)))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The player who likes a class.
    pub(super) fn player(&self, class: usize) -> Player {
        Player::of_priority(self.0[class])
    }

    /// The cells of all vertices, all free.
    pub(super) fn memberships(&self, arena: &impl Arena) -> Vec<Membership> {
        VertexId::first(arena.n_vertices())
            .map(|v| {
                let priority = arena.priority(v);
                let class = self.0.iter().position(|&top| priority <= top);
                Membership::new(arena.owner(v), class.expect("every priority has a class"))
            })
            .collect()
    }
}
