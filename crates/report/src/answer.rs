//! The answer to one question as text: the verdict line, then evidence, then what it relies on. It is a function of the answer
//! alone, the same for all engines and formats.

use crate::Detail;
use crate::advice::{AdviceReport, advice_text};
use crate::assumption::assumption_text;
use crate::blocking::remedy;
use crate::cause::{cause_text, next_step};
use crate::evidence::{Role, evidence_lines};
use crate::further::{counted_text, further_text};
use crate::names::{count, plain, state_text, value_word};
use crate::page::Page;
use tertium_evidence::{Answer, Evidence, Outcome, Unchecked, Validation};
use tertium_truth::{Cause, Verdict};

/// So many initial states are shown with their values.
const MOST_INITIAL: usize = 12;

/// The counters that tell how far an answer came, and what each of them counts. All others are for those who ask for statistics.
const REACHED: [(&str, &str); 14] = [
    ("rounds", "round"),
    ("refinements", "refinement"),
    ("predicates", "predicate"),
    ("runs", "run"),
    ("paths", "path"),
    ("states", "state"),
    ("reachable states", "reachable state"),
    ("abstract states", "abstract state"),
    ("concrete states", "concrete state"),
    ("iterations", "iteration"),
    ("fixpoint iterations", "fixpoint iteration"),
    ("instances", "instance"),
    ("peak nodes", "node"),
    ("solver calls", "solver call"),
];

/// The first word of a verdict line.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "TRUE",
        Verdict::False => "FALSE",
        Verdict::Unknown(_) => "UNKNOWN",
    }
}

/// The verdict line of a question that has no [`Answer`]: the word, the formula, and in a second column how it was found.
pub fn plain_verdict_line(verdict: Verdict, text: &str, summary: &str) -> String {
    columns(verdict_word(verdict), &one_line(text), &[summary])
}

/// The verdict line: the word, the property, where it stands, and how the answer was found.
pub fn verdict_line(answer: &Answer) -> String {
    placed_line(answer, "")
}

/// The same where several files are asked about: a property that stands in none of them has the file it is about beside it.
pub fn verdict_line_among_files(answer: &Answer) -> String {
    placed_line(answer, &plain(&answer.property.file))
}

fn placed_line(answer: &Answer, file: &str) -> String {
    let property = &answer.property;
    let text = match &property.label {
        Some(label) => format!("{}: {}", plain(label), plain(&one_line(&property.text))),
        None => plain(&one_line(&property.text)).into_owned(),
    };
    let place = property.line.map_or(file.to_owned(), |line| format!("{}:{line}", plain(&property.file)));
    columns(answer_word(answer), &text, &[&place, &summary(answer)])
}

/// The first word of the verdict line of an answer: what was computed, where a number was asked for.
pub fn answer_word(answer: &Answer) -> &str {
    answer.outcome.length.as_deref().unwrap_or_else(|| verdict_word(answer.outcome.verdict))
}

/// A verdict line; columns that are empty are left out.
fn columns(word: &str, text: &str, columns: &[&str]) -> String {
    let line = format!("{word}  {text}");
    let rest: Vec<&str> = columns.iter().copied().filter(|column| !column.is_empty()).collect();
    if rest.is_empty() { format!("{line}\n") } else { format!("{line:40}    {}\n", rest.join("    ")) }
}

/// How an answer was found: the engine, how much there is, and whether nobody checked it again.
fn summary(answer: &Answer) -> String {
    let outcome = &answer.outcome;
    let counted = |name: &str, noun: &str| {
        outcome.statistics.get(name).map(|n| count(usize::try_from(n).unwrap_or(usize::MAX), noun))
    };
    let reachable = outcome.reachable.as_ref().map(|n| {
        let noun = if n == "1" { "state" } else { "states" };
        format!("{n} {noun}")
    });
    let parts = [
        Some(answer.engine.clone()).filter(|engine| !engine.is_empty()),
        reachable.or_else(|| counted("states", "state")),
        counted("transitions", "transition"),
        unchecked_text(&outcome.validation),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// That nobody checked an answer again, and why, if there was something to check.
fn unchecked_text(validation: &Validation) -> Option<String> {
    let Validation::NotRechecked(why) = validation else { return None };
    Some(match unchecked_reason(*why) {
        Some(reason) => format!("not re-checked: {reason}"),
        None => "not re-checked".to_owned(),
    })
}

/// Why something that could be checked again was not.
pub(crate) fn unchecked_reason(why: Unchecked) -> Option<&'static str> {
    match why {
        Unchecked::NoCertificate => None,
        Unchecked::TooDear => Some("that would cost more than the answer"),
        Unchecked::Stopped(reason) => Some(cause_text(reason.into())),
    }
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

/// Whether the verdict is the one that a task expects.
fn expected_line(answer: &Answer) -> Option<String> {
    let expected = answer.expected?;
    let word = if answer.outcome.verdict == Verdict::of(expected) {
        "as the task expects"
    } else if answer.outcome.is_definite() {
        "THE TASK EXPECTS THE OPPOSITE"
    } else if expected {
        "the task expects true"
    } else {
        "the task expects false"
    };
    Some(format!("  task: {word}\n"))
}

/// Everything about one answer but its verdict line.
pub fn answer_text(answer: &Answer, detail: Detail) -> String {
    let Answer { outcome, names, .. } = answer;
    let names = names.as_ref();
    let mut text = match &outcome.evidence {
        Some(evidence) => {
            let role = Role::of(evidence, outcome.verdict);
            evidence_lines(names, answer.origin, evidence, role, detail) + &certified_line(outcome)
        }
        None => String::new(),
    };
    if let Verdict::Unknown(cause) = outcome.verdict {
        text.push_str(&unknown_lines(answer, cause));
    }
    let differ = outcome.values.windows(2).any(|pair| pair[0].1 != pair[1].1);
    if outcome.values.len() > 1 && (differ || detail == Detail::Full) {
        let shown = outcome.values.iter().take(detail.limit().min(MOST_INITIAL));
        let mut values: Vec<String> = shown
            .map(|&(state, value)| format!("{} {}", state_text(names, state), value_word(value)))
            .collect();
        if values.len() < outcome.values.len() {
            values.push("…".to_owned());
        }
        let mut page = Page::default();
        page.line(2, &format!("at the initial states: {}", values.join(", ")));
        text.push_str(&page.into_text());
    }
    text.extend(expected_line(answer));
    for assumption in &outcome.assumptions {
        text.push_str(&format!("  note: {}\n", assumption_text(assumption, names)));
    }
    text + &further_text(answer, detail)
}

/// An inductive set without a text, and who looked at it.
fn certified_line(outcome: &Outcome) -> String {
    let Some(Evidence::InductiveSet { nodes }) = outcome.evidence else { return String::new() };
    let checked = match &outcome.validation {
        Validation::Unasked => String::new(),
        Validation::Passed(by) => format!(", re-checked by {}", by.join(", ")),
        Validation::NotRechecked(_) => ", not re-checked".to_owned(),
    };
    format!("  invariant: an inductive set, {}{checked}\n", count(nodes, "node"))
}

/// Cause and advice, as far as the evidence has not given them.
fn unknown_lines(answer: &Answer, cause: Cause) -> String {
    let evidence = answer.outcome.evidence.as_ref();
    let mut text = String::new();
    if !matches!(evidence, Some(Evidence::Open(_) | Evidence::Contradiction { .. })) {
        let mut page = Page::default();
        let reached = reached(&answer.outcome);
        if !reached.is_empty() {
            page.line(2, &format!("reached: {}", reached.join(", ")));
        }
        let own = answer.details.iter().filter_map(|detail| match detail {
            tertium_evidence::Detail::DependsOn(sentence) => Some(sentence.as_str()),
            _ => None,
        });
        // What stands in the way says more than that there is something.
        let general = matches!(cause, Cause::Imprecise | Cause::Unsupported | Cause::Solver);
        let mut sentences: Vec<&str> = own.collect();
        if sentences.is_empty() || !general {
            sentences.insert(0, cause_text(cause));
        }
        for sentence in sentences {
            page.line(2, &format!("open: {}", plain(sentence)));
        }
        text.push_str(&page.into_text());
    }
    let advice = AdviceReport::all(&answer.advice, answer.names.as_ref());
    let is_told = match evidence {
        Some(Evidence::Open(open)) => remedy(answer.names.as_ref(), open.culprit, answer.origin).is_some(),
        _ => false,
    };
    text + &next_line(if is_told { "or" } else { "next" }, &advice, cause)
}

/// How far it came, by what was counted on the way.
fn reached(outcome: &Outcome) -> Vec<String> {
    let counted = |&(name, noun): &(&str, &str)| {
        let n = outcome.statistics.get(name).filter(|&n| n > 0)?;
        Some(count(usize::try_from(n).unwrap_or(usize::MAX), noun))
    };
    REACHED.iter().filter_map(counted).collect()
}

/// The line that says what to do.
pub(crate) fn next_line(word: &str, advice: &[AdviceReport], cause: Cause) -> String {
    let advice = if advice.is_empty() { next_step(cause).to_owned() } else { advice_text(advice) };
    let mut page = Page::default();
    page.line(2, &format!("{word}: {advice}; see `tertium explain {}`", cause.code()));
    page.into_text()
}

/// What was counted, one line each, how the answer was validated, and how long it took.
pub fn statistics_text(answer: &Answer) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<20} {value}\n"));
    for (name, value) in answer.outcome.statistics.iter() {
        line(name, &value.to_string());
    }
    match &answer.outcome.validation {
        Validation::Unasked => {}
        Validation::Passed(by) => line("validated by", &by.join(", ")),
        Validation::NotRechecked(_) => line("validated by", "nobody"),
    }
    line("time", &format!("{:.2} s", answer.time.as_secs_f64()));
    text + &counted_text(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_line_starts_with_the_verdict_and_keeps_the_formula() {
        assert_eq!(plain_verdict_line(Verdict::True, "AG p", ""), "TRUE  AG p\n");
        let line =
            plain_verdict_line(Verdict::Unknown(Cause::Time), "AG\n  % a comment\n\tp // more", "explicit");
        assert_eq!(line, format!("{:40}    explicit\n", "UNKNOWN  AG p"));
    }

    #[test]
    fn endless_formulas_are_cut() {
        assert_eq!(one_line(&"p && ".repeat(1000)).chars().count(), 301);
    }
}
