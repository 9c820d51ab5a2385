//! Components with fixpoints of both signs: the parity game of formula and system, whose edges are never stored.
//!
//! Vertices are pairs of an equation of the component and a state. Even, the prover, moves at disjunctions and
//! diamonds, Odd at conjunctions and boxes; fixpoints carry the priorities. Operands outside the component are
//! decided already and become moves to one of two sinks. A hyper-must is a vertex of its own, where Odd picks the
//! target; a cover at state s lets Odd pick a concrete state of s and Even a state that stands for it.
//!
//! Moves are computed from the transitions and their reverse, so the game costs no memory per edge.

use crate::equations::{EquationId, Operator};
use crate::game::{Arena, Player, VertexId, solve as solve_game};
use crate::necessity::{NO_MOVE, Necessity, Problem, Record};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ConcreteId, StateId, StateSet};

/// Solves one component and stores where its equations hold.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    let product = Product::new(problem, members, solution);
    if product.n_vertices >= 1 << 31 {
        return Err(StopReason::MemoryLimit);
    }
    let game = solve_game(context, &product)?;
    let mut results = Vec::with_capacity(members.len());
    for (at, part) in product.parts.iter().enumerate() {
        let wins = |v| game.winner(v) == Player::Even;
        let holds = StateSet::filter(product.n_states, |state| wins(product.vertex(at, state)));
        let moves = (problem.record == Record::Moves).then(|| match part.operator {
            Operator::Or(_) | Operator::Diamond(..) => (0..product.n_states)
                .map(|s| {
                    product.encode(at, StateId::new(s), game.strategy(product.vertex(at, StateId::new(s))))
                })
                .collect(),
            Operator::Cover(_) => (0..problem.domain().n_concrete())
                .map(|c| {
                    let chosen =
                        game.strategy(product.auxiliary(at, c)).filter(|_| wins(product.auxiliary(at, c)));
                    chosen.map_or(NO_MOVE, |v| product.state_of(v).raw())
                })
                .collect(),
            _ => Vec::new(),
        });
        results.push((holds, moves.filter(|moves: &Vec<u32>| !moves.is_empty())));
    }
    for (&member, (holds, moves)) in members.iter().zip(results) {
        solution.holds[member.index()] = holds;
        solution.moves[member.index()] = moves;
    }
    Ok(())
}

struct Part<'a> {
    operator: &'a Operator,
    priority: u32,
    /// Operands inside the component, and the index each has among all operands.
    inner: Vec<(usize, usize)>,
    /// Equations of the component that have this one as an operand.
    users: Vec<usize>,
    /// For booleans: the states where an operand outside decides.
    decided: StateSet,
    /// Where the auxiliary vertices of this equation begin: one per hyper-must, or per concrete state.
    auxiliary: usize,
}

struct Product<'a> {
    problem: &'a Problem<'a>,
    solution: &'a Necessity,
    n_states: usize,
    parts: Vec<Part<'a>>,
    /// Parts with auxiliary vertices, in order of their first one.
    with_auxiliary: Vec<usize>,
    n_vertices: usize,
}

/// What a vertex stands for.
enum Place {
    At(usize, StateId),
    Auxiliary(usize, usize),
    /// Even wins here.
    Won,
    /// Odd wins here.
    Lost,
}

impl<'a> Product<'a> {
    fn new(problem: &'a Problem<'a>, members: &[EquationId], solution: &'a Necessity) -> Self {
        let system = problem.system();
        let n_states = system.n_states();
        let mut next = members.len() * n_states;
        let mut parts: Vec<Part<'a>> = Vec::with_capacity(members.len());
        let mut with_auxiliary = Vec::new();
        for (at, &member) in members.iter().enumerate() {
            let operator = problem.equations.operator(member);
            let inner: Vec<(usize, usize)> = operator
                .operands()
                .iter()
                .enumerate()
                .filter_map(|(index, operand)| Some((members.binary_search(operand).ok()?, index)))
                .collect();
            let auxiliary = next;
            next += match operator {
                Operator::Diamond(..) => system.hyper_musts().len(),
                Operator::Cover(_) => problem.domain().n_concrete(),
                _ => 0,
            };
            if next > auxiliary {
                with_auxiliary.push(at);
            }
            let decided = decided(problem, operator, members, solution);
            parts.push(Part {
                operator,
                priority: operator.priority(),
                inner,
                users: Vec::new(),
                decided,
                auxiliary,
            });
        }
        for user in 0..parts.len() {
            for (inner, _) in parts[user].inner.clone() {
                if !parts[inner].users.contains(&user) {
                    parts[inner].users.push(user);
                }
            }
        }
        Self { problem, solution, n_states, parts, with_auxiliary, n_vertices: next + 2 }
    }

    #[inline]
    fn vertex(&self, at: usize, state: StateId) -> VertexId {
        VertexId::new(at * self.n_states + state.index())
    }

    #[inline]
    fn auxiliary(&self, at: usize, index: usize) -> VertexId {
        VertexId::new(self.parts[at].auxiliary + index)
    }

    fn won(&self) -> VertexId {
        VertexId::new(self.n_vertices - 2)
    }

    fn lost(&self) -> VertexId {
        VertexId::new(self.n_vertices - 1)
    }

    #[inline]
    fn place(&self, v: VertexId) -> Place {
        let index = v.index();
        if index < self.parts.len() * self.n_states {
            return Place::At(index / self.n_states, StateId::new(index % self.n_states));
        }
        if v == self.won() {
            return Place::Won;
        }
        if v == self.lost() {
            return Place::Lost;
        }
        let position = self.with_auxiliary.partition_point(|&at| self.parts[at].auxiliary <= index) - 1;
        let at = self.with_auxiliary[position];
        Place::Auxiliary(at, index - self.parts[at].auxiliary)
    }

    fn state_of(&self, v: VertexId) -> StateId {
        match self.place(v) {
            Place::At(_, state) => state,
            _ => unreachable!("states belong to main vertices"),
        }
    }

    /// A move of Even at an equation, as [`Necessity`] records it.
    fn encode(&self, at: usize, state: StateId, chosen: Option<VertexId>) -> u32 {
        let part = &self.parts[at];
        let Some(chosen) =
            chosen.filter(|_| matches!(part.operator, Operator::Or(_) | Operator::Diamond(..)))
        else {
            return NO_MOVE;
        };
        match (part.operator, self.place(chosen)) {
            (Operator::Or(operands), Place::Won) => operands
                .iter()
                .position(|operand| {
                    let holds = &self.solution.holds[operand.index()];
                    holds.universe() == self.n_states && holds.contains(state)
                })
                .map_or(NO_MOVE, |index| index as u32),
            (Operator::Or(_), Place::At(inner, _)) => part
                .inner
                .iter()
                .find(|&&(operand, _)| operand == inner)
                .map_or(NO_MOVE, |&(_, index)| index as u32),
            (Operator::Diamond(..), Place::At(_, target)) => target.raw(),
            (Operator::Diamond(..), Place::Auxiliary(_, hyper)) => (self.n_states + hyper) as u32,
            _ => NO_MOVE,
        }
    }

    /// The relevant steps of a modality: its actions, and whether it looks at musts (a diamond) or mays (a box).
    #[inline]
    fn modality(&self, at: usize) -> (&crate::names::ActionSet, bool) {
        match self.parts[at].operator {
            Operator::Diamond(set, _) => (self.problem.equations.actions(*set), true),
            Operator::Box(set, _) => (self.problem.equations.actions(*set), false),
            _ => unreachable!("only modalities have steps"),
        }
    }

    fn step_successor(&self, at: usize, state: StateId, cursor: u32) -> Option<(VertexId, u32)> {
        let (actions, diamond) = self.modality(at);
        let body = self.parts[at].inner[0].0;
        let (labels, targets) = self.problem.system().transitions().row(state);
        for position in cursor as usize..labels.len() {
            let label = labels[position];
            let relevant = if diamond { label.is_must() } else { label.is_may() };
            if relevant && actions.contains(label.action()) {
                return Some((self.vertex(body, targets[position]), position as u32 + 1));
            }
        }
        if !diamond {
            return None;
        }
        let hyper = self.problem.system().hyper_musts();
        let range = hyper.range(state);
        let first = (cursor as usize).max(labels.len()) - labels.len();
        (range.start + first..range.end).find(|&position| actions.contains(hyper.at(position).0)).map(
            |position| (self.auxiliary(at, position), (labels.len() + position - range.start + 1) as u32),
        )
    }
}

/// Where the operands outside the component decide a boolean: some hold at a disjunction, some fail at a conjunction.
fn decided(
    problem: &Problem<'_>,
    operator: &Operator,
    members: &[EquationId],
    solution: &Necessity,
) -> StateSet {
    let n = problem.system().n_states();
    let outside = |operands: &[EquationId]| -> Vec<EquationId> {
        operands.iter().copied().filter(|operand| members.binary_search(operand).is_err()).collect()
    };
    match operator {
        Operator::Or(operands) => {
            let mut any = StateSet::empty(n);
            outside(operands).iter().for_each(|operand| any.union_with(&solution.holds[operand.index()]));
            any
        }
        Operator::And(operands) => {
            let mut all = StateSet::full(n);
            outside(operands).iter().for_each(|operand| all.intersect_with(&solution.holds[operand.index()]));
            all.complement()
        }
        _ => StateSet::empty(0),
    }
}

impl Arena for Product<'_> {
    fn n_vertices(&self) -> usize {
        self.n_vertices
    }

    fn owner(&self, v: VertexId) -> Player {
        let even = match self.place(v) {
            Place::At(at, _) => {
                matches!(
                    self.parts[at].operator,
                    Operator::Or(_) | Operator::Diamond(..) | Operator::Fixpoint { .. }
                )
            }
            Place::Auxiliary(at, _) => matches!(self.parts[at].operator, Operator::Cover(_)),
            Place::Won => false,
            Place::Lost => true,
        };
        if even { Player::Even } else { Player::Odd }
    }

    fn priority(&self, v: VertexId) -> u32 {
        let index = v.index();
        if index < self.parts.len() * self.n_states { self.parts[index / self.n_states].priority } else { 0 }
    }

    fn next_successor(&self, v: VertexId, cursor: u32) -> Option<(VertexId, u32)> {
        let (at, state) = match self.place(v) {
            Place::At(at, state) => (at, state),
            Place::Auxiliary(at, index) => return self.auxiliary_successor(at, index, cursor),
            Place::Won | Place::Lost => return None,
        };
        let part = &self.parts[at];
        match part.operator {
            Operator::And(_) | Operator::Or(_) if part.decided.contains(state) => {
                let sink = if matches!(part.operator, Operator::Or(_)) { self.won() } else { self.lost() };
                (cursor == 0).then_some((sink, 1))
            }
            Operator::And(_) | Operator::Or(_) | Operator::Fixpoint { .. } => {
                part.inner.get(cursor as usize).map(|&(inner, _)| (self.vertex(inner, state), cursor + 1))
            }
            Operator::Diamond(..) | Operator::Box(..) => self.step_successor(at, state, cursor),
            Operator::Cover(_) => self
                .problem
                .domain()
                .gamma(state)
                .iter()
                .find(|concrete| concrete.index() >= cursor as usize)
                .map(|concrete| (self.auxiliary(at, concrete.index()), concrete.raw() + 1)),
            Operator::Constant(_) | Operator::Literal { .. } => {
                unreachable!("constants and literals are not recursive")
            }
        }
    }

    fn predecessors(&self, v: VertexId, mut visit: impl FnMut(VertexId)) {
        let (at, state) = match self.place(v) {
            Place::At(at, state) => (at, state),
            Place::Auxiliary(at, index) => {
                match self.parts[at].operator {
                    Operator::Cover(_) => self
                        .problem
                        .domain()
                        .abstractions(ConcreteId::new(index))
                        .for_each(|state| visit(self.vertex(at, state))),
                    _ => {
                        let (action, _) = self.problem.system().hyper_musts().at(index);
                        if self.modality(at).0.contains(action) {
                            visit(self.vertex(at, self.problem.prepared.hyper.source[index]));
                        }
                    }
                }
                return;
            }
            sink => {
                let won = matches!(sink, Place::Won);
                for (at, part) in self.parts.iter().enumerate() {
                    if matches!((part.operator, won), (Operator::Or(_), true) | (Operator::And(_), false)) {
                        part.decided.iter().for_each(|state| visit(self.vertex(at, state)));
                    }
                }
                return;
            }
        };
        for &user in &self.parts[at].users {
            match self.parts[user].operator {
                Operator::And(_) | Operator::Or(_) => {
                    if !self.parts[user].decided.contains(state) {
                        visit(self.vertex(user, state));
                    }
                }
                Operator::Fixpoint { .. } => visit(self.vertex(user, state)),
                Operator::Diamond(..) | Operator::Box(..) => {
                    let (actions, diamond) = self.modality(user);
                    let (labels, sources) = self.problem.prepared.reversed.row(state);
                    for (label, &source) in labels.iter().zip(sources) {
                        let relevant = if diamond { label.is_must() } else { label.is_may() };
                        if relevant && actions.contains(label.action()) {
                            visit(self.vertex(user, source));
                        }
                    }
                    if diamond {
                        let hyper = self.problem.system().hyper_musts();
                        for &position in self.problem.prepared.hyper.reaching(state) {
                            if actions.contains(hyper.at(position as usize).0) {
                                visit(self.auxiliary(user, position as usize));
                            }
                        }
                    }
                }
                Operator::Cover(_) => {
                    let gamma = self.problem.domain().gamma(state);
                    gamma.iter().for_each(|concrete| visit(self.auxiliary(user, concrete.index())));
                }
                Operator::Constant(_) | Operator::Literal { .. } => {
                    unreachable!("constants and literals are not recursive")
                }
            }
        }
    }
}

impl Product<'_> {
    /// From a hyper-must to its targets; from a concrete state to the states that stand for it.
    fn auxiliary_successor(&self, at: usize, index: usize, cursor: u32) -> Option<(VertexId, u32)> {
        let body = self.parts[at].inner[0].0;
        let cursor = cursor as usize;
        match self.parts[at].operator {
            Operator::Cover(_) => {
                let domain = self.problem.domain();
                (cursor..self.n_states)
                    .map(StateId::new)
                    .find(|&state| domain.gamma(state).contains(ConcreteId::new(index)))
                    .map(|state| (self.vertex(body, state), state.raw() + 1))
            }
            _ => {
                let (action, targets) = self.problem.system().hyper_musts().at(index);
                let (actions, _) = self.modality(at);
                // A hyper-must with another action has no way in; giving it no way on keeps both directions equal.
                let target = targets.get(cursor).filter(|_| actions.contains(action))?;
                Some((self.vertex(body, *target), cursor as u32 + 1))
            }
        }
    }
}
