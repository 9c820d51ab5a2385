//! What answers about models rely on, in words; the same for both engines.

use tertium_check::symbolic::SymbolicAssumption;
use tertium_report::cause_text;
use tertium_support::StopReason;
use tertium_truth::Cause;

/// What an answer relies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// There is no initial state.
    NoInitialState,
    /// At some initial states no fair path begins.
    UnfairInitialStates,
    /// A state without successor can be reached in so many steps.
    Deadlock(usize),
    /// Compassion does not count here.
    CompassionIgnored,
    /// No fairness counts here.
    JusticeIgnored,
    /// A limit was reached before it was known whether a fair path begins at every initial state.
    FairnessUnknown(StopReason),
    /// A limit was reached before there was evidence.
    NoEvidence(StopReason),
    /// A limit was reached before it was known whether there are deadlocks.
    DeadlocksUnknown(StopReason),
    /// It is true, but these parts of the property do not matter for that.
    Vacuous(Vec<String>),
    /// A limit was reached before it was known whether all parts of the property matter.
    VacuityUnknown(StopReason),
    /// It takes more than its share of the effort to know whether all parts of the property matter.
    VacuityOpen,
}

impl From<&SymbolicAssumption> for Note {
    fn from(assumption: &SymbolicAssumption) -> Self {
        match assumption {
            SymbolicAssumption::NoInitialState => Self::NoInitialState,
            SymbolicAssumption::UnfairInitialStates => Self::UnfairInitialStates,
            SymbolicAssumption::Deadlock(trace) => Self::Deadlock(trace.states.len() - 1),
            SymbolicAssumption::CompassionIgnored => Self::CompassionIgnored,
            SymbolicAssumption::JusticeIgnored => Self::JusticeIgnored,
            SymbolicAssumption::FairnessUnknown(reason) => Self::FairnessUnknown(*reason),
            SymbolicAssumption::NoEvidence(reason) => Self::NoEvidence(*reason),
            SymbolicAssumption::DeadlocksUnknown(reason) => Self::DeadlocksUnknown(*reason),
        }
    }
}

impl Note {
    /// A stable code and a sentence.
    pub(super) fn words(&self) -> (&'static str, String) {
        let limit = |reason: &StopReason| cause_text(Cause::from(*reason));
        match self {
            Self::NoInitialState => (
                "no-initial-state",
                "the model has no initial state, so every property holds of all of them".to_owned(),
            ),
            Self::UnfairInitialStates => (
                "unfair-initial-states",
                "at some initial states no fair path begins; they do not count".to_owned(),
            ),
            Self::Deadlock(steps) => (
                "deadlock",
                format!(
                    "a state without successor can be reached in {steps} steps: a path may end there (`tertium explain deadlock`)"
                ),
            ),
            Self::CompassionIgnored => {
                ("compassion-ignored", "compassion constraints count for LTL only, not for CTL".to_owned())
            }
            Self::JusticeIgnored => {
                ("justice-ignored", "fairness constraints do not count here: all paths are meant".to_owned())
            }
            Self::FairnessUnknown(reason) => (
                "fairness-unknown",
                format!(
                    "whether a fair path begins at every initial state was not found out: {}",
                    limit(reason)
                ),
            ),
            Self::NoEvidence(reason) => (
                "no-evidence",
                format!("the evidence was not collected and the answer not validated: {}", limit(reason)),
            ),
            Self::Vacuous(parts) => (
                "vacuous",
                format!(
                    "this is true vacuously: `{}` can be replaced by anything; see `tertium vacuity`",
                    parts.join("` or `")
                ),
            ),
            Self::VacuityUnknown(reason) => (
                "vacuity-unknown",
                format!("whether it is true vacuously was not found out: {}", limit(reason)),
            ),
            Self::VacuityOpen => (
                "vacuity-open",
                "whether it is true vacuously would take longer to find out; see `tertium vacuity`"
                    .to_owned(),
            ),
            Self::DeadlocksUnknown(reason) => (
                "deadlocks-unknown",
                format!(
                    "whether a state without successor can be reached was not found out: {}",
                    limit(reason)
                ),
            ),
        }
    }
}
