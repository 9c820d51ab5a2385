//! Which variables expressions read, through definitions.
//!
//! Variables and definitions are the nodes of one graph: what is read through many definitions is not listed for each of them.
//! Making it takes time and memory linear in the size of the model.

use crate::interpret::parts;
use crate::{Expr, ExprKind, FlatModel, VarId};
use rustc_hash::FxHashSet;
use tertium_support::{Id, define_id};

define_id!(
    /// A variable or a definition of a model: variables come first.
    NodeId
);

/// Which variables expressions read.
#[derive(Debug)]
pub(crate) struct Reads {
    n_variables: usize,
    /// By definition: what its body reads, sorted.
    defines: Vec<Vec<NodeId>>,
}

impl Reads {
    pub(crate) fn new(model: &FlatModel) -> Self {
        let mut reads = Self { n_variables: model.variables.len(), defines: Vec::new() };
        reads.defines = model.defines.iter().map(|define| reads.direct(&define.body)).collect();
        reads
    }

    /// How many variables the model has.
    pub(crate) fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// The variable that a node is.
    pub(crate) fn variable(&self, node: NodeId) -> Option<VarId> {
        (node.index() < self.n_variables).then(|| VarId::new(node.index()))
    }

    /// The variables that an expression reads, before or after the step, sorted; nothing if there are more variables and definitions than
    /// `most` to look at.
    pub(crate) fn few(&self, expr: &Expr, most: usize) -> Option<Vec<VarId>> {
        self.closed(self.direct(expr), most)
    }

    /// The variables among these, which are different, and those that the definitions among these read, sorted.
    pub(crate) fn all(&self, nodes: Vec<NodeId>) -> Vec<VarId> {
        self.closed(nodes, usize::MAX).expect("there is no bound")
    }

    fn closed(&self, nodes: Vec<NodeId>, most: usize) -> Option<Vec<VarId>> {
        let mut seen: FxHashSet<NodeId> = nodes.iter().copied().collect();
        let mut waiting = nodes;
        let mut found = Vec::new();
        while let Some(node) = waiting.pop() {
            if seen.len() > most {
                return None;
            }
            match self.variable(node) {
                Some(variable) => found.push(variable),
                None => {
                    let read = &self.defines[node.index() - self.n_variables];
                    waiting.extend(read.iter().filter(|&&node| seen.insert(node)));
                }
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The node of a variable.
    pub(crate) fn of_variable(&self, id: VarId) -> NodeId {
        NodeId::new(id.index())
    }

    /// The node of a definition.
    pub(crate) fn of_define(&self, define: usize) -> NodeId {
        NodeId::new(self.n_variables + define)
    }

    /// By node: the definitions whose bodies it stands in.
    pub(crate) fn readers(&self) -> Vec<Vec<usize>> {
        let mut readers = vec![Vec::new(); self.n_variables + self.defines.len()];
        for (define, read) in self.defines.iter().enumerate() {
            read.iter().for_each(|node| readers[node.index()].push(define));
        }
        readers
    }

    /// The variables and definitions that stand in an expression, sorted.
    pub(crate) fn direct(&self, expr: &Expr) -> Vec<NodeId> {
        self.collect(expr, true)
    }

    /// Those that it reads after the step.
    pub(crate) fn direct_next(&self, expr: &Expr) -> Vec<NodeId> {
        self.collect(expr, false)
    }

    fn collect(&self, expr: &Expr, now_too: bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut waiting = vec![(expr, now_too)];
        while let Some((expr, wanted)) = waiting.pop() {
            match &expr.kind {
                ExprKind::Variable(id) if wanted => found.push(self.of_variable(*id)),
                ExprKind::Define(id) if wanted => found.push(self.of_define(id.index())),
                ExprKind::Next(operand) => waiting.push((operand, true)),
                _ => waiting.extend(parts(expr).into_iter().map(|part| (part, wanted))),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
