//! Orders of the variables: sifting, orders from outside, groups that stay together.
//!
//! Sifting takes one group of variables after the other, largest first, moves it through the whole order and leaves it where
//! there were fewest nodes \[Rud93\]. A direction is given up when the nodes have grown too much or when even the best that
//! can still come is no better. Groups, such as a variable before and after a step, move as one. Between two moves of groups
//! everything is consistent: there the limits are looked at, and an end by a limit leaves a valid order.

use crate::store::{Store, Var};
use crate::swap::Exchange;
use std::ops::Range;
use tertium_support::StopReason;

/// The nodes may grow by this factor above the best seen while a group is on its way.
const GROWTH: f64 = 1.2;
/// The most swaps of variables in one pass.
const SWAPS: usize = 4_000_000;
/// To look at this many groups counts as much as a swap.
const SCANS: usize = 1 << 10;
/// Nodes looked at between two looks at the clock.
const POLL: usize = 1 << 16;
/// The next automatic reordering comes when there are so many times the nodes that this one left. Sifting costs far more than
/// an operation on the same nodes, so it should not come often.
const AGAIN: usize = 4;
/// The most passes of a reordering on demand.
const PASSES: usize = 8;

/// Groups in the order of their levels.
type Blocks = Vec<Vec<u32>>;

impl Store {
    /// Sifts until a pass gains less than a hundredth, at most `passes` times, and plans the next automatic reordering.
    pub(crate) fn sift(&mut self, passes: usize) -> Result<(), StopReason> {
        let mut result = Ok(());
        // Near the number of nodes that edges can address, a swap could not be finished.
        if self.n_nodes() < Store::MOST / 4 {
            let mut sifting = Sifting::new(self);
            for _ in 0..passes {
                let before = sifting.size();
                result = sifting.pass();
                if result.is_err() || 100 * sifting.size() > 99 * before {
                    break;
                }
            }
            sifting.exchange.finish();
        }
        self.reorder_at = self.reorder_first.map(|first| first.max(AGAIN * self.n_nodes()));
        self.set_alarm();
        result
    }

    pub(crate) fn reorder(&mut self) -> Result<(), StopReason> {
        self.collect();
        self.sift(PASSES)
    }

    /// An operation found too many nodes. `again`: in spite of a collection during this same operation, so nodes that no
    /// handle reaches are its own results on the way, and an order that does not suit them would not help.
    pub(crate) fn relieve(&mut self, again: bool) -> Result<(), StopReason> {
        let Some(bound) = self.reorder_at else { return Ok(()) };
        if !again {
            self.collect();
            if 2 * self.n_nodes() < bound {
                return Ok(());
            }
        }
        self.sift(1)?;
        // Within one operation the bound only grows, so that the operation comes to its end.
        self.reorder_at = self.reorder_at.map(|planned| if again { planned.max(2 * bound) } else { planned });
        self.set_alarm();
        Ok(())
    }

    /// Puts the variables into this order; those not named follow as they were. Groups torn apart are dissolved.
    pub(crate) fn set_order(&mut self, order: &[Var]) -> Result<(), StopReason> {
        self.collect();
        let mut exchange = Exchange::new(self);
        let mut result = Ok(());
        let mut placed = vec![false; exchange.store.tables.len()];
        let first = order.iter().filter(|var| !std::mem::replace(&mut placed[var.index()], true));
        for (target, var) in first.enumerate() {
            let from = exchange.store.level_of[var.index()] as usize;
            (target..from).rev().for_each(|level| exchange.swap(level));
            result = poll(&mut exchange);
            if result.is_err() {
                break;
            }
        }
        exchange.finish();
        let mut whole = vec![0; self.group_of.len()];
        self.group_of.iter().for_each(|&group| whole[group as usize] += 1);
        for block in self.blocks() {
            if block.len() < whole[self.group_of[block[0] as usize] as usize] {
                block.iter().for_each(|&var| self.group_of[var as usize] = var);
            }
        }
        result
    }

    /// Keeps these variables, and those that are in groups with them, next to each other, in their present order.
    pub(crate) fn group(&mut self, vars: &[Var]) {
        let Some(first) = vars.first() else { return };
        let joined = self.group_of[first.index()];
        let mut levels: Vec<usize> = vars.iter().flat_map(|&var| self.levels_of_group(var)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.iter().for_each(|&level| self.group_of[self.var_at[level] as usize] = joined);
        if levels.windows(2).all(|pair| pair[0] + 1 == pair[1]) {
            return;
        }
        let mut exchange = Exchange::new(self);
        for (target, &from) in (levels[0]..).zip(&levels) {
            (target..from).rev().for_each(|level| exchange.swap(level));
        }
        exchange.finish();
        debug_assert_eq!(self.levels_of_group(*first).len(), levels.len(), "the group is together");
    }

    /// The levels of the group of a variable: groups are never torn apart, so they are around its own.
    fn levels_of_group(&self, var: Var) -> Range<usize> {
        let group = self.group_of[var.index()];
        let is_other = |level: &usize| self.group_of[self.var_at[*level] as usize] != group;
        let here = self.level_of[var.index()] as usize;
        let start = (0..here).rev().find(is_other).map_or(0, |level| level + 1);
        start..(here..self.var_at.len()).find(is_other).unwrap_or(self.var_at.len())
    }

    /// The groups in the order of their levels; one that is torn apart gives several.
    fn blocks(&self) -> Blocks {
        let same = |x: &u32, y: &u32| self.group_of[*x as usize] == self.group_of[*y as usize];
        self.var_at.chunk_by(same).map(<[u32]>::to_vec).collect()
    }
}

/// Looks at the clock if there was much work.
fn poll(exchange: &mut Exchange<'_>) -> Result<(), StopReason> {
    if exchange.work < POLL {
        return Ok(());
    }
    exchange.work = 0;
    exchange.store.context.poll()
}

struct Sifting<'s> {
    exchange: Exchange<'s>,
    blocks: Blocks,
    swaps: usize,
}

impl<'s> Sifting<'s> {
    fn new(store: &'s mut Store) -> Self {
        let blocks = store.blocks();
        Self { exchange: Exchange::new(store), blocks, swaps: 0 }
    }

    fn size(&self) -> usize {
        self.exchange.store.n_nodes()
    }

    fn weight(&self, block: &[u32]) -> usize {
        block.iter().map(|&var| self.exchange.store.tables[var as usize].count).sum()
    }

    /// Moves every group once to its best place.
    fn pass(&mut self) -> Result<(), StopReason> {
        self.swaps = 0;
        let mut order = self.blocks.clone();
        order.sort_by_key(|block| std::cmp::Reverse(self.weight(block)));
        for block in order {
            if self.swaps >= SWAPS {
                break;
            }
            let at = self.blocks.iter().position(|other| *other == block).expect("groups only move");
            self.count_scan();
            self.place(at)?;
        }
        Ok(())
    }

    /// Notes the cost of a look at every group, which matters if there are very many.
    fn count_scan(&mut self) {
        self.swaps += self.blocks.len() / SCANS;
        self.exchange.work += self.blocks.len();
    }

    /// Moves the group at this place to its best place.
    fn place(&mut self, start: usize) -> Result<(), StopReason> {
        let mut best = (self.size(), start);
        // The nearer end first, so that the way back is short.
        let up_first = start < self.blocks.len() / 2;
        poll(&mut self.exchange)?;
        let mut at = self.explore(start, up_first, &mut best)?;
        at = self.explore(at, !up_first, &mut best)?;
        while at != best.1 {
            at = self.shift(at, at > best.1);
            poll(&mut self.exchange)?;
        }
        Ok(())
    }

    /// Moves the group on while that may pay, and notes the best place. Gives the place where it stands in the end.
    fn explore(&mut self, mut at: usize, up: bool, best: &mut (usize, usize)) -> Result<usize, StopReason> {
        while self.swaps < SWAPS && if up { at > 0 } else { at + 1 < self.blocks.len() } {
            // Only this group and the groups ahead that have to do with it can lose nodes.
            if self.exchange.knows_interactions() {
                self.count_scan();
                if self.size().saturating_sub(self.ahead(at, up)) >= best.0 {
                    break;
                }
            }
            at = self.shift(at, up);
            poll(&mut self.exchange)?;
            let size = self.size();
            if size < best.0 {
                *best = (size, at);
            } else if size as f64 > GROWTH * best.0 as f64 || size >= self.exchange.store.node_limit {
                break;
            }
        }
        Ok(at)
    }

    /// The nodes of this group and of those ahead of it that have to do with it.
    fn ahead(&self, at: usize, up: bool) -> usize {
        let block = &self.blocks[at];
        let others = if up { &self.blocks[..at] } else { &self.blocks[at + 1..] };
        let meets =
            |other: &&Vec<u32>| other.iter().any(|&x| block.iter().any(|&y| self.exchange.interact(x, y)));
        self.weight(block) + others.iter().filter(meets).map(|other| self.weight(other)).sum::<usize>()
    }

    /// Exchanges the group with its neighbour; gives its new place.
    fn shift(&mut self, at: usize, up: bool) -> usize {
        let above = if up { at - 1 } else { at };
        let level = self.exchange.store.level_of[self.blocks[above][0] as usize] as usize;
        let (upper, lower) = (self.blocks[above].len(), self.blocks[above + 1].len());
        for moved in (0..upper).rev() {
            for passed in 0..lower {
                self.exchange.swap(level + moved + passed);
            }
        }
        self.swaps += upper * lower;
        self.blocks.swap(above, above + 1);
        if up { at - 1 } else { at + 1 }
    }
}
