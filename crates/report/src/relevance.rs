//! Why a part of a property matters, as text and as JSON: with a constant in its place the verdict is the other one.
//!
//! For a property that holds, the counterexample to the changed one is a run of the model on which the property holds for a good reason: an
//! interesting witness \[BBER01\].

use crate::Detail;
use crate::Origin;
use crate::evidence::witness_lines;
use crate::json_evidence::{EvidenceReport, evidence_report};
use crate::vacuity::PlacedPart;
use crate::variable_answer::evidence_json;
use crate::variable_run::{VariableEvidence, evidence_lines};
use serde::Serialize;
use tertium_evidence::Evidence;
use tertium_system::PartialSystem;

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
    lines: Option<String>,
}

impl Relevance {
    /// A part matters because the property with a constant in its place, `formula`, holds or not, for which there is evidence or
    /// not.
    pub fn new(part: PlacedPart, formula: String, holds: bool, shown: Option<VariableEvidence>) -> Self {
        let evidence = shown.as_ref().map(|shown| evidence_json(shown, "witness"));
        let lines = shown.map(|shown| evidence_lines(&shown, "witness", Detail::Screen));
        Self { part, formula, verdict: verdict(holds), evidence, lines }
    }

    /// The same on a transition system.
    pub fn on_system(
        part: PlacedPart,
        formula: String,
        holds: bool,
        system: &PartialSystem,
        shown: Option<&Evidence>,
    ) -> Self {
        let evidence = shown.map(|shown| evidence_report(system, Origin::Given, shown, Detail::Screen));
        let lines = shown.map(|shown| witness_lines(system, shown, Detail::Screen));
        Self { part, formula, verdict: verdict(holds), evidence, lines }
    }

    /// The lines of the text.
    pub fn text(&self) -> String {
        let line = format!("  `{}` matters: {} is {}", self.part.text, self.formula, self.verdict);
        match &self.lines {
            Some(lines) => format!("{line}\n{lines}"),
            None => format!("{line}, as computed; there is no run to show\n"),
        }
    }
}

fn verdict(holds: bool) -> &'static str {
    if holds { "true" } else { "false" }
}
