//! The independent validator of strategies.
//!
//! It reads the system, the formula graph of the strategy and the claims, and nothing of how they came about: it shares
//! no code with the equations, the games or the extraction. That the graph is that of the property (or its dual) is for
//! the caller to compare. A strategy is accepted iff its roots claim the whole formula at every
//! state asked for, every claim is supported as the definition of the logic demands, and no cycle of claims has an odd
//! highest priority unless a rank excludes it (`cycles`). Cost: linear in the strategy for each odd priority that occurs.
//!
//! What steps do to ranks is given, and looked up step by step; whether it is right about concrete states is judged where
//! these are known.

mod cycles;

use crate::Semantics;
use cycles::dissolve_cycles;
use std::fmt;
use tertium_evidence::{By, Move, Position, PositionId, Stage, Strategy};
use tertium_logic::{ActionFormula, Node, NodeId, Sign};
use tertium_support::{Id, IdSet};
use tertium_system::{ActionId, Domain, PartialSystem, RankedSteps, StateId, StateSet, Step};

/// What is wrong with a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A root, a state, a node or the target of a move does not exist.
    OutOfRange,
    /// A fixpoint whose priority has the wrong parity.
    Parity(NodeId),
    /// A state that was asked for has no root.
    MissingRoot(StateId),
    /// A root does not claim the whole formula.
    WrongRoot(PositionId),
    /// The label of a claimed literal is not definite enough.
    Literal(PositionId),
    /// A claim that cannot hold.
    False(PositionId),
    /// The support of a claim is not what its node demands.
    Support(PositionId),
    /// The must that a diamond takes does not exist.
    NoSuchMust(PositionId),
    /// A may of a box has no support.
    UncoveredMay(PositionId, ActionId, StateId),
    /// A concrete state has no support, or one that does not stand for it.
    UncoveredConcrete(PositionId),
    /// A cycle through this claim has this odd highest priority, and no rank excludes it.
    OddCycle(PositionId, u32),
    /// The strategy relies on ranks that are not those of the system.
    Ranks,
    /// The strategy thinks more of what a step does to ranks than is known.
    Step(Step),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::OutOfRange => write!(f, "something is named that does not exist"),
            Flaw::Parity(node) => write!(f, "the priority of {node:?} does not fit its sign"),
            Flaw::MissingRoot(state) => write!(f, "no claim for initial state {state:?}"),
            Flaw::WrongRoot(at) => write!(f, "{at:?} does not claim the formula"),
            Flaw::Literal(at) => write!(f, "the label claimed at {at:?} is not definite"),
            Flaw::False(at) => write!(f, "{at:?} claims what is false"),
            Flaw::Support(at) => write!(f, "{at:?} is not supported as its operator demands"),
            Flaw::NoSuchMust(at) => write!(f, "the must taken at {at:?} does not exist"),
            Flaw::UncoveredMay(at, action, state) => {
                write!(f, "the may of {at:?} with {action:?} to {state:?} has no support")
            }
            Flaw::UncoveredConcrete(at) => write!(f, "the cover at {at:?} leaves a concrete state out"),
            Flaw::OddCycle(at, priority) => {
                write!(
                    f,
                    "a cycle through {at:?} has the odd highest priority {priority}, and no rank excludes it"
                )
            }
            Flaw::Ranks => write!(f, "the strategy relies on ranks that are not those of the system"),
            Flaw::Step((source, action, target)) => {
                write!(
                    f,
                    "the step of {source:?} with {action:?} to {target:?} does less to ranks than claimed"
                )
            }
        }
    }
}

/// Accepts a strategy as a proof of its formula at all of `states`, or says what is wrong with it. `ranks` is what is known
/// of the steps of the system; without them, a strategy that relies on ranks is not accepted.
pub fn check_strategy(
    system: &PartialSystem,
    ranks: Option<&RankedSteps>,
    semantics: Semantics,
    strategy: &Strategy,
    states: &[StateId],
) -> Result<(), Flaw> {
    // Where every state stands for itself, reduced semantics is the standard one.
    let domain = system.domain().filter(|_| semantics == Semantics::Ris);
    let validation = Validation { system, domain, strategy };
    validation.ranges()?;
    validation.roots(states)?;
    let allowed: Vec<IdSet<ActionId>> = strategy
        .formula()
        .actions()
        .iter()
        .map(|formula| IdSet::filter(system.actions().len(), |a| admits(formula, system.actions().name(a))))
        .collect();
    for at in PositionId::first(strategy.n_positions()) {
        validation.claim(at, &allowed)?;
    }
    validation.ranks(ranks)?;
    dissolve_cycles(strategy, ranks).map(|_| ())
}

/// What a strategy relies on about a step: it needs these ranks to fall, and those not to grow. Bit i is rank i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reliance {
    /// The ranks that have to fall.
    pub falls: u64,
    /// The ranks that must not grow.
    pub stays: u64,
}

/// What a strategy that [`check_strategy`] accepts relies on: those of its steps for which ranks matter, in order. Nothing
/// else about ranks has to be right.
pub fn relied_on(strategy: &Strategy, ranks: Option<&RankedSteps>) -> Result<Vec<(Step, Reliance)>, Flaw> {
    dissolve_cycles(strategy, ranks)
}

/// The parts of a multi-action, sorted: quotations as they are, the rest without blanks, cut at bars outside of brackets.
fn calls(label: &str) -> Vec<String> {
    let mut bare = String::new();
    for (at, piece) in label.split('"').enumerate() {
        if at % 2 == 1 {
            // What looks like a bar or a bracket inside a quotation is neither.
            bare.extend(piece.bytes().map(|byte| format!("{byte:02x}")));
            bare.push('"');
        } else {
            bare.extend(piece.split_whitespace());
            bare.push('\'');
        }
    }
    let mut parts = Vec::new();
    let (mut start, mut open) = (0, 0_u32);
    for (at, byte) in bare.bytes().enumerate() {
        open = if byte == b'(' { open + 1 } else { open.saturating_sub(u32::from(byte == b')')) };
        if byte == b'|' && open == 0 {
            parts.push(&bare[start..at]);
            start = at + 1;
        }
    }
    parts.push(&bare[start..]);
    parts.sort_unstable();
    parts.into_iter().map(str::to_owned).collect()
}

/// Whether a label is in the set that an action formula describes.
fn admits(formula: &ActionFormula, label: &str) -> bool {
    match formula {
        ActionFormula::True => true,
        ActionFormula::False => false,
        ActionFormula::Action(name, _) => {
            let is_call = |text: &str| text.contains('|') || text.contains('(');
            name == label || (is_call(label) && is_call(name) && calls(name) == calls(label))
        }
        ActionFormula::Not(inner) => !admits(inner, label),
        ActionFormula::And(parts) => !parts.iter().any(|part| !admits(part, label)),
        ActionFormula::Or(parts) => parts.iter().any(|part| admits(part, label)),
    }
}

struct Validation<'a> {
    system: &'a PartialSystem,
    domain: Option<&'a Domain>,
    strategy: &'a Strategy,
}

impl Validation<'_> {
    /// Everything that is named exists, and priorities have the parity of their fixpoints.
    fn ranges(&self) -> Result<(), Flaw> {
        let formula = self.strategy.formula();
        let n = self.strategy.n_positions();
        let exists = |id: PositionId| id.index() < n;
        let in_range = self.strategy.roots().iter().all(|&root| exists(root))
            && PositionId::first(n).all(|at| {
                let position = self.strategy.position(at);
                position.node.index() < formula.n_nodes()
                    && position.state.index() < self.system.n_states()
                    && self.strategy.moves(at).iter().all(|step| exists(step.to))
            });
        if !in_range {
            return Err(Flaw::OutOfRange);
        }
        for (id, node) in formula.nodes() {
            if let Node::Fixpoint { sign, priority, .. } = node
                && (*sign == Sign::Greatest) != priority.is_multiple_of(2)
            {
                return Err(Flaw::Parity(id));
            }
        }
        Ok(())
    }

    fn roots(&self, states: &[StateId]) -> Result<(), Flaw> {
        let formula = self.strategy.formula();
        for &root in self.strategy.roots() {
            let position = self.strategy.position(root);
            if position.node != formula.root() || position.stage != Stage::Node {
                return Err(Flaw::WrongRoot(root));
            }
        }
        let states_of_roots = self.strategy.roots().iter().map(|&root| self.strategy.position(root).state);
        let claimed = StateSet::of(self.system.n_states(), states_of_roots);
        match states.iter().find(|&&state| !claimed.contains(state)) {
            Some(&state) => Err(Flaw::MissingRoot(state)),
            None => Ok(()),
        }
    }

    /// The strategy speaks of ranks that exist, and knows no more of its steps than is known.
    fn ranks(&self, known: Option<&RankedSteps>) -> Result<(), Flaw> {
        let Some(ranking) = self.strategy.ranking() else { return Ok(()) };
        let known = known.ok_or(Flaw::Ranks)?;
        let is_same = |rank: usize| {
            rank < known.n_ranks()
                && rank < ranking.steps.n_ranks()
                && known.name(rank) == ranking.steps.name(rank)
        };
        let exists = |node: NodeId| node.index() < self.strategy.formula().n_nodes();
        let mut used = 0u64;
        for (node, ranks) in &ranking.uses {
            if !exists(*node) || !ranks.iter().all(|&rank| is_same(rank)) {
                return Err(Flaw::Ranks);
            }
            ranks.iter().for_each(|&rank| used |= 1 << rank);
        }
        for at in PositionId::first(self.strategy.n_positions()) {
            for step in self.strategy.moves(at) {
                let By::Step(action) = step.by else { continue };
                let (source, target) =
                    (self.strategy.position(at).state, self.strategy.position(step.to).state);
                let (claimed, known) =
                    (ranking.steps.of(source, action, target), known.of(source, action, target));
                if (claimed.falls & !known.falls | known.may_grow & !claimed.may_grow) & used != 0 {
                    return Err(Flaw::Step((source, action, target)));
                }
            }
        }
        Ok(())
    }

    fn claim(&self, at: PositionId, allowed: &[IdSet<ActionId>]) -> Result<(), Flaw> {
        let Position { node, stage, state, .. } = self.strategy.position(at);
        let is_modal = matches!(self.strategy.formula().node(node), Node::Diamond(..) | Node::Box(..));
        match (self.strategy.formula().node(node), stage) {
            (Node::Diamond(..) | Node::Box(..), Stage::Node) if self.domain.is_some() => {
                self.cover(at, |target| target.node == node && target.stage == Stage::Modality)
            }
            (Node::Diamond(_, body) | Node::Box(_, body), Stage::Argument) if self.domain.is_some() => {
                self.cover(at, |target| target.node == *body && target.stage == Stage::Node)
            }
            (_, Stage::Argument) => Err(Flaw::Support(at)),
            (_, Stage::Modality) if self.domain.is_none() || !is_modal => Err(Flaw::Support(at)),
            (Node::True, _) => Ok(()),
            (Node::False, _) => Err(Flaw::False(at)),
            (Node::Literal { proposition, negated }, _) => {
                let name = self.strategy.formula().propositions().name(*proposition);
                let labels = self.system.labels();
                let prop = labels.names().get(name).ok_or(Flaw::Literal(at))?;
                let value = labels.get(prop, state);
                let definite = if *negated { !value.may() } else { value.must() };
                if definite { Ok(()) } else { Err(Flaw::Literal(at)) }
            }
            (Node::And(operands), _) => self.unfolds(at, operands),
            (Node::Or(operands), _) => {
                let chosen = operands.iter().any(|&operand| self.unfolds(at, &[operand]).is_ok());
                if chosen { Ok(()) } else { Err(Flaw::Support(at)) }
            }
            (Node::Fixpoint { body, .. }, _) => self.unfolds(at, &[*body]),
            (Node::Diamond(set, body), _) => self.diamond(at, &allowed[*set], *body),
            (Node::Box(set, body), _) => self.box_(at, &allowed[*set], *body),
        }
    }

    /// The moves are exactly unfoldings to these nodes, at the same state.
    fn unfolds(&self, at: PositionId, nodes: &[NodeId]) -> Result<(), Flaw> {
        let state = self.strategy.position(at).state;
        let moves = self.strategy.moves(at);
        let right = moves.len() == nodes.len()
            && moves.iter().zip(nodes).all(|(step, &node)| {
                let target = self.strategy.position(step.to);
                step.by == By::Unfolding
                    && target.node == node
                    && target.stage == Stage::Node
                    && target.state == state
            });
        if right { Ok(()) } else { Err(Flaw::Support(at)) }
    }

    /// What the targets of a modality's steps must claim.
    fn claims_argument(&self, target: Position, modality: NodeId, body: NodeId) -> bool {
        match self.domain {
            Some(_) => target.node == modality && target.stage == Stage::Argument,
            None => target.node == body && target.stage == Stage::Node,
        }
    }

    fn diamond(&self, at: PositionId, allowed: &IdSet<ActionId>, body: NodeId) -> Result<(), Flaw> {
        let Position { node, state, .. } = self.strategy.position(at);
        let mut targets = Vec::new();
        let mut taken = None;
        for step in self.strategy.moves(at) {
            let target = self.strategy.position(step.to);
            let By::Step(action) = step.by else { return Err(Flaw::Support(at)) };
            if taken.is_some_and(|other| other != action) || !self.claims_argument(target, node, body) {
                return Err(Flaw::Support(at));
            }
            taken = Some(action);
            targets.push(target.state);
        }
        if let (&[target], Some(action)) = (&targets[..], taken)
            && allowed.contains(action)
            && self.system.transitions().find(state, action, target).is_some_and(|found| found.is_must())
        {
            return Ok(());
        }
        targets.sort();
        targets.dedup();
        let exists = self.system.must_sets(state).any(|(action, set)| {
            allowed.contains(action) && set == targets && taken.is_none_or(|taken| taken == action)
        });
        if exists { Ok(()) } else { Err(Flaw::NoSuchMust(at)) }
    }

    fn box_(&self, at: PositionId, allowed: &IdSet<ActionId>, body: NodeId) -> Result<(), Flaw> {
        let Position { node, state, .. } = self.strategy.position(at);
        let moves = self.strategy.moves(at);
        for step in moves {
            if !self.claims_argument(self.strategy.position(step.to), node, body) {
                return Err(Flaw::Support(at));
            }
        }
        let supported = |step: &Move| match step.by {
            By::Step(action) => Some((action, self.strategy.position(step.to).state)),
            _ => None,
        };
        let demanded = || self.system.may(state).filter(|&(action, _)| allowed.contains(action));
        if moves.iter().filter_map(supported).eq(demanded()) {
            return Ok(());
        }
        let mut supported: Vec<(ActionId, StateId)> = moves.iter().filter_map(supported).collect();
        supported.sort();
        match demanded().find(|step| supported.binary_search(step).is_err()) {
            Some((action, target)) => Err(Flaw::UncoveredMay(at, action, target)),
            None => Ok(()),
        }
    }

    /// Every concrete state of the position has a move to a state that stands for it and claims `what`.
    fn cover(&self, at: PositionId, what: impl Fn(Position) -> bool) -> Result<(), Flaw> {
        let domain = self.domain.expect("covers are for reduced semantics");
        let state = self.strategy.position(at).state;
        let covered = domain.gamma(state).iter().all(|concrete| {
            self.strategy.moves(at).iter().any(|step| {
                let target = self.strategy.position(step.to);
                step.by == By::Standing(concrete)
                    && what(target)
                    && domain.gamma(target.state).contains(concrete)
            })
        });
        if covered { Ok(()) } else { Err(Flaw::UncoveredConcrete(at)) }
    }
}
