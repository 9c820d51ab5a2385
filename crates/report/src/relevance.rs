//! Why a part of a property matters, as text and as JSON: with a constant in its place the verdict is the other one.
//!
//! For a property that holds, the counterexample to the changed one is a run of the model on which the property holds for a good reason: an
//! interesting witness \[BBER01\].

use crate::Detail;
use crate::evidence::{Role, evidence_lines};
use crate::json_evidence::EvidenceReport;
use crate::json_show::evidence_report;
use crate::vacuity::PlacedPart;
use serde::Serialize;
use tertium_evidence::{Evidence, Names, Origin};

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
    pub fn new(
        part: PlacedPart,
        formula: String,
        holds: bool,
        shown: Option<(&Evidence, &dyn Names)>,
        detail: Detail,
    ) -> Self {
        let (origin, role) = (Origin::Given, Role::Relevance);
        let evidence = shown.map(|(evidence, names)| evidence_report(names, origin, evidence, role, detail));
        let lines = shown.map(|(evidence, names)| evidence_lines(names, origin, evidence, role, detail));
        Self { part, formula, verdict: if holds { "true" } else { "false" }, evidence, lines }
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
