//! What is in the way where ranks do not suffice: a lasso, and the component that it lies in.
//!
//! Positions count that are not won, and that are not lost already because Odd can lead them to an end: there, no rank
//! would help. Each of them goes on among themselves. Choices count as Odd's, whoever makes them, so that every way of
//! the prover is shown that a further rank could make good.

use super::dissolve::{Dissolved, Remaining, dissolve};
use super::game::{Game, How, Place, PositionId};
use super::solve::{dead_ends, solve};
use crate::Semantics;
use crate::necessity::{Problem, Record};
use crate::question::{Question, Side};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tertium_logic::{Formula, NodeId};
use tertium_support::{Context, Id, StopReason, Ticker};
use tertium_system::{StateId, Step};

/// Why a formula is not proved, or not refuted, where what is open is how often a run goes round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLasso {
    /// Which side it is in the way of.
    pub side: Side,
    /// The initial state.
    pub start: StateId,
    /// The least fixpoint, a node of the formula's graph or, for refutations, of its dual's.
    pub fixpoint: NodeId,
    /// The steps to the cycle. Under reduced semantics a step need not begin where the one before ends: both states stand
    /// for the same concrete one.
    pub stem: Vec<Step>,
    /// The steps round, at least one. The highest priority among its claims is odd, and no rank excludes it.
    pub cycle: Vec<Step>,
    /// Whether the prover chooses a step of the cycle. If not, a run that can go round for ever is a counterexample.
    pub chosen: bool,
    /// All steps, in order, of the strongly connected component of the cycle, without those that ranks exclude.
    pub component: Vec<Step>,
}

/// A lasso that is in the way of one side, if what is open on it is how often a run goes round. `cost` is what it costs
/// to pass a step, at least 1: among all cycles one is given that is cheap. Steps that were of no use before can be made
/// dear. The answer is nothing if the side is decided, or if no rank could decide it.
pub fn open_lasso(
    context: &Context,
    prepared: &crate::Prepared<'_>,
    formula: &Formula,
    semantics: Semantics,
    side: Side,
    cost: &dyn Fn(Step) -> u64,
) -> Result<Option<OpenLasso>, StopReason> {
    let question = Question::new(prepared, formula, semantics);
    let (proved, refuted) = question.both(context, Record::Values)?;
    let root = question.equations.root();
    let is_open = |state: &StateId| !proved.contains(root, *state) && !refuted.contains(root, *state);
    let starts: Vec<StateId> = prepared.system().initial().iter().copied().filter(is_open).collect();
    let necessity = if side == Side::Proof { proved } else { refuted };
    let problem = question.problem(side, Record::Values);
    let game = Game::new(context, &problem, &necessity, &starts)?;
    let solution = solve(context, &game)?;
    let dead = dead_ends(context, &game)?;
    let live: Vec<bool> = game.positions().map(|at| !solution.is_won(at) && !dead[at.index()]).collect();
    let ticker = context.ticker("looking at ranks");
    let mut search = Search::new(&game, &problem, live, cost, ticker)?;
    Ok(search.find()?.map(|found| search.lasso(side, found)))
}

/// A cycle with the component that it was found in.
struct Found {
    /// A position of the highest priority, where the cycle begins.
    head: PositionId,
    cycle: Vec<usize>,
    component: Remaining,
}

pub(super) struct Search<'a> {
    pub(super) game: &'a Game,
    problem: &'a Problem<'a>,
    live: Vec<bool>,
    /// The live positions that can be reached from a root, nearest first, and by which move.
    reached: Vec<PositionId>,
    by: Vec<Option<usize>>,
    pub(super) distance: Vec<u32>,
    pub(super) cost: &'a dyn Fn(Step) -> u64,
    pub(super) ticker: Ticker<'a>,
    source: Vec<PositionId>,
}

impl<'a> Search<'a> {
    fn new(
        game: &'a Game,
        problem: &'a Problem<'a>,
        live: Vec<bool>,
        cost: &'a dyn Fn(Step) -> u64,
        ticker: Ticker<'a>,
    ) -> Result<Self, StopReason> {
        let n = game.n_positions();
        let mut source = vec![PositionId::from_raw(0); game.n_moves()];
        for at in game.positions() {
            game.moves(at).for_each(|index| source[index] = at);
        }
        let mut search = Self {
            game,
            problem,
            live,
            reached: Vec::new(),
            by: vec![None; n],
            distance: vec![u32::MAX; n],
            cost,
            ticker,
            source,
        };
        search.reach()?;
        Ok(search)
    }

    /// Breadth first, by steps: moves that are none cost nothing.
    fn reach(&mut self) -> Result<(), StopReason> {
        let mut waiting: VecDeque<(PositionId, u32)> = VecDeque::new();
        for start in self.game.starts().filter(|start| self.live[start.index()]) {
            self.distance[start.index()] = 0;
            waiting.push_back((start, 0));
        }
        let mut is_done = vec![false; self.live.len()];
        while let Some((at, distance)) = waiting.pop_front() {
            if std::mem::replace(&mut is_done[at.index()], true) {
                continue;
            }
            self.reached.push(at);
            self.ticker.tick(1 + self.game.moves(at).len())?;
            for index in self.game.moves(at) {
                let to = self.game.move_at(index).to;
                let is_step = matches!(self.game.move_at(index).how, How::Step(_));
                let new = distance + u32::from(is_step);
                if self.live[to.index()] && new < self.distance[to.index()] {
                    self.distance[to.index()] = new;
                    self.by[to.index()] = Some(index);
                    if is_step {
                        waiting.push_back((to, new));
                    } else {
                        waiting.push_front((to, new));
                    }
                }
            }
        }
        Ok(())
    }

    fn find(&mut self) -> Result<Option<Found>, StopReason> {
        let live = &self.live;
        let inside = |index: usize| live[self.game.move_at(index).to.index()];
        let Dissolved { remaining, .. } = dissolve(&mut self.ticker, self.game, &self.reached, &inside)?;
        let mut best: Option<(u64, u32, Found)> = None;
        for component in remaining {
            let Some((cost, head, cycle)) = self.cycle_of(&component)? else { continue };
            let distance = self.distance[head.index()];
            if best.as_ref().is_none_or(|(least, near, _)| (cost, distance) < (*least, *near)) {
                best = Some((cost, distance, Found { head, cycle, component }));
            }
        }
        Ok(best.map(|(.., found)| found))
    }

    /// The step that a move is.
    pub(super) fn step(&self, index: usize) -> Option<Step> {
        let How::Step(action) = self.game.move_at(index).how else { return None };
        let source = match self.game.place(self.source[index]) {
            Place::Claim(_, state) => state,
            Place::Hyper(_, must) => self.problem.prepared.hyper.source[must],
            Place::Concrete(..) => return None,
        };
        match self.game.place(self.game.move_at(index).to) {
            Place::Claim(_, target) => Some((source, action, target)),
            Place::Hyper(..) | Place::Concrete(..) => None,
        }
    }

    fn lasso(&self, side: Side, found: Found) -> OpenLasso {
        let Found { head, cycle, component } = found;
        let mut stem = Vec::new();
        let mut at = head;
        while let Some(index) = self.by[at.index()] {
            stem.extend(self.step(index));
            at = self.source[index];
        }
        stem.reverse();
        let (Place::Claim(_, start), Place::Claim(id, _)) = (self.game.place(at), self.game.place(head))
        else {
            unreachable!("roots and fixpoints are claims")
        };
        let members: FxHashSet<PositionId> = component.members.iter().copied().collect();
        let inner = component.members.iter().flat_map(|&at| self.game.moves(at)).filter(|&index| {
            let is_in = members.contains(&self.game.move_at(index).to);
            is_in && self.game.change(index).falls & component.dropped == 0
        });
        let mut steps: Vec<Step> = inner.filter_map(|index| self.step(index)).collect();
        steps.sort_unstable();
        steps.dedup();
        let is_chosen = |&index: &usize| {
            let source = self.source[index];
            let from_hyper = matches!(self.game.place(source), Place::Hyper(..));
            self.step(index).is_some() && (from_hyper || self.game.owner(source) == crate::game::Player::Even)
        };
        OpenLasso {
            side,
            start,
            fixpoint: self.problem.equations.node(id),
            stem,
            chosen: cycle.iter().any(is_chosen),
            cycle: cycle.iter().filter_map(|&index| self.step(index)).collect(),
            component: steps,
        }
    }
}
