//! What leaves an answer open: a step that may but need not exist, or a label that is not known, and how it is reached.

use tertium_system::{ActionId, PropId, StateId};

/// Why the answer is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// Whether this transition exists is not known.
    MayOnly {
        /// Its source.
        source: StateId,
        /// Its action.
        action: ActionId,
        /// Its target.
        target: StateId,
    },
    /// Whether this proposition holds at this state is not known.
    Label {
        /// The state.
        state: StateId,
        /// The proposition.
        proposition: PropId,
    },
    /// The system does not have a proposition of the formula, so its value is not known anywhere.
    MissingProposition {
        /// The state where it mattered.
        state: StateId,
    },
}

/// A culprit, and how an initial state leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// The initial state.
    pub start: StateId,
    /// Steps from there to the state of the culprit.
    pub steps: Vec<(ActionId, StateId)>,
    /// What blocks.
    pub culprit: Culprit,
}
