//! Strongly connected components of formula graphs.
//!
//! Tarjan's algorithm \[Tar72\] with an explicit stack: linear, and no recursion. It finds a component only after all
//! components that this one refers to, which is the order in which checkers solve them.

use crate::{FormulaGraph, Node, NodeId, Sign};
use tertium_support::Id;

/// A strongly connected component of a formula graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its nodes.
    pub nodes: Vec<NodeId>,
    /// How its nodes depend on each other.
    pub kind: ComponentKind,
}

/// How the nodes of a component depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentKind {
    /// A single node that does not depend on itself.
    Trivial,
    /// All fixpoints in it have this sign.
    SingleSign(Sign),
    /// Least and greatest fixpoints depend on each other.
    Alternating,
}

impl FormulaGraph {
    /// The components of the graph; each comes after all components that its nodes refer to.
    pub fn components(&self) -> Vec<Component> {
        let all: Vec<NodeId> = NodeId::first(self.nodes.len()).collect();
        let mut search = Search::new(self.nodes.len());
        search
            .components(&self.nodes, &all, |_| true)
            .into_iter()
            .map(|nodes| Component { kind: self.kind_of(&nodes), nodes })
            .collect()
    }

    fn kind_of(&self, component: &[NodeId]) -> ComponentKind {
        if let [only] = component
            && !self.node(*only).children().contains(only)
        {
            return ComponentKind::Trivial;
        }
        let has = |wanted: Sign| {
            component
                .iter()
                .any(|&id| matches!(self.node(id), Node::Fixpoint { sign, .. } if *sign == wanted))
        };
        match (has(Sign::Least), has(Sign::Greatest)) {
            (true, false) => ComponentKind::SingleSign(Sign::Least),
            (false, true) => ComponentKind::SingleSign(Sign::Greatest),
            _ => ComponentKind::Alternating,
        }
    }
}

/// The arrays of the search, kept so that many small searches in one large graph stay cheap.
pub(crate) struct Search {
    /// When a node was first seen, from 1; 0 if it was not.
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Search {
    pub(crate) fn new(n_nodes: usize) -> Self {
        Self { index: vec![0; n_nodes], low: vec![0; n_nodes], on_stack: vec![false; n_nodes] }
    }

    /// The components of the sub-graph of the nodes `among`, which are those that satisfy `inside`.
    pub(crate) fn components(
        &mut self,
        nodes: &[Node],
        among: &[NodeId],
        inside: impl Fn(NodeId) -> bool,
    ) -> Vec<Vec<NodeId>> {
        among.iter().for_each(|&id| self.index[id.index()] = 0);
        let mut clock = 0;
        let mut found = Vec::new();
        let mut open: Vec<NodeId> = Vec::new();
        // A node on the current path with the position of its next child.
        let mut path: Vec<(NodeId, usize)> = Vec::new();
        for &start in among {
            if self.index[start.index()] == 0 {
                self.enter(start, &mut clock, &mut open);
                path.push((start, 0));
            }
            while let Some((id, next)) = path.last_mut() {
                let id = *id;
                if let Some(&child) = nodes[id.index()].children().get(*next) {
                    *next += 1;
                    if !inside(child) {
                        continue;
                    }
                    if self.index[child.index()] == 0 {
                        self.enter(child, &mut clock, &mut open);
                        path.push((child, 0));
                    } else if self.on_stack[child.index()] {
                        self.low[id.index()] = self.low[id.index()].min(self.index[child.index()]);
                    }
                    continue;
                }
                path.pop();
                let low = self.low[id.index()];
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(low);
                }
                if low == self.index[id.index()] {
                    let from = open.iter().rposition(|&other| other == id).expect("the node is still open");
                    let component = open.split_off(from);
                    component.iter().for_each(|member| self.on_stack[member.index()] = false);
                    found.push(component);
                }
            }
        }
        found
    }

    fn enter(&mut self, id: NodeId, clock: &mut u32, open: &mut Vec<NodeId>) {
        *clock += 1;
        self.index[id.index()] = *clock;
        self.low[id.index()] = *clock;
        self.on_stack[id.index()] = true;
        open.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use tertium_support::Source;

    fn kinds(text: &str) -> Vec<ComponentKind> {
        let graph = FormulaGraph::new(&parse(&Source::new("test", text)).unwrap());
        let components = graph.components();
        let mut seen = vec![false; graph.n_nodes()];
        for component in &components {
            component.nodes.iter().for_each(|id| seen[id.index()] = true);
            for &id in &component.nodes {
                assert!(graph.node(id).children().iter().all(|child| seen[child.index()]), "{text}");
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        components.into_iter().map(|c| c.kind).filter(|&kind| kind != ComponentKind::Trivial).collect()
    }

    #[test]
    fn components_are_found_after_what_they_refer_to() {
        use ComponentKind::{Alternating, SingleSign};
        assert_eq!(kinds("p && <a>q"), []);
        assert_eq!(kinds("AG EF p"), [SingleSign(Sign::Least), SingleSign(Sign::Greatest)]);
        assert_eq!(kinds("nu X. mu Y. (p && <>X) || <>Y"), [Alternating]);
        assert_eq!(kinds("nu X. X"), [SingleSign(Sign::Greatest)]);
    }
}
