//! The stations of a strategy: its claims without the bookkeeping of the formula between them.
//!
//! A claim leads by unfolding alone (operands, bodies of fixpoints) to facts and to modalities at the same state. A
//! station is a claim that is a root or is reached by leaving another one, with the facts and the exits found behind it.
//! So a station says: here, this holds, because of these labels and of these steps to other stations. Covers that stay
//! at the state are unfolding too. Claims that speak for themselves, constants and literals, are stations only as roots.

use tertium_evidence::{By, Move, PositionId, Stage, Strategy};
use tertium_logic::Node;
use tertium_support::{Id, IdSet};

/// One station.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Station {
    /// The claim.
    pub(crate) claim: PositionId,
    /// Literals at the same state that support it.
    pub(crate) facts: Vec<PositionId>,
    /// Modalities and covers at the same state that support it, each with moves to further stations.
    pub(crate) exits: Vec<PositionId>,
}

/// What the moves at an exit are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// One must, chosen.
    Chosen,
    /// Every may with these actions.
    Every,
    /// One state for each concrete state that this one stands for.
    Cover,
}

/// The claims that are stations, in the order of the strategy: breadth-first from the roots.
pub(crate) fn station_claims(strategy: &Strategy) -> Vec<PositionId> {
    let mut is_station = IdSet::of(strategy.n_positions(), strategy.roots().iter().copied());
    for position in PositionId::first(strategy.n_positions()).filter(|&position| is_exit(strategy, position))
    {
        for step in strategy.moves(position).iter().filter(|step| !is_plain(strategy, step.to)) {
            is_station.insert(step.to);
        }
    }
    is_station.iter().collect()
}

/// What is behind one claim.
pub(crate) fn station(strategy: &Strategy, claim: PositionId) -> Station {
    let mut found = Station { claim, facts: Vec::new(), exits: Vec::new() };
    let mut seen = vec![claim];
    let mut at = 0;
    while at < seen.len() {
        let position = seen[at];
        at += 1;
        if is_exit(strategy, position) {
            found.exits.push(position);
            continue;
        }
        if matches!(strategy.node(position), Node::Literal { .. }) {
            found.facts.push(position);
        }
        for step in strategy.moves(position) {
            if !seen.contains(&step.to) {
                seen.push(step.to);
            }
        }
    }
    found
}

/// Whether the moves of a claim leave its state behind. A modality without moves is an exit that leads nowhere.
pub(crate) fn is_exit(strategy: &Strategy, claim: PositionId) -> bool {
    let state = strategy.position(claim).state;
    let moves = strategy.moves(claim);
    let leaves = |step: &Move| match step.by {
        By::Unfolding => false,
        By::Step(_) => true,
        By::Standing(_) => strategy.position(step.to).state != state,
    };
    match strategy.node(claim) {
        Node::Diamond(..) | Node::Box(..) => moves.is_empty() || moves.iter().any(leaves),
        _ => false,
    }
}

/// Whether a claim speaks for itself.
pub(crate) fn is_plain(strategy: &Strategy, claim: PositionId) -> bool {
    let whole = strategy.position(claim).stage == Stage::Node;
    whole && matches!(strategy.node(claim), Node::True | Node::Literal { .. })
}

/// What the moves at an exit of a station are.
pub(crate) fn exit_kind(strategy: &Strategy, exit: PositionId) -> Exit {
    match (strategy.moves(exit).first().map(|step| step.by), strategy.node(exit)) {
        (Some(By::Standing(_)), _) => Exit::Cover,
        (None, _) if strategy.position(exit).stage == Stage::Argument => Exit::Cover,
        (_, Node::Diamond(..)) => Exit::Chosen,
        _ => Exit::Every,
    }
}
