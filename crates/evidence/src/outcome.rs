//! The answer to one question.

use crate::{Assumption, Evidence};
use tertium_support::{Statistics, StopReason};
use tertium_system::{ActionId, StateId};
use tertium_truth::{Belnap, Cause, Verdict};

/// How an answer was validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// Nobody asked yet, or nobody wants to know.
    #[default]
    Unasked,
    /// By these, each of which shares no code with who made the evidence.
    Passed(Vec<&'static str>),
    /// By nobody: the verdict rests on one computation.
    NotRechecked(Unchecked),
}

/// Why nobody checked an answer again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// There is nothing that could be checked again.
    NoCertificate,
    /// There is, and checking it would cost more than the answer did, or is beyond the validator.
    TooDear,
    /// A limit of the run ended the validator.
    Stopped(StopReason),
}

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct Outcome<S = StateId, L = ActionId> {
    /// The answer.
    pub verdict: Verdict,
    /// The value at each initial state, where the engine tells them apart.
    pub values: Vec<(S, Belnap)>,
    /// For a question about a length: what it is.
    pub length: Option<String>,
    /// What supports it.
    pub evidence: Option<Evidence<S, L>>,
    /// What it relies on.
    pub assumptions: Vec<Assumption<S>>,
    /// What was counted.
    pub statistics: Statistics,
    /// How many states are reachable, exactly or about, where that is known.
    pub reachable: Option<String>,
    /// How it was validated.
    pub validation: Validation,
}

impl<S, L> Outcome<S, L> {
    /// A verdict that nothing supports yet.
    pub fn new(verdict: Verdict, statistics: Statistics) -> Self {
        Self {
            verdict,
            values: Vec::new(),
            length: None,
            evidence: None,
            assumptions: Vec::new(),
            statistics,
            reachable: None,
            validation: Validation::Unasked,
        }
    }

    /// No verdict, and why.
    pub fn unknown(cause: impl Into<Cause>) -> Self {
        Self::new(Verdict::Unknown(cause.into()), Statistics::default())
    }

    /// Whether the verdict is true or false.
    pub fn is_definite(&self) -> bool {
        matches!(self.verdict, Verdict::True | Verdict::False)
    }
}
