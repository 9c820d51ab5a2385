//! Which parts of a property do not matter, as text: the verdict, the property with these parts underlined, and why others matter.

use crate::answer::plain_verdict_line;
use crate::cause::{cause_text, next_step};
use crate::vacuity::VacuityAnswer;
use tertium_truth::{Cause, Verdict};

/// What to do where a system leaves open whether something holds or matters, or is a solution.
pub(crate) const SETTLE: &str =
    "settle what is open; `tertium check` shows which step or label leaves a property open";

/// The lines of an answer; with `all`, every vacuous part has a line. Nothing if there is no answer.
pub fn vacuity_text(answer: &VacuityAnswer, all: bool) -> String {
    match answer.verdict {
        "true" => definite(answer, Verdict::True, all),
        "false" => definite(answer, Verdict::False, all),
        "unknown" => open(answer, answer.cause.unwrap_or(Cause::Imprecise)),
        _ => String::new(),
    }
}

fn definite(answer: &VacuityAnswer, verdict: Verdict, all: bool) -> String {
    let word = if verdict == Verdict::True { "true" } else { "false" };
    let how = match answer.extent {
        None => format!("perhaps vacuously {word}"),
        Some("none") => format!("non-vacuously {word}"),
        Some(_) => format!("vacuously {word}"),
    };
    let mut text = plain_verdict_line(verdict, &answer.title, &how);
    if matches!(answer.extent, Some("some" | "all")) {
        text.push_str(&explanation(answer, verdict, all));
    }
    if answer.mutual_cut {
        let n = answer.mutual.as_ref().map_or(0, Vec::len);
        text.push_str(&format!("  note: there are more than {n} such sets\n"));
    }
    answer.assumptions.iter().for_each(|note| text.push_str(&format!("  note: {}\n", note.text)));
    let how = match answer.cause {
        Some(Cause::Imprecise) => "the system does not say whether this matters",
        _ => "it was not found out whether this matters",
    };
    for part in &answer.open {
        text.push_str(&format!("  open: {how}: {}\n", part.text));
    }
    if let (false, Some(cause)) = (answer.open.is_empty(), answer.cause) {
        text.push_str(&next(cause));
    }
    answer.matters.iter().for_each(|relevance| text.push_str(&relevance.text()));
    text
}

/// Which parts do not matter, in words and underlined.
fn explanation(answer: &VacuityAnswer, verdict: Verdict, all: bool) -> String {
    let mut text = format!("  {}\n{}", answer.words, answer.marked);
    for part in answer.vacuous.iter().filter(|_| all) {
        text.push_str(&format!("  does not matter: {}\n", part.text));
    }
    for set in answer.mutual.iter().flatten() {
        text.push_str(&format!("  can go together: {{{}}}\n", set.join(", ")));
    }
    if let Some(left) = &answer.left {
        let how = if verdict == Verdict::True { "holds" } else { "fails" };
        text.push_str(&format!("  already {how}: {left}\n"));
    }
    text
}

/// The lines where the verdict itself is open.
fn open(answer: &VacuityAnswer, cause: Cause) -> String {
    let mut text = plain_verdict_line(Verdict::Unknown(cause), &answer.title, "");
    text.push_str(&format!("  open: {}\n", cause_text(cause)));
    for part in &answer.decisive {
        text.push_str(&format!("  matters in any case: {}\n", part.text));
    }
    text.push_str(&next(cause));
    text
}

fn next(cause: Cause) -> String {
    let advice = if cause == Cause::Imprecise { SETTLE } else { next_step(cause) };
    format!("  next: {advice}; see `tertium explain {}`\n", cause.code())
}
