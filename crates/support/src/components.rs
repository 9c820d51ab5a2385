//! Strongly connected components.
//!
//! Tarjan's algorithm \[Tar72\] with an explicit stack: linear, and no recursion. It finds a component only after all
//! components that this one refers to, which is the order in which equations are solved.

use crate::Id;
use std::marker::PhantomData;

/// The arrays of the search, kept so that many small searches in one large graph stay cheap.
#[derive(Debug)]
pub struct ComponentSearch<I> {
    /// When a node was first seen, from 1; 0 if it was not.
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    id: PhantomData<I>,
}

impl<I: Id> ComponentSearch<I> {
    /// A search in graphs of at most `n` nodes.
    pub fn new(n: usize) -> Self {
        Self { index: vec![0; n], low: vec![0; n], on_stack: vec![false; n], id: PhantomData }
    }

    /// The components of the sub-graph of the nodes `among`, which are those that satisfy `inside`. Each comes after all
    /// components that its nodes refer to.
    pub fn components<'g>(
        &mut self,
        among: &[I],
        successors: impl Fn(I) -> &'g [I],
        inside: impl Fn(I) -> bool,
    ) -> Vec<Vec<I>> {
        among.iter().for_each(|&id| self.index[id.index()] = 0);
        let mut clock = 0;
        let mut found = Vec::new();
        let mut open: Vec<I> = Vec::new();
        // A node on the current path with the position of its next successor.
        let mut path: Vec<(I, usize)> = Vec::new();
        for &start in among {
            if self.index[start.index()] == 0 {
                self.enter(start, &mut clock, &mut open);
                path.push((start, 0));
            }
            while let Some((id, next)) = path.last_mut() {
                let id = *id;
                if let Some(&child) = successors(id).get(*next) {
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

    fn enter(&mut self, id: I, clock: &mut u32, open: &mut Vec<I>) {
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
    use crate::Rng;

    crate::define_id!(
        /// A node of a graph in these tests.
        NodeId
    );

    fn reaches(graph: &[Vec<NodeId>], from: NodeId, to: NodeId) -> bool {
        let mut seen = vec![false; graph.len()];
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            if at == to {
                return true;
            }
            if !std::mem::replace(&mut seen[at.index()], true) {
                stack.extend(&graph[at.index()]);
            }
        }
        false
    }

    #[test]
    fn nodes_share_a_component_iff_they_reach_each_other_and_dependencies_come_first() {
        let mut rng = Rng::seeded(1);
        for _ in 0..300 {
            let n = rng.between(1, 8);
            let graph: Vec<Vec<NodeId>> =
                (0..n).map(|_| (0..rng.below(3)).map(|_| NodeId::new(rng.below(n))).collect()).collect();
            let all: Vec<NodeId> = NodeId::first(n).collect();
            let components = ComponentSearch::new(n).components(&all, |id| &graph[id.index()], |_| true);
            let mut place = vec![usize::MAX; n];
            for (index, component) in components.iter().enumerate() {
                component.iter().for_each(|id| place[id.index()] = index);
            }
            for &a in &all {
                for &b in &all {
                    let mutual = reaches(&graph, a, b) && reaches(&graph, b, a);
                    assert_eq!(place[a.index()] == place[b.index()], mutual, "{graph:?}");
                    if reaches(&graph, a, b) {
                        assert!(place[b.index()] <= place[a.index()], "{graph:?}");
                    }
                }
            }
        }
    }
}
