//! Strategies: graphs of claims that support each other.
//!
//! A strategy is a finite graph of positions, each a claim "this node of the formula is necessarily true at this state", with the claims
//! that support it: all operands of a conjunction, the chosen one of a disjunction, the targets of the chosen must at a diamond, the
//! targets of all mays at a box. It proves its roots if every claim is supported and on every cycle the highest priority is even.
//!
//! A refutation is a strategy for the dual formula. Under reduced semantics, claims about modalities are supported through covers:
//! one supporting claim for each concrete state that the state stands for.
//!
//! A strategy may rely on ranks. Then a cycle whose highest priority is odd does no harm if some rank falls on it and none of its
//! moves lets that rank grow: nobody can go round it for ever.

use std::sync::Arc;
use tertium_logic::{FormulaGraph, Node, NodeId};
use tertium_support::{Id, define_id};
use tertium_system::{ActionId, ConcreteId, RankedSteps, StateId};

define_id!(
    /// A position of a strategy.
    PositionId
);

/// Which part of a node a position is about. Only modalities under reduced semantics have more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The node itself.
    Node,
    /// The modality of the node, before its outer cover.
    Modality,
    /// The cover of the modality's argument.
    Argument,
}

/// One claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<S = StateId> {
    /// The node of the formula.
    pub node: NodeId,
    /// Which part of the node.
    pub stage: Stage,
    /// The state.
    pub state: S,
    first_move: u32,
}

/// A supporting claim, and what leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<L = ActionId> {
    /// What leads there.
    pub by: By<L>,
    /// The supporting claim.
    pub to: PositionId,
}

/// What leads from a claim to a supporting one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By<L = ActionId> {
    /// The formula: an operand or a body, at the same state.
    Unfolding,
    /// A transition with this label. All moves of a diamond belong to one must.
    Step(L),
    /// This concrete state, of which both states are abstractions.
    Standing(ConcreteId),
}

/// The ranks that a strategy relies on.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// What steps do to ranks, as the strategy was told.
    pub steps: Arc<RankedSteps>,
    /// The fixpoints whose cycles are ranked, each with the ranks that this takes, in the order in which they were
    /// needed: cycles on which none of the earlier ones falls need the later ones.
    pub uses: Vec<(NodeId, Vec<usize>)>,
}

/// A graph of claims. See the module.
#[derive(Clone, Debug)]
pub struct Strategy<S = StateId, L = ActionId> {
    formula: FormulaGraph,
    positions: Vec<Position<S>>,
    moves: Vec<Move<L>>,
    roots: Vec<PositionId>,
    ranking: Option<Box<Ranking>>,
}

impl<S: Copy, L> Strategy<S, L> {
    /// A strategy without claims yet; `roots` are the numbers of those that will answer the question.
    pub fn new(formula: FormulaGraph, roots: Vec<PositionId>) -> Self {
        Self { formula, positions: Vec::new(), moves: Vec::new(), roots, ranking: None }
    }

    /// A strategy from its parts: for each claim its support. For tests and for reading evidence back.
    pub fn from_parts(
        formula: FormulaGraph,
        claims: Vec<(NodeId, Stage, S, Vec<Move<L>>)>,
        roots: Vec<PositionId>,
    ) -> Self {
        let mut strategy = Self::new(formula, roots);
        for (node, stage, state, moves) in claims {
            strategy.claim(node, stage, state);
            strategy.moves.extend(moves);
        }
        strategy
    }

    /// The same strategy, which relies on these ranks.
    #[must_use]
    pub fn with_ranking(self, ranking: Ranking) -> Self {
        Self { ranking: Some(Box::new(ranking)), ..self }
    }

    /// The ranks that it relies on, if it needs any.
    pub fn ranking(&self) -> Option<&Ranking> {
        self.ranking.as_deref()
    }

    /// Adds the next claim. What supports it follows by [`Strategy::support`].
    pub fn claim(&mut self, node: NodeId, stage: Stage, state: S) {
        let first_move = u32::try_from(self.moves.len()).expect("moves are numbered by 32 bits");
        self.positions.push(Position { node, stage, state, first_move });
    }

    /// Adds a supporting claim to the last claim.
    pub fn support(&mut self, by: By<L>, to: PositionId) {
        self.moves.push(Move { by, to });
    }

    /// The formula that is proved: the property itself, or its dual for a refutation.
    pub fn formula(&self) -> &FormulaGraph {
        &self.formula
    }

    /// The claims that are proved: the root of the formula at initial states.
    pub fn roots(&self) -> &[PositionId] {
        &self.roots
    }

    /// How many claims there are.
    pub fn n_positions(&self) -> usize {
        self.positions.len()
    }

    /// How many supporting moves there are.
    pub fn n_moves(&self) -> usize {
        self.moves.len()
    }

    /// One claim.
    pub fn position(&self, id: PositionId) -> Position<S> {
        self.positions[id.index()]
    }

    /// The claims that support one.
    pub fn moves(&self, id: PositionId) -> &[Move<L>] {
        let start = self.positions[id.index()].first_move as usize;
        let end =
            self.positions.get(id.index() + 1).map_or(self.moves.len(), |next| next.first_move as usize);
        &self.moves[start..end]
    }

    /// The node of a claim.
    pub fn node(&self, id: PositionId) -> &Node {
        self.formula.node(self.position(id).node)
    }
}
