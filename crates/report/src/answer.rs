//! The answer to one question as text: the verdict line, then evidence, then what it relies on.

use crate::Detail;
use crate::assumption::assumption_text;
use crate::cause::{cause_text, next_step};
use crate::evidence::evidence_lines;
use crate::names::{count, state_text, value_word};
use std::time::Duration;
use tertium_evidence::{Evidence, Outcome};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// Where a system comes from: that decides what the user can do about what it leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user gave it.
    Given,
    /// It is an abstraction of what the user gave, by predicates.
    Abstracted,
}

/// A question with its answer, and everything that is needed to speak of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The name of the file, as the user gave it.
    pub file: &'a str,
    /// The formula, as the user wrote it.
    pub formula: &'a str,
    /// Which engine answered, and by which semantics: a few words.
    pub engine: &'a str,
    /// The system.
    pub system: &'a PartialSystem,
    /// Where it comes from.
    pub origin: Origin,
    /// The answer.
    pub outcome: &'a Outcome,
    /// Whether the evidence was validated; `None` if there is nothing to validate or nobody asked.
    pub validated: Option<bool>,
    /// The time it took; given only if statistics are asked for.
    pub time: Option<Duration>,
}

/// The first word of a verdict line.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "TRUE",
        Verdict::False => "FALSE",
        Verdict::Unknown(_) => "UNKNOWN",
    }
}

/// The verdict line: the word, the formula, and in a second column how it was found.
pub fn verdict_line(verdict: Verdict, formula: &str, summary: &str) -> String {
    let line = format!("{}  {}", verdict_word(verdict), one_line(formula));
    if summary.is_empty() { format!("{line}\n") } else { format!("{line:40}    {summary}\n") }
}

/// A formula on one line, white space as single blanks, comments left out, very long ones cut.
pub fn one_line(formula: &str) -> String {
    const LONGEST: usize = 300;
    let words: Vec<&str> = formula.lines().map(without_comment).flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A line up to its comment, which starts with `%` or `//` outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '%' if !quoted => return &line[..at],
            '/' if !quoted && line[at..].starts_with("//") => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Everything about one answer but its verdict line.
pub fn answer_text(question: &Question<'_>, detail: Detail) -> String {
    let Question { system, outcome, .. } = *question;
    let mut text = match &outcome.evidence {
        Some(evidence) => evidence_lines(system, question.origin, evidence, detail),
        None => String::new(),
    };
    if let Verdict::Unknown(cause) = outcome.verdict {
        text.push_str(&unknown_lines(cause, outcome.evidence.as_ref()));
    }
    if outcome.values.len() > 1 {
        let shown = outcome.values.iter().take(detail.limit().min(12));
        let values: Vec<String> = shown
            .map(|&(state, value)| format!("{} {}", state_text(system, state), value_word(value)))
            .collect();
        let more = if values.len() < outcome.values.len() { ", …" } else { "" };
        text.push_str(&format!("  at the initial states: {}{more}\n", values.join(", ")));
    }
    for &assumption in &outcome.assumptions {
        text.push_str(&format!("  note: {}\n", assumption_text(system, assumption)));
    }
    text
}

/// Cause and advice, as far as the evidence has not given them.
fn unknown_lines(cause: Cause, evidence: Option<&Evidence>) -> String {
    let open = matches!(evidence, Some(Evidence::Open(_)));
    let reason = if evidence.is_some() { String::new() } else { format!("  open: {}\n", cause_text(cause)) };
    let word = if open { "or" } else { "next" };
    format!("{reason}  {word}: {}; see `tertium explain {}`\n", next_step(cause), cause.code())
}

impl Question<'_> {
    /// The second column of the verdict line.
    pub fn summary(&self) -> String {
        let statistics = &self.outcome.statistics;
        let counted = |name: &str, noun: &str| {
            statistics.get(name).map(|n| count(usize::try_from(n).unwrap_or(usize::MAX), noun))
        };
        let parts = [
            Some(self.engine.to_owned()),
            counted("states", "state"),
            counted("transitions", "transition"),
            self.time.map(|time| format!("{:.2} s", time.as_secs_f64())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// What was counted, one line each.
    pub fn statistics_text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.outcome.statistics.iter() {
            text.push_str(&format!("  {name:<20} {value}\n"));
        }
        if let Some(validated) = self.validated {
            text.push_str(&format!(
                "  {:<20} {}\n",
                "evidence validated",
                if validated { "yes" } else { "no" }
            ));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_line_starts_with_the_verdict_and_keeps_the_formula() {
        assert_eq!(verdict_line(Verdict::True, "AG p", ""), "TRUE  AG p\n");
        let line = verdict_line(Verdict::Unknown(Cause::Time), "AG\n  % a comment\n\tp // more", "explicit");
        assert_eq!(line, format!("{:40}    explicit\n", "UNKNOWN  AG p"));
    }

    #[test]
    fn endless_formulas_are_cut() {
        assert_eq!(one_line(&"p && ".repeat(1000)).chars().count(), 301);
    }
}
