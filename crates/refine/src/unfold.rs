//! Concrete states along a strategy on an abstract system.
//!
//! A claim about an abstract state is one about each concrete state that it stands for, and a must step is one that
//! each of them can take. So the strategy can be followed from a concrete state: at a diamond some step of the program
//! leads to a supporting claim, at a box all do. If few states come up on the way, they carry the whole evidence, in
//! the user's own values. If ever new ones do, only the abstract strategy is finite.
//!
//! Nothing is believed here: the states that are found are checked again by themselves, as a system of the program that
//! is cut off around them.
//!
//! Cost: one run of the interpreter for each state and claim about it.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tertium_abstraction::{AbstractState, AbstractSystem, TriState};
use tertium_evidence::{By, Move, PositionId, Strategy};
use tertium_logic::Node;
use tertium_program::{Interpreter, Program, State, Successor, initial_states, state_of};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Id, StopReason};
use tertium_system::StateId;

/// Whose claims are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// One initial state where the strategy begins: enough to refute.
    One,
    /// All initial states of the program: needed to prove.
    All,
}

/// Concrete states that a strategy leads through.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The states; the first ones are initial.
    pub states: Vec<State>,
    /// How many of them are initial.
    pub n_initial: usize,
}

/// Whether a strategy claims something of all steps of some state: then what it proves is no matter of single runs.
pub fn has_boxes(strategy: &Strategy) -> bool {
    let mut positions = PositionId::first(strategy.n_positions());
    positions.any(|position| matches!(strategy.node(position), Node::Box(..)))
}

/// Follows a strategy through at most `most` states. Nothing if there are more, if an input has too many values to try,
/// or if the solver does not give an initial state.
pub fn unfold(
    context: &Context,
    program: &Program,
    found: &AbstractSystem<TriState>,
    strategy: &Strategy,
    from: From,
    most: usize,
) -> Result<Option<Unfolding>, StopReason> {
    let follower = Follower { interpreter: Interpreter::new(program), found, strategy };
    let Some(begin) = follower.begin(context, from, most)? else { return Ok(None) };
    let mut unfolding = Unfolding { states: Vec::new(), n_initial: begin.len() };
    let mut known: FxHashSet<State> = FxHashSet::default();
    let mut claimed: FxHashSet<(State, PositionId)> = FxHashSet::default();
    let mut queue = VecDeque::new();
    for (state, position) in begin {
        claimed.insert((state.clone(), position));
        queue.push_back((state, position));
    }
    let mut ticker = context.ticker("following the strategy");
    while let Some((state, position)) = queue.pop_front() {
        ticker.tick(64)?;
        if known.insert(state.clone()) {
            unfolding.states.push(state.clone());
        }
        if known.len() > most {
            return Ok(None);
        }
        let Some(support) = follower.support(&state, position, &claimed) else { return Ok(None) };
        queue.extend(support.into_iter().filter(|claim| claimed.insert(claim.clone())));
    }
    debug_assert_eq!(known.len(), unfolding.states.len(), "every state is listed once");
    debug_assert!(unfolding.n_initial <= unfolding.states.len(), "initial states are among those listed");
    debug_assert!(
        unfolding.states.iter().take(unfolding.n_initial).all(|state| follower.interpreter.is_initial(state)),
        "the first states are initial"
    );
    Ok(Some(unfolding))
}

struct Follower<'a> {
    interpreter: Interpreter<'a>,
    found: &'a AbstractSystem<TriState>,
    strategy: &'a Strategy,
}

impl Follower<'_> {
    /// The initial states with what is claimed of them.
    fn begin(
        &self,
        context: &Context,
        from: From,
        most: usize,
    ) -> Result<Option<Vec<(State, PositionId)>>, StopReason> {
        let program = self.interpreter.program();
        let root = |id: StateId| {
            let mut roots = self.strategy.roots().iter().copied();
            roots.find(|&position| self.strategy.position(position).state == id)
        };
        if from == From::All {
            let all = initial_states(context, program, most)?;
            let claim = |state: State| {
                let mut begins = self.found.system.initial().iter().copied();
                let position = root(begins.find(|&id| self.stands_for(id, &state))?)?;
                Some((state, position))
            };
            return Ok(if all.complete { all.states.into_iter().map(claim).collect() } else { None });
        }
        let terms = &program.terms;
        let mut prover = Prover::new(Z3::new());
        Ok(self.found.inhabited.iter().find_map(|&id| {
            let position = root(id)?;
            let here = self.found.states[id.index()].term(program, &self.found.precision);
            let (_, model) = prover.find(context, terms, [program.initial, here]);
            let state = state_of(program, &model?);
            let fits = self.interpreter.is_initial(&state) && self.stands_for(id, &state);
            fits.then_some(vec![(state, position)])
        }))
    }

    fn stands_for(&self, id: StateId, state: &State) -> bool {
        let own = AbstractState::of(&self.interpreter, &self.found.precision, state);
        own.is_some_and(|own| self.found.states[id.index()].covers(&own))
    }

    /// The claims that support one.
    fn support(
        &self,
        state: &State,
        position: PositionId,
        claimed: &FxHashSet<(State, PositionId)>,
    ) -> Option<Vec<(State, PositionId)>> {
        let moves = self.strategy.moves(position);
        match self.strategy.node(position) {
            Node::Box(actions, _) => {
                let actions = &self.strategy.formula().actions()[*actions];
                let successors = self.interpreter.successors(state).ok()?;
                let name = |successor: &Successor| {
                    &self.interpreter.program().commands()[successor.command.index()].action
                };
                let meant = successors.into_iter().filter(|successor| actions.contains(name(successor)));
                meant.map(|successor| self.claim_of(moves, successor)).collect()
            }
            Node::Diamond(..) => {
                let successors = self.interpreter.successors(state).ok()?;
                let mut claims = successors.into_iter().filter_map(|next| self.claim_of(moves, next));
                let first = claims.next()?;
                if claimed.contains(&first) {
                    return Some(Vec::new());
                }
                // One that is known already closes a loop.
                let again = claims.find(|claim| claimed.contains(claim));
                Some(vec![again.unwrap_or(first)])
            }
            _ => {
                let unfolding = |step: &Move| (step.by == By::Unfolding).then(|| (state.clone(), step.to));
                moves.iter().map(unfolding).collect()
            }
        }
    }

    /// The claim about a successor, if a step of the strategy leads to it.
    fn claim_of(&self, moves: &[Move], successor: Successor) -> Option<(State, PositionId)> {
        let action = &self.interpreter.program().commands()[successor.command.index()].action;
        let fits = |step: &&Move| {
            let same = |by| matches!(by, By::Step(own) if self.found.system.actions().name(own) == action);
            same(step.by) && self.stands_for(self.strategy.position(step.to).state, &successor.state)
        };
        let to = moves.iter().find(fits)?.to;
        Some((successor.state, to))
    }
}
