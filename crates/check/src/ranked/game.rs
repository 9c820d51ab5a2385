//! The game of formula and system with ranks, as far as it is not decided without them; its moves are stored.
//!
//! Even, the prover, moves at disjunctions and diamonds, Odd at conjunctions and boxes. A hyper-must is a position of its
//! own, where Odd picks the target, and so is a concrete state under a cover, where Even picks a state that stands for it.
//! Moves to claims that hold without ranks are left out: Even would have won there. A player who cannot move loses.

use crate::equations::EquationId;
use crate::game::Player;
use tertium_support::{ComponentSearch, Id, define_id};
use tertium_system::{ActionId, ConcreteId, RankChange, StateId};

define_id!(
    /// A position of the game.
    PositionId
);

/// What a position stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// An equation at a state.
    Claim(EquationId, StateId),
    /// The hyper-must at this place of the system's, taken by a diamond.
    Hyper(EquationId, usize),
    /// A concrete state under a cover.
    Concrete(EquationId, ConcreteId),
}

/// What a move does besides leading on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// It keeps the concrete state.
    Staying,
    /// A step with this action.
    Step(ActionId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: PositionId,
    pub(crate) how: How,
    /// The place of what it does to ranks, among the changes that occur.
    pub(super) change: u32,
}

pub(crate) struct Game {
    pub(super) places: Vec<Place>,
    pub(super) owners: Vec<Player>,
    pub(super) priorities: Vec<u32>,
    /// Where the moves of a position begin; one more for the end.
    pub(super) first: Vec<u32>,
    pub(super) moves: Vec<Move>,
    pub(super) changes: Vec<RankChange>,
    /// The first `starts` positions are the roots at the states asked for.
    pub(super) starts: usize,
    pub(super) alternates: bool,
}

impl Game {
    pub(crate) fn n_positions(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = PositionId> + use<> {
        PositionId::first(self.places.len())
    }

    /// The roots at the states asked for.
    pub(crate) fn starts(&self) -> impl Iterator<Item = PositionId> + use<> {
        PositionId::first(self.starts)
    }

    pub(crate) fn n_moves(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn place(&self, at: PositionId) -> Place {
        self.places[at.index()]
    }

    pub(crate) fn owner(&self, at: PositionId) -> Player {
        self.owners[at.index()]
    }

    pub(crate) fn priority(&self, at: PositionId) -> u32 {
        self.priorities[at.index()]
    }

    /// Whether priorities of both parities may meet on a cycle.
    pub(crate) fn alternates(&self) -> bool {
        self.alternates
    }

    /// The numbers of the moves of a position.
    pub(crate) fn moves(&self, at: PositionId) -> std::ops::Range<usize> {
        self.first[at.index()] as usize..self.first[at.index() + 1] as usize
    }

    pub(crate) fn move_at(&self, index: usize) -> Move {
        self.moves[index]
    }

    /// What a move does to the ranks.
    pub(crate) fn change(&self, index: usize) -> RankChange {
        self.changes[self.moves[index].change as usize]
    }
}

/// Strongly connected components of parts of a game; its arrays are kept between searches.
pub(crate) struct Components {
    search: ComponentSearch<PositionId>,
    /// By position: the number of its row in the search at hand.
    number: Vec<u32>,
}

impl Components {
    pub(crate) fn new(game: &Game) -> Self {
        let n = game.n_positions();
        Self { search: ComponentSearch::new(n), number: vec![0; n] }
    }

    /// The components of a region by moves that satisfy `test`, all of which lead into the region. Each comes after those that
    /// it leads to.
    pub(crate) fn of(
        &mut self,
        game: &Game,
        region: &[PositionId],
        test: impl Fn(usize) -> bool,
    ) -> Vec<Vec<PositionId>> {
        let mut targets: Vec<PositionId> = Vec::new();
        let mut rows: Vec<(usize, usize)> = Vec::with_capacity(region.len());
        for (number, &at) in region.iter().enumerate() {
            let start = targets.len();
            targets.extend(game.moves(at).filter(|&index| test(index)).map(|index| game.move_at(index).to));
            rows.push((start, targets.len()));
            self.number[at.index()] = number as u32;
        }
        let number = &self.number;
        let row = |at: PositionId| {
            let (start, end) = rows[number[at.index()] as usize];
            &targets[start..end]
        };
        self.search.components(region, row, |_| true)
    }
}
