//! The dual of a formula graph: the negation, node by node.
//!
//! Conjunction and disjunction, diamond and box, least and greatest change places, literals are negated. Priorities
//! go up by one, which keeps their order and changes every parity.

use crate::{FormulaGraph, Node, Sign};

impl FormulaGraph {
    /// The graph of the negation. Node k of it is the negation of node k of this one.
    #[must_use]
    pub fn dual(&self) -> Self {
        let nodes = self.nodes.iter().map(dual_node).collect();
        Self { nodes, ..self.clone() }
    }
}

fn dual_node(node: &Node) -> Node {
    match node {
        Node::True => Node::False,
        Node::False => Node::True,
        Node::Literal { proposition, negated } => {
            Node::Literal { proposition: *proposition, negated: !negated }
        }
        Node::And(parts) => Node::Or(parts.clone()),
        Node::Or(parts) => Node::And(parts.clone()),
        Node::Diamond(actions, body) => Node::Box(*actions, *body),
        Node::Box(actions, body) => Node::Diamond(*actions, *body),
        Node::Fixpoint { sign, priority, body, name } => Node::Fixpoint {
            sign: match sign {
                Sign::Least => Sign::Greatest,
                Sign::Greatest => Sign::Least,
            },
            priority: priority + 1,
            body: *body,
            name: name.clone(),
        },
    }
}
