//! What an answer relies on besides the input, or what should be known with it. Each has a stable code.

use tertium_support::StopReason;
use tertium_system::StateId;

/// Something an answer relies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption<S = StateId> {
    /// A state without successor can be reached: a path may end there.
    Deadlock {
        /// The state, if it is known in full.
        state: Option<S>,
        /// In how many steps, if that is known.
        steps: Option<usize>,
        /// Whether it can be reached for certain; else only along steps that may exist.
        sure: bool,
    },
    /// There is no initial state, so everything holds at all of them.
    NoInitialState,
    /// At some initial states no fair path begins: they do not count.
    UnfairInitialStates,
    /// Compassion, which is about single paths, does not count here.
    CompassionIgnored,
    /// No fairness counts here: all paths are meant.
    JusticeIgnored,
    /// The semantics needs an abstract domain and none is given: every state is taken to stand for one concrete state of its own.
    FlatDomain,
    /// This limit was reached before evidence was collected: nothing was validated.
    NoEvidence(StopReason),
    /// This limit was reached before it was known whether a fair path begins at every initial state.
    FairnessUnknown(StopReason),
    /// This limit was reached before it was known whether the answer depends on states without successor; without a limit, it takes more
    /// than its share of the effort to know.
    DeadlocksUnknown(Option<StopReason>),
    /// It is true, but these parts of the property do not matter for that.
    Vacuous(Vec<String>),
    /// This limit was reached before it was known whether all parts of the property matter.
    VacuityUnknown(StopReason),
    /// It takes more than its share of the effort to know whether all parts of the property matter.
    VacuityOpen,
    /// How integers are understood; a sentence says how.
    Integers(String),
    /// What ends a path without an error: undefined behaviour of this kind, in a sentence.
    UndefinedEnds(String),
    /// Of these procedures there is no text: what they do is taken to be anything.
    MissingBodies(Vec<String>),
    /// Some of what there is was not looked at; a sentence says what.
    Bounded(String),
    /// A variable without bounds stands for the values that occur; a sentence says for which.
    OccurringValues(String),
}

impl<S> Assumption<S> {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Deadlock { .. } => "deadlock",
            Self::NoInitialState => "no-initial-state",
            Self::UnfairInitialStates => "unfair-initial-states",
            Self::CompassionIgnored => "compassion-ignored",
            Self::JusticeIgnored => "justice-ignored",
            Self::FlatDomain => "flat-domain",
            Self::NoEvidence(_) => "no-evidence",
            Self::FairnessUnknown(_) => "fairness-unknown",
            Self::DeadlocksUnknown(_) => "deadlocks-unknown",
            Self::Vacuous(_) => "vacuous",
            Self::VacuityUnknown(_) => "vacuity-unknown",
            Self::VacuityOpen => "vacuity-open",
            Self::Integers(_) => "integers",
            Self::UndefinedEnds(_) => "undefined-ends",
            Self::MissingBodies(_) => "missing-bodies",
            Self::Bounded(_) => "bound",
            Self::OccurringValues(_) => "occurring-values",
        }
    }

    /// The same about other states; where `state` gives nothing, the state is left out.
    pub fn map<T>(self, mut state: impl FnMut(S) -> Option<T>) -> Assumption<T> {
        match self {
            Self::Deadlock { state: at, steps, sure } => {
                Assumption::Deadlock { state: at.and_then(&mut state), steps, sure }
            }
            Self::NoInitialState => Assumption::NoInitialState,
            Self::UnfairInitialStates => Assumption::UnfairInitialStates,
            Self::CompassionIgnored => Assumption::CompassionIgnored,
            Self::JusticeIgnored => Assumption::JusticeIgnored,
            Self::FlatDomain => Assumption::FlatDomain,
            Self::NoEvidence(reason) => Assumption::NoEvidence(reason),
            Self::FairnessUnknown(reason) => Assumption::FairnessUnknown(reason),
            Self::DeadlocksUnknown(reason) => Assumption::DeadlocksUnknown(reason),
            Self::Vacuous(parts) => Assumption::Vacuous(parts),
            Self::VacuityUnknown(reason) => Assumption::VacuityUnknown(reason),
            Self::VacuityOpen => Assumption::VacuityOpen,
            Self::Integers(text) => Assumption::Integers(text),
            Self::UndefinedEnds(text) => Assumption::UndefinedEnds(text),
            Self::MissingBodies(names) => Assumption::MissingBodies(names),
            Self::Bounded(text) => Assumption::Bounded(text),
            Self::OccurringValues(text) => Assumption::OccurringValues(text),
        }
    }
}
