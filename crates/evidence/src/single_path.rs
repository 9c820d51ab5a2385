//! Strategies and trees of claims that a person can follow with a finger.
//!
//! A tree is a path if its claim is shown by one, and nothing but facts about single states is claimed along it.
//!
//! A strategy is a path if from its root on there is never more than one way on: every diamond takes a single must, no box has
//! anything to show, and of the operands of a conjunction at most one makes a step. The path ends where nothing is left to
//! show, or comes back to a claim it made before. A strategy that relies on ranks is none: what matters of it does not show on a path.

use crate::{By, Claim, PositionId, Strategy, Support, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_logic::Node;

/// The strategy as a path or lasso, if it is one. Strategies without any step are paths of one state.
pub fn as_trace<S: Copy, L: Copy>(strategy: &Strategy<S, L>) -> Option<Trace<S, L>> {
    let &[root] = strategy.roots() else { return None };
    if strategy.ranking().is_some() {
        return None;
    }
    let mut trace = Trace::at(strategy.position(root).state);
    // When each position was passed, by the number of steps made so far.
    let mut visited: FxHashMap<PositionId, usize> = FxHashMap::default();
    let mut at = root;
    loop {
        if let Some(earlier) = visited.insert(at, trace.steps.len()) {
            // A loop without a step goes nowhere.
            if earlier < trace.steps.len() {
                trace.states.pop();
                trace.loop_start = Some(earlier);
            }
            return Some(trace);
        }
        let mut moves = strategy.moves(at).iter().filter(|step| match step.by {
            By::Unfolding => is_stepping(strategy, step.to),
            By::Step(_) | By::Standing(_) => true,
        });
        let Some(only) = moves.next() else { return Some(trace) };
        if moves.next().is_some() {
            return None;
        }
        match (only.by, strategy.node(at)) {
            (By::Unfolding, _) => {}
            (By::Step(step), Node::Diamond(..)) => {
                trace.steps.push(step);
                trace.states.push(strategy.position(only.to).state);
            }
            (By::Step(_) | By::Standing(_), _) => return None,
        }
        at = only.to;
    }
}

/// The tree as a path or lasso, if it is one. Trees about one state are paths of one state.
pub fn claim_as_trace<S: Clone, L: Clone>(claim: &Claim<S, L>) -> Option<Trace<S, L>> {
    match &claim.support {
        _ if is_fact(claim) => Some(Trace::at(claim.state.clone())),
        Support::Path { trace, at } => at.iter().all(|(_, claim)| is_fact(claim)).then(|| trace.clone()),
        Support::Here | Support::Parts(_) | Support::AllPaths | Support::Omitted => None,
    }
}

/// Whether a claim is about its state alone.
fn is_fact<S, L>(claim: &Claim<S, L>) -> bool {
    match &claim.support {
        Support::Here => true,
        Support::Parts(parts) => parts.iter().all(is_fact),
        Support::Path { .. } | Support::AllPaths | Support::Omitted => false,
    }
}

/// Whether a step can be reached from a position by unfolding alone. Looks at a few claims about one state, no more than
/// the formula has nodes.
fn is_stepping<S: Copy, L: Copy>(strategy: &Strategy<S, L>, from: PositionId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for step in strategy.moves(at) {
            if !matches!(step.by, By::Unfolding) {
                return true;
            }
            if seen.insert(step.to) {
                stack.push(step.to);
            }
        }
    }
    false
}
