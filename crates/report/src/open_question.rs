//! A question that has no answer yet: what is told of it if a limit or a signal ends the run first.

use crate::advice::against;
use crate::answer::next_line;
use crate::{AdviceReport, AnswerReport, cause_text, plain_verdict_line};
use serde::{Deserialize, Serialize};
use tertium_evidence::{Advice, PropertyName, Table};
use tertium_truth::{Cause, Verdict};

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// The file.
    pub file: String,
    /// The property as given.
    pub property: String,
    /// The formula, where that is known and says more.
    pub formula: Option<String>,
    /// The property as a verdict line has it.
    pub title: String,
    /// Where it stands.
    pub place: String,
    /// What to try if a limit ends it.
    pub advice: Vec<AdviceReport>,
}

impl OpenQuestion {
    /// A property that nobody has read yet.
    pub fn unread(file: String, property: String) -> Self {
        let title = property.clone();
        Self { file, title, property, formula: None, place: String::new(), advice: Vec::new() }
    }

    /// A property that was found.
    pub fn named(name: &PropertyName, advice: &[Advice]) -> Self {
        Self {
            file: name.file.clone(),
            property: name.given.clone(),
            formula: Some(name.text.trim().to_owned()),
            title: name.title(),
            place: name.line.map(|line| format!("{}:{line}", name.file)).unwrap_or_default(),
            advice: AdviceReport::all(advice, &Table::default()),
        }
    }

    /// The verdict line, where a limit leaves it unknown before an engine could say more. Among files it names its own.
    pub fn stopped_line(&self, cause: Cause, among_files: bool) -> String {
        let place = match self.place.as_str() {
            "" if among_files => &self.file,
            place => place,
        };
        plain_verdict_line(Verdict::Unknown(cause), &self.title, place)
    }

    /// The lines below that.
    pub fn stopped_text(&self, cause: Cause) -> String {
        let next = next_line("next", &against(cause, &self.advice), cause);
        format!("  open: {}\n{next}", cause_text(cause))
    }

    /// The same as data.
    pub fn stopped(&self, cause: Cause) -> AnswerReport {
        let formula = self.formula.clone();
        AnswerReport::stopped(&self.file, &self.property, formula, Verdict::Unknown(cause), &self.advice)
    }
}
