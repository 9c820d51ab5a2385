//! The answer to one property of a model with named variables, as text and as JSON.

use crate::Detail;
use crate::cause::{cause_text, next_step};
use crate::json::{Answer, AssumptionReport, Message, cause_report, counters, verdict_json};
use crate::json_evidence::EvidenceReport;
use crate::variable_run::{VariableEvidence, claim_json, evidence_lines, initial_json, run_json};
use std::time::Duration;
use tertium_support::Statistics;
use tertium_truth::Verdict;

/// A property of a model with variables, with its answer.
#[derive(Clone, Debug)]
pub struct VariableAnswer<'a> {
    /// The name of the file, as the user gave it.
    pub file: &'a str,
    /// The property, as given: the name or the number of a specification, or the formula.
    pub property: &'a str,
    /// The property as text.
    pub formula: &'a str,
    /// Which engine answered.
    pub engine: &'a str,
    /// The answer.
    pub verdict: Verdict,
    /// For a computed length: what it is.
    pub value: Option<String>,
    /// How many states are reachable, exactly or about.
    pub states: Option<String>,
    /// What supports it.
    pub evidence: Option<VariableEvidence>,
    /// What it relies on: a stable code and a sentence.
    pub assumptions: Vec<(&'static str, String)>,
    /// What was counted.
    pub statistics: Statistics,
    /// Whether the evidence was validated; `None` if there is nothing to validate or nobody asked.
    pub validated: Option<bool>,
    /// The time it took; given only if statistics are asked for.
    pub time: Option<Duration>,
}

impl VariableAnswer<'_> {
    /// The second column of the verdict line.
    pub fn summary(&self) -> String {
        let time = self.time.map(|time| format!("{:.2} s", time.as_secs_f64()));
        let states = self.states.as_ref().map(|states| format!("{states} states"));
        let value = self.value.as_ref().map(|value| format!("the result is {value}"));
        [value, Some(self.engine.to_owned()), states, time]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Everything but the verdict line.
    pub fn text(&self, detail: Detail) -> String {
        let role = role(self.verdict);
        let mut text =
            self.evidence.as_ref().map(|evidence| evidence_lines(evidence, role, detail)).unwrap_or_default();
        if let Verdict::Unknown(cause) = self.verdict {
            let reached: Vec<String> =
                self.statistics.iter().map(|(name, value)| format!("{name} {value}")).collect();
            if !reached.is_empty() {
                text.push_str(&format!("  reached: {}\n", reached.join(", ")));
            }
            text.push_str(&format!(
                "  open: {}\n  next: {}; see `tertium explain {}`\n",
                cause_text(cause),
                next_step(cause),
                cause.code()
            ));
        }
        self.assumptions.iter().for_each(|(_, note)| text.push_str(&format!("  note: {note}\n")));
        text
    }

    /// What was counted, one line each.
    pub fn statistics_text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.statistics.iter() {
            text.push_str(&format!("  {name:<20} {value}\n"));
        }
        if let Some(validated) = self.validated {
            let word = if validated { "yes" } else { "no" };
            text.push_str(&format!("  {:<20} {word}\n", "evidence validated"));
        }
        text
    }

    /// The answer for a report.
    pub fn json(&self, messages: Vec<Message>) -> Answer {
        let role = role(self.verdict);
        let evidence = self.evidence.as_ref().map(|evidence| evidence_json(evidence, role));
        Answer {
            verdict: verdict_json(self.verdict),
            cause: cause_report(self.verdict),
            engine: Some(self.engine.to_owned()),
            value: self.value.clone(),
            reachable_states: self.states.clone(),
            evidence,
            validated: self.validated,
            assumptions: self
                .assumptions
                .iter()
                .map(|(code, text)| AssumptionReport { code, text: text.clone() })
                .collect(),
            statistics: counters(&self.statistics),
            time_ms: self.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            messages,
            ..Answer::empty(self.file, self.property, Some(self.formula.to_owned()))
        }
    }
}

/// Evidence for a report. `role` is `witness` or `counterexample`.
pub(crate) fn evidence_json(evidence: &VariableEvidence, role: &'static str) -> EvidenceReport {
    match evidence {
        VariableEvidence::Run(run) => EvidenceReport::Run { role, run: run_json(run) },
        VariableEvidence::Tree(state, claim) => {
            EvidenceReport::Tree { role, initial: initial_json(state), claim: claim_json(claim) }
        }
    }
}

fn role(verdict: Verdict) -> &'static str {
    if verdict == Verdict::False { "counterexample" } else { "witness" }
}
