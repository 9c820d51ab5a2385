//! The states and steps that evidence mentions, in the user's words.
//!
//! For models with variables. Equal states and equal steps have one number, so a tree of claims names each state once.

use crate::{Evidence, NamedValue, Names, StepName};
use indexmap::IndexSet;
use std::convert::Infallible;
use std::hash::Hash;
use tertium_logic::Formula;
use tertium_support::Id;
use tertium_system::{ActionId, ConcreteId, PropId, StateId};

/// Names for the states and steps of one piece of evidence.
#[derive(Clone, Debug, Default)]
pub struct Table {
    variables: Vec<String>,
    states: Vec<Vec<String>>,
    steps: Vec<StepName>,
    /// How formulas are written, if not in our own language.
    language: Option<fn(&Formula) -> String>,
}

impl Table {
    /// Evidence about numbered states and steps, with the table that names them. `values` gives the values of all variables, in
    /// their order; `step` names a step.
    pub fn of<S: Eq + Hash, L: Eq + Hash>(
        variables: Vec<String>,
        evidence: Evidence<S, L>,
        values: impl Fn(&S) -> Vec<String>,
        step: impl Fn(&L) -> StepName,
    ) -> (Self, Option<Evidence>) {
        let mut states: IndexSet<S> = IndexSet::new();
        let mut steps: IndexSet<L> = IndexSet::new();
        let mut number = |state: S| Ok::<_, Infallible>(StateId::new(states.insert_full(state).0));
        let mut label = |step: L| Ok::<_, Infallible>(ActionId::new(steps.insert_full(step).0));
        let Ok(evidence) = evidence.try_map(&mut number, &mut label);
        let table = Self {
            variables,
            states: states.iter().map(values).collect(),
            steps: steps.iter().map(step).collect(),
            language: None,
        };
        debug_assert!(table.states.iter().all(|state| state.len() == table.variables.len()));
        (table, evidence)
    }

    /// The same for users who write their formulas like this.
    #[must_use]
    pub fn in_language(self, language: fn(&Formula) -> String) -> Self {
        Self { language: Some(language), ..self }
    }
}

impl Names for Table {
    fn state(&self, _: StateId) -> String {
        String::new()
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        let values = self.variables.iter().zip(&self.states[state.index()]);
        values.map(|(name, value)| NamedValue::of_variable(name, value)).collect()
    }

    fn step(&self, step: ActionId) -> StepName {
        self.steps[step.index()].clone()
    }

    fn proposition(&self, _: PropId) -> String {
        String::new()
    }

    fn concrete(&self, _: ConcreteId) -> String {
        String::new()
    }

    fn formula(&self, formula: &Formula) -> String {
        self.language.map_or_else(|| formula.to_string(), |write| write(formula))
    }
}
