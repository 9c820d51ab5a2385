//! Priority promotion on one component \[BDM16\].
//!
//! Walk down the priorities. At priority `p`, liked by player `x`, the *region* of `p` is what `x` can force to the
//! free vertices of priority `p` among the vertices that no higher region holds. If the opponent can leave the region
//! to free vertices, or `x` cannot stay inside at some vertex of priority `p`, it is *open*, and the walk goes on below
//! it. If it is closed, the opponent can leave it at most to higher regions of `x`: then the region is *promoted*, it
//! joins the lowest such region, and all regions in between are dissolved. If the opponent cannot leave at all, `x`
//! wins the region; it is taken out with all that can be forced to it, and the walk starts again.
//!
//! The last region of a walk takes all that is free, and is therefore closed: a walk always ends in progress.
//! Promotion alone is exponential on several small families. So each closed region leaves its tangles behind
//! ([`super::tangles`], \[Dij18\]), and attraction takes known tangles whole; that makes all but one of the families
//! measured in docs/decisions/002-parity-game-solver.md polynomial. Each promotion enlarges a region and leaves those
//! above it alone, so the walk comes to an end even when tangles are forgotten. Neighbouring priorities of the same
//! parity, as far as free vertices have them, count as one.
//!
//! All regions lie back to back on one trail, highest first, so dissolving is truncation. Invariants: `mark[v]` is
//! `FREE + 1 + i` iff `v` is in `trail[regions[i].start..]` before the next start; only the *heads* of a region (its
//! vertices of priority `p`, the first `heads` ones) can be open, because all others were forced in or were closed.

use super::components::Components;
use super::decomposition::{Decomposition, FREE, decided};
use super::solution::NO_MOVE;
use super::tangles::Tangles;
use super::{Arena, Player, VertexId};
use std::cmp::Reverse;
use tertium_support::{Id, StopReason, Ticker};

/// How many numbers of four bytes tangles may fill in any case, and per vertex of a large component.
const SMALL_MEMORY: usize = 1 << 21;
const MEMORY_PER_VERTEX: usize = 2;

/// Marks of the search for tangles, above all numbers in use.
const AT_HAND: u32 = decided(Player::Even) - 1;
const HANDED_OUT: u32 = AT_HAND - 1;

/// A set of vertices from which its player can force the priorities of its class, or stay inside and win.
struct Region {
    player: Player,
    /// Where it starts on the trail.
    start: usize,
    /// How many of its first vertices have the priority of the region.
    heads: usize,
    /// How many of the heads are known not to be open. A head that is not open stays so while the region exists.
    closed: usize,
    /// Up to where on the trail exits to higher regions were looked for, and the mark of the lowest found.
    scanned: usize,
    exit: u32,
    /// The position in the order at which the search for the next region starts.
    next: usize,
}

/// Decides all vertices of `component`: undecided, each with a successor among them.
pub(super) fn promote<A: Arena>(
    decomposition: &mut Decomposition<'_, A>,
    mark: &mut [u32],
    component: &mut [VertexId],
    ticker: &mut Ticker<'_>,
) -> Result<(), StopReason> {
    debug_assert!(component.iter().all(|v| mark[v.index()] == FREE), "the component is undecided");
    component.sort_unstable_by_key(|&v| Reverse(decomposition.arena.priority(v)));
    let mut live = component.len();
    let tangles = Tangles::new(mark.len());
    let memory = SMALL_MEMORY.max(MEMORY_PER_VERTEX * component.len());
    let mut walk = Walk { decomposition, mark, trail: Vec::new(), regions: Vec::new(), tangles, memory };
    while live > 0 {
        let order = &mut component[..live];
        debug_assert!(walk.regions.is_empty() && walk.trail.is_empty(), "a walk begins without regions");
        walk.find_dominion(order, ticker)?;
        walk.take_dominion(ticker)?;
        let left = keep(order, |v| walk.mark[v.index()] == FREE);
        debug_assert!(left < live, "a walk ends in progress");
        live = left;
    }
    Ok(())
}

/// Moves the items that satisfy `wanted` to the front, in order, and counts them.
fn keep(items: &mut [VertexId], wanted: impl Fn(VertexId) -> bool) -> usize {
    let mut kept = 0;
    for at in 0..items.len() {
        if wanted(items[at]) {
            items[kept] = items[at];
            kept += 1;
        }
    }
    kept
}

/// One walk down the priorities.
struct Walk<'w, 'a, A> {
    decomposition: &'w mut Decomposition<'a, A>,
    mark: &'w mut [u32],
    trail: Vec<VertexId>,
    regions: Vec<Region>,
    tangles: Tangles,
    /// How many numbers the tangles may fill.
    memory: usize,
}

impl<A: Arena> Walk<'_, '_, A> {
    /// Walks until the last region cannot be left by the opponent. `order` holds all free vertices, by falling
    /// priority.
    fn find_dominion(&mut self, order: &[VertexId], ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let mut next = 0;
        loop {
            next = self.open_region(order, next);
            let mut from = self.last().start;
            loop {
                self.attract(from, ticker)?;
                if self.is_open() {
                    break;
                }
                match self.lowest_exit() {
                    None => return Ok(()),
                    Some(target) => {
                        self.learn(ticker)?;
                        from = self.merge_into(target);
                        next = self.last().next;
                    }
                }
                ticker.tick(self.trail.len() - from)?;
            }
        }
    }

    /// Starts a region with the free vertices of the highest priorities of one parity, from `next` on in the order,
    /// and gives the position behind them. A vertex of the other parity that is not free does not end the class.
    fn open_region(&mut self, order: &[VertexId], mut next: usize) -> usize {
        let start = self.trail.len();
        let mark = FREE + 1 + u32::try_from(self.regions.len()).expect("fewer regions than vertices");
        let mut player = None;
        while let Some(&v) = order.get(next) {
            if self.mark[v.index()] == FREE {
                let likes = Player::of_priority(self.decomposition.arena.priority(v));
                if *player.get_or_insert(likes) != likes {
                    break;
                }
                self.enter(v, mark, NO_MOVE);
            }
            next += 1;
        }
        let player = player.expect("the last region of a walk takes all free vertices and is closed");
        let heads = self.trail.len() - start;
        self.regions.push(Region { player, start, heads, closed: 0, scanned: start, exit: FREE, next });
        next
    }

    fn last(&self) -> &Region {
        self.regions.last().expect("a region was started")
    }

    fn enter(&mut self, v: VertexId, mark: u32, choice: u32) {
        debug_assert_eq!(self.mark[v.index()], FREE, "regions are disjoint");
        self.mark[v.index()] = mark;
        self.decomposition.choice[v.index()] = choice;
        self.trail.push(v);
    }

    /// Adds to the last region all free vertices from which its player can force a visit to `trail[from..]`.
    fn attract(&mut self, from: usize, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let player = self.last().player;
        debug_assert!(from >= self.last().start, "newcomers belong to the last region");
        let region = self.mark[self.trail[from].index()];
        let arena = self.decomposition.arena;
        let mut at = from;
        while let Some(&w) = self.trail.get(at) {
            let mut work = 1;
            arena.predecessors(w, |u| {
                work += 1;
                if self.mark[u.index()] != FREE {
                } else if arena.owner(u) == player {
                    self.enter(u, region, w.raw());
                } else if !self.decomposition.escapes(self.mark, u) {
                    self.enter(u, region, NO_MOVE);
                }
            });
            let Self { decomposition, mark, trail, tangles, .. } = self;
            tangles.attracted(mark, player, w, |mark, v, choice| {
                mark[v.index()] = region;
                decomposition.choice[v.index()] = choice;
                trail.push(v);
                work += 1;
            });
            ticker.tick(work)?;
            at += 1;
        }
        Ok(())
    }

    /// Whether at some head of the last region its player cannot stay, or the opponent can leave to a free vertex.
    fn is_open(&mut self) -> bool {
        let region = self.regions.last_mut().expect("a region was started");
        let arena = self.decomposition.arena;
        while region.closed < region.heads {
            let v = self.trail[region.start + region.closed];
            let inside = self.mark[v.index()];
            let mut moves = arena.successors(v);
            if arena.owner(v) != region.player {
                if moves.any(|w| self.mark[w.index()] == FREE) {
                    return true;
                }
            } else if self.decomposition.choice[v.index()] == NO_MOVE {
                let Some(w) = moves.find(|w| self.mark[w.index()] == inside) else {
                    return true;
                };
                self.decomposition.choice[v.index()] = w.raw();
            }
            region.closed += 1;
        }
        false
    }

    /// The index of the lowest higher region to which the opponent can leave the last region, which is closed.
    fn lowest_exit(&mut self) -> Option<usize> {
        let arena = self.decomposition.arena;
        let region = self.regions.last_mut().expect("a region was started");
        debug_assert_eq!(region.closed, region.heads, "no head of a closed region is open");
        let inside = self.mark[self.trail[region.start].index()];
        for &v in &self.trail[region.scanned..] {
            if arena.owner(v) != region.player {
                for w in arena.successors(v) {
                    let there = self.mark[w.index()];
                    debug_assert!(there != FREE, "the region is closed");
                    if there < inside {
                        region.exit = region.exit.max(there);
                    }
                }
            }
        }
        region.scanned = self.trail.len();
        region.exit.checked_sub(FREE + 1).map(|index| index as usize)
    }

    /// Learns the tangles of the last region, which is closed: the components that its player never leaves.
    fn learn(&mut self, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let Region { player, start, .. } = *self.last();
        let arena = self.decomposition.arena;
        let inside = self.mark[self.trail[start].index()];
        let Self { decomposition, mark, trail, tangles, .. } = self;
        let choice = &decomposition.choice;
        // The moves that stay in the region: the chosen one of the player, and all of the opponent.
        let next = |mark: &[u32], v: VertexId, mut cursor: u32| {
            if arena.owner(v) == player {
                return (cursor == 0).then(|| (VertexId::from_raw(choice[v.index()]), 1));
            }
            while let Some((w, after)) = arena.next_successor(v, cursor) {
                if mark[w.index()] >= inside {
                    return Some((w, after));
                }
                cursor = after;
            }
            None
        };
        let mut exits = Vec::new();
        let mut search = Components::new(inside);
        for &v in &trail[start..] {
            search.search(v, mark, ticker, next, |mark, component, _| {
                // Numbers and earlier components are above `inside`; the component at hand gets a mark of its own.
                component.iter().for_each(|w| mark[w.index()] = AT_HAND);
                exits.clear();
                let mut stays = true;
                for &w in &*component {
                    if arena.owner(w) == player {
                        stays &= mark[choice[w.index()] as usize] == AT_HAND;
                    } else {
                        for u in arena.successors(w) {
                            match mark[u.index()] {
                                AT_HAND => {}
                                there if there < inside => exits.push(u),
                                there if there > AT_HAND => {}
                                _ => stays = false,
                            }
                        }
                    }
                }
                if stays {
                    tangles.learn(player, component.iter().map(|&w| (w, choice[w.index()])), &mut exits);
                }
                component.iter().for_each(|w| mark[w.index()] = HANDED_OUT);
                Ok(())
            })?;
        }
        trail[start..].iter().for_each(|w| mark[w.index()] = inside);
        tangles.bound(self.memory);
        Ok(())
    }

    /// Moves the last region into region `target` and dissolves those in between. Gives the place on the trail where
    /// the newcomers start.
    fn merge_into(&mut self, target: usize) -> usize {
        let newcomers = self.last().start;
        debug_assert!(target + 1 < self.regions.len(), "a region joins a higher one");
        let from = self.regions[target + 1].start;
        debug_assert!(
            self.regions[target].player == self.last().player,
            "exits lead to the own player's regions"
        );
        self.dissolve(from, newcomers);
        self.trail.copy_within(newcomers.., from);
        self.trail.truncate(self.trail.len() - (newcomers - from));
        self.regions.truncate(target + 1);
        let inside = self.mark[self.trail[self.regions[target].start].index()];
        for v in &self.trail[from..] {
            self.mark[v.index()] = inside;
        }
        from
    }

    /// Frees the vertices of `trail[from..to]`.
    fn dissolve(&mut self, from: usize, to: usize) {
        for v in &self.trail[from..to] {
            self.mark[v.index()] = FREE;
            self.decomposition.choice[v.index()] = 0;
        }
    }

    /// Gives the last region, which the opponent cannot leave, to its player, with all that can be forced to it, and
    /// frees the rest.
    fn take_dominion(&mut self, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let Region { player, start, .. } = *self.last();
        self.dissolve(0, start);
        for at in start..self.trail.len() {
            let v = self.trail[at];
            self.decomposition.decide(self.mark, v, player, self.decomposition.choice[v.index()]);
        }
        self.trail.clear();
        self.regions.clear();
        loop {
            self.decomposition.force(self.mark, ticker)?;
            let won = self.tangles.keep_free(self.mark);
            if won.is_empty() {
                return Ok(());
            }
            for (player, v, choice) in won {
                // Tangles overlap, but two of different players that nobody can leave do not.
                if self.mark[v.index()] == FREE {
                    self.decomposition.decide(self.mark, v, player, choice);
                }
                debug_assert_eq!(
                    self.mark[v.index()],
                    decided(player),
                    "closed tangles of different players are disjoint"
                );
            }
        }
    }
}
