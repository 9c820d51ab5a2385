//! The lengths of shortest and longest paths between two sets of reachable states. All paths count, fair or not.
//!
//! - MIN \[f, g\] is the number of steps of a shortest path from f to g, infinite if there is none.
//! - MAX \[f, g\] is infinite if an infinite path from f avoids g. Otherwise it is the number of steps of a longest path
//!   from f that has g at its end and nowhere else.
//!
//! Either is undefined if no reachable state is in f; the second also if all paths from f end in deadlocks before g.
//!
//! Cost: linear in the steps.

use super::FairError;
use super::ctl::{Ctl, Side};
use tertium_support::Id;
use tertium_system::{StateGraph, StateId, StateSet};

/// A length that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many steps.
    Finite(u64),
    /// No bound. Of a minimum: there is no path.
    Infinite,
    /// There is nothing to measure.
    Undefined,
}

pub(super) fn minimum<G: StateGraph>(
    ctl: &mut Ctl<'_, '_, G>,
    f: &StateSet,
    g: &StateSet,
) -> Result<Length, FairError> {
    if f.is_empty() {
        return Ok(Length::Undefined);
    }
    let mut reached = f.clone();
    let mut level: Vec<StateId> = f.iter().collect();
    let mut length = 0;
    while !level.is_empty() {
        if level.iter().any(|&state| g.contains(state)) {
            return Ok(Length::Finite(length));
        }
        let mut next = Vec::new();
        for state in level {
            let steps = ctl.graph.steps(state);
            ctl.tick(1 + steps.len())?;
            next.extend(
                steps.filter_map(|step| ctl.graph.step(step).1).filter(|&target| reached.insert(target)),
            );
        }
        (level, length) = (next, length + 1);
    }
    Ok(Length::Infinite)
}

pub(super) fn maximum<G: StateGraph>(
    ctl: &mut Ctl<'_, '_, G>,
    f: &StateSet,
    g: &StateSet,
) -> Result<Length, FairError> {
    let avoiding = g.complement();
    if !ctl.endless(&avoiding, Side::Surely)?.is_disjoint(f) {
        return Ok(Length::Infinite);
    }
    // What paths from f pass before g: no cycle is left in it.
    let mut passed = f.intersection(&avoiding);
    let mut waiting: Vec<StateId> = passed.iter().collect();
    // How many steps each state has to others that are passed; several to one target count once.
    let mut left = vec![0_u32; ctl.graph.n_states()];
    while let Some(state) = waiting.pop() {
        let steps = ctl.graph.steps(state);
        ctl.tick(1 + steps.len())?;
        for target in steps.filter_map(|step| ctl.graph.step(step).1) {
            if avoiding.contains(target) && passed.insert(target) {
                waiting.push(target);
            }
        }
    }
    for state in passed.iter() {
        ctl.predecessors(state).iter().for_each(|before| left[before.index()] += 1);
    }
    // From the ends backwards: the longest way to g from each state, if there is one.
    let mut longest: Vec<Option<u64>> = vec![None; ctl.graph.n_states()];
    g.iter().for_each(|state| longest[state.index()] = Some(0));
    let mut ready: Vec<StateId> = passed.iter().filter(|state| left[state.index()] == 0).collect();
    let mut n_settled = 0;
    while let Some(state) = ready.pop() {
        n_settled += 1;
        let steps = ctl.graph.steps(state);
        ctl.tick(1 + steps.len())?;
        let after = steps.filter_map(|step| longest[ctl.graph.step(step).1?.index()]).max();
        longest[state.index()] = after.map(|length| length + 1);
        for &before in ctl.predecessors(state) {
            left[before.index()] -= 1;
            if left[before.index()] == 0 && passed.contains(before) {
                ready.push(before);
            }
        }
    }
    debug_assert_eq!(n_settled, passed.count(), "no cycle is left");
    let lengths = f.iter().filter_map(|state| longest[state.index()]);
    Ok(lengths.max().map_or(Length::Undefined, Length::Finite))
}
