//! What comes out of a question to a symbolic system.

use std::fmt;
use tertium_evidence::{Assumption, Claim, Evidence, Outcome, Trace};
use tertium_support::StopReason;

/// A state or an input: one code for each variable of its sort, in the order of the model.
pub type Codes = Vec<u64>;
/// A path of a symbolic system.
pub type SymbolicTrace = Trace<Codes, Codes>;
/// A claim about a state of a symbolic system.
pub type SymbolicClaim = Claim<Codes, Codes>;
/// What supports an answer about a symbolic system: a path, or a tree of claims.
pub type SymbolicEvidence = Evidence<Codes, Codes>;
/// What an answer about a symbolic system relies on.
pub type SymbolicAssumption = Assumption<Codes>;
/// An answer about a symbolic system.
pub type SymbolicOutcome = Outcome<Codes, Codes>;

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
