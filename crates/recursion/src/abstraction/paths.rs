//! Paths through abstract states, with calls.
//!
//! A path follows how nodes were first reached. Where control came back from a call, the path goes through the callee, as far as it
//! was explored for this call: a summary is taken apart into what it stands for. So a path can be exponentially long in the depth of calls;
//! beyond a bound there is none.

use super::explore::{Cause, Exploration, NodeId};
use crate::Move;
use tertium_program::EdgeId;
use tertium_support::Id;

/// A path from the beginning of the program.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// What is done.
    pub(crate) moves: Vec<(Move, EdgeId)>,
}

/// The path to a node that was reached in this way, if it has at most `most` moves.
pub(crate) fn path_to(found: &Exploration, target: NodeId, cause: Cause, most: usize) -> Option<Path> {
    walk(found, target, cause, false, most).map(|moves| Path { moves })
}

/// How an activation that ends in a node comes there from its beginning, if in at most `most` moves.
pub(crate) fn inside(found: &Exploration, end: NodeId, most: usize) -> Option<Vec<(Move, EdgeId)>> {
    walk(found, end, found.causes[end.index()], true, most)
}

fn walk(
    found: &Exploration,
    target: NodeId,
    cause: Cause,
    is_inside: bool,
    most: usize,
) -> Option<Vec<(Move, EdgeId)>> {
    let mut moves = Vec::new();
    // Calls that the path, read backwards, has come into from their ends.
    let mut inside: Vec<(NodeId, EdgeId)> = Vec::new();
    let (mut at, mut cause) = (target, cause);
    loop {
        if moves.len() > most {
            return None;
        }
        let begins = at == found.activation_of(at).start;
        if begins && is_inside && inside.is_empty() {
            break;
        }
        let (what, edge, before) = match cause {
            _ if begins && !inside.is_empty() => {
                let (caller, edge) = inside.pop().expect("there is one");
                (Move::Call, edge, caller)
            }
            Cause::Start => break,
            Cause::Step(before, edge) => (Move::Step, edge, before),
            Cause::Call(before, edge) => (Move::Call, edge, before),
            Cause::Return(before, edge, end) => {
                inside.push((before, edge));
                (Move::Return, edge, end)
            }
        };
        moves.push((what, edge));
        (at, cause) = (before, found.causes[before.index()]);
    }
    debug_assert!(inside.is_empty(), "calls that ended had begun");
    moves.reverse();
    Some(moves)
}
