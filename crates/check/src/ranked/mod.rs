//! Where more is necessarily true because ranks fall: the game of formula and system once more, with ranks.
//!
//! A rank is an integer of concrete states, and [`tertium_system::RankedSteps`] says of each step whether it falls there
//! and whether it may grow. A play that never ends is won by the prover if its highest priority is even, or if some rank
//! falls on it infinitely often and may grow only finitely often: no concrete run is like that. Moves that only unfold
//! the formula keep the concrete state, and so do covers: on them every rank keeps its value.
//!
//! Only what plain necessity leaves open is looked at: the claims that can be reached from the formula at some states
//! without passing one that holds (`game`). `solve` decides that game exactly while there is little to choose, `dissolve`
//! says which ranks a strategy needs and where, and `lasso` shows what is in the way where ranks do not suffice.
//!
//! Thorough semantics does not know ranks: it asks for all refinements, and ranks speak of concrete steps.

mod build;
mod component;
mod cycle;
mod dissolve;
mod game;
mod lasso;
mod solve;

pub use lasso::{OpenLasso, open_lasso};

use crate::equations::{EquationId, Equations};
use crate::necessity::{MustStep, Necessity, Problem};
use dissolve::dissolve;
use game::{Game, How, Place, PositionId};
use rustc_hash::FxHashMap;
use solve::Solution;
use tertium_logic::NodeId;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ConcreteId, StateId, StateSet};

/// What holds because of ranks, and how the prover moves there.
#[derive(Debug, Default)]
pub(crate) struct RankedWins {
    /// By equation; nothing where there is no universe.
    won: Vec<StateSet>,
    chosen: FxHashMap<(EquationId, u32), Chosen>,
    /// Fixpoints whose cycles are ranked, each with the ranks that this takes.
    uses: Vec<(EquationId, Vec<usize>)>,
}

#[derive(Clone, Copy, Debug)]
enum Chosen {
    Operand(EquationId),
    Step(MustStep),
    Pick(StateId),
}

impl RankedWins {
    /// Whether an equation holds at `state` because of ranks, and not without.
    pub(crate) fn contains(&self, id: EquationId, state: StateId) -> bool {
        self.won.get(id.index()).is_some_and(|won| won.contains(state))
    }

    /// The operand by which a disjunction holds.
    pub(crate) fn operand(&self, id: EquationId, state: StateId) -> Option<EquationId> {
        match self.chosen.get(&(id, state.raw())) {
            Some(&Chosen::Operand(operand)) => Some(operand),
            _ => None,
        }
    }

    /// The must by which a diamond holds.
    pub(crate) fn step(&self, id: EquationId, state: StateId) -> Option<MustStep> {
        match self.chosen.get(&(id, state.raw())) {
            Some(&Chosen::Step(step)) => Some(step),
            _ => None,
        }
    }

    /// The state by which a cover holds for a concrete state.
    pub(crate) fn pick(&self, id: EquationId, concrete: ConcreteId) -> Option<StateId> {
        match self.chosen.get(&(id, concrete.raw())) {
            Some(&Chosen::Pick(state)) => Some(state),
            _ => None,
        }
    }
}

impl RankedWins {
    /// The ranks that the prover's moves rely on: for each fixpoint whose cycles are ranked.
    pub(crate) fn uses(&self, equations: &Equations) -> Vec<(NodeId, Vec<usize>)> {
        self.uses.iter().map(|(id, ranks)| (equations.node(*id), ranks.clone())).collect()
    }
}

/// What holds because of ranks, among the claims that the root at `starts` depends on. The root holds at none of these
/// without ranks.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    necessity: &Necessity,
    starts: &[StateId],
) -> Result<RankedWins, StopReason> {
    let game = Game::new(context, problem, necessity, starts)?;
    let solution = solve::solve(context, &game)?;
    let mut wins = RankedWins {
        won: vec![StateSet::empty(0); problem.equations.len()],
        uses: uses(context, &game, &solution)?,
        ..RankedWins::default()
    };
    for position in game.positions().filter(|&position| solution.is_won(position)) {
        let chosen = solution.choice(position).map(|index| game.move_at(index));
        let target = chosen.map(|chosen| (chosen.how, game.place(chosen.to)));
        match (game.place(position), target) {
            (Place::Claim(id, state), target) => {
                let row = &mut wins.won[id.index()];
                if row.universe() == 0 {
                    *row = StateSet::empty(problem.system().n_states());
                }
                row.insert(state);
                let chosen = match target {
                    Some((How::Step(action), Place::Claim(_, to))) => {
                        Chosen::Step(MustStep::Single(action, to))
                    }
                    Some((_, Place::Hyper(_, must))) => Chosen::Step(MustStep::Hyper(must)),
                    Some((_, Place::Claim(operand, _))) => Chosen::Operand(operand),
                    Some((_, Place::Concrete(..))) | None => continue,
                };
                wins.chosen.insert((id, state.raw()), chosen);
            }
            (Place::Concrete(id, concrete), Some((_, Place::Claim(_, state)))) => {
                wins.chosen.insert((id, concrete.raw()), Chosen::Pick(state));
            }
            (Place::Concrete(..) | Place::Hyper(..), _) => {}
        }
    }
    Ok(wins)
}

/// The ranks that Even's moves rely on, from where Even wins a root.
fn uses(
    context: &Context,
    game: &Game,
    solution: &Solution,
) -> Result<Vec<(EquationId, Vec<usize>)>, StopReason> {
    let mut ticker = context.ticker("looking at ranks");
    let taken = |index: usize, at: PositionId| {
        solution.is_won(game.move_at(index).to) && solution.choice(at).is_none_or(|choice| choice == index)
    };
    let mut is_reached = vec![false; game.n_positions()];
    let mut is_taken = vec![false; game.n_moves()];
    let mut reached: Vec<PositionId> = game.starts().filter(|&start| solution.is_won(start)).collect();
    reached.iter().for_each(|start| is_reached[start.index()] = true);
    let mut at = 0;
    while at < reached.len() {
        let from = reached[at];
        ticker.tick(1 + game.moves(from).len())?;
        for index in game.moves(from).filter(|&index| taken(index, from)) {
            is_taken[index] = true;
            let to = game.move_at(index).to;
            if !std::mem::replace(&mut is_reached[to.index()], true) {
                reached.push(to);
            }
        }
        at += 1;
    }
    let dissolved = dissolve(&mut ticker, game, &reached, &|index| is_taken[index])?;
    debug_assert!(
        dissolved.remaining.is_empty(),
        "ranks exclude every cycle of a winning strategy that is odd"
    );
    Ok(dissolved.uses.into_iter().collect())
}
