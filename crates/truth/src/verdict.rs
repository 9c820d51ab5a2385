//! The answer of a run: true, false, or unknown with the cause.
//!
//! Causes are a closed list. Each has a stable code, which scripts may rely on and `tertium explain CODE` expands.

use std::fmt;
use tertium_support::StopReason;

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds, in every refinement of the model.
    True,
    /// The property fails, in every refinement of the model.
    False,
    /// Neither was shown, for this reason.
    Unknown(Cause),
}

/// Why there is no definite answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The time limit was reached.
    Time,
    /// The limit on work was reached.
    Work,
    /// The memory limit was reached.
    Memory,
    /// The limit on nodes of decision diagrams was reached.
    Nodes,
    /// The limit on rounds of refinement was reached.
    Iterations,
    /// The solver gave up where it mattered.
    Solver,
    /// The user interrupted the run.
    Interrupted,
    /// An enumeration would exceed its bound.
    Bound,
    /// The model leaves it open: a may-only step or an unknown label decides.
    Imprecise,
    /// Something that is not supported decides.
    Unsupported,
    /// The model both proves and refutes the property: it has no refinement, or its domain is contradictory.
    Inconsistent,
    /// There was an answer, and its evidence did not stand up to its validator: a bug.
    Evidence,
}

impl Cause {
    /// All causes.
    pub const ALL: [Cause; 12] = [
        Cause::Time,
        Cause::Work,
        Cause::Memory,
        Cause::Nodes,
        Cause::Iterations,
        Cause::Solver,
        Cause::Interrupted,
        Cause::Bound,
        Cause::Imprecise,
        Cause::Unsupported,
        Cause::Inconsistent,
        Cause::Evidence,
    ];

    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Cause::Time => "U-TIME",
            Cause::Work => "U-WORK",
            Cause::Memory => "U-MEMORY",
            Cause::Nodes => "U-NODES",
            Cause::Iterations => "U-ITERATIONS",
            Cause::Solver => "U-SOLVER",
            Cause::Interrupted => "U-INTERRUPTED",
            Cause::Bound => "U-BOUND",
            Cause::Imprecise => "U-IMPRECISE",
            Cause::Unsupported => "U-UNSUPPORTED",
            Cause::Inconsistent => "U-INCONSISTENT",
            Cause::Evidence => "U-EVIDENCE",
        }
    }
}

impl From<StopReason> for Cause {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::TimeLimit => Cause::Time,
            StopReason::WorkLimit => Cause::Work,
            StopReason::MemoryLimit => Cause::Memory,
            StopReason::NodeLimit => Cause::Nodes,
            StopReason::Interrupted => Cause::Interrupted,
        }
    }
}

impl Verdict {
    /// The definite verdict.
    pub fn of(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False => f.write_str("false"),
            Verdict::Unknown(cause) => write!(f, "unknown({})", cause.code()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cause;

    #[test]
    fn codes_are_distinct_and_begin_with_u() {
        let mut codes: Vec<_> = Cause::ALL.map(Cause::code).into();
        assert!(codes.iter().all(|code| code.starts_with("U-")));
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Cause::ALL.len());
    }
}
