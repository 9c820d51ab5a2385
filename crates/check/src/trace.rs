//! Paths and lassos: strategies that a person can follow with a finger.
//!
//! A strategy is a trace if from its root on there is never more than one way on: every diamond takes a single must,
//! no box has anything to show, and of the operands of a conjunction at most one makes a step. The trace ends where
//! nothing is left to show (a path) or comes back to a claim it made before (a lasso).

use crate::strategy::{By, PositionId, Strategy};
use tertium_logic::Node;
use tertium_support::Id;
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
    let stepping = stepping(strategy);
    let mut steps: Vec<(ActionId, StateId)> = Vec::new();
    let mut visited: Vec<Option<usize>> = vec![None; strategy.n_positions()];
    let mut at = root;
    let loop_start = loop {
        if let Some(earlier) = visited[at.index()] {
            break Some(earlier);
        }
        visited[at.index()] = Some(steps.len());
        let mut ways = strategy.moves(at).iter().filter(|step| match step.by {
            By::Unfolding => stepping[step.to.index()],
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

/// For each position, whether a step can be reached from it by unfolding alone.
fn stepping(strategy: &Strategy) -> Vec<bool> {
    let n = strategy.n_positions();
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut stack: Vec<PositionId> = Vec::new();
    let mut stepping = vec![false; n];
    for position in PositionId::first(n) {
        for step in strategy.moves(position) {
            match step.by {
                By::Unfolding => users[step.to.index()].push(position.raw()),
                By::Step(_) | By::Standing(_) => {
                    if !std::mem::replace(&mut stepping[position.index()], true) {
                        stack.push(position);
                    }
                }
            }
        }
    }
    while let Some(position) = stack.pop() {
        for &user in &users[position.index()] {
            if !std::mem::replace(&mut stepping[user as usize], true) {
                stack.push(PositionId::from_raw(user));
            }
        }
    }
    stepping
}
