//! Paths and lassos: strategies that a person can follow with a finger.
//!
//! A strategy is a trace if from its root on there is never more than one way on: every diamond takes a single must,
//! no box has anything to show, and of the operands of a conjunction at most one makes a step. The trace ends where
//! nothing is left to show (a path) or comes back to a claim it made before (a lasso).

use crate::strategy::{By, PositionId, Strategy};
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_logic::Node;
use tertium_system::{ActionId, StateId};

/// A sequence of states, with the action that leads to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The first state.
    pub start: StateId,
    /// The steps: action and target.
    pub steps: Vec<(ActionId, StateId)>,
    /// For a lasso: after the last step the trace goes on as it did after this many steps.
    pub loop_start: Option<usize>,
}

impl Trace {
    /// The states of the trace, in order.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        std::iter::once(self.start).chain(self.steps.iter().map(|&(_, state)| state))
    }
}

/// The strategy as a trace, if it is one. Strategies without any step are paths of length 0.
pub fn as_trace(strategy: &Strategy) -> Option<Trace> {
    let &[root] = strategy.roots() else { return None };
    let mut steps: Vec<(ActionId, StateId)> = Vec::new();
    // When each position was passed, by the number of steps made so far.
    let mut visited: FxHashMap<PositionId, usize> = FxHashMap::default();
    let mut at = root;
    let loop_start = loop {
        if let Some(earlier) = visited.insert(at, steps.len()) {
            break Some(earlier);
        }
        let mut ways = strategy.moves(at).iter().filter(|step| match step.by {
            By::Unfolding => is_stepping(strategy, step.to),
            By::Step(_) | By::Standing(_) => true,
        });
        let Some(way) = ways.next() else { break None };
        if ways.next().is_some() {
            return None;
        }
        match (way.by, strategy.node(at)) {
            (By::Unfolding, _) => {}
            (By::Step(action), Node::Diamond(..)) => steps.push((action, strategy.position(way.to).state)),
            (By::Step(_) | By::Standing(_), _) => return None,
        }
        at = way.to;
    };
    Some(Trace { start: strategy.position(root).state, steps, loop_start })
}

/// Whether a step can be reached from a position by unfolding alone. Looks at a few claims about one state, no more than
/// the formula has nodes.
fn is_stepping(strategy: &Strategy, from: PositionId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for way in strategy.moves(at) {
            if way.by != By::Unfolding {
                return true;
            }
            if seen.insert(way.to) {
                stack.push(way.to);
            }
        }
    }
    false
}
