//! Strategies: evidence that a formula is necessarily true.
//!
//! A strategy is a finite graph of positions, each a claim "this node of the formula is necessarily true at this
//! state", with the claims that support it: all operands of a conjunction, the chosen one of a disjunction, the targets
//! of the chosen must at a diamond, the targets of all mays at a box. It proves its roots if every claim is supported
//! and on every cycle the highest priority is even; `validate` checks exactly that, without this module's help.
//!
//! A refutation is a strategy for the dual formula. Under reduced semantics, claims about modalities are supported
//! through covers: one supporting claim for each concrete state that the state stands for.

use crate::equations::{EquationId, Equations, Operator};
use crate::necessity::{MustStep, Necessity};
use tertium_logic::{FormulaGraph, Node, NodeId};
use tertium_support::{Context, Id, StopReason, define_id};
use tertium_system::{ActionId, ConcreteId, Domain, PartialSystem, StateId};

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
pub struct Position {
    /// The node of the formula.
    pub node: NodeId,
    /// Which part of the node.
    pub stage: Stage,
    /// The state.
    pub state: StateId,
    first_move: u32,
}

/// A supporting claim, and what leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// What leads there.
    pub by: By,
    /// The supporting claim.
    pub to: PositionId,
}

/// What leads from a claim to a supporting one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The formula: an operand or a body, at the same state.
    Unfolding,
    /// A transition with this action. All moves of a diamond belong to one must.
    Step(ActionId),
    /// This concrete state, of which both states are abstractions.
    Standing(ConcreteId),
}

/// A graph of claims. See the module.
#[derive(Clone, Debug)]
pub struct Strategy {
    formula: FormulaGraph,
    positions: Vec<Position>,
    moves: Vec<Move>,
    roots: Vec<PositionId>,
}

impl Strategy {
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

    /// One claim.
    pub fn position(&self, id: PositionId) -> Position {
        self.positions[id.index()]
    }

    /// The claims that support one.
    pub fn moves(&self, id: PositionId) -> &[Move] {
        let start = self.positions[id.index()].first_move as usize;
        let end =
            self.positions.get(id.index() + 1).map_or(self.moves.len(), |next| next.first_move as usize);
        &self.moves[start..end]
    }

    /// The node of a claim.
    pub fn node(&self, id: PositionId) -> &Node {
        self.formula.node(self.position(id).node)
    }

    /// A strategy from its parts: for each claim its support. For tests and for reading evidence back.
    pub fn from_parts(
        formula: FormulaGraph,
        claims: Vec<(NodeId, Stage, StateId, Vec<Move>)>,
        roots: Vec<PositionId>,
    ) -> Self {
        let mut strategy = Self { formula, positions: Vec::new(), moves: Vec::new(), roots };
        for (node, stage, state, moves) in claims {
            strategy.positions.push(Position { node, stage, state, first_move: strategy.moves.len() as u32 });
            strategy.moves.extend(moves);
        }
        strategy
    }
}

/// What extraction follows.
pub(crate) struct Proof<'a> {
    pub(crate) system: &'a PartialSystem,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) equations: &'a Equations,
    pub(crate) necessity: &'a Necessity,
}

/// The part of the prover's strategy that is reachable from the root at these states, where it holds. Breadth-first.
pub(crate) fn extract(
    context: &Context,
    proof: &Proof<'_>,
    formula: FormulaGraph,
    states: &[StateId],
) -> Result<Strategy, StopReason> {
    let n = proof.system.n_states();
    let mut ticker = context.ticker("collecting evidence");
    let mut known: Vec<Vec<u32>> = vec![Vec::new(); proof.equations.len()];
    let mut queue: Vec<(EquationId, StateId)> = Vec::new();
    let mut number = |queue: &mut Vec<(EquationId, StateId)>, id: EquationId, state: StateId| {
        let row = &mut known[id.index()];
        if row.is_empty() {
            row.resize(n, u32::MAX);
        }
        if row[state.index()] == u32::MAX {
            row[state.index()] = queue.len() as u32;
            queue.push((id, state));
        }
        PositionId::from_raw(row[state.index()])
    };
    let root = proof.equations.root();
    let roots = states.iter().map(|&state| number(&mut queue, root, state)).collect();
    let mut strategy = Strategy { formula, positions: Vec::new(), moves: Vec::new(), roots };
    let mut support: Vec<(By, EquationId, StateId)> = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        let (id, state) = queue[at];
        at += 1;
        debug_assert!(proof.necessity.holds[id.index()].contains(state), "strategies stay where claims hold");
        let node = proof.equations.node(id);
        let stage = stage(strategy.formula.n_nodes(), proof.equations, id);
        strategy.positions.push(Position { node, stage, state, first_move: strategy.moves.len() as u32 });
        support.clear();
        proof.support(id, state, &mut support);
        if strategy.moves.len() + support.len() >= u32::MAX as usize {
            return Err(StopReason::MemoryLimit);
        }
        ticker.tick(1 + support.len())?;
        for &(by, operand, target) in &support {
            let to = number(&mut queue, operand, target);
            strategy.moves.push(Move { by, to });
        }
    }
    Ok(strategy)
}

fn stage(n_nodes: usize, equations: &Equations, id: EquationId) -> Stage {
    match equations.operator(id) {
        _ if id.index() < n_nodes => Stage::Node,
        Operator::Cover(_) => Stage::Argument,
        _ => Stage::Modality,
    }
}

impl Proof<'_> {
    /// The claims that support one that holds.
    fn support(&self, id: EquationId, state: StateId, support: &mut Vec<(By, EquationId, StateId)>) {
        let necessity = self.necessity;
        match self.equations.operator(id) {
            Operator::Constant(_) | Operator::Literal { .. } => {}
            Operator::And(operands) => {
                support.extend(operands.iter().map(|&operand| (By::Unfolding, operand, state)));
            }
            Operator::Or(_) => {
                support.push((By::Unfolding, necessity.operand(self.equations, id, state), state));
            }
            Operator::Fixpoint { body, .. } => support.push((By::Unfolding, *body, state)),
            Operator::Diamond(_, body) => match necessity.step(self.system, self.equations, id, state) {
                MustStep::Single(action, target) => support.push((By::Step(action), *body, target)),
                MustStep::Hyper(position) => {
                    let (action, targets) = self.system.hyper_musts().at(position);
                    support.extend(targets.iter().map(|&target| (By::Step(action), *body, target)));
                }
            },
            Operator::Box(set, body) => {
                let actions = self.equations.actions(*set);
                let mays = self.system.may(state).filter(|&(action, _)| actions.contains(action));
                support.extend(mays.map(|(action, target)| (By::Step(action), *body, target)));
            }
            Operator::Cover(body) => {
                let domain = self.domain.expect("covers occur only where a domain is given");
                support.extend(domain.gamma(state).iter().map(|concrete| {
                    let standing = necessity.pick(domain, self.equations, id, concrete);
                    (By::Standing(concrete), *body, standing)
                }));
            }
        }
    }
}
