//! The JSON that `--json` prints. Every field is described in docs/formats/json.md.
//!
//! One object per run. `schema` names the version: fields may be added under the same name, none is removed or changes
//! its meaning. Same input, options and seed give the same bytes: times appear only if they are asked for.

use crate::advice::{AdviceReport, advice_text, against};
use crate::cause::{cause_text, next_step};
use crate::further::FurtherReport;
use crate::json_evidence::EvidenceReport;
use serde::Serialize;
use serde_json::{Map, Value};
use tertium_support::{Diagnostic, Severity, Source, Statistics};
use tertium_truth::Verdict;

/// The name and version of the schema.
pub const SCHEMA: &str = "tertium/3";

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
    /// One entry for each file and property, in the order of the command line: each an [`AnswerReport`] as data.
    pub results: Vec<Value>,
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
pub struct AnswerReport {
    /// The file, as given.
    pub file: String,
    /// The property.
    pub property: PropertyReport,
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
    /// What its states are: those of a system that was `given`, of the `model`, or `abstract` ones, each of which stands for many; `null`
    /// without evidence.
    pub origin: Option<&'static str>,
    /// Whether the answer was validated; `false` if nothing could be checked again, `null` if nobody asked.
    pub validated: Option<bool>,
    /// By whom.
    pub validated_by: Vec<&'static str>,
    /// Why the evidence was not validated, if it could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_validated: Option<&'static str>,
    /// What the answer relies on.
    pub assumptions: Vec<AssumptionReport>,
    /// What else the engine has to say.
    pub details: Vec<FurtherReport>,
    /// What was counted.
    pub statistics: Map<String, Value>,
    /// The time in milliseconds, only with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The verdict that is right, if a task says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// Errors and warnings about the inputs.
    pub messages: Vec<Message>,
}

/// A property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyReport {
    /// Its name, or its number in the file, or the argument that gave it.
    pub name: String,
    /// The file where it stands; `null` if it was given as an argument.
    pub file: Option<String>,
    /// The line where it stands.
    pub line: Option<usize>,
    /// Its text; `null` if it could not be read.
    pub formula: Option<String>,
}

/// Why an answer is unknown.
#[derive(Clone, Debug, Serialize)]
pub struct CauseReport {
    /// The stable code.
    pub code: &'static str,
    /// A sentence.
    pub text: &'static str,
    /// What to do.
    pub next: String,
    /// The same piece by piece, so that a program can follow it.
    pub advice: Vec<AdviceReport>,
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
            Severity::Note => "note",
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

    /// What is said of a run that our own mistake ended.
    pub fn panicked() -> Self {
        Self::error("an internal error ended the run")
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

/// A command that has no result, and why.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// What is wrong; nothing if a limit was reached.
    pub messages: Vec<Message>,
    /// `unknown` with the limit, or `error` with its kind.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

impl FailureReport {
    /// Why a command has no result.
    pub fn new(command: &'static str, messages: Vec<Message>, result: String, exit_status: u8) -> Self {
        Self { schema: SCHEMA, tool: ToolInfo::default(), command, messages, result, exit_status }
    }
}

impl AnswerReport {
    /// No answer: the inputs could not be used, or Tertium failed.
    pub fn error(file: &str, property: &str, formula: Option<String>, messages: Vec<Message>) -> Self {
        Self { verdict: "error", messages, ..Self::empty(file, property, formula) }
    }

    /// An unknown that was found before an engine could say more.
    pub fn stopped(
        file: &str,
        property: &str,
        formula: Option<String>,
        verdict: Verdict,
        advice: &[AdviceReport],
    ) -> Self {
        Self {
            verdict: verdict_json(verdict),
            cause: match verdict {
                Verdict::Unknown(cause) => cause_report(verdict, against(cause, advice)),
                Verdict::True | Verdict::False => None,
            },
            ..Self::empty(file, property, formula)
        }
    }

    pub(crate) fn empty(file: &str, property: &str, formula: Option<String>) -> Self {
        Self {
            file: file.to_owned(),
            property: PropertyReport { name: property.to_owned(), file: None, line: None, formula },
            verdict: "error",
            cause: None,
            engine: None,
            value: None,
            reachable_states: None,
            values: Vec::new(),
            evidence: None,
            origin: None,
            validated: None,
            validated_by: Vec::new(),
            not_validated: None,
            assumptions: Vec::new(),
            details: Vec::new(),
            statistics: Map::new(),
            time_ms: None,
            expected: None,
            messages: Vec::new(),
        }
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

/// The cause of an unknown; where there is no advice, what the cause tells.
pub(crate) fn cause_report(verdict: Verdict, advice: Vec<AdviceReport>) -> Option<CauseReport> {
    let Verdict::Unknown(cause) = verdict else { return None };
    let next = if advice.is_empty() { next_step(cause).to_owned() } else { advice_text(&advice) };
    Some(CauseReport { code: cause.code(), text: cause_text(cause), next, advice })
}
