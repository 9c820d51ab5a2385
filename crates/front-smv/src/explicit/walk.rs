//! Shortest paths between explored states.

use crate::explore::{Explored, ExploredEdge};
use crate::validate::Trace;
use std::collections::VecDeque;
use tertium_support::Id;
use tertium_system::{StateId, StateSet};

/// A shortest path from one of these states to the goal; all states before its end are in `through`.
pub(super) fn shortest(
    explored: &Explored,
    from: impl Iterator<Item = StateId>,
    through: &StateSet,
    goal: &StateSet,
) -> Option<Trace> {
    let mut before: Vec<Option<(StateId, ExploredEdge)>> = vec![None; explored.n_states()];
    let mut seen = StateSet::empty(explored.n_states());
    let mut waiting: VecDeque<StateId> = from.filter(|&state| seen.insert(state)).collect();
    while let Some(state) = waiting.pop_front() {
        if goal.contains(state) {
            return Some(back(explored, &before, state));
        }
        if !through.contains(state) {
            continue;
        }
        for edge in explored.edges(state) {
            if seen.insert(edge.target) {
                before[edge.target.index()] = Some((state, *edge));
                waiting.push_back(edge.target);
            }
        }
    }
    None
}

/// The path that led to a state.
fn back(explored: &Explored, before: &[Option<(StateId, ExploredEdge)>], end: StateId) -> Trace {
    let mut states = vec![explored.state(end)];
    let mut inputs = Vec::new();
    let mut at = end;
    while let Some((source, edge)) = before[at.index()] {
        inputs.push(explored.input(edge.input).clone());
        states.push(explored.state(source));
        at = source;
    }
    states.reverse();
    inputs.reverse();
    Trace { states, steps: inputs, loop_start: None }
}
