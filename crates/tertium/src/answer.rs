//! Answers, and the ways into their evidence.

use crate::{ClaimAt, ClaimGraph, Error, Path, State};
use std::borrow::Cow;
use std::time::Duration;
use tertium_evidence::{Evidence, Names, Outcome, PropertyName, Trace, Validation, as_trace};
use tertium_report::{
    AnswerReport, AssumptionReport, Detail, EvidenceReport, answer_dot, answer_json, answer_text,
    assumption_report, verdict_line,
};
use tertium_truth::{Cause, Verdict};

/// An answer: a verdict, what supports it, and the names to speak of it.
///
/// ```
/// use tertium::{Cause, Model, Verdict, check};
///
/// let model = Model::read(
///     "shop.pts",
///     "system shop : kmts; propositions paid; state s : !paid; state t : paid; init s;
///      may s -pay-> t; both t -> t;",
/// )?;
/// let answer = check(&model, &model.property("EF paid")?)?;
/// assert_eq!(answer.verdict(), Verdict::Unknown(Cause::Imprecise));
/// let open = answer.open().expect("something leaves it open");
/// assert_eq!(open.text, "the step s --pay--> t is possible but not guaranteed");
/// assert_eq!(open.path.last().name(), "s");
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answer {
    answer: tertium_evidence::Answer,
    bug: Option<String>,
}

/// What leaves an answer open.
#[derive(Clone, Debug)]
pub struct Open<'a> {
    /// How it is reached.
    pub path: Path<'a>,
    /// What it is, in a sentence.
    pub text: String,
    /// What would settle it.
    pub next: String,
}

impl Answer {
    pub(crate) fn new(answer: tertium_evidence::Answer, bug: Option<String>) -> Self {
        Self { answer, bug }
    }

    /// True, false, or unknown with its cause.
    pub fn verdict(&self) -> Verdict {
        self.answer.outcome.verdict
    }

    /// Why it is unknown, if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.verdict() {
            Verdict::Unknown(cause) => Some(cause),
            Verdict::True | Verdict::False => None,
        }
    }

    /// What was asked.
    pub fn property(&self) -> &PropertyName {
        &self.answer.property
    }

    /// Which engine answered, and how: a few words. Empty if a limit was reached before one could.
    pub fn engine(&self) -> &str {
        &self.answer.engine
    }

    /// How it was validated.
    pub fn validation(&self) -> &Validation {
        &self.answer.outcome.validation
    }

    /// For a question about a length: what it is.
    pub fn length(&self) -> Option<&str> {
        self.answer.outcome.length.as_deref()
    }

    /// What it relies on, each with a stable code.
    pub fn assumptions(&self) -> impl Iterator<Item = AssumptionReport> {
        self.answer.outcome.assumptions.iter().map(|own| assumption_report(own, self.names()))
    }

    /// How long it took. All else is the same in every run.
    pub fn time(&self) -> Duration {
        self.answer.time
    }

    /// Evidence that did not stand up to its validator, which is a bug of ours. The verdict is unknown then.
    pub fn bug(&self) -> Option<&str> {
        self.bug.as_deref()
    }

    /// Everything that was found, in numbers of states and steps.
    pub fn outcome(&self) -> &Outcome {
        &self.answer.outcome
    }

    /// What these numbers mean.
    pub fn names(&self) -> &dyn Names {
        self.answer.names.as_ref()
    }

    /// What supports it, in numbers of states and steps. Other functions walk it in the user's names.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.answer.outcome.evidence.as_ref()
    }

    /// The path or lasso that supports it: all of the evidence, or what its first claim is shown by.
    pub fn path(&self) -> Option<Path<'_>> {
        let path = |trace| Path::new(self.names(), trace);
        match self.evidence()? {
            Evidence::Trace(trace) => Some(path(Cow::Borrowed(trace))),
            Evidence::Tree(claim) => ClaimAt::new(self.names(), claim).path(),
            Evidence::Proof(strategy) | Evidence::Refutation(strategy) => {
                as_trace(strategy).map(Cow::Owned).map(path)
            }
            _ => None,
        }
    }

    /// The root of the tree of claims that supports it, if that is what does.
    pub fn claim(&self) -> Option<ClaimAt<'_>> {
        match self.evidence()? {
            Evidence::Tree(claim) => Some(ClaimAt::new(self.names(), claim)),
            _ => None,
        }
    }

    /// The graph of claims that shows the formula at all initial states, if that is the evidence.
    /// A contradiction has one too.
    pub fn proof(&self) -> Option<ClaimGraph<'_>> {
        match self.evidence()? {
            Evidence::Proof(proof) | Evidence::Contradiction { proof, .. } => {
                Some(ClaimGraph::new(self.names(), proof))
            }
            _ => None,
        }
    }

    /// The graph of claims that shows the negation at an initial state, if that is the evidence.
    /// A contradiction has one too.
    pub fn refutation(&self) -> Option<ClaimGraph<'_>> {
        match self.evidence()? {
            Evidence::Refutation(refutation) | Evidence::Contradiction { refutation, .. } => {
                Some(ClaimGraph::new(self.names(), refutation))
            }
            _ => None,
        }
    }

    /// What leaves it open, if that is known.
    pub fn open(&self) -> Option<Open<'_>> {
        let Evidence::Open(blocking) = self.evidence()? else { return None };
        let report = self.report();
        let Some(EvidenceReport::Open { text, next, .. }) = report.evidence else { return None };
        let next = next.or(report.cause.map(|cause| cause.next)).unwrap_or_default();
        let mut way = Trace::at(blocking.start);
        for &(action, state) in &blocking.steps {
            way.steps.push(action);
            way.states.push(state);
        }
        Some(Open { path: Path::new(self.names(), Cow::Owned(way)), text, next })
    }

    /// The value at each initial state, where the engine tells them apart: true, false, unknown, or inconsistent.
    pub fn initial_values(&self) -> impl Iterator<Item = (State<'_>, tertium_truth::Belnap)> {
        self.answer.outcome.values.iter().map(|&(state, value)| (State::new(self.names(), state), value))
    }

    /// The answer for people: the verdict, then all of the evidence.
    ///
    /// ```
    /// # use tertium::{Model, check};
    /// let model = Model::read("s.pts", "system s : kmts; propositions p; state a : !p; init a; both a -> a;")?;
    /// let text = check(&model, &model.property("EF p")?)?.text();
    /// assert!(text.starts_with("FALSE"), "{text}");
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn text(&self) -> String {
        verdict_line(&self.answer) + &answer_text(&self.answer, Detail::Full)
    }

    /// The answer as a record, without the time that it took.
    pub fn report(&self) -> AnswerReport {
        let mut report = answer_json(&self.answer, Vec::new(), Detail::Full, false);
        report.engine = report.engine.filter(|engine| !engine.is_empty());
        report
    }

    /// The answer as JSON, as one of the `results` that `tertium check --json` prints.
    ///
    /// ```
    /// # use tertium::{Model, check};
    /// let model = Model::read("s.pts", "system s : kmts; propositions p; state a : !p; init a; both a -> a;")?;
    /// let json = check(&model, &model.property("EF p")?)?.json()?;
    /// assert!(json.contains(r#""verdict": "false""#), "{json}");
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn json(&self) -> Result<String, Error> {
        serde_json::to_string_pretty(&self.report())
            .map_err(|error| Error::Bug(format!("an answer did not become JSON: {error}")))
    }

    /// The evidence as a picture in the language of Graphviz, if it can be drawn.
    pub fn dot(&self) -> Option<String> {
        answer_dot(&self.answer, self.property().text.trim())
    }
}
