//! What an answer relies on besides the input, in one sentence each.

use crate::cause::cause_text;
use crate::json::AssumptionReport;
use crate::names::{count, plain, state_text};
use tertium_evidence::{Assumption, Names};
use tertium_support::StopReason;

/// What an answer relies on, as data.
pub fn assumption_report(assumption: &Assumption, names: &dyn Names) -> AssumptionReport {
    AssumptionReport { code: assumption.code(), text: assumption_text(assumption, names) }
}

/// The sentence.
pub fn assumption_text(assumption: &Assumption, names: &dyn Names) -> String {
    let limit = |reason: &StopReason| cause_text((*reason).into());
    match assumption {
        Assumption::Deadlock { state, steps, sure } => {
            let steps = steps.map_or(String::new(), |steps| format!(" in {}", count(steps, "step")));
            let end = "a path may end there; mind how that is read (`tertium explain deadlock`)";
            match (state.map(|state| state_text(names, state)), sure) {
                (Some(state), true) => format!("`{state}` can be reached{steps} and has no successor: {end}"),
                (None, true) => format!("a state without successor can be reached{steps}: {end}"),
                (Some(state), false) => {
                    format!("whether `{state}`, which has no successor, can be reached is open: {end}")
                }
                (None, false) => format!("whether a state without successor can be reached is open: {end}"),
            }
        }
        Assumption::NoInitialState => {
            "the model has no initial state, so every property holds of all of them".to_owned()
        }
        Assumption::UnfairInitialStates => {
            "at some initial states no fair path begins; they do not count".to_owned()
        }
        Assumption::CompassionIgnored => "compassion constraints count for LTL only, not for CTL".to_owned(),
        Assumption::JusticeIgnored => {
            "fairness constraints do not count here: all paths are meant".to_owned()
        }
        Assumption::FlatDomain => {
            "no abstract domain is given, so every state is taken to stand for one concrete state of its own"
                .to_owned()
        }
        Assumption::NoEvidence(reason) => {
            format!("the evidence was not collected and the answer not validated: {}", limit(reason))
        }
        Assumption::FairnessUnknown(reason) => {
            format!("whether a fair path begins at every initial state was not found out: {}", limit(reason))
        }
        Assumption::DeadlocksUnknown(Some(reason)) => {
            format!("whether it depends on states without successor was not found out: {}", limit(reason))
        }
        Assumption::DeadlocksUnknown(None) => {
            "whether it depends on states without successor would take longer to find out".to_owned()
        }
        Assumption::Vacuous(parts) => format!(
            "this is true vacuously: `{}` can be replaced by anything; see `tertium vacuity`",
            plain(&parts.join("` or `"))
        ),
        Assumption::VacuityUnknown(reason) => {
            format!("whether it is true vacuously was not found out: {}", limit(reason))
        }
        Assumption::VacuityOpen => {
            "whether it is true vacuously would take longer to find out; see `tertium vacuity`".to_owned()
        }
        Assumption::MissingBodies(names) => format!(
            "there is no body of `{}`: it is taken to return anything, and to change nothing but what its arguments lead to",
            plain(&names.join("`, `"))
        ),
        Assumption::Integers(text)
        | Assumption::UndefinedEnds(text)
        | Assumption::Bounded(text)
        | Assumption::OccurringValues(text) => plain(text).into_owned(),
    }
}
