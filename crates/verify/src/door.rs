//! The one door: every definite outcome passes its validators here before anybody sees it.
//!
//! If evidence does not stand up, that is a bug of ours: the verdict becomes unknown, the reason is kept for a report, and other
//! engines can go on. A validator that reaches a limit, or whose solver gives up, leaves the verdict unknown for that reason; one
//! that is not required leaves it as it is. Outcomes that nobody confirmed say so, and why.

use crate::{Candidate, Flaw, Options, Property};
use std::time::Duration;
use tertium_evidence::{Answer, Detail, Unchecked, Validation};
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
    let Candidate { mut outcome, engine, names, origin, mut details, advice, replays, learnt, mut documents } =
        candidate;
    let mut bug = None;
    let is_definite = outcome.is_definite();
    if options.validate && (is_definite || !replays.is_empty()) {
        let mut by = Vec::new();
        let mut unchecked = Unchecked::NoCertificate;
        for replay in &replays {
            match replay.replay(context) {
                Ok(()) if by.contains(&replay.by()) => {}
                Ok(()) => by.push(replay.by()),
                Err(Flaw::NoMeans) if !replay.is_required() => {}
                Err(Flaw::GaveUp) if !replay.is_required() => unchecked = Unchecked::TooDear,
                Err(Flaw::Stopped(reason)) if !replay.is_required() => unchecked = Unchecked::Stopped(reason),
                Err(flaw) => {
                    let word = verdict_word(outcome.verdict);
                    if let (Flaw::GaveUp | Flaw::Stopped(_), Some(word)) = (&flaw, word) {
                        let by = replay.by();
                        details
                            .push(Detail::LeftOut(format!("{word} was found, and {by} did not confirm it")));
                    }
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
                if by.is_empty() { Validation::NotRechecked(unchecked) } else { Validation::Passed(by) };
        }
    }
    if !outcome.is_definite() {
        documents.clear();
    }
    let property = property.name.clone();
    let expected = None;
    let answer =
        Answer { property, engine, outcome, names, origin, details, advice, expected, documents, time };
    Admitted { answer, learnt, bug }
}

fn judged(flaw: Flaw) -> (Cause, Option<String>) {
    match flaw {
        Flaw::Wrong(what) => (Cause::Evidence, Some(what)),
        Flaw::GaveUp | Flaw::NoMeans => (Cause::Solver, None),
        Flaw::Stopped(reason) => (reason.into(), None),
    }
}

/// What a definite verdict is called.
fn verdict_word(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::True => Some("TRUE"),
        Verdict::False => Some("FALSE"),
        Verdict::Unknown(_) => None,
    }
}

fn bug_text(verdict: Verdict, property: &Property, flaw: &str) -> String {
    let word = verdict_word(verdict).unwrap_or("UNKNOWN");
    format!("the evidence for {word} {} does not stand up to its validator: {flaw}", property.name.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Logic, Replay};
    use tertium_evidence::{Evidence, Outcome, PropertyName};
    use tertium_logic::parse;
    use tertium_support::{Source, Statistics, StopReason};

    /// A validator that says this.
    struct Says {
        flaw: Option<Flaw>,
        required: bool,
    }

    impl Replay for Says {
        fn by(&self) -> &'static str {
            "a test"
        }

        fn replay(&self, _: &Context) -> Result<(), Flaw> {
            self.flaw.clone().map_or(Ok(()), Err)
        }

        fn is_required(&self) -> bool {
            self.required
        }
    }

    fn admitted(flaw: Option<Flaw>, required: bool) -> Admitted {
        let source = Source::new("test", "p");
        let logic = Logic::Invariant(parse(&source).expect("it is a formula"));
        let property = Property { name: PropertyName::default(), source, logic };
        let mut outcome = Outcome::new(Verdict::True, Statistics::default());
        outcome.evidence = Some(Evidence::InductiveSet { nodes: 3 });
        let mut candidate = Candidate::plain("test", outcome);
        candidate.replays.push(Box::new(Says { flaw, required }));
        admit(&Context::default(), &Options::default(), &property, candidate, Duration::ZERO)
    }

    #[test]
    fn a_re_check_that_ends_early_leaves_the_verdict_unless_it_is_required() {
        let stopped = || Flaw::Stopped(StopReason::TimeLimit);
        let outcome = |flaw, required| admitted(Some(flaw), required).answer.outcome;
        for (flaw, why) in
            [(Flaw::GaveUp, Unchecked::TooDear), (stopped(), Unchecked::Stopped(StopReason::TimeLimit))]
        {
            let found = outcome(flaw, false);
            assert_eq!((found.verdict, found.validation), (Verdict::True, Validation::NotRechecked(why)));
            assert!(found.evidence.is_some());
        }
        assert_eq!(outcome(Flaw::GaveUp, true).verdict, Verdict::Unknown(Cause::Solver));
        let told = admitted(Some(Flaw::GaveUp), true).answer.details;
        assert_eq!(told, [Detail::LeftOut("TRUE was found, and a test did not confirm it".to_owned())]);
        assert_eq!(outcome(stopped(), true).verdict, Verdict::Unknown(Cause::Time));
    }

    #[test]
    fn a_refuted_certificate_is_a_bug_and_no_verdict() {
        for required in [true, false] {
            let found = admitted(Some(Flaw::Wrong("a step leaves the set".to_owned())), required);
            assert_eq!(found.answer.outcome.verdict, Verdict::Unknown(Cause::Evidence));
            assert!(found.bug.is_some_and(|bug| bug.contains("a step leaves the set")));
        }
        let passed = admitted(None, false).answer.outcome;
        assert_eq!(passed.validation, Validation::Passed(vec!["a test"]));
    }
}
