//! The lengths of shortest and longest paths between two sets of reachable states. All paths count, fair or not.
//!
//! - MIN \[f, g\] is the number of steps of a shortest path from f to g, infinite if there is none.
//! - MAX \[f, g\] is infinite if an infinite path from f avoids g. Otherwise it is the number of steps of a longest path from
//!   f that has g at its end and nowhere else.
//!
//! Either is undefined if no reachable state is in f; the second also if all paths from f end in deadlocks before g.

use super::ctl::Ctl;
use crate::explore::ExploreError;
use tertium_system::StateSet;

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

pub(super) fn minimum(ctl: &mut Ctl<'_, '_>, f: &StateSet, g: &StateSet) -> Result<Length, ExploreError> {
    if f.is_empty() {
        return Ok(Length::Undefined);
    }
    let mut reached = f.clone();
    let mut length = 0;
    loop {
        if !reached.is_disjoint(g) {
            return Ok(Length::Finite(length));
        }
        let mut wider = reached.clone();
        for state in reached.iter() {
            ctl.tick(1)?;
            for edge in ctl.explored.edges(state) {
                wider.insert(edge.target);
            }
        }
        if wider == reached {
            return Ok(Length::Infinite);
        }
        (reached, length) = (wider, length + 1);
    }
}

pub(super) fn maximum(ctl: &mut Ctl<'_, '_>, f: &StateSet, g: &StateSet) -> Result<Length, ExploreError> {
    let avoiding = g.complement();
    if !ctl.endless(&avoiding)?.is_disjoint(f) {
        return Ok(Length::Infinite);
    }
    // What paths from f pass before g: no cycle is left in it.
    let mut passed = f.intersection(&avoiding);
    let mut waiting: Vec<_> = passed.iter().collect();
    while let Some(state) = waiting.pop() {
        ctl.tick(1)?;
        for edge in ctl.explored.edges(state) {
            if avoiding.contains(edge.target) && passed.insert(edge.target) {
                waiting.push(edge.target);
            }
        }
    }
    // The states from which g is reached in exactly `length` steps, and not before.
    let mut exactly = g.clone();
    let mut longest = Length::Undefined;
    let mut length = 0;
    while !exactly.is_empty() {
        if !exactly.is_disjoint(f) {
            longest = Length::Finite(length);
        }
        exactly = ctl.before(&passed, |edge| exactly.contains(edge.target))?;
        length += 1;
    }
    Ok(longest)
}
