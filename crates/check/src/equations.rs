//! A formula as a system of equations over the states of one system: what the fast checker solves.
//!
//! Variable k stands for the set of states where node k of the formula is *necessarily* true. Its right-hand side is
//! an [`Operator`] over other variables. All operators are monotone, so the sets are determined component by
//! component: the strongly connected components of the equations are listed such that each depends only on itself
//! and on earlier ones. The possible truth of a formula is not a second set of equations: a formula is possibly true
//! where its negation is not necessarily true.
//!
//! Under reduced semantics \[Wei09\] every modality is wrapped in covers: state s is covered by a set Q if everything
//! that s stands for is stood for by members of Q.

use crate::names::ActionSet;
use tertium_logic::{FormulaGraph, Node, NodeId, Sign};
use tertium_support::{ComponentSearch, Id, define_id};
use tertium_system::{PartialSystem, PropId};

define_id!(
    /// A variable of the equations.
    EquationId
);

/// How a variable depends on others.
#[derive(Clone, Debug)]
pub(crate) enum Operator {
    Constant(bool),
    /// A proposition must hold, or must not. `None`: a proposition the system does not have, which is never known.
    Literal {
        prop: Option<PropId>,
        negated: bool,
    },
    And(Vec<EquationId>),
    Or(Vec<EquationId>),
    /// Some must (all targets of a hyper-must) with an action of this set.
    Diamond(usize, EquationId),
    /// All mays with an action of this set.
    Box(usize, EquationId),
    /// Everything the state stands for is stood for by members.
    Cover(EquationId),
    Fixpoint {
        sign: Sign,
        priority: u32,
        body: EquationId,
    },
}

impl Operator {
    pub(crate) fn operands(&self) -> &[EquationId] {
        match self {
            Operator::Constant(_) | Operator::Literal { .. } => &[],
            Operator::And(parts) | Operator::Or(parts) => parts,
            Operator::Diamond(_, body)
            | Operator::Box(_, body)
            | Operator::Cover(body)
            | Operator::Fixpoint { body, .. } => std::slice::from_ref(body),
        }
    }

    pub(crate) fn priority(&self) -> u32 {
        match self {
            Operator::Fixpoint { priority, .. } => *priority,
            _ => 0,
        }
    }
}

/// How a component is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recursion {
    /// One equation that does not depend on itself.
    None,
    /// All cycles are won by the same player: fixpoints of one sign.
    Single(Sign),
    /// Both signs occur: a parity game.
    Alternating,
}

/// Which semantics the equations express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modalities {
    /// Standard inductive semantics.
    Standard,
    /// Reduced inductive semantics.
    Reduced,
}

#[derive(Clone, Debug)]
pub(crate) struct Equations {
    operators: Vec<Operator>,
    root: EquationId,
    actions: Vec<ActionSet>,
    components: Vec<(Vec<EquationId>, Recursion)>,
    /// The formula node each equation came from; covers belong to their modality.
    nodes: Vec<NodeId>,
}

impl Equations {
    pub(crate) fn new(system: &PartialSystem, graph: &FormulaGraph, modalities: Modalities) -> Self {
        let mut operators: Vec<Operator> = Vec::with_capacity(graph.n_nodes());
        let mut nodes: Vec<NodeId> = Vec::with_capacity(graph.n_nodes());
        // Equation k belongs to node k; covers come behind. Under reduced semantics a modality M over f at node k
        // becomes k = cover(k'), k' = M(k''), k'' = cover(f).
        let mut extra: Vec<(NodeId, Operator)> = Vec::new();
        for (id, node) in graph.nodes() {
            let body = |id: &NodeId| EquationId::new(id.index());
            let operator = match node {
                Node::True => Operator::Constant(true),
                Node::False => Operator::Constant(false),
                Node::Literal { proposition, negated } => Operator::Literal {
                    prop: system.labels().names().get(graph.propositions().name(*proposition)),
                    negated: *negated,
                },
                Node::And(parts) => Operator::And(parts.iter().map(body).collect()),
                Node::Or(parts) => Operator::Or(parts.iter().map(body).collect()),
                Node::Diamond(..) | Node::Box(..) if modalities == Modalities::Reduced => {
                    let modality = EquationId::new(graph.n_nodes() + extra.len());
                    let argument = EquationId::new(graph.n_nodes() + extra.len() + 1);
                    let (step, inner) = match node {
                        Node::Diamond(set, inner) => (Operator::Diamond(*set, argument), inner),
                        Node::Box(set, inner) => (Operator::Box(*set, argument), inner),
                        _ => unreachable!("the guard admits modalities only"),
                    };
                    extra.push((id, step));
                    extra.push((id, Operator::Cover(body(inner))));
                    Operator::Cover(modality)
                }
                Node::Diamond(set, inner) => Operator::Diamond(*set, body(inner)),
                Node::Box(set, inner) => Operator::Box(*set, body(inner)),
                Node::Fixpoint { sign, priority, body: inner, .. } => {
                    Operator::Fixpoint { sign: *sign, priority: *priority, body: body(inner) }
                }
            };
            operators.push(operator);
            nodes.push(id);
        }
        for (id, operator) in extra {
            operators.push(operator);
            nodes.push(id);
        }
        let actions = graph.actions().iter().map(|formula| ActionSet::new(system, formula)).collect();
        let root = EquationId::new(graph.root().index());
        let components = components(&operators);
        debug_assert_eq!(nodes.len(), operators.len(), "every equation has its node");
        debug_assert!(
            is_bottom_up(&operators, &components),
            "a component depends on itself and earlier ones, and each equation is in one"
        );
        Self { operators, root, actions, components, nodes }
    }

    pub(crate) fn root(&self) -> EquationId {
        self.root
    }

    pub(crate) fn len(&self) -> usize {
        self.operators.len()
    }

    /// Whether a proposition occurs that the system does not have.
    pub(crate) fn has_unknown_proposition(&self) -> bool {
        self.operators.iter().any(|operator| matches!(operator, Operator::Literal { prop: None, .. }))
    }

    pub(crate) fn operator(&self, id: EquationId) -> &Operator {
        &self.operators[id.index()]
    }

    /// The operands of an equation that are in its component: their positions there, and among all operands.
    /// `members` are the equations of the component, sorted.
    pub(crate) fn inner_operands(&self, members: &[EquationId], id: EquationId) -> Vec<(usize, usize)> {
        debug_assert!(members.is_sorted(), "members are looked up");
        let operands = self.operator(id).operands().iter().enumerate();
        operands.filter_map(|(index, operand)| Some((members.binary_search(operand).ok()?, index))).collect()
    }

    pub(crate) fn node(&self, id: EquationId) -> NodeId {
        self.nodes[id.index()]
    }

    pub(crate) fn actions(&self, set: usize) -> &ActionSet {
        &self.actions[set]
    }

    /// The components, each after all it depends on.
    pub(crate) fn components(&self) -> &[(Vec<EquationId>, Recursion)] {
        &self.components
    }

    /// The components of some of the equations, when all others are given.
    pub(crate) fn components_among(&self, members: &[EquationId]) -> Vec<(Vec<EquationId>, Recursion)> {
        debug_assert!(members.is_sorted(), "members are looked up");
        let is_member = |id: EquationId| members.binary_search(&id).is_ok();
        let found = ComponentSearch::new(self.len()).components(
            members,
            |id| self.operators[id.index()].operands(),
            is_member,
        );
        classified(&self.operators, found)
    }
}

/// The strongly connected components, dependencies first, each with its members in order.
fn components(operators: &[Operator]) -> Vec<(Vec<EquationId>, Recursion)> {
    let all: Vec<EquationId> = EquationId::first(operators.len()).collect();
    let found =
        ComponentSearch::new(all.len()).components(&all, |id| operators[id.index()].operands(), |_| true);
    classified(operators, found)
}

fn is_bottom_up(operators: &[Operator], components: &[(Vec<EquationId>, Recursion)]) -> bool {
    let mut placed = vec![false; operators.len()];
    components.iter().all(|(members, _)| {
        let is_new = members.iter().all(|member| !std::mem::replace(&mut placed[member.index()], true));
        let operands = members.iter().flat_map(|member| operators[member.index()].operands());
        is_new && { operands }.all(|operand| placed[operand.index()])
    }) && placed.iter().all(|&placed| placed)
}

fn classified(operators: &[Operator], components: Vec<Vec<EquationId>>) -> Vec<(Vec<EquationId>, Recursion)> {
    components
        .into_iter()
        .map(|mut members| {
            members.sort_unstable();
            let recursion = recursion(operators, &members);
            (members, recursion)
        })
        .collect()
}

fn recursion(operators: &[Operator], members: &[EquationId]) -> Recursion {
    if let [only] = members
        && !operators[only.index()].operands().contains(only)
    {
        return Recursion::None;
    }
    let has = |wanted: Sign| {
        members.iter().any(
            |member| matches!(operators[member.index()], Operator::Fixpoint { sign, .. } if sign == wanted),
        )
    };
    match (has(Sign::Least), has(Sign::Greatest)) {
        (true, true) => Recursion::Alternating,
        (true, false) => Recursion::Single(Sign::Least),
        (false, true) => Recursion::Single(Sign::Greatest),
        (false, false) => unreachable!("every cycle passes a fixpoint"),
    }
}
