//! The lengths of shortest and longest paths between two sets of reachable states.
//!
//! With justice constraints only fair states count: those from which a fair path starts. The paths themselves are finite.
//!
//! - MIN \[f, g\] is the number of steps of a shortest path from f to g, infinite if there is none.
//! - MAX \[f, g\] is infinite if an infinite path from f avoids g. Otherwise it is the number of steps of a longest path from
//!   f that has g at its end and nowhere else. It is undefined if there is no such path: no reachable state is in f, or
//!   all paths from f end in a deadlock before g.

use super::ctl::Ctl;
use crate::explore::ExploreError;
use tertium_system::StateSet;

/// A length that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many steps.
    Finite(u64),
    /// No path is short enough, or none is the longest.
    Infinite,
    /// There is nothing to measure.
    Undefined,
}

pub(super) fn minimum(ctl: &mut Ctl<'_, '_>, f: &StateSet, g: &StateSet) -> Result<Length, ExploreError> {
    let goal = g.intersection(&ctl.fair);
    let mut reached = f.intersection(&ctl.fair);
    let mut length = 0;
    loop {
        if !reached.is_disjoint(&goal) {
            return Ok(Length::Finite(length));
        }
        let mut wider = reached.clone();
        for state in reached.iter() {
            ctl.tick(1)?;
            for edge in ctl.explored.edges(state) {
                wider.insert(edge.target);
            }
        }
        wider.intersect_with(&ctl.fair);
        if wider == reached {
            return Ok(Length::Infinite);
        }
        (reached, length) = (wider, length + 1);
    }
}

pub(super) fn maximum(ctl: &mut Ctl<'_, '_>, f: &StateSet, g: &StateSet) -> Result<Length, ExploreError> {
    let start = f.intersection(&ctl.fair);
    let avoiding = g.complement().intersection(&ctl.fair);
    if !ctl.endless(&avoiding)?.is_disjoint(&start) {
        return Ok(Length::Infinite);
    }
    // What paths from f pass before g: no cycle is left in it.
    let mut passed = start.intersection(&avoiding);
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
    let mut exactly = g.intersection(&ctl.fair);
    let mut longest = Length::Undefined;
    let mut length = 0;
    while !exactly.is_empty() {
        if !exactly.is_disjoint(&start) {
            longest = Length::Finite(length);
        }
        exactly = ctl.before(&passed, |edge| exactly.contains(edge.target))?;
        length += 1;
    }
    Ok(longest)
}
