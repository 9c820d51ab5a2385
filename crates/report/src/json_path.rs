//! Paths and trees of claims as JSON: every state with all its values.

use crate::names::step_of;
use serde::Serialize;
use serde_json::{Map, Value};
use tertium_evidence::{Claim, Names, Support, Trace};
use tertium_system::StateId;

/// A path or a lasso.
#[derive(Clone, Debug, Serialize)]
pub struct PathReport {
    /// The states.
    pub states: Vec<StateReport>,
    /// What leads from each state to the next, and for a lasso from the last one back.
    pub steps: Vec<StepReport>,
    /// For a lasso: the index of the state that the last step leads back to.
    pub loop_start: Option<usize>,
}

/// A state.
#[derive(Clone, Debug, Serialize)]
pub struct StateReport {
    /// Its name; empty if its values say it all.
    pub name: String,
    /// The values of all variables or propositions.
    pub values: Map<String, Value>,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// Who moves; `null` if there is only one.
    pub process: Option<String>,
    /// The action or command; empty for a step without one.
    pub action: String,
    /// The line where the command stands.
    pub line: Option<usize>,
    /// The inputs with their values.
    pub inputs: Map<String, Value>,
}

/// A claim about a state, and what shows it.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    /// What is claimed to hold.
    pub formula: String,
    /// `state`, `parts`, `path`, `all_paths` or `omitted`.
    pub shown_by: &'static str,
    /// For `parts`: claims about the same state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ClaimReport>,
    /// For `path`: the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathReport>,
    /// For `path`: claims about its states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<ClaimAlongReport>,
}

/// A claim about a state of a path.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimAlongReport {
    /// The index of the state.
    pub state: usize,
    /// The claim.
    pub claim: ClaimReport,
}

pub(crate) fn state_report(names: &dyn Names, state: StateId) -> StateReport {
    let values = names.values(state).into_iter().map(|value| (value.name, Value::String(value.value)));
    StateReport { name: names.state(state), values: values.collect() }
}

pub(crate) fn path_report(names: &dyn Names, trace: &Trace) -> PathReport {
    let step = |at: usize| {
        let step = step_of(names, trace, at);
        StepReport {
            process: step.process,
            action: step.action,
            line: step.line,
            inputs: step.inputs.into_iter().map(|(name, value)| (name, Value::String(value))).collect(),
        }
    };
    PathReport {
        states: trace.states.iter().map(|&state| state_report(names, state)).collect(),
        steps: (0..trace.steps.len()).map(step).collect(),
        loop_start: trace.loop_start,
    }
}

pub(crate) fn claim_report(names: &dyn Names, claim: &Claim) -> ClaimReport {
    let mut report = ClaimReport {
        formula: names.formula(&claim.formula),
        shown_by: "state",
        parts: Vec::new(),
        path: None,
        along: Vec::new(),
    };
    match &claim.support {
        Support::Here => {}
        Support::AllPaths => report.shown_by = "all_paths",
        Support::Omitted => report.shown_by = "omitted",
        Support::Parts(parts) => {
            report.shown_by = "parts";
            report.parts = parts.iter().map(|part| claim_report(names, part)).collect();
        }
        Support::Path { trace, at } => {
            report.shown_by = "path";
            report.path = Some(path_report(names, trace));
            let along = |(state, claim): &(usize, Claim)| ClaimAlongReport {
                state: *state,
                claim: claim_report(names, claim),
            };
            report.along = at.iter().map(along).collect();
        }
    }
    report
}
