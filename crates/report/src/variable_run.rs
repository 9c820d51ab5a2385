//! Evidence about models with named variables: runs that show what changes, and trees of claims with the runs that show
//! them.
//!
//! States are numbered from 1 along each run, as users of such tools expect; only changed variables are shown unless
//! everything is asked for. A run inside a tree begins at the state its claim is about.

use crate::Detail;
use crate::names::count;
use serde::Serialize;
use serde_json::{Map, Value};

/// Names with values, as the user would write them.
pub type Valuation = Vec<(String, String)>;

/// A run of a model with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableRun {
    /// The values of all variables in each state; one state at least.
    pub states: Vec<Valuation>,
    /// The inputs of each step.
    pub inputs: Vec<Valuation>,
    /// The index of the state that the last step leads back to, if it does.
    pub loop_start: Option<usize>,
}

/// A claim about a state, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed to hold.
    pub formula: String,
    /// What shows it.
    pub shown: Shown,
}

/// What shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The values in the state.
    Values,
    /// Claims about the same state.
    Parts(Vec<Claim>),
    /// A run from the state, and claims about its states by index.
    Run(VariableRun, Vec<(usize, Claim)>),
    /// All runs from the state, so no single one.
    AllRuns,
}

/// What supports an answer about a model with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableEvidence {
    /// A run.
    Run(VariableRun),
    /// A claim about an initial state with these values.
    Tree(Valuation, Claim),
}

impl VariableRun {
    fn n_steps(&self) -> usize {
        self.states.len() - usize::from(self.loop_start.is_none())
    }

    /// `3 steps`, or `2 steps, then a loop of 1 step`.
    fn length(&self) -> String {
        match self.loop_start {
            None => count(self.n_steps(), "step"),
            Some(start) => {
                format!("{}, then a loop of {}", count(start, "step"), count(self.n_steps() - start, "step"))
            }
        }
    }
}

/// The lines of evidence. `role` is `witness` or `counterexample`.
pub(crate) fn evidence_lines(evidence: &VariableEvidence, role: &str, detail: Detail) -> String {
    let mut writer = Writer { text: String::new(), detail };
    match evidence {
        VariableEvidence::Run(run) => {
            writer.line(1, &format!("{role}: {}", run.length()));
            writer.run(2, run, &[]);
        }
        VariableEvidence::Tree(state, claim) => {
            writer.line(1, &format!("{role}:"));
            writer.claim(1, claim, Some(state));
        }
    }
    writer.text
}

struct Writer {
    text: String,
    detail: Detail,
}

impl Writer {
    fn line(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// `initial` is shown where no run does.
    fn claim(&mut self, depth: usize, claim: &Claim, initial: Option<&Valuation>) {
        let formula = &claim.formula;
        if let (Some(state), Shown::Values | Shown::Parts(_) | Shown::AllRuns) = (initial, &claim.shown) {
            self.line(depth, "at the initial state");
            state.iter().for_each(|(name, value)| self.line(depth + 2, &format!("{name} = {value}")));
        }
        match &claim.shown {
            Shown::Values => self.line(depth, &format!("{formula}  holds there")),
            Shown::AllRuns => {
                self.line(depth, &format!("{formula}  holds there: it speaks of all runs, none is shown"))
            }
            Shown::Parts(parts) => {
                self.line(depth, &format!("{formula}  holds there, because"));
                parts.iter().for_each(|part| self.claim(depth + 1, part, None));
            }
            Shown::Run(run, claims) => {
                self.line(depth, &format!("{formula}  is shown by {}", run.length()));
                self.run(depth + 1, run, claims);
            }
        }
    }

    fn run(&mut self, depth: usize, run: &VariableRun, claims: &[(usize, Claim)]) {
        let n = run.states.len();
        let hidden = n.saturating_sub(self.detail.limit());
        let head = if hidden == 0 { n } else { self.detail.limit() / 2 };
        for index in 0..n {
            if index == head && hidden > 0 {
                self.line(depth, &format!("… {} (--full shows all)", count(hidden, "more state")));
            }
            if (head..head + hidden).contains(&index) {
                continue;
            }
            if index > 0 {
                self.inputs(depth, &run.inputs[index - 1]);
            }
            let here = if run.loop_start == Some(index) { "  (the loop starts here)" } else { "" };
            self.line(depth, &format!("-> state {} <-{here}", index + 1));
            // After a gap everything is shown again.
            let after_gap = hidden > 0 && index == head + hidden;
            let before = index.checked_sub(1).filter(|_| !after_gap).map(|before| &run.states[before]);
            self.values(depth + 2, before, &run.states[index]);
            for (_, claim) in claims.iter().filter(|(at, _)| *at == index) {
                self.claim(depth + 1, claim, None);
            }
        }
        if let Some(start) = run.loop_start {
            if let Some(inputs) = run.inputs.get(n - 1) {
                self.inputs(depth, inputs);
            }
            self.line(depth, &format!("-> state {} again", start + 1));
        }
    }

    fn inputs(&mut self, depth: usize, inputs: &Valuation) {
        if !inputs.is_empty() {
            let written: Vec<String> =
                inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            self.line(depth + 1, &format!("input: {}", written.join(", ")));
        }
    }

    fn values(&mut self, depth: usize, before: Option<&Valuation>, state: &Valuation) {
        let full = self.detail == Detail::Full;
        for (index, (name, value)) in state.iter().enumerate() {
            let same = before.is_some_and(|before| before[index].1 == *value);
            if full || !same {
                self.line(depth, &format!("{name} = {value}"));
            }
        }
    }
}

/// A run as JSON: every state and input with all its values.
#[derive(Clone, Debug, Serialize)]
pub struct RunEvidenceReport {
    /// All values in each state.
    pub states: Vec<Map<String, Value>>,
    /// The inputs of each step.
    pub inputs: Vec<Map<String, Value>>,
    /// For a lasso: the index of the state that the last step leads back to.
    pub loop_start: Option<usize>,
}

/// A claim as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimTreeReport {
    /// What is claimed to hold.
    pub formula: String,
    /// `values`, `parts`, `run` or `all_runs`.
    pub shown_by: &'static str,
    /// For `parts`: claims about the same state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ClaimTreeReport>,
    /// For `run`: the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunEvidenceReport>,
    /// For `run`: claims about its states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<ClaimAlongReport>,
}

/// A claim about a state of a run.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimAlongReport {
    /// The index of the state.
    pub state: usize,
    /// The claim.
    pub claim: ClaimTreeReport,
}

fn values_json(values: &Valuation) -> Map<String, Value> {
    values.iter().map(|(name, value)| (name.clone(), Value::String(value.clone()))).collect()
}

pub(crate) fn run_json(run: &VariableRun) -> RunEvidenceReport {
    RunEvidenceReport {
        states: run.states.iter().map(values_json).collect(),
        inputs: run.inputs.iter().map(values_json).collect(),
        loop_start: run.loop_start,
    }
}

pub(crate) fn claim_json(claim: &Claim) -> ClaimTreeReport {
    let mut report = ClaimTreeReport {
        formula: claim.formula.clone(),
        shown_by: "values",
        parts: Vec::new(),
        run: None,
        along: Vec::new(),
    };
    match &claim.shown {
        Shown::Values => {}
        Shown::AllRuns => report.shown_by = "all_runs",
        Shown::Parts(parts) => {
            report.shown_by = "parts";
            report.parts = parts.iter().map(claim_json).collect();
        }
        Shown::Run(run, claims) => {
            report.shown_by = "run";
            report.run = Some(run_json(run));
            report.along = claims
                .iter()
                .map(|(state, claim)| ClaimAlongReport { state: *state, claim: claim_json(claim) })
                .collect();
        }
    }
    report
}

pub(crate) fn initial_json(state: &Valuation) -> Map<String, Value> {
    values_json(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valuation(values: &[(&str, &str)]) -> Valuation {
        values.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn lasso() -> VariableRun {
        VariableRun {
            states: vec![valuation(&[("x", "0"), ("y", "a")]), valuation(&[("x", "1"), ("y", "a")])],
            inputs: vec![valuation(&[("go", "TRUE")]), valuation(&[("go", "FALSE")])],
            loop_start: Some(1),
        }
    }

    #[test]
    fn a_run_shows_what_changes_and_where_it_loops() {
        let text = evidence_lines(&VariableEvidence::Run(lasso()), "counterexample", Detail::Screen);
        let expected = "  counterexample: 1 step, then a loop of 1 step\n    -> state 1 <-\n        x = 0\n        y = a\n      \
                        input: go = TRUE\n    -> state 2 <-  (the loop starts here)\n        x = 1\n      input: go = FALSE\n    \
                        -> state 2 again\n";
        assert_eq!(text, expected);
        let full = evidence_lines(&VariableEvidence::Run(lasso()), "counterexample", Detail::Full);
        assert_eq!(full.matches("y = a").count(), 2);
    }

    #[test]
    fn a_long_run_shows_its_ends_and_all_values_after_the_gap() {
        let states = (0..100).map(|x| valuation(&[("x", &x.to_string()), ("y", "a")])).collect();
        let run = VariableRun { states, inputs: vec![Vec::new(); 99], loop_start: None };
        let text = evidence_lines(&VariableEvidence::Run(run), "witness", Detail::Screen);
        assert!(text.contains("… 70 more states (--full shows all)"), "{text}");
        assert_eq!(text.matches("y = a").count(), 2);
    }
}
