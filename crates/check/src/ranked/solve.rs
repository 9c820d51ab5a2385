//! Who wins the game with ranks.
//!
//! Even wins a play that never ends if its highest priority is even or some rank excludes it; this is a Rabin condition,
//! so memory does not help Even. The game is taken apart by strongly connected components, those first that the others
//! lead to. In a component, once everything has spread that is decided already:
//!
//! - if all priorities are even, Even wins by staying;
//! - if the highest priority is even, or a rank falls and nothing in the component lets it grow, then Even is content to
//!   come by for ever. Moves where that happens count as won, and the rest is solved; what is lost even so is lost, and
//!   if there is such a position, the others are solved anew;
//! - otherwise, where Even has no choice, Odd goes round the whole component and wins;
//! - otherwise, wherever Even wins at all, Even wins somewhere by never letting some rank grow or by never passing the
//!   highest priority. Each is tried: moves that do so count as lost. What is won so is won, and the rest is solved anew.
//!
//! The first three cases cost a walk through the component for each rank and priority at most. The last one can cost a
//! factor for each order of the ranks; so a bound on its work ends the attempts, and what was not tried counts as lost.
//! Lost may be wrong then, won is always right.

use super::game::{Components, Game, PositionId};
use crate::game::Player;
use tertium_support::{Context, Id, StopReason, Ticker};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    Won,
    Lost,
}

/// What a move counts as, whatever it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    Won,
    Lost,
}

/// Who wins, and how Even moves.
pub(crate) struct Solution {
    status: Vec<Status>,
    choice: Vec<u32>,
}

const NO_CHOICE: u32 = u32::MAX;

impl Solution {
    pub(crate) fn is_won(&self, at: PositionId) -> bool {
        self.status[at.index()] == Status::Won
    }

    /// The number of Even's move, where Even wins and moves.
    pub(crate) fn choice(&self, at: PositionId) -> Option<usize> {
        let choice = self.choice[at.index()];
        (self.is_won(at) && choice != NO_CHOICE).then_some(choice as usize)
    }
}

/// Solves the game.
pub(crate) fn solve(context: &Context, game: &Game) -> Result<Solution, StopReason> {
    context.reserve(40 * game.n_positions() as u64 + 16 * game.n_moves() as u64)?;
    let mut solver = Solver::new(context, game);
    solver.solve(game.positions().collect())?;
    debug_assert!(!solver.status.contains(&Status::Open), "every position is decided");
    debug_assert!(solver.marks.iter().all(|&mark| mark == Mark::Plain), "marks are taken back");
    Ok(Solution { status: solver.status, choice: solver.choice })
}

/// Where Odd can lead Even to an end, whatever the ranks: by position.
pub(crate) fn dead_ends(context: &Context, game: &Game) -> Result<Vec<bool>, StopReason> {
    let mut solver = Solver::new(context, game);
    solver.spread(&game.positions().collect::<Vec<_>>())?;
    Ok(solver.status.iter().map(|&status| status == Status::Lost).collect())
}

pub(super) struct Solver<'a> {
    pub(super) game: &'a Game,
    ticker: Ticker<'a>,
    /// The moves into each position, in rows, and where each move starts.
    into: Vec<u32>,
    first_into: Vec<u32>,
    pub(super) source: Vec<PositionId>,
    pub(super) status: Vec<Status>,
    pub(super) marks: Vec<Mark>,
    pub(super) choice: Vec<u32>,
    /// Of a position of the region at hand: how many of its moves are open.
    left: Vec<u32>,
    /// The last region that a position was in.
    region: Vec<u32>,
    n_regions: u32,
    search: Components,
    pub(super) work: u64,
}

impl<'a> Solver<'a> {
    fn new(context: &'a Context, game: &'a Game) -> Self {
        let n = game.n_positions();
        let mut source = vec![PositionId::from_raw(0); game.n_moves()];
        let mut first_into = vec![0u32; n + 1];
        for at in game.positions() {
            for index in game.moves(at) {
                source[index] = at;
                first_into[game.move_at(index).to.index() + 1] += 1;
            }
        }
        for at in 0..n {
            first_into[at + 1] += first_into[at];
        }
        let mut next = first_into.clone();
        let mut into = vec![0u32; game.n_moves()];
        for index in 0..game.n_moves() {
            let place = &mut next[game.move_at(index).to.index()];
            into[*place as usize] = index as u32;
            *place += 1;
        }
        Self {
            game,
            ticker: context.ticker("looking at ranks"),
            into,
            first_into,
            source,
            status: vec![Status::Open; n],
            marks: vec![Mark::Plain; game.n_moves()],
            choice: vec![NO_CHOICE; n],
            left: vec![0; n],
            region: vec![0; n],
            n_regions: 0,
            search: Components::new(game),
            work: 0,
        }
    }

    /// Decides these positions. Their moves lead among them, or to what is decided.
    pub(super) fn solve(&mut self, region: Vec<PositionId>) -> Result<(), StopReason> {
        let mut waiting = vec![region];
        while let Some(mut region) = waiting.pop() {
            self.spread(&region)?;
            region.retain(|at| self.status[at.index()] == Status::Open);
            if region.is_empty() {
                continue;
            }
            let mut components = self.components(&region)?;
            match components.len() {
                1 => self.solve_component(components.remove(0), &mut waiting)?,
                _ => waiting.extend(components.into_iter().rev()),
            }
        }
        Ok(())
    }

    pub(super) fn spend(&mut self, work: usize) -> Result<(), StopReason> {
        self.work += work as u64;
        self.ticker.tick(work)
    }

    /// What a move comes to.
    pub(super) fn outcome(&self, index: usize) -> Status {
        match self.marks[index] {
            Mark::Plain => self.status[self.game.move_at(index).to.index()],
            Mark::Won => Status::Won,
            Mark::Lost => Status::Lost,
        }
    }

    /// Decides what follows from what is decided.
    fn spread(&mut self, region: &[PositionId]) -> Result<(), StopReason> {
        self.n_regions += 1;
        let mut decided: Vec<(PositionId, Status)> = Vec::new();
        for &at in region {
            debug_assert_eq!(self.status[at.index()], Status::Open, "what is decided stays so");
            self.region[at.index()] = self.n_regions;
            self.spend(1 + self.game.moves(at).len())?;
            let (mut left, mut found) = (0, Status::Open);
            for index in self.game.moves(at) {
                match self.outcome(index) {
                    Status::Open => left += 1,
                    outcome if found == Status::Open => found = self.arrive(at, index, outcome),
                    _ => {}
                }
            }
            self.left[at.index()] = left;
            if found == Status::Open && left == 0 {
                found = self.stuck(at);
            }
            if found != Status::Open {
                decided.push((at, found));
            }
        }
        // Not before: what was counted as open is counted down once.
        decided.iter().for_each(|&(at, status)| self.status[at.index()] = status);
        while let Some((at, outcome)) = decided.pop() {
            let row = self.first_into[at.index()] as usize..self.first_into[at.index() + 1] as usize;
            self.spend(row.len())?;
            for place in row {
                let index = self.into[place] as usize;
                let source = self.source[index];
                if self.marks[index] != Mark::Plain
                    || self.region[source.index()] != self.n_regions
                    || self.status[source.index()] != Status::Open
                {
                    continue;
                }
                self.left[source.index()] -= 1;
                let mut found = self.arrive(source, index, outcome);
                if found == Status::Open && self.left[source.index()] == 0 {
                    found = self.stuck(source);
                }
                if found != Status::Open {
                    self.status[source.index()] = found;
                    decided.push((source, found));
                }
            }
        }
        Ok(())
    }

    /// What it means for the owner of `at` that a move comes to something: enough if it is what the owner wants.
    fn arrive(&mut self, at: PositionId, index: usize, outcome: Status) -> Status {
        match (self.game.owner(at), outcome) {
            (Player::Even, Status::Won) => {
                self.choice[at.index()] = index as u32;
                Status::Won
            }
            (Player::Odd, Status::Lost) => Status::Lost,
            _ => Status::Open,
        }
    }

    /// Who loses if no move is what the owner wants.
    fn stuck(&self, at: PositionId) -> Status {
        match self.game.owner(at) {
            Player::Even => Status::Lost,
            Player::Odd => Status::Won,
        }
    }

    /// The strongly connected components of open positions, by moves without a mark.
    fn components(&mut self, region: &[PositionId]) -> Result<Vec<Vec<PositionId>>, StopReason> {
        self.spend(region.iter().map(|&at| 1 + self.game.moves(at).len()).sum())?;
        let (status, marks) = (&self.status, &self.marks);
        Ok(self.search.of(self.game, region, |index| {
            marks[index] == Mark::Plain && status[self.game.move_at(index).to.index()] == Status::Open
        }))
    }
}
