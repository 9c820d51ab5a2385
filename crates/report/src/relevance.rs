//! Why a part of a property matters, as text and as JSON: with a constant in its place the verdict is the other one.
//!
//! For a property that holds, the counterexample to the changed one is a run of the model on which the property holds for a good reason: an
//! interesting witness \[BBER01\].

use crate::Detail;
use crate::json_evidence::EvidenceReport;
use crate::vacuity::PlacedPart;
use crate::variable_answer::evidence_json;
use crate::variable_run::{VariableEvidence, evidence_lines};
use serde::Serialize;

/// Why a part matters.
#[derive(Clone, Debug, Serialize)]
pub struct Relevance {
    /// The part.
    pub part: PlacedPart,
    /// The property with a constant for the part.
    pub formula: String,
    /// The verdict on that: `true` or `false`.
    pub verdict: &'static str,
    /// What shows that verdict, if a run can: a witness that the part matters.
    pub evidence: Option<EvidenceReport>,
    #[serde(skip)]
    shown: Option<VariableEvidence>,
}

impl Relevance {
    /// A part matters because the property with a constant in its place, `formula`, holds or not, for which there is evidence or
    /// not.
    pub fn new(part: PlacedPart, formula: String, holds: bool, shown: Option<VariableEvidence>) -> Self {
        let verdict = if holds { "true" } else { "false" };
        let evidence = shown.as_ref().map(|shown| evidence_json(shown, "witness"));
        Self { part, formula, verdict, evidence, shown }
    }

    /// The lines of the text.
    pub fn text(&self) -> String {
        let line = format!("  `{}` matters: {} is {}", self.part.text, self.formula, self.verdict);
        match &self.shown {
            Some(shown) => format!("{line}\n{}", evidence_lines(shown, "witness", Detail::Screen)),
            None => format!("{line}, as computed; there is no run to show\n"),
        }
    }
}
