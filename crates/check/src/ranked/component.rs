//! One strongly connected component of the game with ranks, where nothing is decided yet.

use super::game::PositionId;
use super::solve::{Mark, Solver, Status};
use crate::game::Player;
use tertium_support::{Id, StopReason};
use tertium_system::ranks_of;

/// Attempts may cost so many times what the game has positions and moves.
const ATTEMPTS: u64 = 64;

/// A way to win a component where nothing can be had for free.
#[derive(Clone, Copy)]
enum Attempt {
    /// Never let this rank grow.
    Rank(usize),
    /// Never pass this priority.
    Priority(u32),
}

/// What there is in a component.
struct Census {
    falls: u64,
    may_grow: u64,
    highest: u32,
    has_odd: bool,
    has_choice: bool,
}

impl Solver<'_> {
    /// Solves a strongly connected component all of whose moves without a mark lead to itself or to what is decided. What
    /// has to be solved anew waits.
    pub(super) fn solve_component(
        &mut self,
        component: Vec<PositionId>,
        waiting: &mut Vec<Vec<PositionId>>,
    ) -> Result<(), StopReason> {
        let census = self.census(&component)?;
        if !census.has_odd {
            return self.stay(&component);
        }
        let free = census.falls & !census.may_grow;
        let content = |solver: &Self, index: usize| {
            let at = solver.source[index];
            solver.game.change(index).falls & free != 0
                || (census.highest.is_multiple_of(2) && solver.game.priority(at) == census.highest)
        };
        let good = self.open_moves(&component, content);
        if !good.is_empty() {
            self.solve_with(&component, &good, Mark::Won)?;
            let won = self.reopened(&component, Status::Won);
            if won.len() == component.len() {
                component.iter().for_each(|at| self.status[at.index()] = Status::Won);
            } else if !won.is_empty() {
                waiting.push(won);
            }
            return Ok(());
        }
        if census.has_choice {
            let ranks = ranks_of(census.falls).map(Attempt::Rank);
            let priority = self.game.alternates().then_some(Attempt::Priority(census.highest));
            for attempt in ranks.chain(priority) {
                if self.work > ATTEMPTS * (self.game.n_moves() + self.game.n_positions()) as u64 {
                    break;
                }
                let bad = self.open_moves(&component, |solver, index| match attempt {
                    Attempt::Rank(rank) => solver.game.change(index).may_grow >> rank & 1 == 1,
                    Attempt::Priority(priority) => solver.game.priority(solver.source[index]) == priority,
                });
                self.solve_with(&component, &bad, Mark::Lost)?;
                let rest = self.reopened(&component, Status::Lost);
                if rest.len() < component.len() {
                    waiting.push(rest);
                    return Ok(());
                }
            }
        }
        component.iter().for_each(|at| self.status[at.index()] = Status::Lost);
        Ok(())
    }

    fn census(&mut self, component: &[PositionId]) -> Result<Census, StopReason> {
        let mut census = Census { falls: 0, may_grow: 0, highest: 0, has_odd: false, has_choice: false };
        for &at in component {
            self.spend(1 + self.game.moves(at).len())?;
            let priority = self.game.priority(at);
            census.highest = census.highest.max(priority);
            census.has_odd |= !priority.is_multiple_of(2);
            let mut n_open = 0;
            for index in self.game.moves(at).filter(|&index| self.outcome(index) == Status::Open) {
                n_open += 1;
                census.falls |= self.game.change(index).falls;
                census.may_grow |= self.game.change(index).may_grow;
            }
            debug_assert!(n_open > 0, "what cannot go on is decided");
            census.has_choice |= n_open > 1 && self.game.owner(at) == Player::Even;
        }
        Ok(census)
    }

    /// Even stays where every cycle is good.
    fn stay(&mut self, component: &[PositionId]) -> Result<(), StopReason> {
        for &at in component {
            if self.game.owner(at) == Player::Even {
                let choice = self.game.moves(at).find(|&index| self.outcome(index) == Status::Open);
                self.choice[at.index()] = choice.expect("a component goes on") as u32;
            }
        }
        component.iter().for_each(|at| self.status[at.index()] = Status::Won);
        self.spend(component.len())
    }

    /// The open moves of a component that satisfy `test`.
    fn open_moves(&self, component: &[PositionId], test: impl Fn(&Self, usize) -> bool) -> Vec<u32> {
        let moves = component.iter().flat_map(|&at| self.game.moves(at));
        moves
            .filter(|&index| self.outcome(index) == Status::Open && test(self, index))
            .map(|index| index as u32)
            .collect()
    }

    /// Solves a component where some moves count as won or as lost.
    fn solve_with(&mut self, component: &[PositionId], moves: &[u32], mark: Mark) -> Result<(), StopReason> {
        moves.iter().for_each(|&index| self.marks[index as usize] = mark);
        self.solve(component.to_vec())?;
        moves.iter().for_each(|&index| self.marks[index as usize] = Mark::Plain);
        Ok(())
    }

    /// Opens the positions of a component again that are decided like this, and gives them.
    fn reopened(&mut self, component: &[PositionId], status: Status) -> Vec<PositionId> {
        let chosen: Vec<PositionId> =
            component.iter().copied().filter(|at| self.status[at.index()] == status).collect();
        chosen.iter().for_each(|at| self.status[at.index()] = Status::Open);
        chosen
    }
}
