//! Answers to queries, as text and as JSON. Every field of the JSON is described in docs/formats/json.md.

use crate::advice::AdviceReport;
use crate::answer::plain_verdict_line;
use crate::json::{AssumptionReport, CauseReport, Message, SCHEMA, ToolInfo, cause_report, verdict_json};
use crate::vacuity_text::SETTLE;
use serde::Serialize;
use serde_json::{Map, Value};
use tertium_truth::{Cause, Verdict};

/// What to do where the memory was not enough.
const FEWER_VARIABLES: &str =
    "give more memory with `--memory`; fewer variables in braces behind `?` take less";

/// The answer to a query.
#[derive(Clone, Debug, Serialize)]
pub struct QueryReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The file, as given.
    pub file: String,
    /// The query, shortcuts written out.
    pub query: String,
    /// How it was solved.
    pub method: &'static str,
    /// At which initial states a solution must be one: `all`, `some`, or `each` for one answer per initial state.
    pub initial: &'static str,
    /// Whether there is a solution: `true`, `false`, `unknown` or `error`.
    pub verdict: &'static str,
    /// For `unknown`: why, and what to do.
    pub cause: Option<CauseReport>,
    /// What solutions are: `values`, `strongest` or `weakest` formulas.
    pub kind: &'static str,
    /// The variables that the placeholder is about.
    pub variables: Vec<String>,
    /// How many solutions there are; `null` if that is not known.
    pub n_solutions: Option<String>,
    /// The solutions, together: disjoint cubes of values, or one list of cubes for each formula.
    pub solutions: Vec<SolutionReport>,
    /// How many further solutions the system leaves open; only of partial systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_possible: Option<String>,
    /// What the system leaves open, like `solutions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<SolutionReport>,
    /// Whether some are left out.
    pub cut: bool,
    /// Whether every other solution but `FALSE` follows from one of these.
    pub exact: bool,
    /// For `each`: the initial states by their solutions.
    pub classes: Vec<ClassReport>,
    /// What the answer relies on.
    pub assumptions: Vec<AssumptionReport>,
    /// What was counted.
    pub statistics: Map<String, Value>,
    /// Errors and warnings about the inputs.
    pub messages: Vec<Message>,
    /// The answer, as on the last line of the text.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

/// A set of combinations of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolutionReport {
    /// As an expression of the language of the file.
    pub text: String,
    /// The same as cubes: for each the variables that do not have just any value.
    pub cubes: Vec<Vec<ValuesReport>>,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValuesReport {
    /// The variable.
    pub variable: String,
    /// The values; `a..b` for many in a row.
    pub values: Vec<String>,
}

/// Initial states with the same solutions.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    /// How many states.
    pub n_initial: String,
    /// The states, as disjoint cubes.
    pub initial: Vec<SolutionReport>,
    /// How many solutions.
    pub n_solutions: String,
    /// The solutions, as disjoint cubes.
    pub solutions: Vec<SolutionReport>,
    /// How many further solutions the system leaves open; only of partial systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_possible: Option<String>,
    /// What the system leaves open, like `solutions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<SolutionReport>,
    /// Whether states or solutions are left out.
    pub cut: bool,
}

impl QueryReport {
    /// An answer without solutions yet.
    pub fn new(file: &str, query: &str) -> Self {
        Self {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "query",
            file: file.to_owned(),
            query: query.to_owned(),
            method: "tlq",
            initial: "all",
            verdict: "error",
            cause: None,
            kind: "values",
            variables: Vec::new(),
            n_solutions: None,
            solutions: Vec::new(),
            n_possible: None,
            possible: Vec::new(),
            cut: false,
            exact: false,
            classes: Vec::new(),
            assumptions: Vec::new(),
            statistics: Map::new(),
            messages: Vec::new(),
            result: String::new(),
            exit_status: 0,
        }
    }

    /// The same with the answer whether there is a solution.
    #[must_use]
    pub fn settled(mut self, verdict: Verdict, exit_status: u8) -> Self {
        self.verdict = verdict_json(verdict);
        let words = match verdict {
            Verdict::Unknown(Cause::Imprecise) => Some(SETTLE),
            Verdict::Unknown(Cause::Memory) => Some(FEWER_VARIABLES),
            _ => None,
        };
        let advice = words.map(|text| AdviceReport::Words { text: text.to_owned() }).into_iter().collect();
        self.cause = cause_report(verdict, advice);
        self.result = verdict.to_string();
        self.exit_status = exit_status;
        self
    }

    /// The answer as text, without the last line.
    pub fn text(&self, verdict: Verdict) -> String {
        let mut text = plain_verdict_line(verdict, &self.query, &self.summary());
        if let Some(cause) = &self.cause {
            let CauseReport { text: why, next, code, .. } = cause;
            text.push_str(&format!("  open: {why}\n  next: {next}; see `tertium explain {code}`\n"));
        }
        if self.initial == "each" {
            for class in &self.classes {
                let states = if class.n_initial == "1" { "state" } else { "states" };
                text.push_str(&format!("  {} initial {states}\n", class.n_initial));
                class.initial.iter().for_each(|cube| text.push_str(&format!("    {}\n", cube.text)));
                match class.n_solutions.as_str() {
                    "0" => text.push_str("  have no solution\n"),
                    n => text.push_str(&format!("  have {}\n", counted(n, "solution"))),
                }
                class.solutions.iter().for_each(|cube| text.push_str(&format!("    {}\n", cube.text)));
                if let Some(n) = &class.n_possible {
                    text.push_str(&format!(
                        "  and possibly {}, left open by the system\n",
                        counted(n, "solution")
                    ));
                    class.possible.iter().for_each(|cube| text.push_str(&format!("    {}\n", cube.text)));
                }
                if class.cut {
                    text.push_str("    …\n");
                }
            }
        } else {
            let line = |solution: &SolutionReport| {
                let any = self.kind == "values" && solution.text.eq_ignore_ascii_case("true");
                if any { "any values".to_owned() } else { solution.text.clone() }
            };
            self.solutions.iter().for_each(|solution| text.push_str(&format!("  {}\n", line(solution))));
            if self.n_possible.is_some() || !self.possible.is_empty() {
                let n = self.n_possible.as_ref().map(|n| format!(" {}", counted(n, "solution")));
                text.push_str(&format!("  possible, left open by the system:{}\n", n.unwrap_or_default()));
                self.possible.iter().for_each(|solution| text.push_str(&format!("    {}\n", line(solution))));
            }
        }
        if self.cut {
            text.push_str("  … and more: see --max\n");
        }
        if self.exact && !self.solutions.is_empty() {
            text.push_str("  every other solution, except perhaps FALSE, follows from one of these\n");
        }
        self.assumptions.iter().for_each(|note| text.push_str(&format!("  note: {}\n", note.text)));
        text
    }

    fn summary(&self) -> String {
        let Some(n) = &self.n_solutions else { return self.method.to_owned() };
        let what = match self.kind {
            "strongest" => "strongest solution",
            "weakest" => "weakest solution",
            _ => "solution",
        };
        let place = match self.initial {
            "some" => " at some initial state",
            "each" => " at the initial states together",
            _ => "",
        };
        format!("{}{place}, {}", counted(n, what), self.method)
    }
}

fn counted(n: &str, what: &str) -> String {
    if n == "1" { format!("1 {what}") } else { format!("{n} {what}s") }
}
