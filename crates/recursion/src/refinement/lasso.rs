//! Where a run may go on for ever, as a stem and a cycle of abstract states.
//!
//! Of all cycles among states from which an infinite run may begin, one is taken that is short and was not tried often. A cycle
//! may go through calls, over them by summaries, or ever deeper into them.

use crate::Move;
use crate::abstraction::explore::{Exploration, NodeId, Way};
use crate::abstraction::paths::inside;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use tertium_program::{EdgeId, PointId};
use tertium_support::{ComponentSearch, Context, Id, StopReason};

/// So many points are tried as the place where a cycle closes.
const MOST_HEADS: usize = 48;
/// What an edge costs more for each time that it was on a cycle.
const TRIED: u64 = 6;

/// A stem and a cycle, as moves.
pub(super) struct Lasso {
    pub(super) stem: Vec<(Move, EdgeId)>,
    pub(super) cycle: Vec<(Move, EdgeId)>,
}

/// A move of the mixed graph.
#[derive(Clone, Copy)]
enum Hop {
    Step(EdgeId),
    Into(EdgeId),
    Over(EdgeId, NodeId),
}

impl Hop {
    fn edge(self) -> EdgeId {
        match self {
            Self::Step(edge) | Self::Into(edge) | Self::Over(edge, _) => edge,
        }
    }
}

/// Searches for lassos. Remembers what was tried.
#[derive(Default)]
pub(super) struct Lassos {
    tried: FxHashMap<EdgeId, u64>,
}

impl Lassos {
    /// A lasso of states that satisfy `is_alive`, if there is one with at most `most` moves in stem and cycle each.
    pub(super) fn find(
        &mut self,
        context: &Context,
        found: &Exploration,
        is_alive: &dyn Fn(NodeId) -> bool,
        most: usize,
    ) -> Result<Option<Lasso>, StopReason> {
        let hops = hops(found, is_alive);
        let mut search = Search { context, hops: &hops, tried: &self.tried, came: FxHashMap::default() };
        let starts = found.starts.iter().copied().filter(|&start| is_alive(start));
        search.run(starts.map(|start| (0, start, None)), None)?;
        let reached = search.came;
        // The nearest node on a cycle at each point.
        let mut heads: BTreeMap<PointId, (u64, NodeId)> = BTreeMap::new();
        let on_cycles = on_cycles(found.nodes.len(), &hops);
        for (&node, &(distance, _)) in reached.iter().filter(|(node, _)| on_cycles[node.index()]) {
            let best = heads.entry(found.node(node).point).or_insert((distance, node));
            *best = (*best).min((distance, node));
        }
        let mut heads: Vec<(u64, NodeId)> = heads.into_values().collect();
        heads.sort_unstable();
        let mut best: Option<(u64, NodeId, Vec<Hop>)> = None;
        for (distance, head) in heads.into_iter().take(MOST_HEADS) {
            if best.as_ref().is_some_and(|(cost, ..)| *cost <= distance) {
                break;
            }
            let mut search = Search { context, hops: &hops, tried: &self.tried, came: FxHashMap::default() };
            let first = hops.get(&head).into_iter().flatten();
            let first: Vec<_> = first.map(|&(hop, to)| (search.cost(hop), to, Some((head, hop)))).collect();
            search.run(first.into_iter(), Some(head))?;
            let Some(&(length, _)) = search.came.get(&head) else { continue };
            let cost = distance + length;
            if best.as_ref().is_none_or(|(known, ..)| cost < *known) {
                best = Some((cost, head, search.way(head, Some(head))));
            }
        }
        let Some((_, head, cycle)) = best else { return Ok(None) };
        for hop in &cycle {
            *self.tried.entry(hop.edge()).or_default() += 1;
        }
        let stem = Search { context, hops: &hops, tried: &self.tried, came: reached }.way(head, None);
        let stem = moves(found, &stem, most);
        Ok(stem.zip(moves(found, &cycle, most)).map(|(stem, cycle)| Lasso { stem, cycle }))
    }
}

/// Hops from each state that is alive, to such states.
type Hops = FxHashMap<NodeId, Vec<(Hop, NodeId)>>;

fn hops(found: &Exploration, is_alive: &dyn Fn(NodeId) -> bool) -> Hops {
    let mut hops = Hops::default();
    let mut add = |from: NodeId, hop: Hop, to: NodeId| {
        if is_alive(from) && is_alive(to) {
            hops.entry(from).or_default().push((hop, to));
        }
    };
    for node in NodeId::first(found.nodes.len()) {
        for way in &found.ways[node.index()] {
            match way {
                Way::Step(edge, targets) => {
                    targets.iter().for_each(|&target| add(node, Hop::Step(*edge), target));
                }
                Way::Call(edge, begun) => begun.iter().for_each(|activation| {
                    add(node, Hop::Into(*edge), found.activations[activation.index()].start);
                }),
            }
        }
    }
    for (&(caller, edge, end), targets) in &found.returns {
        targets.iter().for_each(|&target| add(caller, Hop::Over(edge, end), target));
    }
    hops
}

/// Which states are on cycles.
fn on_cycles(n: usize, hops: &Hops) -> Vec<bool> {
    let mut targets: Vec<Vec<NodeId>> = vec![Vec::new(); n];
    for (from, hops) in hops {
        targets[from.index()] = hops.iter().map(|&(_, to)| to).collect();
    }
    let all: Vec<NodeId> = NodeId::first(n).collect();
    let mut search = ComponentSearch::new(n);
    let mut is_on = vec![false; n];
    for component in search.components(&all, |node: NodeId| &targets[node.index()][..], |_| true) {
        if component.len() > 1 || targets[component[0].index()].contains(&component[0]) {
            component.iter().for_each(|node| is_on[node.index()] = true);
        }
    }
    is_on
}

/// A search for shortest ways.
struct Search<'a> {
    context: &'a Context,
    hops: &'a Hops,
    tried: &'a FxHashMap<EdgeId, u64>,
    /// How far each state is, and from where it was reached.
    came: FxHashMap<NodeId, (u64, Option<(NodeId, Hop)>)>,
}

impl Search<'_> {
    fn cost(&self, hop: Hop) -> u64 {
        let own = match hop {
            Hop::Step(_) | Hop::Into(_) => 1,
            Hop::Over(..) => 4,
        };
        own + TRIED * self.tried.get(&hop.edge()).copied().unwrap_or(0)
    }

    /// Goes on from these states until all is reached, or `goal` is.
    fn run(
        &mut self,
        first: impl Iterator<Item = (u64, NodeId, Option<(NodeId, Hop)>)>,
        goal: Option<NodeId>,
    ) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("looking for a lasso");
        let mut open = BinaryHeap::new();
        for (distance, node, from) in first {
            if self.came.get(&node).is_none_or(|&(known, _)| distance < known) {
                self.came.insert(node, (distance, from));
                open.push(Reverse((distance, node)));
            }
        }
        while let Some(Reverse((distance, node))) = open.pop() {
            ticker.tick(16)?;
            if Some(node) == goal {
                return Ok(());
            }
            if self.came[&node].0 < distance {
                continue;
            }
            for &(hop, to) in self.hops.get(&node).into_iter().flatten() {
                let longer = distance + self.cost(hop);
                if self.came.get(&to).is_none_or(|&(known, _)| longer < known) {
                    self.came.insert(to, (longer, Some((node, hop))));
                    open.push(Reverse((longer, to)));
                }
            }
        }
        Ok(())
    }

    /// The hops that lead to a state, from the beginning or from `from`.
    fn way(&self, to: NodeId, from: Option<NodeId>) -> Vec<Hop> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some((before, hop)) = self.came[&at].1 {
            way.push(hop);
            at = before;
            if Some(at) == from {
                break;
            }
        }
        way.reverse();
        way
    }
}

/// The moves of hops; a call that is jumped over is written out.
fn moves(found: &Exploration, hops: &[Hop], most: usize) -> Option<Vec<(Move, EdgeId)>> {
    let mut moves = Vec::new();
    for &hop in hops {
        match hop {
            Hop::Step(edge) => moves.push((Move::Step, edge)),
            Hop::Into(edge) => moves.push((Move::Call, edge)),
            Hop::Over(edge, end) => {
                moves.push((Move::Call, edge));
                moves.extend(inside(found, end, most)?);
                moves.push((Move::Return, edge));
            }
        }
        if moves.len() > most {
            return None;
        }
    }
    Some(moves)
}
