//! What an answer relies on besides the input, in one sentence each.

use crate::cause::cause_text;
use crate::json::AssumptionReport;
use crate::names::state_text;
use tertium_evidence::Assumption;
use tertium_system::PartialSystem;

/// The stable word for an assumption.
pub(crate) fn assumption_code(assumption: Assumption) -> &'static str {
    match assumption {
        Assumption::Deadlock { .. } => "deadlock",
        Assumption::FlatDomain => "flat-domain",
        Assumption::NoEvidence(_) => "no-evidence",
    }
}

/// What an answer about a system relies on, as data.
pub fn assumption_report(system: &PartialSystem, assumption: Assumption) -> AssumptionReport {
    AssumptionReport { code: assumption_code(assumption), text: assumption_text(system, assumption) }
}

/// The sentence.
pub(crate) fn assumption_text(system: &PartialSystem, assumption: Assumption) -> String {
    match assumption {
        Assumption::Deadlock { state, sure } => format!(
            "`{}` {} be reached and has no successor: a path may end there (`tertium explain deadlock`)",
            state_text(system, state),
            if sure { "can" } else { "may" }
        ),
        Assumption::NoEvidence(reason) => format!(
            "the evidence was not collected and the answer not validated: {}",
            cause_text(reason.into())
        ),
        Assumption::FlatDomain => {
            "no abstract domain is given, so every state is taken to stand for one concrete state of its own"
                .to_owned()
        }
    }
}
