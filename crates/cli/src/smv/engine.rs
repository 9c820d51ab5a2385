//! What every engine for models does: answer one specification after the other.

use crate::failure::Failure;
use tertium_front_smv::Specification;
use tertium_report::VariableEvidence;
use tertium_support::{Source, Statistics};
use tertium_truth::{Cause, Verdict};

/// An engine with a model.
pub(super) trait Answerer {
    /// A word for it.
    fn name(&self) -> &'static str;

    /// The answer to one specification, the one with this number among all that are asked about, which stands in this source. A
    /// limit is an answer, too.
    fn answer(
        &mut self,
        index: usize,
        specification: &Specification,
        source: &Source,
    ) -> Result<Reply, Failure>;
}

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    /// The answer.
    pub(super) verdict: Verdict,
    /// For a computed length: what it is.
    pub(super) value: Option<String>,
    /// How many states are reachable, exactly or about.
    pub(super) states: Option<String>,
    /// What supports it.
    pub(super) evidence: Option<VariableEvidence>,
    /// Whether that was validated.
    pub(super) validated: Option<bool>,
    /// What it relies on: a stable code and a sentence.
    pub(super) assumptions: Vec<(&'static str, String)>,
    /// Whether it is true for no good reason.
    pub(super) vacuous: bool,
    /// What was counted.
    pub(super) statistics: Statistics,
}

impl Reply {
    /// No answer, and why.
    pub(super) fn unknown(cause: Cause, statistics: Statistics) -> Self {
        Self::plain(Verdict::Unknown(cause), statistics)
    }

    /// An answer without evidence.
    pub(super) fn plain(verdict: Verdict, statistics: Statistics) -> Self {
        Self {
            verdict,
            value: None,
            states: None,
            evidence: None,
            validated: None,
            assumptions: Vec::new(),
            vacuous: false,
            statistics,
        }
    }
}
