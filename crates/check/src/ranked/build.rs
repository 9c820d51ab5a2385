//! How the game with ranks is made: from the claims that do not hold without ranks, breadth first.

use super::game::{Game, How, Move, Place, PositionId};
use crate::equations::{EquationId, Operator, Recursion};
use crate::game::Player;
use crate::necessity::{Necessity, Problem};
use rustc_hash::FxHashMap;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ConcreteId, RankChange, RankedSteps, StateId, Step};

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
