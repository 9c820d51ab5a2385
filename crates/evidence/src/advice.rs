//! What the user can do about an unknown answer, as data: a program can follow it, and a report puts it into words.

use tertium_system::{ActionId, PropId, StateId};
use tertium_truth::Verdict;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Ask again with other options.
    Ask(Change),
    /// Run another command: its words after `tertium`.
    Run(Vec<String>),
    /// Settle these parts of a system that was given; it was tried on a copy.
    Settle(Settling),
    /// No set of so few open parts decides when it is settled.
    NothingSettles {
        /// The size of the sets.
        most: usize,
        /// Whether all of them were tried; else as many as the work for it allows.
        all: bool,
    },
    /// Help with what only the user knows, in words.
    Help(String),
}

/// Other options for the same question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Options that are no longer given.
    pub without: Vec<&'static str>,
    /// Options that are given, with their values; an option that was given before has the new value.
    pub with: Vec<(&'static str, String)>,
    /// Whether it only raises a limit.
    pub raises_limit: bool,
}

/// Open parts of a system, and what the answer is once they are settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// The parts.
    pub parts: Vec<OpenPart>,
    /// Ways to settle all of them that make the answer definite, each with the answer. A way says of every part whether the step is
    /// there or the label true.
    pub ways: Vec<(Vec<bool>, Verdict)>,
}

/// Something that a system leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenPart {
    /// A step that is possible and not guaranteed.
    Step {
        /// Where it begins.
        source: StateId,
        /// What it is called.
        action: ActionId,
        /// Where it ends.
        target: StateId,
    },
    /// A label that is neither true nor false.
    Label {
        /// Where.
        state: StateId,
        /// Which.
        proposition: PropId,
    },
}
