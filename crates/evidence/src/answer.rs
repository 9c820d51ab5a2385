//! An answer as it leaves the library: the outcome with all that is needed to speak of it.

use crate::{Advice, Document, Names, Outcome};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Which property a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyName {
    /// The file, as the user gave it.
    pub file: String,
    /// Its name, or its number in the file, or the argument that gave it.
    pub given: String,
    /// Its name, if it has one.
    pub label: Option<String>,
    /// The property as the user wrote it.
    pub text: String,
    /// The line of the file where it stands.
    pub line: Option<usize>,
}

impl PropertyName {
    /// A property of which nothing is known but its text.
    pub fn of_text(text: String) -> Self {
        Self { given: text.clone(), text, ..Self::default() }
    }

    /// The property with its name.
    pub fn title(&self) -> String {
        let label = self.label.as_ref().map_or(String::new(), |label| format!("{label}: "));
        format!("{label}{}", self.text)
    }
}

/// What the states of evidence are: that decides what the user can do about what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user gave the system.
    Given,
    /// They are states of the user's model.
    Model,
    /// They are abstract states: sets of states of the user's model, told apart by predicates.
    Abstracted,
}

/// One round of a search in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchRound {
    /// States that were generated, again or not.
    pub concrete: usize,
    /// States that were kept.
    pub abstract_states: usize,
    /// Predicates that were new at its end.
    pub new_predicates: usize,
    /// Questions that were asked.
    pub queries: usize,
    /// Questions that were answered before.
    pub hits: usize,
}

/// One round of refinement: an abstract system, and what it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbstractionRound {
    /// Its states.
    pub abstract_states: usize,
    /// Its may steps.
    pub steps: usize,
    /// The predicates that tell its states apart.
    pub predicates: usize,
}

/// What an engine has to say besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The predicates of the last round.
    Predicates(Vec<String>),
    /// How often the solver gave up, and on which products how often.
    GaveUp(u64, Vec<(String, u64)>),
    /// The propositions that were seen to hold, and those that were seen to fail.
    Seen(Vec<String>, Vec<String>),
    /// The rounds of a search.
    Rounds(Vec<SearchRound>),
    /// The rounds of refinement.
    Abstractions(Vec<AbstractionRound>),
    /// No run of so many steps violates the invariant.
    NoViolationWithin(usize),
    /// A sentence on what was left out.
    LeftOut(String),
    /// A sentence on what an unknown answer depends on, for the user to settle.
    DependsOn(String),
}

/// An answer with everything that is needed to show it.
#[derive(Clone)]
pub struct Answer {
    /// What was asked.
    pub property: PropertyName,
    /// Which engine answered, and how: a few words.
    pub engine: String,
    /// The answer.
    pub outcome: Outcome,
    /// What the numbers in it mean.
    pub names: Arc<dyn Names>,
    /// What its states are.
    pub origin: Origin,
    /// What else there is to say.
    pub details: Vec<Detail>,
    /// What to do where the answer is open.
    pub advice: Vec<Advice>,
    /// The verdict that is right, if a task says it.
    pub expected: Option<bool>,
    /// Files that say the same, of the kinds that were asked for.
    pub documents: Vec<Document>,
    /// How long it took; not part of the answer, which is the same in every run.
    pub time: Duration,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("property", &self.property).field("outcome", &self.outcome).finish()
    }
}
