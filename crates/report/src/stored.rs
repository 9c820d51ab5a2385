//! Paths that were written as JSON, in the words they were written in: so that they are shown like any other.

use crate::Detail;
use crate::json_path::{PathReport, StateReport, StepReport};
use crate::page::Page;
use crate::trace::Walk;
use serde_json::{Map, Value};
use tertium_evidence::{NamedValue, Names, StepName, Trace};
use tertium_support::Id;
use tertium_system::{ActionId, ConcreteId, PropId, StateId};
use tertium_truth::Belnap;

impl PathReport {
    /// The path of numbered states and steps. It is as well formed as what was read.
    pub fn trace(&self) -> Trace {
        Trace {
            states: StateId::first(self.states.len()).collect(),
            steps: ActionId::first(self.steps.len()).collect(),
            loop_start: self.loop_start,
        }
    }

    /// The path as it was written.
    pub fn written(&self) -> Trace<&StateReport, &StepReport> {
        Trace {
            states: self.states.iter().collect(),
            steps: self.steps.iter().collect(),
            loop_start: self.loop_start,
        }
    }

    /// Writes the path like any other.
    pub(crate) fn write(&self, detail: Detail, page: &mut Page) {
        Walk::new(self, &self.trace(), detail).write(page, 4);
    }
}

/// What the numbers of [`PathReport::trace`] mean.
impl Names for PathReport {
    fn state(&self, state: StateId) -> String {
        self.states[state.index()].name.clone()
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        let StateReport { name, values } = &self.states[state.index()];
        let named = |(variable, value): (&String, String)| {
            // States of labelled systems have names and propositions, those of models have variables.
            let label = Belnap::ALL.into_iter().find(|label| crate::names::value_word(*label) == value);
            match label.filter(|_| !name.is_empty()) {
                Some(label) => NamedValue::of_proposition(variable, label),
                None => NamedValue::of_variable(variable, value),
            }
        };
        texts(values).map(named).collect()
    }

    fn step(&self, step: ActionId) -> StepName {
        let StepReport { process, action, command, line, inputs, open_calls, .. } =
            self.steps[step.index()].clone();
        let inputs = texts(&inputs).map(|(name, value)| (name.clone(), value)).collect();
        StepName { process, action, command, line, inputs, open_calls: open_calls.unwrap_or(0) }
    }

    fn proposition(&self, _: PropId) -> String {
        String::new()
    }

    fn concrete(&self, _: ConcreteId) -> String {
        String::new()
    }
}

/// Names with values as texts.
fn texts(values: &Map<String, Value>) -> impl Iterator<Item = (&String, String)> {
    values.iter().map(|(name, value)| (name, value.as_str().unwrap_or_default().to_owned()))
}
