//! The game of formula and system with ranks, as far as it is not decided without them; its moves are stored.
//!
//! Even, the prover, moves at disjunctions and diamonds, Odd at conjunctions and boxes. A hyper-must is a position of its
//! own, where Odd picks the target, and so is a concrete state under a cover, where Even picks a state that stands for it.
//! Moves to claims that hold without ranks are left out: Even would have won there. A player who cannot move loses.

use crate::equations::{EquationId, Operator, Recursion};
use crate::game::Player;
use crate::necessity::{Necessity, Problem};
use rustc_hash::FxHashMap;
use tertium_support::{ComponentSearch, Context, Id, StopReason, define_id};
use tertium_system::{ActionId, ConcreteId, RankChange, RankedSteps, StateId, Step};

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
    change: u32,
}

pub(crate) struct Game {
    places: Vec<Place>,
    owners: Vec<Player>,
    priorities: Vec<u32>,
    /// Where the moves of a position begin; one more for the end.
    first: Vec<u32>,
    moves: Vec<Move>,
    changes: Vec<RankChange>,
    /// The first `starts` positions are the roots at the states asked for.
    starts: usize,
    alternates: bool,
}

impl Game {
    /// The game of what the root at `starts` depends on.
    pub(crate) fn new(
        context: &Context,
        problem: &Problem<'_>,
        necessity: &Necessity,
        starts: &[StateId],
    ) -> Result<Self, StopReason> {
        let ranks = problem.prepared.ranks().map(|ranks| &**ranks);
        let nothing = RankedSteps::default();
        let components = problem.equations.components();
        let alternates = components.iter().any(|(_, recursion)| *recursion == Recursion::Alternating);
        let builder = Builder {
            problem,
            necessity,
            ranks: ranks.unwrap_or(&nothing),
            known: vec![Vec::new(); problem.equations.len()],
            hyper: FxHashMap::default(),
            concrete: FxHashMap::default(),
            changes: FxHashMap::default(),
            game: Self {
                places: Vec::new(),
                owners: Vec::new(),
                priorities: Vec::new(),
                first: Vec::new(),
                moves: Vec::new(),
                changes: vec![RankChange::NONE],
                starts: starts.len(),
                alternates,
            },
        };
        builder.build(context, starts)
    }

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

struct Builder<'a> {
    problem: &'a Problem<'a>,
    necessity: &'a Necessity,
    ranks: &'a RankedSteps,
    /// By equation and state: the position, or `u32::MAX`.
    known: Vec<Vec<u32>>,
    hyper: FxHashMap<(EquationId, usize), PositionId>,
    concrete: FxHashMap<(EquationId, ConcreteId), PositionId>,
    changes: FxHashMap<RankChange, u32>,
    game: Game,
}

impl Builder<'_> {
    fn build(mut self, context: &Context, starts: &[StateId]) -> Result<Game, StopReason> {
        let mut ticker = context.ticker("looking at ranks");
        let root = self.problem.equations.root();
        for &state in starts {
            self.claim(root, state);
        }
        debug_assert_eq!(
            self.game.places.len(),
            starts.len(),
            "the root is open at each of the states, once"
        );
        let mut at = 0;
        while at < self.game.places.len() {
            let before = self.game.moves.len();
            self.game.first.push(u32::try_from(before).map_err(|_| StopReason::MemoryLimit)?);
            self.moves_of(PositionId::new(at));
            at += 1;
            ticker.tick(1 + self.game.moves.len() - before)?;
            if at.is_multiple_of(1 << 16) {
                context.reserve(32 * (self.game.moves.len() + at) as u64)?;
            }
        }
        let end = u32::try_from(self.game.moves.len()).map_err(|_| StopReason::MemoryLimit)?;
        self.game.first.push(end);
        Ok(self.game)
    }

    fn place(&mut self, place: Place, owner: Player, priority: u32) -> PositionId {
        let id = PositionId::new(self.game.places.len());
        self.game.places.push(place);
        self.game.owners.push(owner);
        self.game.priorities.push(priority);
        id
    }

    /// The position of a claim that does not hold without ranks.
    fn claim(&mut self, id: EquationId, state: StateId) -> PositionId {
        let n_states = self.problem.system().n_states();
        let row = &mut self.known[id.index()];
        if row.is_empty() {
            row.resize(n_states, u32::MAX);
        }
        if row[state.index()] != u32::MAX {
            return PositionId::from_raw(row[state.index()]);
        }
        row[state.index()] = u32::try_from(self.game.places.len()).expect("positions fit in 32 bits");
        let operator = self.problem.equations.operator(id);
        let owner = match operator {
            Operator::And(_) | Operator::Box(..) | Operator::Cover(_) => Player::Odd,
            _ => Player::Even,
        };
        self.place(Place::Claim(id, state), owner, operator.priority())
    }

    fn holds(&self, id: EquationId, state: StateId) -> bool {
        self.necessity.holds[id.index()].contains(state)
    }

    fn add(&mut self, to: PositionId, how: How, change: RankChange) {
        let change = if change == RankChange::NONE {
            0
        } else {
            let next = self.game.changes.len() as u32;
            let place = *self.changes.entry(change).or_insert(next);
            if place == next {
                self.game.changes.push(change);
            }
            place
        };
        self.game.moves.push(Move { to, how, change });
    }

    fn stay(&mut self, id: EquationId, state: StateId) {
        if !self.holds(id, state) {
            let to = self.claim(id, state);
            self.add(to, How::Staying, RankChange::NONE);
        }
    }

    fn step(&mut self, body: EquationId, (source, action, target): Step) {
        if !self.holds(body, target) {
            let change = self.ranks.of(source, action, target);
            let to = self.claim(body, target);
            self.add(to, How::Step(action), change);
        }
    }

    fn moves_of(&mut self, at: PositionId) {
        let problem = self.problem;
        match self.game.place(at) {
            Place::Claim(id, state) => self.moves_of_claim(id, state),
            Place::Hyper(id, must) => {
                let body = problem.equations.operator(id).operands()[0];
                let source = problem.prepared.hyper.source[must];
                let (action, targets) = problem.system().hyper_musts().at(must);
                targets.iter().for_each(|&target| self.step(body, (source, action, target)));
            }
            Place::Concrete(id, concrete) => {
                let body = problem.equations.operator(id).operands()[0];
                problem.domain().abstractions(concrete).for_each(|state| self.stay(body, state));
            }
        }
    }

    fn moves_of_claim(&mut self, id: EquationId, state: StateId) {
        let problem = self.problem;
        let system = problem.system();
        match problem.equations.operator(id) {
            Operator::Constant(_) | Operator::Literal { .. } => {}
            Operator::And(operands) | Operator::Or(operands) => {
                operands.iter().for_each(|&operand| self.stay(operand, state));
            }
            Operator::Fixpoint { body, .. } => self.stay(*body, state),
            Operator::Diamond(set, body) => {
                let actions = problem.equations.actions(*set);
                for (action, target) in system.must(state).filter(|(action, _)| actions.contains(*action)) {
                    self.step(*body, (state, action, target));
                }
                for must in system.hyper_musts().range(state) {
                    if actions.contains(system.hyper_musts().at(must).0) {
                        let to = self.hyper(id, must);
                        self.add(to, How::Staying, RankChange::NONE);
                    }
                }
            }
            Operator::Box(set, body) => {
                let actions = problem.equations.actions(*set);
                for (action, target) in system.may(state).filter(|(action, _)| actions.contains(*action)) {
                    self.step(*body, (state, action, target));
                }
            }
            Operator::Cover(body) => {
                for concrete in problem.domain().gamma(state).iter() {
                    let mut above = problem.domain().abstractions(concrete);
                    if !above.any(|state| self.holds(*body, state)) {
                        let to = self.concrete(id, concrete);
                        self.add(to, How::Staying, RankChange::NONE);
                    }
                }
            }
        }
    }

    fn hyper(&mut self, id: EquationId, must: usize) -> PositionId {
        if let Some(&known) = self.hyper.get(&(id, must)) {
            return known;
        }
        let new = self.place(Place::Hyper(id, must), Player::Odd, 0);
        self.hyper.insert((id, must), new);
        new
    }

    fn concrete(&mut self, id: EquationId, concrete: ConcreteId) -> PositionId {
        if let Some(&known) = self.concrete.get(&(id, concrete)) {
            return known;
        }
        let new = self.place(Place::Concrete(id, concrete), Player::Even, 0);
        self.concrete.insert((id, concrete), new);
        new
    }
}
