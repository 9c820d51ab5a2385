//! The one door: every definite outcome passes its validators here before anybody sees it.
//!
//! If evidence does not stand up, that is a bug of ours: the verdict becomes unknown, the reason is kept for a report, and other
//! engines can go on. A validator that reaches a limit, or whose solver gives up, leaves the verdict unconfirmed for that reason.
//! Outcomes that nothing can confirm say so.

use crate::{Candidate, Flaw, Options, Property};
use std::time::Duration;
use tertium_evidence::{Answer, Validation};
use tertium_support::Context;
use tertium_truth::{Cause, Verdict};

/// An answer that passed, with what it teaches about later questions and what is wrong with us.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The answer.
    pub answer: Answer,
    /// Predicates that were found on the way.
    pub learnt: Option<String>,
    /// Evidence that did not stand up: a bug.
    pub bug: Option<String>,
}

/// Lets a candidate through.
pub fn admit(
    context: &Context,
    options: &Options,
    property: &Property,
    candidate: Candidate<'_>,
    time: Duration,
) -> Admitted {
    let Candidate { mut outcome, engine, names, origin, details, advice, replays, learnt } = candidate;
    let mut bug = None;
    let is_definite = outcome.is_definite();
    if options.validate && (is_definite || !replays.is_empty()) {
        let mut by = Vec::new();
        for replay in &replays {
            match replay.replay(context) {
                Ok(()) if by.contains(&replay.by()) => {}
                Ok(()) => by.push(replay.by()),
                Err(flaw) => {
                    let (cause, wrong) = judged(flaw);
                    bug = wrong.map(|wrong| bug_text(outcome.verdict, property, &wrong));
                    outcome.verdict = Verdict::Unknown(cause);
                    outcome.evidence = None;
                    break;
                }
            }
        }
        if outcome.is_definite() && outcome.length.is_none() {
            outcome.validation =
                if by.is_empty() { Validation::NotRechecked } else { Validation::Passed(by) };
        }
    }
    let answer =
        Answer { property: property.name.clone(), engine, outcome, names, origin, details, advice, time };
    Admitted { answer, learnt, bug }
}

fn judged(flaw: Flaw) -> (Cause, Option<String>) {
    match flaw {
        Flaw::Wrong(what) => (Cause::Evidence, Some(what)),
        Flaw::GaveUp => (Cause::Solver, None),
        Flaw::Stopped(reason) => (reason.into(), None),
    }
}

fn bug_text(verdict: Verdict, property: &Property, flaw: &str) -> String {
    let word = if verdict == Verdict::True { "TRUE" } else { "FALSE" };
    format!("the evidence for {word} {} does not stand up to its validator: {flaw}", property.name.text)
}
