//! The JSON that `--json` prints. Every field is described in docs/formats/json.md.
//!
//! One object per run. `schema` names the version: fields may be added under the same name, none is removed or changes
//! its meaning. Same input, options and seed give the same bytes: times appear only if they are asked for.

use crate::Detail;
use crate::answer::Question;
use crate::assumption::assumption_report;
use crate::cause::{cause_text, next_step};
use crate::json_evidence::{EvidenceReport, evidence_report};
use crate::names::value_word;
use serde::Serialize;
use serde_json::{Map, Value};
use tertium_support::{Diagnostic, Severity, Source, Statistics};
use tertium_truth::Verdict;

/// The name and version of the schema.
pub const SCHEMA: &str = "tertium/1";

/// A whole run of `tertium check`.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The settings that matter for the answer.
    pub settings: Map<String, Value>,
    /// One entry for each file and property, in the order of the command line.
    pub results: Vec<Answer>,
    /// All answers together, as on the last line of the text.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

/// Which program wrote a report.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ToolInfo {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Default for ToolInfo {
    fn default() -> Self {
        Self { name: "tertium", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The answer to one property on one file.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The file, as given.
    pub file: String,
    /// The property, as given: the formula, or `@` and a file name.
    pub property: String,
    /// The text of the formula; `null` if it could not be read.
    pub formula: Option<String>,
    /// `true`, `false`, `unknown` or `error`.
    pub verdict: &'static str,
    /// For `unknown`: why, and what to do.
    pub cause: Option<CauseReport>,
    /// Which engine answered; `null` if none did.
    pub engine: Option<String>,
    /// For a computed length: the number, or `infinite`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// How many states are reachable: a number, or about which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reachable_states: Option<String>,
    /// The value at each initial state.
    pub values: Vec<StateValue>,
    /// What supports the answer.
    pub evidence: Option<EvidenceReport>,
    /// Whether the evidence was validated; `null` if there was nothing to validate or nobody asked.
    pub validated: Option<bool>,
    /// What the answer relies on.
    pub assumptions: Vec<AssumptionReport>,
    /// What was counted.
    pub statistics: Map<String, Value>,
    /// The time in milliseconds, only with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Errors and warnings about the inputs.
    pub messages: Vec<Message>,
}

/// Why an answer is unknown.
#[derive(Clone, Debug, Serialize)]
pub struct CauseReport {
    /// The stable code.
    pub code: &'static str,
    /// A sentence.
    pub text: &'static str,
    /// What to do.
    pub next: &'static str,
}

/// The value of the formula at a state.
#[derive(Clone, Debug, Serialize)]
pub struct StateValue {
    /// The state.
    pub state: String,
    /// `true`, `false`, `unknown` or `inconsistent`.
    pub value: &'static str,
}

/// Something an answer relies on.
#[derive(Clone, Debug, Serialize)]
pub struct AssumptionReport {
    /// A stable word.
    pub code: &'static str,
    /// A sentence.
    pub text: String,
}

/// An error or a warning about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong.
    pub text: String,
    /// The file or the name of the property; `null` if it is about no text.
    pub source: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// What was expected, or what to do.
    pub notes: Vec<String>,
}

impl Message {
    /// A complaint about a text.
    pub fn located(source: &Source, complaint: &Diagnostic) -> Self {
        let (line, column) = source.line_column(complaint.span.start);
        let severity = match complaint.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        Self {
            severity,
            text: complaint.message.clone(),
            source: Some(source.name().to_owned()),
            line: Some(line),
            column: Some(column),
            notes: complaint.notes.clone(),
        }
    }

    /// An error that is about no place in a text.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            severity: "error",
            text: text.into(),
            source: None,
            line: None,
            column: None,
            notes: Vec::new(),
        }
    }
}

impl Answer {
    /// No answer: the inputs could not be used, or Tertium failed.
    pub fn error(file: &str, property: &str, formula: Option<String>, messages: Vec<Message>) -> Self {
        Self { verdict: "error", messages, ..Self::empty(file, property, formula) }
    }

    /// An unknown that was found before an engine could say more.
    pub fn stopped(file: &str, property: &str, formula: Option<String>, verdict: Verdict) -> Self {
        Self {
            verdict: verdict_json(verdict),
            cause: cause_report(verdict),
            ..Self::empty(file, property, formula)
        }
    }

    pub(crate) fn empty(file: &str, property: &str, formula: Option<String>) -> Self {
        Self {
            file: file.to_owned(),
            property: property.to_owned(),
            formula,
            verdict: "error",
            cause: None,
            engine: None,
            value: None,
            reachable_states: None,
            values: Vec::new(),
            evidence: None,
            validated: None,
            assumptions: Vec::new(),
            statistics: Map::new(),
            time_ms: None,
            messages: Vec::new(),
        }
    }
}

/// The report of one answer. `property` is the argument that gave the formula. Very large strategies are left out
/// unless `detail` asks for everything.
pub fn answer_json(
    question: &Question<'_>,
    property: &str,
    messages: Vec<Message>,
    detail: Detail,
) -> Answer {
    let Question { system, outcome, .. } = *question;
    let value = |&(state, value)| StateValue {
        state: system.state_name(state).into_owned(),
        value: value_word(value),
    };
    let assumption = |&assumption| assumption_report(system, assumption);
    Answer {
        verdict: verdict_json(outcome.verdict),
        cause: cause_report(outcome.verdict),
        engine: Some(question.engine.to_owned()),
        values: outcome.values.iter().map(value).collect(),
        evidence: outcome
            .evidence
            .as_ref()
            .map(|evidence| evidence_report(system, question.origin, evidence, detail)),
        validated: question.validated,
        assumptions: outcome.assumptions.iter().map(assumption).collect(),
        statistics: counters(&outcome.statistics),
        time_ms: question.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        messages,
        ..Answer::empty(question.file, property, Some(question.formula.to_owned()))
    }
}

/// Counters as an object, names with `_` for blanks.
pub fn counters(statistics: &Statistics) -> Map<String, Value> {
    statistics.iter().map(|(name, value)| (name.replace(' ', "_"), value.into())).collect()
}

pub(crate) fn verdict_json(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "true",
        Verdict::False => "false",
        Verdict::Unknown(_) => "unknown",
    }
}

pub(crate) fn cause_report(verdict: Verdict) -> Option<CauseReport> {
    match verdict {
        Verdict::True | Verdict::False => None,
        Verdict::Unknown(cause) => {
            Some(CauseReport { code: cause.code(), text: cause_text(cause), next: next_step(cause) })
        }
    }
}
