//! What a solver found.

use std::collections::BTreeMap;
use tertium_expr::{EvaluationError, Term, Terms, Value, Variable, evaluate};

/// Values of variables. A variable that is missing can have any value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(BTreeMap<Variable, Value>);

impl Model {
    /// These values.
    pub fn new(values: impl IntoIterator<Item = (Variable, Value)>) -> Self {
        Self(values.into_iter().collect())
    }

    /// The value of a variable, if it matters.
    pub fn get(&self, variable: Variable) -> Option<&Value> {
        self.0.get(&variable)
    }

    /// The value of a variable; the first value of its sort if it does not matter.
    pub fn value(&self, terms: &Terms, variable: Variable) -> Value {
        self.get(variable).cloned().unwrap_or_else(|| Value::default_of(&terms.sort_of(variable)))
    }

    /// The value of a term. Variables that do not matter get the first value of their sort.
    pub fn evaluate(&self, terms: &Terms, term: Term) -> Result<Value, EvaluationError> {
        evaluate(terms, term, &|variable| Some(self.value(terms, variable)))
    }

    /// Whether a truth value holds; nothing if it cannot be computed, as for quantifiers over the integers.
    pub fn satisfies(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.evaluate(terms, term).ok()?.as_bool()
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, &Value)> {
        self.0.iter().map(|(&variable, value)| (variable, value))
    }
}
