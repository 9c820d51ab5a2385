//! Answers about systems alone, as JSON: whether one refines another, whether one is consistent, what one is.
//! Every field is described in docs/formats/json.md.

use crate::json::{CauseReport, Message, SCHEMA, ToolInfo, cause_report, verdict_json};
use serde::Serialize;
use tertium_truth::Verdict;

/// The answer to a yes-or-no question about systems.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The files, as given.
    pub files: Vec<String>,
    /// `true`, `false`, `unknown` or `error`.
    pub verdict: &'static str,
    /// For `unknown`: why, and what to do.
    pub cause: Option<CauseReport>,
    /// What supports the answer.
    pub evidence: Option<ModelEvidence>,
    /// Whether the evidence was validated; `null` if there is none.
    pub validated: Option<bool>,
    /// Errors about the inputs.
    pub messages: Vec<Message>,
    /// The answer, as on the last line of the text.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

/// What supports an answer about systems; `kind` says which it is.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelEvidence {
    /// A refinement relation.
    Relation {
        /// Pairs of a state of the first system and one of the second.
        pairs: Vec<(String, String)>,
    },
    /// A formula that is true of the second system and not of the first.
    Distinguishing {
        /// The initial state of the first system that refines no initial state of the second.
        unmatched: String,
        /// The formula; `null` if it would be too large to write down.
        formula: Option<String>,
    },
    /// A concrete refinement was constructed.
    Refinement {
        /// How many states it has.
        states: usize,
        /// How many transitions it has.
        transitions: usize,
    },
    /// Two states that stand for the same concrete state disagree on a proposition.
    LabelContradiction {
        /// What both stand for.
        concrete: String,
        /// The proposition.
        proposition: String,
        /// Where it holds.
        holds: String,
        /// Where it fails.
        fails: String,
    },
    /// A must that no may serves.
    MustContradiction {
        /// The source.
        state: String,
        /// The action; empty for none.
        action: String,
        /// The targets.
        targets: Vec<String>,
        /// A formula that the system then both proves and refutes, for a suitable `p`.
        formula: String,
    },
}

impl ModelReport {
    /// An answer without evidence yet.
    pub fn new(command: &'static str, files: Vec<String>, verdict: Verdict, exit_status: u8) -> Self {
        Self {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command,
            files,
            verdict: verdict_json(verdict),
            cause: cause_report(verdict, Vec::new()),
            evidence: None,
            validated: None,
            messages: Vec::new(),
            result: verdict.to_string(),
            exit_status,
        }
    }

    /// No answer.
    pub fn error(
        command: &'static str,
        files: Vec<String>,
        messages: Vec<Message>,
        result: String,
        exit_status: u8,
    ) -> Self {
        Self { verdict: "error", messages, result, ..Self::new(command, files, Verdict::False, exit_status) }
    }
}
