//! What comes out of a question to a symbolic system.

use super::evidence::CtlEvidence;
use std::fmt;
use tertium_support::{Statistics, StopReason};
use tertium_system::SymbolicTrace;
use tertium_truth::Verdict;

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct SymbolicOutcome {
    /// The answer.
    pub verdict: Verdict,
    /// What supports it: why it fails, or a path that the property claims to exist.
    pub evidence: Option<SymbolicEvidence>,
    /// What it relies on.
    pub assumptions: Vec<SymbolicAssumption>,
    /// What was counted.
    pub statistics: Statistics,
}

/// What supports an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolicEvidence {
    /// A path.
    Trace(SymbolicTrace),
    /// A claim with the paths that show it.
    Tree(CtlEvidence),
}

/// What an answer relies on besides the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolicAssumption {
    /// There is no initial state, so everything holds at all of them.
    NoInitialState,
    /// At some initial states no fair path begins: they do not count.
    UnfairInitialStates,
    /// A reachable state has no steps: the last one of this path. Finite paths do not count for `EG`, and no step falsifies
    /// `AX`.
    Deadlock(SymbolicTrace),
    /// The model has compassion, which is about single paths, and the question does not take it into account.
    CompassionIgnored,
    /// The model has justice, and the question is about all paths.
    JusticeIgnored,
    /// This limit was reached before it was known whether a fair path begins at every initial state.
    FairnessUnknown(StopReason),
    /// This limit was reached before evidence was collected.
    NoEvidence(StopReason),
    /// This limit was reached before it was known whether some reachable state has no steps.
    DeadlocksUnknown(StopReason),
}

/// Why a formula has no meaning on a symbolic system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A variable is free or occurs negatively.
    IllFormed,
    /// There is no such proposition.
    UnknownProposition(String),
    /// Modalities with names: the steps of a symbolic system have none.
    NamedAction(String),
    /// This proposition is about steps; a formula of branching time speaks of states.
    ReadsInput(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed => f.write_str("the formula has a free variable, or one below a negation"),
            Self::UnknownProposition(name) => write!(f, "there is no proposition `{name}`"),
            Self::NamedAction(name) => {
                write!(f, "steps of a symbolic system have no names, and the formula asks for `{name}`")
            }
            Self::ReadsInput(name) => {
                write!(f, "`{name}` depends on inputs, and a formula of branching time speaks of states only")
            }
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolicError {
    /// A limit was reached.
    Stopped(StopReason),
    /// The question has no meaning.
    Refused(Refusal),
}

impl From<StopReason> for SymbolicError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<Refusal> for SymbolicError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
