//! Cheap cycles that no rank excludes, in a component where they are.

use super::dissolve::Remaining;
use super::game::{Game, PositionId};
use super::lasso::Search;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tertium_support::{Id, StopReason};
use tertium_system::ranks_of;

/// The search for a short cycle may look at so many moves.
const SEARCH: usize = 1 << 20;

/// A position, with whether a step led to it.
type Node = (PositionId, bool);
/// What it costs to come to a node, and by which move from where.
type Arrival = (u64, Option<(usize, Node)>);

/// The moves by which a node was found.
fn moves_to(found: &FxHashMap<Node, Arrival>, mut node: Node) -> Vec<usize> {
    let mut moves = Vec::new();
    while let Some((index, before)) = found[&node].1 {
        moves.push(index);
        node = before;
    }
    moves.reverse();
    moves
}

impl Search<'_> {
    /// A cheap cycle with a step in a component that no rank excludes, through its highest priority.
    pub(super) fn cycle_of(
        &mut self,
        component: &Remaining,
    ) -> Result<Option<(u64, PositionId, Vec<usize>)>, StopReason> {
        let members: FxHashSet<PositionId> = component.members.iter().copied().collect();
        let is_in = |game: &Game, index: usize| {
            members.contains(&game.move_at(index).to) && game.change(index).falls & component.dropped == 0
        };
        let has_priority = |at: &&PositionId| self.game.priority(**at) == component.priority;
        let mut heads: Vec<PositionId> = component.members.iter().filter(has_priority).copied().collect();
        heads.sort_by_key(|head| (self.distance[head.index()], *head));
        let n_moves: usize = component.members.iter().map(|&at| self.game.moves(at).len()).sum();
        heads.truncate((SEARCH / n_moves.max(1)).max(1));
        let mut best: Option<(u64, PositionId, Vec<usize>)> = None;
        for head in heads {
            let Some(cycle) = self.cycle_at(head, &is_in)? else { continue };
            let cost = cycle.iter().filter_map(|&index| self.step(index)).map(self.cost).sum();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, head, cycle));
            }
        }
        Ok(best)
    }

    /// A cheap cycle from a position back to it, with a step, that no rank excludes.
    fn cycle_at(
        &mut self,
        head: PositionId,
        is_in: &dyn Fn(&Game, usize) -> bool,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        let Some(mut cycle) = self.way(head, head, true, is_in)? else { return Ok(None) };
        if self.excluding(&cycle) == 0 {
            return Ok(Some(cycle));
        }
        let even = |game: &Game, index: usize| is_in(game, index) && game.change(index).falls == 0;
        if let Some(cycle) = self.way(head, head, true, &even)? {
            return Ok(Some(cycle));
        }
        // By way of a move that lets the rank grow: there is one, or the component would not be left.
        while let Some(rank) = ranks_of(self.excluding(&cycle)).next() {
            let grows = |game: &Game, index: usize| game.change(index).may_grow >> rank & 1 == 1;
            let Some(mut round) = self.way_by(head, is_in, &grows)? else { return Ok(None) };
            let from = self.game.move_at(round[round.len() - 1]).to;
            let Some(back) = self.way(from, head, false, is_in)? else { return Ok(None) };
            round.extend(back);
            if self.excluding(&round) == 0 {
                return Ok(Some(round));
            }
            cycle.extend(round);
        }
        Ok(Some(cycle))
    }

    /// The ranks that fall on a cycle and do not grow.
    fn excluding(&self, cycle: &[usize]) -> u64 {
        let changes = cycle.iter().map(|&index| self.game.change(index));
        let (falls, may_grow) = changes
            .fold((0, 0), |(falls, may_grow), change| (falls | change.falls, may_grow | change.may_grow));
        falls & !may_grow
    }

    /// The moves of a cheapest way; with a step at least, if so asked.
    fn way(
        &mut self,
        from: PositionId,
        to: PositionId,
        with_step: bool,
        is_in: &dyn Fn(&Game, usize) -> bool,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        if from == to && !with_step {
            return Ok(Some(Vec::new()));
        }
        self.cheapest(from, is_in, &|_, _| false, &|at, stepped| at == to && (stepped || !with_step))
    }

    /// The moves of a cheapest way that ends with a move like this.
    fn way_by(
        &mut self,
        from: PositionId,
        is_in: &dyn Fn(&Game, usize) -> bool,
        last: &dyn Fn(&Game, usize) -> bool,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        self.cheapest(from, is_in, last, &|_, _| false)
    }

    /// A cheapest way that ends at a place like this, or with a move like that. A place is a position, with whether a
    /// step led to it.
    fn cheapest(
        &mut self,
        from: PositionId,
        is_in: &dyn Fn(&Game, usize) -> bool,
        ends_with: &dyn Fn(&Game, usize) -> bool,
        ends_at: &dyn Fn(PositionId, bool) -> bool,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        let mut found: FxHashMap<Node, Arrival> = FxHashMap::default();
        let mut waiting: BinaryHeap<Reverse<(u64, usize, Node)>> = BinaryHeap::new();
        let start = (from, false);
        found.insert(start, (0, None));
        waiting.push(Reverse((0, 0, start)));
        while let Some(Reverse((cost, length, node))) = waiting.pop() {
            if cost > found[&node].0 {
                continue;
            }
            if length > 0 && ends_at(node.0, node.1) {
                return Ok(Some(moves_to(&found, node)));
            }
            self.ticker.tick(1 + self.game.moves(node.0).len())?;
            for index in self.game.moves(node.0).filter(|&index| is_in(self.game, index)) {
                if ends_with(self.game, index) {
                    let mut moves = moves_to(&found, node);
                    moves.push(index);
                    return Ok(Some(moves));
                }
                let step = self.step(index);
                let next = (self.game.move_at(index).to, node.1 || step.is_some());
                let cost = cost.saturating_add(step.map_or(0, |step| (self.cost)(step).max(1)));
                if found.get(&next).is_none_or(|&(known, _)| cost < known) {
                    found.insert(next, (cost, Some((index, node))));
                    waiting.push(Reverse((cost, length + 1, next)));
                }
            }
        }
        Ok(None)
    }
}
