//! Shortest paths between listed states.

use super::GraphTrace;
use std::collections::VecDeque;
use tertium_support::Id;
use tertium_system::{StateGraph, StateId, StateSet, StepId};

/// A shortest path from one of these states to the goal; all states before its end are in `through`.
pub(super) fn shortest<G: StateGraph>(
    graph: &G,
    from: &StateSet,
    through: &StateSet,
    goal: &StateSet,
) -> Option<GraphTrace> {
    if goal.is_empty() {
        return None;
    }
    let mut seen = from.clone();
    let mut before: Vec<Option<(StateId, StepId)>> = vec![None; graph.n_states()];
    let mut waiting: VecDeque<StateId> = from.iter().collect();
    while let Some(state) = waiting.pop_front() {
        if goal.contains(state) {
            let path = back(&before, state);
            debug_assert!(from.contains(path.states[0]), "the path begins where it may");
            debug_assert!(
                path.states[..path.steps.len()].iter().all(|&passed| through.contains(passed)),
                "the path passes allowed states only"
            );
            return Some(path);
        }
        if !through.contains(state) {
            continue;
        }
        for step in graph.steps(state) {
            if let Some(target) = graph.step(step).1
                && seen.insert(target)
            {
                before[target.index()] = Some((state, StepId::new(step)));
                waiting.push_back(target);
            }
        }
    }
    None
}

/// The path that led to a state.
fn back(before: &[Option<(StateId, StepId)>], end: StateId) -> GraphTrace {
    let (mut states, mut steps) = (vec![end], Vec::new());
    let mut at = end;
    while let Some((source, step)) = before[at.index()] {
        steps.push(step);
        states.push(source);
        at = source;
    }
    states.reverse();
    steps.reverse();
    GraphTrace { states, steps, loop_start: None }
}
