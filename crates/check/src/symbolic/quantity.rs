//! Lengths of paths: how soon, and how late, a state of one kind is followed by one of another.
//!
//! The minimum of \[f, g\] is the number of steps of a shortest path from a reachable state with f to one with g: layers from
//! the first set forwards. The maximum is that of a longest such path that has g only at its end; it is infinite if some
//! infinite path from a reachable state with f avoids g. Otherwise the steps between states without g, as far as they can
//! be reached from f, have no cycle, so a set that goes back from g step by step through them runs empty, and the last one that
//! met f counts. All paths count, fair or not, and those that end before g do not.

use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_support::{Statistics, StopReason};

/// A length of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// This many steps.
    Finite(u64),
    /// No bound. Of a minimum: there is no path.
    Infinite,
    /// There is nothing to measure: no reachable state to start from, or for a maximum no path at all, not even an infinite
    /// one.
    Undefined,
}

/// A quantity, with what it relies on.
#[derive(Clone, Debug)]
pub struct QuantityOutcome {
    /// The length.
    pub quantity: Quantity,
    /// What it relies on.
    pub assumptions: Vec<super::SymbolicAssumption>,
    /// What was counted.
    pub statistics: Statistics,
}

/// The number of steps of a shortest path from `from` to `goal`.
pub(crate) fn minimum(universe: &Universe<'_>, from: &Bdd, goal: &Bdd) -> Result<Quantity, StopReason> {
    if from.is_false() {
        return Ok(Quantity::Undefined);
    }
    let (mut seen, mut frontier) = (from.clone(), from.clone());
    let mut steps = 0;
    while !frontier.is_false() {
        if !frontier.is_disjoint(goal)? {
            return Ok(Quantity::Finite(steps));
        }
        universe.round()?;
        frontier = universe.model.relation.image(&frontier)?.diff(&seen)?;
        seen = seen.or(&frontier)?;
        steps += 1;
    }
    Ok(Quantity::Infinite)
}

/// The number of steps of a longest path from `from` to `goal` with `goal` only at its end.
pub(crate) fn maximum(universe: &Universe<'_>, from: &Bdd, goal: &Bdd) -> Result<Quantity, StopReason> {
    let outside = avoiding(universe, from, goal)?;
    let mut forever = outside.clone();
    loop {
        universe.round()?;
        if forever.is_disjoint(from)? {
            break;
        }
        let next = universe.before(&forever)?.and(&forever)?;
        if next == forever {
            return Ok(Quantity::Infinite);
        }
        forever = next;
    }
    let mut longest = Quantity::Undefined;
    let mut exactly = goal.clone();
    let mut steps = 0;
    // Paths through `outside` have no cycle: each begins at a state of `from`, and none of those goes on for ever.
    while !exactly.is_false() {
        universe.round()?;
        if !exactly.is_disjoint(from)? {
            longest = Quantity::Finite(steps);
        }
        exactly = universe.before(&exactly)?.and(&outside)?;
        steps += 1;
    }
    Ok(longest)
}

/// The states that paths from `from` come through before they meet `goal`.
fn avoiding(universe: &Universe<'_>, from: &Bdd, goal: &Bdd) -> Result<Bdd, StopReason> {
    let mut seen = from.diff(goal)?;
    let mut frontier = seen.clone();
    while !frontier.is_false() {
        universe.round()?;
        frontier = universe.model.relation.image(&frontier)?.diff(goal)?.diff(&seen)?;
        seen = seen.or(&frontier)?;
    }
    Ok(seen)
}
