//! Components with fixpoints of one sign: propagation along reversed transitions.
//!
//! For least fixpoints, truth spreads from where it is forced by earlier components; what is never reached is false.
//! For greatest fixpoints, falsity spreads and what is never reached is true. Either way one player attracts, at
//! operators of his own as soon as one operand is marked (`any`), at those of the other once all are (`all`, with a
//! counter per state for modalities). Each transition is looked at once per modality: linear time \[CS93\].
//!
//! Where the new marks are many, or the transitions were not reversed yet, unmarked states look for marks ahead of them
//! instead (`step`); both ways together stay linear.
//!
//! Marks spread in rounds, one per modal step, so the recorded moves of least fixpoints lead along shortest paths.

mod seed;
mod step;

use crate::equations::{EquationId, Operator};
use crate::necessity::{Moves, NO_MOVE, Necessity, Problem};
use tertium_logic::Sign;
use tertium_support::{Context, Id, IdSet, StopReason, Ticker};
use tertium_system::{ConcreteId, StateId, StateSet};

/// Booleans with more operands than this in their component count them; shorter ones look at all.
const COUNTED: usize = 4;

/// What reversing a transition costs, in steps looked at.
const REVERSING: usize = 3;

/// Solves one component and stores where its equations hold.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    sign: Sign,
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    let (results, looked_at) = {
        let mut propagation = Propagation::new(context, problem, members, sign, solution)?;
        propagation.seed()?;
        propagation.run()?;
        let parts = propagation.parts.into_iter();
        (parts.map(|part| (part.marked, part.moves)).collect::<Vec<_>>(), propagation.looked_at)
    };
    for (&member, (marked, moves)) in members.iter().zip(results) {
        solution.holds[member.index()] = match sign {
            Sign::Least => marked,
            Sign::Greatest => marked.complement(),
        };
        solution.moves[member.index()] = moves;
    }
    solution.looked_at += looked_at;
    Ok(())
}

/// One equation of the component.
struct Part<'a> {
    operator: &'a Operator,
    /// Operands inside the component, and the index each has among all operands.
    inner: Vec<(usize, usize)>,
    /// Equations of the component that have this one as an operand, with its index there.
    users: Vec<(usize, usize)>,
    marked: StateSet,
    n_marked: usize,
    /// For booleans of the other player: the states where all operands outside the component are marked.
    outside: Option<StateSet>,
    /// What is not yet marked: steps of modalities of the other player; operands of long booleans of the other player;
    /// concrete states, or states that stand for one, of covers.
    open: Vec<u32>,
    /// For hyper-musts: targets not yet marked (`any`), or whether none was marked yet (`all`).
    hyper_open: Vec<u32>,
    covered: IdSet<ConcreteId>,
    moves: Option<Moves>,
    /// Marked states whose consequences are not drawn yet.
    now: Vec<StateId>,
    /// The same, for the next round.
    next: Vec<StateId>,
}

struct Propagation<'a> {
    problem: &'a Problem<'a>,
    sign: Sign,
    parts: Vec<Part<'a>>,
    solution: &'a Necessity,
    context: &'a Context,
    ticker: Ticker<'a>,
    /// The parts with something in `now`, and with something in `next`.
    active: Vec<usize>,
    active_next: Vec<usize>,
    /// How many steps were looked at, and how many of them forwards.
    looked_at: u64,
    forward: usize,
}

impl<'a> Propagation<'a> {
    fn new(
        context: &'a Context,
        problem: &'a Problem<'a>,
        members: &[EquationId],
        sign: Sign,
        solution: &'a Necessity,
    ) -> Result<Self, StopReason> {
        let n = problem.system().n_states();
        let mut parts: Vec<Part<'a>> = Vec::with_capacity(members.len());
        for &member in members {
            let operator = problem.equations.operator(member);
            let inner = problem.equations.inner_operands(members, member);
            parts.push(Part {
                operator,
                inner,
                users: Vec::new(),
                marked: StateSet::empty(n),
                n_marked: 0,
                outside: None,
                open: Vec::new(),
                hyper_open: Vec::new(),
                covered: IdSet::empty(0),
                moves: None,
                now: Vec::new(),
                next: Vec::new(),
            });
        }
        for user in 0..parts.len() {
            for (inner, index) in parts[user].inner.clone() {
                parts[inner].users.push((user, index));
            }
        }
        context.reserve(members.len() as u64 * n as u64 * 4)?;
        let ticker = context.ticker("checking");
        Ok(Self {
            problem,
            sign,
            parts,
            solution,
            context,
            ticker,
            active: Vec::new(),
            active_next: Vec::new(),
            looked_at: 0,
            forward: 0,
        })
    }

    /// Whether one marked operand is enough: operators of the player who attracts.
    fn is_own(&self, operator: &Operator) -> bool {
        match self.sign {
            Sign::Least => matches!(operator, Operator::Or(_) | Operator::Diamond(..) | Operator::Cover(_)),
            Sign::Greatest => matches!(operator, Operator::And(_) | Operator::Box(..)),
        }
    }

    fn run(&mut self) -> Result<(), StopReason> {
        loop {
            while let Some(at) = self.active.pop() {
                let mut batch = std::mem::take(&mut self.parts[at].now);
                debug_assert!(
                    batch.iter().all(|&state| self.parts[at].marked.contains(state)),
                    "only marks have consequences"
                );
                // A large batch in the order of the rows is read from memory front to back.
                if batch.len() > self.problem.system().n_states() / 64 {
                    batch.sort_unstable();
                }
                self.ticker.tick(batch.len())?;
                for index in 0..self.parts[at].users.len() {
                    let (user, operand) = self.parts[at].users[index];
                    self.propagate(user, operand, &batch)?;
                }
            }
            if self.active_next.is_empty() {
                debug_assert!(
                    self.parts.iter().all(|part| part.now.is_empty() && part.next.is_empty()),
                    "all consequences are drawn"
                );
                debug_assert!(
                    self.parts.iter().all(|part| part.n_marked == part.marked.count()),
                    "marks are counted"
                );
                return Ok(());
            }
            for at in std::mem::take(&mut self.active_next) {
                let part = &mut self.parts[at];
                std::mem::swap(&mut part.now, &mut part.next);
                self.active.push(at);
            }
        }
    }

    /// Draws the consequences of newly marked states of operand `index` for the equation `user`.
    fn propagate(&mut self, user: usize, index: usize, batch: &[StateId]) -> Result<(), StopReason> {
        let operator = self.parts[user].operator;
        match operator {
            Operator::Fixpoint { .. } => {
                batch.iter().for_each(|&state| self.mark_now(user, state, NO_MOVE));
            }
            Operator::And(_) | Operator::Or(_) if self.is_own(operator) => {
                batch.iter().for_each(|&state| self.mark_now(user, state, index as u32));
            }
            Operator::And(_) | Operator::Or(_) if !self.parts[user].open.is_empty() => {
                for &state in batch {
                    let part = &mut self.parts[user];
                    part.open[state.index()] -= 1;
                    let complete = part.open[state.index()] == 0
                        && part.outside.as_ref().is_some_and(|outside| outside.contains(state));
                    if complete {
                        self.mark_now(user, state, NO_MOVE);
                    }
                }
            }
            Operator::And(_) | Operator::Or(_) => {
                for &state in batch {
                    let part = &self.parts[user];
                    let complete = part.outside.as_ref().is_some_and(|outside| outside.contains(state))
                        && part.inner.iter().all(|&(inner, _)| self.parts[inner].marked.contains(state));
                    if complete {
                        self.mark_now(user, state, NO_MOVE);
                    }
                }
            }
            Operator::Diamond(set, _) | Operator::Box(set, _) => {
                self.propagate_step(user, self.problem.equations.actions(*set), batch)?;
            }
            Operator::Cover(_) => self.propagate_cover(user, batch),
            Operator::Constant(_) | Operator::Literal { .. } => {
                unreachable!("constants and literals are not recursive")
            }
        }
        Ok(())
    }

    fn mark_now(&mut self, at: usize, state: StateId, choice: u32) {
        if self.mark(at, state, choice) {
            if self.parts[at].now.is_empty() {
                self.active.push(at);
            }
            self.parts[at].now.push(state);
        }
    }

    fn mark_next(&mut self, at: usize, state: StateId, choice: u32) {
        if self.mark(at, state, choice) {
            if self.parts[at].next.is_empty() {
                self.active_next.push(at);
            }
            self.parts[at].next.push(state);
        }
    }

    fn mark(&mut self, at: usize, state: StateId, choice: u32) -> bool {
        let part = &mut self.parts[at];
        debug_assert!(
            choice == NO_MOVE
                || !matches!(part.operator, Operator::Or(operands) if choice as usize >= operands.len()),
            "the move at a disjunction is one of its operands"
        );
        let new = part.marked.insert(state);
        part.n_marked += usize::from(new);
        if new
            && choice != NO_MOVE
            && let Some(moves) = &mut part.moves
        {
            moves[state.index()] = choice;
        }
        new
    }
}
