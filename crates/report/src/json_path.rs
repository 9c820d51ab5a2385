//! Paths and trees of claims as JSON: every state with all its values.

use crate::names::step_of;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use tertium_evidence::StepName;
use tertium_evidence::{Claim, Names, Support, Trace};
use tertium_system::StateId;

/// A path or a lasso.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathReport {
    /// The states.
    pub states: Vec<StateReport>,
    /// What leads from each state to the next, and for a lasso from the last one back.
    pub steps: Vec<StepReport>,
    /// For a lasso: the index of the state that the last step leads back to, or to one that has the same values, with more calls open.
    pub loop_start: Option<usize>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateReport {
    /// Its name; empty if its values say it all.
    pub name: String,
    /// The values of all variables or propositions.
    pub values: Map<String, Value>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Who moves; `null` if there is only one.
    pub process: Option<String>,
    /// The action; empty for a step without one.
    pub action: String,
    /// The number of the command in the file, from 1, where steps are made by commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<usize>,
    /// Of a test: which of the ways through the command, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<usize>,
    /// The line where the command stands.
    pub line: Option<usize>,
    /// The inputs with their values.
    pub inputs: Map<String, Value>,
    /// How many calls are open after it, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_calls: Option<usize>,
}

/// A claim about a state, and what shows it. A tree is a list of claims, each before those that it rests on: so it nests no deeper the
/// larger it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimReport {
    /// What is claimed to hold.
    pub formula: String,
    /// `state`, `parts`, `path`, `all_paths` or `omitted`.
    pub shown_by: Cow<'static, str>,
    /// For `parts`: the numbers of claims about the same state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<usize>,
    /// For `path`: the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathReport>,
    /// For `path`: claims about its states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<ClaimAlongReport>,
}

/// A claim about a state of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimAlongReport {
    /// The index of the state.
    pub state: usize,
    /// The number of the claim.
    pub claim: usize,
}

pub(crate) fn state_report(names: &dyn Names, state: StateId) -> StateReport {
    let values = names.values(state).into_iter().map(|value| (value.name, Value::String(value.value)));
    StateReport { name: names.state(state), values: values.collect() }
}

impl From<StepName> for StepReport {
    fn from(step: StepName) -> Self {
        let StepName { process, action, command, line, inputs, open_calls } = step;
        let inputs = inputs.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        let open_calls = Some(open_calls).filter(|&n| n > 0);
        Self { process, action, command, way: None, line, inputs, open_calls }
    }
}

pub(crate) fn path_report(names: &dyn Names, trace: &Trace) -> PathReport {
    PathReport {
        states: trace.states.iter().map(|&state| state_report(names, state)).collect(),
        steps: (0..trace.steps.len()).map(|at| step_of(names, trace, at).into()).collect(),
        loop_start: trace.loop_start,
    }
}

/// The claims of a tree, the root first.
pub(crate) fn claim_reports(names: &dyn Names, root: &Claim) -> Vec<ClaimReport> {
    let mut all = Vec::new();
    add_claim(names, root, &mut all);
    all
}

/// Adds a claim, then those that it rests on; gives its number.
fn add_claim(names: &dyn Names, claim: &Claim, all: &mut Vec<ClaimReport>) -> usize {
    let number = all.len();
    let shown_by = match &claim.support {
        Support::Here => "state",
        Support::AllPaths => "all_paths",
        Support::Omitted => "omitted",
        Support::Parts(_) => "parts",
        Support::Path { .. } => "path",
    };
    all.push(ClaimReport {
        formula: names.formula(&claim.formula),
        shown_by: Cow::Borrowed(shown_by),
        parts: Vec::new(),
        path: None,
        along: Vec::new(),
    });
    match &claim.support {
        Support::Here | Support::AllPaths | Support::Omitted => {}
        Support::Parts(parts) => {
            all[number].parts = parts.iter().map(|part| add_claim(names, part, all)).collect();
        }
        Support::Path { trace, at } => {
            all[number].path = Some(path_report(names, trace));
            let along = at.iter().map(|(state, claim)| ClaimAlongReport {
                state: *state,
                claim: add_claim(names, claim, all),
            });
            all[number].along = along.collect();
        }
    }
    number
}
