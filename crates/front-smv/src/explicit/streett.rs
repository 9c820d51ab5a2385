//! Whether a finite graph has a cycle that satisfies justice and compassion.
//!
//! A strongly connected component is good if it meets each justice set, and for each pair of compassion the second set
//! when it meets the first. A component that lacks a justice set has no good cycle. One that meets a first set and
//! not the second may have a good cycle that leaves the first set alone: those nodes are taken out and the rest is searched
//! again. Every round takes a node out, so it ends.

use tertium_support::{ComponentSearch, Id, IdSet, define_id};

define_id!(
    /// A node of the graph that is searched.
    NodeId
);

/// What a cycle must do.
pub(super) struct Acceptance {
    /// Sets of which each must be met.
    pub(super) justice: Vec<IdSet<NodeId>>,
    /// Pairs: who meets the first meets the second.
    pub(super) compassion: Vec<(IdSet<NodeId>, IdSet<NodeId>)>,
}

/// Whether there is a cycle that is accepted.
pub(super) fn has_fair_cycle(successors: &[Vec<NodeId>], acceptance: &Acceptance) -> bool {
    let n = successors.len();
    let mut search = ComponentSearch::new(n);
    let mut waiting: Vec<Vec<NodeId>> = vec![NodeId::first(n).collect()];
    while let Some(among) = waiting.pop() {
        let inside: IdSet<NodeId> = IdSet::of(n, among.iter().copied());
        let components =
            search.components(&among, |node| &successors[node.index()][..], |node| inside.contains(node));
        for component in components {
            if !is_cycle(successors, &component) {
                continue;
            }
            let meets = |set: &IdSet<NodeId>| component.iter().any(|&node| set.contains(node));
            if !acceptance.justice.iter().all(meets) {
                continue;
            }
            let broken: Vec<_> =
                acceptance.compassion.iter().filter(|(p, q)| meets(p) && !meets(q)).map(|(p, _)| p).collect();
            if broken.is_empty() {
                return true;
            }
            let rest = component.iter().copied().filter(|&node| !broken.iter().any(|p| p.contains(node)));
            waiting.push(rest.collect());
        }
    }
    false
}

fn is_cycle(successors: &[Vec<NodeId>], component: &[NodeId]) -> bool {
    component.len() > 1 || successors[component[0].index()].contains(&component[0])
}
