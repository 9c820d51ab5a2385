//! Components with fixpoints of both signs: the parity game of formula and system, whose edges are never stored.
//!
//! Even, the prover, moves at disjunctions and diamonds, Odd at conjunctions and boxes; fixpoints carry the priorities.
//! Operands outside the component are decided already and become moves to one of two sinks. A hyper-must is a vertex
//! of its own, where Odd picks the target; a cover at state s lets Odd pick a concrete state of s and Even a state that
//! stands for it.
//!
//! Few equations become vertices. An operator that has one user in the component, at the same state and with the same
//! owner, is *inlined*: the moves of its user are its own moves. What remains are fixpoints, targets of steps, and
//! changes of owner. Moves are computed from the transitions and their reverse, so the game costs no memory per edge.

mod arena;
mod moves;

use crate::equations::{EquationId, Operator};
use crate::game::{Player, VertexId, solve as solve_game, solve_regions};
use crate::necessity::{Necessity, Problem, Record, evaluate};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Domain, StateId, StateSet};

/// Solves one component and stores where its equations hold.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    problem.prepared.reverse(context)?;
    let product = Product::new(problem, members, solution);
    if product.n_vertices >= 1 << 31 {
        return Err(StopReason::MemoryLimit);
    }
    let (holds, moves) = match problem.record {
        Record::Moves => {
            let game = solve_game(context, &product)?;
            (product.regions(game.regions()), product.moves(&game))
        }
        Record::Values => (product.regions(&solve_regions(context, &product)?), vec![None; members.len()]),
    };
    let inlined = product.inlined_innermost_first();
    for ((&member, holds), moves) in members.iter().zip(holds).zip(moves) {
        solution.moves[member.index()] = moves;
        if let Some(holds) = holds {
            solution.holds[member.index()] = holds;
        }
    }
    for at in inlined {
        solution.holds[members[at].index()] = evaluate(context, problem, solution, members[at])?;
    }
    let n_states = problem.system().n_states();
    debug_assert!(
        members.iter().all(|member| solution.holds[member.index()].universe() == n_states),
        "every equation of the component is solved"
    );
    Ok(())
}

/// One equation of the component.
struct Part<'a> {
    operator: &'a Operator,
    /// Operands inside the component, and the index each has among all operands.
    inner: Vec<(usize, usize)>,
    /// The first vertex of this equation, one per state, unless it is inlined.
    first: Option<usize>,
    /// The first auxiliary vertex: one per hyper-must, or per concrete state.
    auxiliary: usize,
    /// For vertices: who moves, and the ways on.
    owner: Player,
    edge_groups: Vec<EdgeGroup>,
    /// How many ways there are of each kind; they are sorted in this order: same state, steps, standing.
    n_edge_groups: [usize; 3],
    /// For vertices: the states where an operand outside the component decides.
    decided: StateSet,
    /// Where vertices of this equation are entered from.
    entries: Vec<Entry>,
}

/// A way on from a vertex.
#[derive(Clone, Copy)]
enum EdgeGroup {
    /// To a vertex of this equation, at the same state.
    Same(usize),
    /// By the steps of this modality.
    Steps(usize),
    /// To the concrete states of this cover.
    Standing(usize),
}

/// A way into a vertex, from a vertex of the first equation.
#[derive(Clone, Copy)]
enum Entry {
    Same(usize),
    Steps(usize, usize),
    /// From the concrete states of this cover.
    Standing(usize),
}

struct Product<'a> {
    problem: &'a Problem<'a>,
    solution: &'a Necessity,
    n_states: usize,
    parts: Vec<Part<'a>>,
    /// The equations that have vertices, in order of their first.
    blocks: Vec<usize>,
    /// The equations that have auxiliary vertices, in order of their first.
    auxiliaries: Vec<usize>,
    /// For modalities with hyper-musts and for covers: the equation at whose vertices they are inlined.
    host: Vec<usize>,
    n_vertices: usize,
    n_concrete: usize,
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
        let n_states = problem.system().n_states();
        let parts: Vec<Part<'a>> = members
            .iter()
            .map(|&member| {
                let operator = problem.equations.operator(member);
                let inner = problem.equations.inner_operands(members, member);
                Part {
                    operator,
                    inner,
                    first: None,
                    auxiliary: 0,
                    owner: Player::Even,
                    edge_groups: Vec::new(),
                    n_edge_groups: [0; 3],
                    decided: StateSet::empty(0),
                    entries: Vec::new(),
                }
            })
            .collect();
        let host = (0..parts.len()).collect();
        let mut product = Self {
            problem,
            solution,
            n_states,
            parts,
            blocks: Vec::new(),
            auxiliaries: Vec::new(),
            host,
            n_vertices: 0,
            n_concrete: problem.domain.map_or(0, Domain::n_concrete),
        };
        product.place_vertices();
        for at in product.blocks.clone() {
            product.find_edge_groups(at);
        }
        debug_assert!(
            product.host.iter().all(|&host| product.parts[host].first.is_some()),
            "what is inlined is inlined at vertices"
        );
        product
    }

    /// Decides which equations have vertices, and numbers them.
    fn place_vertices(&mut self) {
        let mut user: Vec<Option<usize>> = vec![None; self.parts.len()];
        let mut shared = vec![false; self.parts.len()];
        for at in 0..self.parts.len() {
            for &(inner, _) in &self.parts[at].inner {
                shared[inner] |= user[inner].is_some();
                user[inner] = Some(at);
            }
        }
        let inlined = |at: usize| {
            let Some(user) = user[at].filter(|_| !shared[at]) else { return false };
            let own = |at: usize| mover(self.parts[at].operator);
            match self.parts[user].operator {
                Operator::And(_) | Operator::Or(_) => own(at).is_some() && own(at) == own(user),
                Operator::Fixpoint { .. } => own(at).is_some(),
                _ => false,
            }
        };
        let placed: Vec<usize> = (0..self.parts.len()).filter(|&at| !inlined(at)).collect();
        let mut next = 0;
        for &at in &placed {
            self.parts[at].first = Some(next);
            next += self.n_states;
        }
        for at in 0..self.parts.len() {
            self.parts[at].auxiliary = next;
            let n = match self.parts[at].operator {
                Operator::Diamond(..) => self.problem.system().hyper_musts().len(),
                Operator::Cover(_) => self.problem.domain().n_concrete(),
                _ => 0,
            };
            next += n;
            if n > 0 {
                self.auxiliaries.push(at);
            }
        }
        debug_assert_eq!(
            self.parts.iter().filter(|part| part.first.is_some()).count(),
            placed.len(),
            "vertices of different equations are disjoint"
        );
        debug_assert!(
            self.auxiliaries
                .is_sorted_by(|&one, &other| self.parts[one].auxiliary < self.parts[other].auxiliary),
            "auxiliary vertices are looked up by their first"
        );
        self.blocks = placed;
        self.n_vertices = next + 2;
    }

    /// Collects the ways on from the vertices of `at`, through what is inlined there.
    fn find_edge_groups(&mut self, at: usize) {
        let mut decided = StateSet::empty(self.n_states);
        let mut stack = vec![at];
        while let Some(part) = stack.pop() {
            self.host[part] = at;
            let operator = self.parts[part].operator;
            if let Some(player) = mover(operator) {
                self.parts[at].owner = player;
            }
            match operator {
                Operator::And(_) | Operator::Or(_) => {
                    decided.union_with(&self.decided_outside(part));
                    for (inner, _) in self.parts[part].inner.clone() {
                        self.go_on(at, inner, &mut stack);
                    }
                }
                Operator::Fixpoint { .. } => self.go_on(at, self.parts[part].inner[0].0, &mut stack),
                Operator::Diamond(..) | Operator::Box(..) => {
                    self.parts[at].edge_groups.push(EdgeGroup::Steps(part));
                    let body = self.parts[part].inner[0].0;
                    self.parts[body].entries.push(Entry::Steps(at, part));
                }
                Operator::Cover(_) => {
                    self.parts[at].edge_groups.push(EdgeGroup::Standing(part));
                    let body = self.parts[part].inner[0].0;
                    self.parts[body].entries.push(Entry::Standing(part));
                }
                Operator::Constant(_) | Operator::Literal { .. } => {
                    unreachable!("constants and literals are not recursive")
                }
            }
        }
        self.parts[at].decided = decided;
        let part = &mut self.parts[at];
        let kind = |group: &EdgeGroup| match group {
            EdgeGroup::Same(_) => 0,
            EdgeGroup::Steps(_) => 1,
            EdgeGroup::Standing(_) => 2,
        };
        part.edge_groups.sort_by_key(kind);
        part.edge_groups.iter().for_each(|group| part.n_edge_groups[kind(group)] += 1);
    }

    fn go_on(&mut self, at: usize, inner: usize, stack: &mut Vec<usize>) {
        if self.parts[inner].first.is_none() {
            stack.push(inner);
        } else {
            self.parts[at].edge_groups.push(EdgeGroup::Same(inner));
            self.parts[inner].entries.push(Entry::Same(at));
        }
    }

    /// Where the operands outside the component decide a boolean: some hold at a disjunction, some fail at a
    /// conjunction.
    fn decided_outside(&self, at: usize) -> StateSet {
        let mut decided = StateSet::empty(self.n_states);
        let outside = self.outside(at);
        match self.parts[at].operator {
            Operator::Or(_) => outside.for_each(|(_, holds)| decided.union_with(holds)),
            _ => outside.for_each(|(_, holds)| decided.union_with(&holds.complement())),
        }
        decided
    }

    /// The operands outside the component: their indices, and where they hold. Only those are known by now.
    fn outside(&self, at: usize) -> impl Iterator<Item = (usize, &StateSet)> {
        let operands = self.parts[at].operator.operands();
        operands
            .iter()
            .enumerate()
            .map(|(index, operand)| (index, &self.solution.holds[operand.index()]))
            .filter(|(_, holds)| holds.universe() == self.n_states)
    }

    #[inline]
    fn vertex(&self, at: usize, state: StateId) -> VertexId {
        VertexId::new(self.parts[at].first.expect("inlined equations have no vertices") + state.index())
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
        if index < self.blocks.len() * self.n_states {
            // Both fit in 32 bits, where division is several times faster than in 64.
            let n_states = self.n_states as u32;
            return Place::At(
                self.blocks[(v.raw() / n_states) as usize],
                StateId::from_raw(v.raw() % n_states),
            );
        }
        if v == self.won() {
            return Place::Won;
        }
        if v == self.lost() {
            return Place::Lost;
        }
        let position = self.auxiliaries.partition_point(|&at| self.parts[at].auxiliary <= index) - 1;
        let at = self.auxiliaries[position];
        Place::Auxiliary(at, index - self.parts[at].auxiliary)
    }
}

/// Who chooses among the ways of an operator; nobody at a fixpoint.
fn mover(operator: &Operator) -> Option<Player> {
    match operator {
        Operator::Or(_) | Operator::Diamond(..) => Some(Player::Even),
        Operator::And(_) | Operator::Box(..) | Operator::Cover(_) => Some(Player::Odd),
        _ => None,
    }
}
