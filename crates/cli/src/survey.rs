//! What is told about the parts of a property, on whatever model they were looked at.
//!
//! Every property has an answer of its own. One that could not be read, or broke, costs only itself.

use crate::board::Entry;
use crate::failure::Failure;
use crate::output::Output;
use tertium_logic::{PartId, Syntax, Written};
use tertium_query::{Extent, Findings, MutualFindings};
use tertium_report::{
    Comments, Message, PlacedPart, VacuityAnswer, cause_text, next_step, underlined, verdict_line,
    written_text,
};
use tertium_support::Source;
use tertium_truth::{Cause, Verdict};

/// So many sets of parts that do not matter together are listed.
pub(crate) const MOST_SETS: usize = 1_000;

/// What was found out about one property.
pub(crate) struct Answered {
    /// The verdict on the property, or why there is none.
    pub(crate) entry: Entry,
    /// The answer for a report.
    pub(crate) answer: VacuityAnswer,
    /// The answer as text.
    pub(crate) text: String,
}

/// All answers about a file, and what the reader had to say.
pub(crate) struct Surveyed {
    pub(crate) answers: Vec<Answered>,
    pub(crate) messages: Vec<Message>,
    /// Why it is not known whether parts matter, where that is so.
    pub(crate) open: Cause,
}

/// A property that could not be read.
pub(crate) struct Unread {
    /// As given.
    pub(crate) property: String,
    /// Why.
    pub(crate) failure: Failure,
}

impl Unread {
    /// Complains, and answers that there is no answer.
    pub(crate) fn answered(self, output: &Output) -> Answered {
        failed(self.property.clone(), self.property, &self.failure, output)
    }
}

/// Complains, and answers that there is no answer; a limit becomes a verdict.
pub(crate) fn failed(property: String, formula: String, failure: &Failure, output: &Output) -> Answered {
    if let Failure::Stopped(reason) = failure {
        return unanswered(property, formula, (*reason).into());
    }
    failure.tell(output);
    let answer = VacuityAnswer { verdict: "error", messages: failure.messages(), ..blank(property, formula) };
    Answered { entry: Entry::Error(failure.status()), answer, text: String::new() }
}

/// A property about which nothing was found out because a limit was reached.
pub(crate) fn unanswered(property: String, formula: String, cause: Cause) -> Answered {
    let verdict = Verdict::Unknown(cause);
    let text = format!(
        "{}  open: {}\n  next: {}; see `tertium explain {}`\n",
        verdict_line(verdict, &formula, ""),
        cause_text(cause),
        next_step(cause),
        cause.code()
    );
    let answer = VacuityAnswer { words: cause_text(cause).to_owned(), ..blank(property, formula) };
    Answered { entry: Entry::Verdict(verdict), answer, text }
}

/// An answer that says nothing yet.
pub(crate) fn blank(property: String, formula: String) -> VacuityAnswer {
    VacuityAnswer {
        property,
        formula,
        verdict: "unknown",
        words: String::new(),
        extent: None,
        vacuous: Vec::new(),
        open: Vec::new(),
        decisive: Vec::new(),
        mutual: None,
        mutual_cut: false,
        left: None,
        matters: Vec::new(),
        assumptions: Vec::new(),
        witnesses: 0,
        runs: 0,
        messages: Vec::new(),
    }
}

/// A property where it is written, with its parts.
pub(crate) struct Sheet<'a, F> {
    pub(crate) source: &'a Source,
    pub(crate) comments: Comments,
    pub(crate) written: &'a Written<F>,
    /// Whether everything inside the vacuous parts is listed, too.
    pub(crate) all: bool,
}

impl<F: Syntax> Sheet<'_, F> {
    /// A part as it is written.
    pub(crate) fn name(&self, part: PartId) -> String {
        written_text(self.source, self.written.part(part).span, self.comments)
    }

    /// A part with its place.
    pub(crate) fn placed(&self, part: PartId) -> PlacedPart {
        PlacedPart::new(self.source, self.written.part(part).span, self.comments)
    }

    /// Parts with their places.
    pub(crate) fn all_placed(&self, parts: &[PartId]) -> Vec<PlacedPart> {
        parts.iter().map(|&part| self.placed(part)).collect()
    }

    /// The answer about a property that is true or false, as far as findings say it; `left` is what is left of it.
    pub(crate) fn answer(
        &self,
        (property, formula): (String, String),
        findings: &Findings,
        mutual: Option<&MutualFindings>,
        left: Option<String>,
    ) -> VacuityAnswer {
        let names = |parts: &Vec<PartId>| parts.iter().map(|&part| self.name(part)).collect::<Vec<String>>();
        let listed: Vec<PartId> = match self.all {
            true => self.written.questions().filter(|&part| findings.covers(self.written, part)).collect(),
            false => findings.vacuous.clone(),
        };
        VacuityAnswer {
            verdict: if findings.holds { "true" } else { "false" },
            words: findings.verdict(self.written, |part| self.name(part)),
            extent: Some(match findings.extent(self.written) {
                Extent::None => "none",
                Extent::Some => "some",
                Extent::All => "all",
            }),
            vacuous: self.all_placed(&listed),
            mutual: mutual.map(|found| found.largest.iter().map(names).collect()),
            mutual_cut: mutual.is_some_and(|found| !found.complete),
            left,
            witnesses: findings.witnesses,
            runs: findings.runs,
            ..blank(property, formula)
        }
    }

    /// Which parts do not matter, in words and underlined. Nothing if all do.
    pub(crate) fn explanation(&self, findings: &Findings, answer: &VacuityAnswer) -> String {
        let mut text = String::new();
        if findings.extent(self.written) != Extent::None {
            let spans: Vec<_> = findings.vacuous.iter().map(|&part| self.written.part(part).span).collect();
            text.push_str(&format!("  {}\n", answer.words));
            text.push_str(&underlined(self.source, self.written.formula().span(), &spans));
            if self.all {
                for part in &answer.vacuous {
                    text.push_str(&format!("  does not matter: {}\n", part.text));
                }
            }
            for set in answer.mutual.iter().flatten() {
                text.push_str(&format!("  can go together: {{{}}}\n", set.join(", ")));
            }
            if let Some(left) = &answer.left {
                let how = if findings.holds { "holds" } else { "fails" };
                text.push_str(&format!("  already {how}: {left}\n"));
            }
        }
        if answer.mutual_cut {
            text.push_str(&format!("  note: there are more than {MOST_SETS} such sets\n"));
        }
        text
    }

    /// The atoms of which it is shown why they matter: the last one that does, or every one.
    pub(crate) fn shown_atoms(&self, matters: impl Fn(PartId) -> bool) -> Vec<PartId> {
        let mut atoms = self.written.atoms();
        atoms.retain(|&atom| matters(atom));
        let first = if self.all { 0 } else { atoms.len().saturating_sub(1) };
        atoms.split_off(first)
    }
}

/// The second column of the verdict line.
pub(crate) fn extent_words(extent: Extent, holds: bool) -> &'static str {
    match (extent, holds) {
        (Extent::None, true) => "non-vacuously true",
        (Extent::None, false) => "non-vacuously false",
        (_, true) => "vacuously true",
        (_, false) => "vacuously false",
    }
}
