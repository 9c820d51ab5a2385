//! Cycles of a finite graph that satisfy justice and compassion, and the way to them.
//!
//! A strongly connected component is good if it meets each justice set, and for each pair of compassion the second set
//! when it meets the first. A component that lacks a justice set has no good cycle. One that meets a first set and not the
//! second may have a good cycle that leaves the first set alone: those nodes are taken out and the rest is searched
//! again. Every round takes a node out, so it ends.
//!
//! A lasso goes to a good component on a shortest way, and then round: to the nearest node of each set that must be met
//! and was not, and back.

use super::places::NodeId;
use std::collections::VecDeque;
use tertium_support::{ComponentSearch, Id, IdSet, StopReason, Ticker};

/// The arcs of a graph, in rows.
#[derive(Default)]
pub(super) struct Arcs {
    /// By node: where its row ends.
    ends: Vec<usize>,
    targets: Vec<NodeId>,
}

impl Arcs {
    /// How many nodes have rows.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds an arc of the next node.
    pub(super) fn add(&mut self, target: NodeId) {
        self.targets.push(target);
    }

    /// The row of the next node is complete.
    pub(super) fn close_row(&mut self) {
        self.ends.push(self.targets.len());
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        let start = node.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[node.index()]]
    }
}

/// What a cycle must do.
pub(super) struct Acceptance {
    /// Sets of which each must be met.
    pub(super) justice: Vec<IdSet<NodeId>>,
    /// Pairs: who meets the first meets the second.
    pub(super) compassion: Vec<(IdSet<NodeId>, IdSet<NodeId>)>,
}

/// The nodes of a path, and the place to which its last one leads back.
pub(super) struct Lasso {
    pub(super) nodes: Vec<NodeId>,
    pub(super) loop_start: usize,
}

/// A path from one of these nodes into a cycle that is accepted, if there is one. All nodes can be reached from them.
pub(super) fn fair_lasso(
    ticker: &mut Ticker<'_>,
    arcs: &Arcs,
    from: &[NodeId],
    acceptance: &Acceptance,
) -> Result<Option<Lasso>, StopReason> {
    let n = arcs.len();
    let Some(component) = fair_component(ticker, arcs, acceptance)? else { return Ok(None) };
    let component = IdSet::of(n, component);
    let joined = "nodes of a component are joined, and it can be reached";
    let everywhere = IdSet::full(n);
    let mut nodes = way(arcs, from, &everywhere, &component).expect(joined);
    let loop_start = nodes.len() - 1;
    let meets = |set: &IdSet<NodeId>| !component.is_disjoint(set);
    let owed = acceptance.compassion.iter().filter(|(p, _)| meets(p)).map(|(_, q)| q);
    for set in acceptance.justice.iter().chain(owed) {
        ticker.tick(1)?;
        if !nodes[loop_start..].iter().any(|&node| set.contains(node)) {
            let goal = set.intersection(&component);
            nodes.extend(&way(arcs, &nodes[nodes.len() - 1..], &component, &goal).expect(joined)[1..]);
        }
    }
    // Back by at least one step.
    let last = nodes[nodes.len() - 1];
    let after: Vec<NodeId> = arcs.of(last).iter().copied().filter(|&next| component.contains(next)).collect();
    let home = IdSet::of(n, [nodes[loop_start]]);
    let mut back = way(arcs, &after, &component, &home).expect(joined);
    back.pop();
    nodes.extend(back);
    debug_assert!(
        nodes.windows(2).all(|pair| arcs.of(pair[0]).contains(&pair[1]))
            && arcs.of(nodes[nodes.len() - 1]).contains(&nodes[loop_start]),
        "nodes of the lasso are joined, and its end leads back"
    );
    debug_assert!(
        acceptance.justice.iter().all(|set| nodes[loop_start..].iter().any(|&node| set.contains(node))),
        "the loop meets every set of justice"
    );
    Ok(Some(Lasso { nodes, loop_start }))
}

/// A strongly connected set of nodes with a cycle through all of them that is accepted.
fn fair_component(
    ticker: &mut Ticker<'_>,
    arcs: &Arcs,
    acceptance: &Acceptance,
) -> Result<Option<Vec<NodeId>>, StopReason> {
    let n = arcs.len();
    let mut search = ComponentSearch::new(n);
    let mut waiting: Vec<Vec<NodeId>> = vec![NodeId::first(n).collect()];
    while let Some(among) = waiting.pop() {
        ticker.tick(1 + among.len())?;
        let inside: IdSet<NodeId> = IdSet::of(n, among.iter().copied());
        let components = search.components(&among, |node| arcs.of(node), |node| inside.contains(node));
        for component in components {
            if !is_cycle(arcs, &component) {
                continue;
            }
            let meets = |set: &IdSet<NodeId>| component.iter().any(|&node| set.contains(node));
            if !acceptance.justice.iter().all(meets) {
                continue;
            }
            let broken: Vec<_> =
                acceptance.compassion.iter().filter(|(p, q)| meets(p) && !meets(q)).map(|(p, _)| p).collect();
            if broken.is_empty() {
                return Ok(Some(component));
            }
            let rest = component.iter().copied().filter(|&node| !broken.iter().any(|p| p.contains(node)));
            let rest: Vec<NodeId> = rest.collect();
            debug_assert!(rest.len() < component.len(), "a broken pair takes nodes away");
            waiting.push(rest);
        }
    }
    Ok(None)
}

fn is_cycle(arcs: &Arcs, component: &[NodeId]) -> bool {
    component.len() > 1 || arcs.of(component[0]).contains(&component[0])
}

/// The nodes of a shortest way inside a set, from one of these nodes to the goal.
fn way(arcs: &Arcs, from: &[NodeId], inside: &IdSet<NodeId>, goal: &IdSet<NodeId>) -> Option<Vec<NodeId>> {
    let mut before: Vec<Option<NodeId>> = vec![None; arcs.len()];
    let mut seen = IdSet::empty(arcs.len());
    let mut waiting: VecDeque<NodeId> = from.iter().copied().filter(|&node| seen.insert(node)).collect();
    while let Some(node) = waiting.pop_front() {
        if goal.contains(node) {
            let mut nodes: Vec<NodeId> =
                std::iter::successors(Some(node), |node| before[node.index()]).collect();
            nodes.reverse();
            return Some(nodes);
        }
        for &next in arcs.of(node) {
            if inside.contains(next) && seen.insert(next) {
                before[next.index()] = Some(node);
                waiting.push_back(next);
            }
        }
    }
    None
}
