//! One search with fixed predicates.
//!
//! From each state that is taken from the queue all transitions are tried, in the order of the text. A state whose key is known already is not
//! followed: the first one with the key stands for it. Whether that loses something is asked afterwards, see `exactness`.
//!
//! Cost: for each state and transition one evaluation of each predicate that counts.

use crate::{Key, Machine, Precision, Transition, TransitionId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tertium_expr::Term;
use tertium_program::{Run, RunStep, State};
use tertium_support::{Context, StopReason};

/// Which state is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    Breadth,
    /// The one that was found last.
    Depth,
}

/// A state that was found.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The state.
    pub state: State,
    /// What it is matched by.
    pub key: Key,
    /// The visit that found it, and how.
    pub parent: Option<(usize, TransitionId)>,
}

/// A step between keys, by the numbers of visits that stand for them.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// From here.
    pub source: usize,
    /// By this.
    pub transition: TransitionId,
    /// To here.
    pub target: usize,
}

/// What a round found.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// States in the order in which they were found.
    pub visits: Vec<Visit>,
    /// Those that were followed, in that order; all of them unless the goal was found.
    pub followed: Vec<usize>,
    /// The steps, in the order in which they were made.
    pub edges: Vec<Edge>,
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed; the round ended there.
    pub goal: Option<usize>,
}

impl Round {
    /// The visits from the beginning to one.
    pub fn path_to(&self, visit: usize) -> Vec<usize> {
        let mut path = vec![visit];
        while let Some((parent, _)) = &self.visits[path[path.len() - 1]].parent {
            path.push(*parent);
        }
        path.reverse();
        path
    }

    /// The run that found a visit.
    pub fn run_to(&self, machine: &Machine<'_>, visit: usize) -> Run {
        let path = self.path_to(visit);
        let steps = path[1..].iter().map(|&at| {
            let visit = &self.visits[at];
            let (_, by) = visit.parent.expect("all but the first have one");
            let Transition { command, step, inputs } = machine.transition(by).clone();
            RunStep { command, step, inputs, state: visit.state.clone() }
        });
        Run { start: self.visits[path[0]].state.clone(), steps: steps.collect() }
    }
}

/// Searches from these states. Ends when a state where the goal holds was followed.
pub fn search_once(
    context: &Context,
    machine: &Machine<'_>,
    start: &[State],
    precision: &Precision,
    goal: Option<Term>,
    order: Order,
) -> Result<Round, StopReason> {
    let mut round = Round::default();
    search_open(context, machine, start, precision, goal, order, &mut |_| Ok(Vec::new()), &mut round)?;
    Ok(round)
}

/// More successors of a state, from outside: those by steps whose inputs are chosen.
pub(crate) type Outside<'a> = dyn FnMut(&State) -> Result<Vec<(TransitionId, State)>, StopReason> + 'a;

/// The same with more successors. If it is stopped, the round has what was found until then.
#[allow(clippy::too_many_arguments, reason = "what a search is given, and what it fills")]
pub(crate) fn search_open(
    context: &Context,
    machine: &Machine<'_>,
    start: &[State],
    precision: &Precision,
    goal: Option<Term>,
    order: Order,
    outside: &mut Outside<'_>,
    round: &mut Round,
) -> Result<(), StopReason> {
    let interpreter = machine.interpreter();
    *round = Round { n_generated: start.len(), ..Round::default() };
    let mut known: FxHashMap<Key, usize> = FxHashMap::default();
    let mut waiting = VecDeque::new();
    for state in start {
        let key = precision.key(interpreter, state);
        if !known.contains_key(&key) {
            known.insert(key.clone(), round.visits.len());
            waiting.push_back(round.visits.len());
            round.visits.push(Visit { state: state.clone(), key, parent: None });
        }
    }
    let mut ticker = context.ticker("searching");
    while let Some(at) = match order {
        Order::Breadth => waiting.pop_front(),
        Order::Depth => waiting.pop_back(),
    } {
        ticker.tick(64)?;
        round.followed.push(at);
        let source = round.visits[at].state.clone();
        let fixed = machine.transitions().filter_map(|(id, own)| Some((id, machine.take(&source, own)?)));
        for (transition, state) in fixed.chain(outside(&source)?) {
            round.n_generated += 1;
            let key = precision.key(interpreter, &state);
            let target = *known.entry(key.clone()).or_insert_with(|| {
                waiting.push_back(round.visits.len());
                round.visits.push(Visit { state, key, parent: Some((at, transition)) });
                round.visits.len() - 1
            });
            round.edges.push(Edge { source: at, transition, target });
        }
        if goal.is_some_and(|goal| interpreter.holds(&round.visits[at].state, goal)) {
            round.goal = Some(at);
            break;
        }
    }
    Ok(())
}
