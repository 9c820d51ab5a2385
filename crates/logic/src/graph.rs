//! Formulas in positive normal form, as a graph: what checkers work on.
//!
//! Equal sub-formulas share a node. A variable is no node: it is an edge back to its fixpoint, so the graph is cyclic
//! exactly where the formula is recursive. Negation is gone except at propositions.
//!
//! Priorities. Every cycle passes a fixpoint node. A fixpoint has an even priority if it is greatest, odd if least,
//! at least that of every fixpoint inside it on which it depends and which depends on it; all other nodes have
//! priority 0. Hence the formula holds where the owner of disjunctions and diamonds can make the *highest* priority
//! that recurs even: the parity game of the formula \[EJ91\].

use crate::{ActionFormula, Sign};
use tertium_support::{Id, Interner, define_id};

define_id!(
    /// A node of a formula graph.
    NodeId
);
define_id!(
    /// A proposition that occurs in a formula graph.
    PropositionId
);

/// One node, with its children.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// A proposition or its negation.
    Literal {
        /// The proposition.
        proposition: PropositionId,
        /// Whether it is negated.
        negated: bool,
    },
    /// All of these hold.
    And(Vec<NodeId>),
    /// One of these holds.
    Or(Vec<NodeId>),
    /// Some step with one of these actions leads to the node. The index is into [`FormulaGraph::actions`].
    Diamond(usize, NodeId),
    /// Every step with one of these actions leads to the node.
    Box(usize, NodeId),
    /// A fixpoint with its priority, its body, and the name of its variable.
    Fixpoint {
        /// Least or greatest.
        sign: Sign,
        /// Even for greatest, odd for least.
        priority: u32,
        /// What is unfolded.
        body: NodeId,
        /// The variable as the user wrote it.
        name: String,
    },
}

/// A closed formula in positive normal form.
#[derive(Clone, Debug)]
pub struct FormulaGraph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
    pub(crate) propositions: Interner<PropositionId>,
    pub(crate) actions: Vec<ActionFormula>,
    pub(crate) alternation_depth: usize,
}

impl Node {
    /// The nodes it refers to, in order.
    pub fn children(&self) -> &[NodeId] {
        match self {
            Self::True | Self::False | Self::Literal { .. } => &[],
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Diamond(_, body) | Self::Box(_, body) | Self::Fixpoint { body, .. } => {
                std::slice::from_ref(body)
            }
        }
    }

    /// The priority: that of a fixpoint, 0 for all other nodes.
    pub fn priority(&self) -> u32 {
        match self {
            Self::Fixpoint { priority, .. } => *priority,
            _ => 0,
        }
    }
}

impl FormulaGraph {
    /// The node of the whole formula.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes with their ids.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), node))
    }

    /// The propositions that occur.
    pub fn propositions(&self) -> &Interner<PropositionId> {
        &self.propositions
    }

    /// The distinct action formulas of the modalities.
    pub fn actions(&self) -> &[ActionFormula] {
        &self.actions
    }

    /// How often least and greatest fixpoints that depend on each other alternate: 0 without fixpoints, 1 for
    /// alternation-free formulas, and so on.
    pub fn alternation_depth(&self) -> usize {
        self.alternation_depth
    }

    /// The highest priority.
    pub fn highest_priority(&self) -> u32 {
        self.nodes.iter().map(Node::priority).max().unwrap_or(0)
    }
}
