//! States, values, steps, processes and places in the user's words.
//!
//! Evidence speaks of numbers; whoever shows it asks here what they mean. Labelled systems have propositions, models have
//! variables; to a reader both are names with values.

use tertium_logic::Formula;
use tertium_system::{ActionId, ConcreteId, PartialSystem, PropId, StateId, UNLABELLED};
use tertium_truth::Belnap;

/// A name with its value, and both as the user would write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The variable or proposition.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Both together, such as `x = 3` or `!p`.
    pub text: String,
}

impl NamedValue {
    /// A variable with its value.
    pub fn of_variable(name: impl Into<String>, value: impl Into<String>) -> Self {
        let (name, value) = (name.into(), value.into());
        let text = format!("{name} = {value}");
        Self { name, value, text }
    }

    /// A proposition: `p` is true, `!p` false, `p?` unknown, `p#` claimed both true and false.
    pub fn of_proposition(name: &str, value: Belnap) -> Self {
        let (word, text) = match value {
            Belnap::True => ("true", name.to_owned()),
            Belnap::False => ("false", format!("!{name}")),
            Belnap::Unknown => ("unknown", format!("{name}?")),
            Belnap::Inconsistent => ("inconsistent", format!("{name}#")),
        };
        Self { name: name.to_owned(), value: word.to_owned(), text }
    }
}

/// What a step is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepName {
    /// Who moves, where there are several.
    pub process: Option<String>,
    /// The action; empty if it has no name.
    pub action: String,
    /// The number of the command in the source, from 1, where steps are made by commands.
    pub command: Option<usize>,
    /// The line of the source where the command stands.
    pub line: Option<usize>,
    /// The inputs, with their values.
    pub inputs: Vec<(String, String)>,
    /// How many calls are open after it, in programs that have calls. A loop whose last step leaves more of them open than there were
    /// where it begins goes ever deeper: it comes back to the same values, in another call.
    pub open_calls: usize,
}

/// What numbers mean to the user.
pub trait Names: Send + Sync {
    /// The name of a state, on one line; empty if its values say it all.
    fn state(&self, state: StateId) -> String;
    /// What holds at a state: the same names in the same order at every state.
    fn values(&self, state: StateId) -> Vec<NamedValue>;
    /// What changes between two states, or everything where there is nothing before. Where what is in scope is not the same
    /// everywhere, this is what the step does.
    fn changes(&self, before: Option<StateId>, state: StateId) -> Vec<NamedValue> {
        let mut values = self.values(state);
        if let Some(before) = before {
            let mut old = self.values(before).into_iter();
            values.retain(|value| old.next().is_none_or(|old| old.value != value.value));
        }
        values
    }
    /// What a step is called.
    fn step(&self, step: ActionId) -> StepName;
    /// What a step between two states is called. Where several commands have the same action, the states say whose step it is.
    fn step_between(&self, _source: StateId, step: ActionId, _target: StateId) -> StepName {
        self.step(step)
    }
    /// The name of a proposition.
    fn proposition(&self, proposition: PropId) -> String;
    /// The name of a concrete state that abstract ones stand for.
    fn concrete(&self, concrete: ConcreteId) -> String;
    /// A formula, in the language of the user's file.
    fn formula(&self, formula: &Formula) -> String {
        formula.to_string()
    }
    /// The system that the evidence is about, where it is one with may and must.
    fn system(&self) -> Option<&PartialSystem> {
        None
    }
}

impl Names for PartialSystem {
    fn state(&self, state: StateId) -> String {
        self.state_name(state).into_owned()
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        let labels = self.labels();
        let named = |prop| NamedValue::of_proposition(labels.names().name(prop), labels.get(prop, state));
        labels.names().ids().map(named).collect()
    }

    fn step(&self, step: ActionId) -> StepName {
        let name = self.actions().name(step);
        let action = if name == UNLABELLED { String::new() } else { name.to_owned() };
        StepName { action, ..StepName::default() }
    }

    fn proposition(&self, proposition: PropId) -> String {
        self.labels().names().name(proposition).to_owned()
    }

    fn concrete(&self, concrete: ConcreteId) -> String {
        self.domain_or_flat().concrete().name(concrete).to_owned()
    }

    fn system(&self) -> Option<&PartialSystem> {
        Some(self)
    }
}
