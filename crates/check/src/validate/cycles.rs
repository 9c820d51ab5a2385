//! The cycles of a strategy: each has an even highest priority, or a rank excludes it.
//!
//! For each odd priority k, the claims of priority at most k are taken apart into strong components. One that has a claim of
//! priority k on a cycle needs a rank that falls in it and that none of its moves lets grow; the strategy says for each
//! fixpoint which ranks these are. Moves on which the rank falls happen finitely often, so they are left out, and the
//! component is taken apart again. If nothing helps, the cycle is a flaw.

use super::{Flaw, Reliance};
use std::collections::BTreeMap;
use tertium_evidence::{By, Move, Position, PositionId, Stage, Strategy};
use tertium_logic::{FormulaGraph, Node, NodeId};
use tertium_support::Id;
use tertium_system::{RankChange, RankedSteps, Step};

/// Accepts the cycles of a strategy, and says which of its steps it relies on for that.
pub(super) fn dissolve_cycles(
    strategy: &Strategy,
    ranks: Option<&RankedSteps>,
) -> Result<Vec<(Step, Reliance)>, Flaw> {
    let formula = strategy.formula();
    let mut odd: Vec<u32> = formula.nodes().map(|(_, node)| node.priority()).filter(|p| p % 2 == 1).collect();
    odd.sort_unstable();
    odd.dedup();
    let mut cycles = Cycles {
        strategy,
        ranks: ranks.filter(|_| strategy.ranking().is_some()),
        order: vec![UNSEEN; strategy.n_positions()],
        part: vec![0; strategy.n_positions()],
        n_parts: 0,
        relied_on: BTreeMap::new(),
    };
    for bound in odd {
        let around = nodes_around(formula, bound);
        let relevant = PositionId::first(strategy.n_positions())
            .filter(|&at| around[strategy.position(at).node.index()] && priority(strategy, at) <= bound);
        let mut waiting = vec![(relevant.collect::<Vec<_>>(), 0u64)];
        while let Some((members, left_out)) = waiting.pop() {
            for component in cycles.components(&members, left_out) {
                if let Some(rank) = cycles.helpful_rank(&component, bound, left_out)? {
                    waiting.push((component, left_out | 1 << rank));
                }
            }
        }
    }
    Ok(cycles.relied_on.into_iter().collect())
}

fn priority(strategy: &Strategy, at: PositionId) -> u32 {
    let Position { node, stage, .. } = strategy.position(at);
    if stage == Stage::Node { strategy.formula().node(node).priority() } else { 0 }
}

/// The nodes that a fixpoint of this priority leads to and that lead back to one: moves follow the edges of the
/// formula, so a cycle of claims through such a fixpoint stays among them.
fn nodes_around(formula: &FormulaGraph, priority: u32) -> Vec<bool> {
    let n = formula.n_nodes();
    let mut users: Vec<Vec<NodeId>> = vec![Vec::new(); n];
    for (id, node) in formula.nodes() {
        node.children().iter().for_each(|child| users[child.index()].push(id));
    }
    let close = |next: &dyn Fn(NodeId) -> Vec<NodeId>| {
        let mut reached = vec![false; n];
        let has_it = |(_, node): &(NodeId, &Node)| node.priority() == priority;
        let mut stack: Vec<NodeId> = formula.nodes().filter(has_it).map(|(id, _)| id).collect();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                stack.extend(next(id));
            }
        }
        reached
    };
    let ahead = close(&|id| formula.node(id).children().to_vec());
    let behind = close(&|id| users[id.index()].clone());
    ahead.into_iter().zip(behind).map(|(ahead, behind)| ahead && behind).collect()
}

const UNSEEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;

struct Cycles<'a> {
    strategy: &'a Strategy,
    ranks: Option<&'a RankedSteps>,
    /// When the search at hand met a claim.
    order: Vec<u32>,
    /// The part that a claim is in, numbered from 1.
    part: Vec<u32>,
    n_parts: u32,
    relied_on: BTreeMap<Step, Reliance>,
}

impl Cycles<'_> {
    /// What a move does to the ranks: those that only change the formula keep the concrete state.
    fn change(&self, at: PositionId, step: &Move) -> RankChange {
        match (self.ranks, self.step(at, step)) {
            (Some(ranks), Some((source, action, target))) => ranks.of(source, action, target),
            _ => RankChange::NONE,
        }
    }

    fn step(&self, at: PositionId, step: &Move) -> Option<Step> {
        let By::Step(action) = step.by else { return None };
        Some((self.strategy.position(at).state, action, self.strategy.position(step.to).state))
    }

    /// Makes these claims the part at hand.
    fn enter(&mut self, members: &[PositionId]) {
        self.n_parts += 1;
        members.iter().for_each(|at| self.part[at.index()] = self.n_parts);
    }

    /// Whether a move stays in the part at hand, and is not left out.
    fn stays(&self, at: PositionId, step: &Move, left_out: u64) -> bool {
        self.part[step.to.index()] == self.n_parts && self.change(at, step).falls & left_out == 0
    }

    /// A rank that the strategy names for a component, if it has a claim of the priority.
    fn helpful_rank(
        &mut self,
        component: &[PositionId],
        bound: u32,
        left_out: u64,
    ) -> Result<Option<usize>, Flaw> {
        let strategy = self.strategy;
        let Some(&bad) = component.iter().find(|&&at| priority(strategy, at) == bound) else {
            return Ok(None);
        };
        self.enter(component);
        let inner: Vec<(PositionId, &Move)> = component
            .iter()
            .flat_map(|&at| strategy.moves(at).iter().map(move |step| (at, step)))
            .filter(|&(at, step)| self.stays(at, step, left_out))
            .collect();
        let changes = inner.iter().map(|&(at, step)| self.change(at, step));
        let (falls, may_grow) = changes
            .fold((0, 0), |(falls, may_grow), change| (falls | change.falls, may_grow | change.may_grow));
        let has_node = |node: NodeId| {
            let is_it =
                |&at: &PositionId| strategy.position(at).node == node && priority(strategy, at) == bound;
            component.iter().any(is_it)
        };
        let uses = strategy.ranking().into_iter().flat_map(|ranking| &ranking.uses);
        let mut named = uses.filter(|(node, _)| has_node(*node)).flat_map(|(_, ranks)| ranks).copied();
        let rank = named.find(|&rank| (falls & !may_grow) >> rank & 1 == 1);
        let rank = rank.ok_or(Flaw::OddCycle(bad, bound))?;
        for (at, step) in inner {
            let Some(key) = self.step(at, step) else { continue };
            let falls = self.change(at, step).falls & 1 << rank;
            let entry = self.relied_on.entry(key).or_default();
            entry.falls |= falls;
            entry.stays |= !falls & 1 << rank;
        }
        Ok(Some(rank))
    }

    /// The strong components of some claims that have a cycle, by moves that are not left out.
    ///
    /// Depth-first search with the path-based algorithm for strong components \[Gab00\]: `open` holds the boundaries of
    /// components on the current path; when the root of a component is left, its members are known.
    fn components(&mut self, members: &[PositionId], left_out: u64) -> Vec<Vec<PositionId>> {
        self.enter(members);
        members.iter().for_each(|at| self.order[at.index()] = UNSEEN);
        let mut found = Vec::new();
        let (mut count, mut path, mut open): (u32, Vec<PositionId>, Vec<PositionId>) = Default::default();
        for &start in members {
            if self.order[start.index()] != UNSEEN {
                continue;
            }
            let mut calls: Vec<(PositionId, u32)> = vec![(start, 0)];
            while let Some(&mut (at, ref mut next)) = calls.last_mut() {
                if *next == 0 {
                    self.order[at.index()] = count;
                    count += 1;
                    path.push(at);
                    open.push(at);
                }
                let Some(step) = self.strategy.moves(at).get(*next as usize) else {
                    calls.pop();
                    if open.last() == Some(&at) {
                        open.pop();
                        let from = path.iter().rposition(|&member| member == at).expect("on the path");
                        let component = path.split_off(from);
                        component.iter().for_each(|member| self.order[member.index()] = CLOSED);
                        let goes_round = |step: &Move| step.to == at && self.stays(at, step, left_out);
                        if component.len() > 1 || self.strategy.moves(at).iter().any(goes_round) {
                            found.push(component);
                        }
                    }
                    continue;
                };
                *next += 1;
                if !self.stays(at, step, left_out) {
                    continue;
                }
                match self.order[step.to.index()] {
                    UNSEEN => calls.push((step.to, 0)),
                    CLOSED => {}
                    order => {
                        while open.last().is_some_and(|top| self.order[top.index()] > order) {
                            open.pop();
                        }
                    }
                }
            }
        }
        found
    }
}
