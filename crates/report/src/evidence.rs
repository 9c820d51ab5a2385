//! Evidence of every kind as text.

use crate::Detail;
use crate::blocking::{culprit_text, remedy, way};
use crate::claim::write_tree;
use crate::names::{count, plain};
use crate::page::Page;
use crate::strategy::{strategy_length, write_ranks, write_strategy};
use crate::summaries::write_summaries;
use crate::trace::{Walk, trace_length};
use tertium_evidence::{Evidence, Names, Origin, Strategy, Trace, as_trace, claim_as_trace};
use tertium_truth::Verdict;

/// So many conditions of an invariant are shown.
const MOST_CONDITIONS: usize = 12;
/// So many lines of evidence are shown on a screen, whatever it is.
const MOST_LINES: usize = 38;

/// What evidence is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It shows that the property holds.
    Witness,
    /// It shows that the property fails.
    Counterexample,
    /// It shows that a part of the property matters, whether it proves the changed property or refutes it.
    Relevance,
}

impl Role {
    /// The role of evidence for a verdict.
    pub(crate) fn of(evidence: &Evidence, verdict: Verdict) -> Self {
        match evidence {
            Evidence::Proof(_) => Self::Witness,
            Evidence::Refutation(_) => Self::Counterexample,
            _ if verdict == Verdict::False => Self::Counterexample,
            _ => Self::Witness,
        }
    }

    /// The word for a path or a tree.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Witness | Self::Relevance => "witness",
            Self::Counterexample => "counterexample",
        }
    }

    fn strategy_word(self) -> &'static str {
        match self {
            Self::Witness => "proof",
            Self::Counterexample => "refutation",
            Self::Relevance => "witness",
        }
    }
}

/// The lines of the evidence, indented, each ended by a line break.
pub(crate) fn evidence_lines(
    names: &dyn Names,
    origin: Origin,
    evidence: &Evidence,
    role: Role,
    detail: Detail,
) -> String {
    let mut page = Page::default();
    match evidence {
        Evidence::Trace(trace) => write_trace(names, role, trace, detail, &mut page),
        Evidence::Tree(claim) => match claim_as_trace(claim) {
            Some(trace) => write_trace(names, role, &trace, detail, &mut page),
            None => {
                page.line(2, &format!("{}: {}", role.word(), count(claim.n_claims(), "claim")));
                write_tree(names, claim, detail, &mut page);
            }
        },
        Evidence::Proof(strategy) | Evidence::Refutation(strategy) => {
            write_either(names, role, strategy, detail, &mut page);
        }
        Evidence::Contradiction { proof, refutation } => {
            page.line(2, "contradiction: the system both proves and refutes it");
            write_either(names, Role::Witness, proof, detail, &mut page);
            if detail == Detail::Screen {
                page.cut(MOST_LINES / 2);
            }
            write_either(names, Role::Counterexample, refutation, detail, &mut page);
        }
        Evidence::Invariant(conditions) => write_invariant(conditions, detail, &mut page),
        Evidence::Summaries(summaries) => write_summaries(summaries, detail, &mut page),
        Evidence::WholeRun { instructions } => page.line(
            2,
            &format!(
                "proof: the program asks for no input, so it has one run, of {}",
                count(usize::try_from(*instructions).unwrap_or(usize::MAX), "instruction")
            ),
        ),
        // Told in one line with who looked at it.
        Evidence::InductiveSet { .. } => {}
        Evidence::Enumeration { refinements: 0 } => page.line(2, "the system has no refinement"),
        Evidence::Enumeration { refinements } => {
            let n = usize::try_from(*refinements).unwrap_or(usize::MAX);
            page.line(2, &format!("all of {} checked", count(n, "refinement")));
        }
        Evidence::Open(blocking) => {
            page.line(2, &format!("open: {}", culprit_text(names, blocking.culprit)));
            Walk::new(names, &way(blocking), detail).write(&mut page, 4);
            if let Some(remedy) = remedy(names, blocking.culprit, origin) {
                page.line(2, &format!("next: {remedy}"));
            }
        }
    }
    if detail == Detail::Screen {
        page.cut(MOST_LINES);
    }
    page.into_text()
}

fn write_trace(names: &dyn Names, role: Role, trace: &Trace, detail: Detail, page: &mut Page) {
    page.line(2, &format!("{}: {}", role.word(), trace_length(names, trace)));
    Walk::new(names, trace, detail).write(page, 4);
}

/// A strategy, as a trace where it is one.
fn write_either(names: &dyn Names, role: Role, strategy: &Strategy, detail: Detail, page: &mut Page) {
    match as_trace(strategy) {
        Some(trace) => write_trace(names, role, &trace, detail, page),
        None => {
            let line = format!("{}: a strategy with {}", role.strategy_word(), strategy_length(strategy));
            if role == Role::Witness && detail == Detail::Screen {
                // Whoever wants a proof can have it; that there is one is what most want to know.
                page.line(2, &format!("{line} (--full shows it)"));
                write_ranks(strategy, detail, page);
            } else {
                page.line(2, &line);
                write_ranks(strategy, detail, page);
                write_strategy(names, strategy, detail, page);
            }
        }
    }
}

fn write_invariant(conditions: &[String], detail: Detail, page: &mut Page) {
    page.line(2, "invariant: at the beginning, and after every step, these hold together");
    let shown = if detail == Detail::Full { conditions.len() } else { MOST_CONDITIONS };
    conditions.iter().take(shown).for_each(|condition| page.line(4, &plain(condition)));
    if conditions.len() > shown {
        page.raw(4, &format!("… {} (--full shows all)", count(conditions.len() - shown, "more condition")));
    }
}
