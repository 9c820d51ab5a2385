//! A round straight from its definition, on states as the interpreter has them: what rounds on packed states are compared with.

use crate::{Edge, Key, Machine, Order, Precision, TransitionId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tertium_expr::Term;
use tertium_program::State;

/// A state that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveVisit {
    /// The state.
    pub state: State,
    /// What it is matched by.
    pub key: Key,
    /// The visit that found it, and how.
    pub parent: Option<(usize, TransitionId)>,
}

/// What a round found, as in [`Round`](crate::Round).
#[derive(Clone, Debug, Default)]
pub struct NaiveRound {
    /// States in the order in which they were found.
    pub visits: Vec<NaiveVisit>,
    /// Those that were followed, in that order.
    pub followed: Vec<usize>,
    /// The steps, in the order in which they were made.
    pub edges: Vec<Edge>,
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed.
    pub goal: Option<usize>,
}

/// Searches as [`search_once`](crate::search_once) does with predicates.
pub fn search_naively(
    machine: &Machine<'_>,
    start: &[State],
    precision: &Precision,
    goal: Option<Term>,
    order: Order,
) -> NaiveRound {
    let interpreter = machine.interpreter();
    let mut round = NaiveRound { n_generated: start.len(), ..NaiveRound::default() };
    let mut known: FxHashMap<Key, usize> = FxHashMap::default();
    let mut waiting = VecDeque::new();
    for state in start {
        let key = precision.key(interpreter, state);
        if !known.contains_key(&key) {
            known.insert(key.clone(), round.visits.len());
            waiting.push_back(round.visits.len());
            round.visits.push(NaiveVisit { state: state.clone(), key, parent: None });
        }
    }
    while let Some(at) = match order {
        Order::Breadth => waiting.pop_front(),
        Order::Depth => waiting.pop_back(),
    } {
        round.followed.push(at);
        for (transition, own) in machine.transitions() {
            let Some(state) = machine.take(&round.visits[at].state, own) else { continue };
            round.n_generated += 1;
            let key = precision.key(interpreter, &state);
            let target = *known.entry(key.clone()).or_insert_with(|| {
                waiting.push_back(round.visits.len());
                round.visits.push(NaiveVisit { state, key, parent: Some((at, transition)) });
                round.visits.len() - 1
            });
            round.edges.push(Edge { source: at, transition, target });
        }
        if goal.is_some_and(|goal| interpreter.holds(&round.visits[at].state, goal)) {
            round.goal = Some(at);
            break;
        }
    }
    round
}
