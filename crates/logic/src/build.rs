//! From terms to the graph: variables become edges back to their fixpoints.
//!
//! A term without free variables becomes one node. An open term becomes one node for each instance of the innermost
//! fixpoint that binds one of its variables: that instance determines those of the other binders, since all of them
//! are around it.

use crate::priority::assign_priorities;
use crate::term::{Binder, Term, TermId, Terms};
use crate::translate::Reading;
use crate::{Formula, FormulaGraph, Node, NodeId};
use rustc_hash::FxHashMap;
use tertium_support::Id;

impl FormulaGraph {
    /// The graph of a formula. Panics unless the formula is closed and monotone: formulas from `parse` are, others
    /// are looked at by `check_well_formed`. Recursive in the nesting of the formula, which `parse` bounds; a formula
    /// that a program makes should not nest much deeper than some hundreds.
    pub fn new(formula: &Formula) -> Self {
        Self::with_reading(formula, Reading::AsIs)
    }

    /// The graph of the negation of a formula. Panics unless the formula is closed and monotone.
    pub fn negation_of(formula: &Formula) -> Self {
        Self::with_reading(formula, Reading::Negated)
    }

    fn with_reading(formula: &Formula, reading: Reading) -> Self {
        let mut terms = Terms::default();
        let root = terms.translate(formula, reading);
        let mut instances =
            Instances { terms: &terms, nodes: Vec::new(), made: FxHashMap::default(), scope: Vec::new() };
        let root = instances.node(root);
        let mut nodes = instances.nodes;
        let alternation_depth = assign_priorities(&mut nodes);
        Self { nodes, root, propositions: terms.propositions, actions: terms.actions, alternation_depth }
    }
}

struct Instances<'a> {
    terms: &'a Terms,
    nodes: Vec<Node>,
    /// The node of a term, below the instance of its innermost free binder if it has one.
    made: FxHashMap<(TermId, Option<NodeId>), NodeId>,
    /// The fixpoints around the current place, outermost first.
    scope: Vec<(Binder, NodeId)>,
}

impl Instances<'_> {
    fn node(&mut self, id: TermId) -> NodeId {
        let term = self.terms.term(id);
        if let Term::Variable(binder) = term {
            return self.fixpoint_of(*binder);
        }
        let key = (id, self.terms.free(id).first().map(|&binder| self.fixpoint_of(binder)));
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let made = match term {
            Term::True => self.push(Node::True),
            Term::False => self.push(Node::False),
            &Term::Literal { proposition, negated } => self.push(Node::Literal { proposition, negated }),
            Term::And(parts) => {
                let parts = parts.iter().map(|&part| self.node(part)).collect();
                self.push(Node::And(parts))
            }
            Term::Or(parts) => {
                let parts = parts.iter().map(|&part| self.node(part)).collect();
                self.push(Node::Or(parts))
            }
            &Term::Diamond(actions, body) => {
                let body = self.node(body);
                self.push(Node::Diamond(actions, body))
            }
            &Term::Box(actions, body) => {
                let body = self.node(body);
                self.push(Node::Box(actions, body))
            }
            &Term::Fixpoint(sign, binder, body) => {
                // The node must be there before its body, which refers to it. So a fixpoint has a smaller id than
                // all fixpoints inside; `assign_priorities` relies on it.
                let itself = NodeId::new(self.nodes.len());
                let name = self.terms.name(id).to_owned();
                self.push(Node::Fixpoint { sign, priority: 0, body: itself, name });
                self.scope.push((binder, itself));
                let unfolded = self.node(body);
                self.scope.pop();
                if let Node::Fixpoint { body, .. } = &mut self.nodes[itself.index()] {
                    *body = unfolded;
                }
                itself
            }
            Term::Variable(_) => unreachable!("variables are edges, see above"),
        };
        self.made.insert(key, made);
        made
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::new(self.nodes.len() - 1)
    }

    fn fixpoint_of(&self, binder: Binder) -> NodeId {
        let found = self.scope.iter().rev().find(|(own, _)| *own == binder);
        found.expect("the formula is closed").1
    }
}
