//! A property where it is written, with its parts: what is told about them, however it was found out.

use super::MOST_SETS;
use tertium_evidence::PropertyName;
use tertium_logic::{PartId, Syntax, Written};
use tertium_query::{Extent, Findings, MutualFindings};
use tertium_report::{Comments, PlacedPart, VacuityAnswer, underlined, written_text};
use tertium_support::Source;

/// A property with its parts.
pub(crate) struct PropertyParts<'a, F> {
    pub(crate) source: &'a Source,
    pub(crate) comments: Comments,
    pub(crate) written: &'a Written<F>,
    /// Whether everything inside the vacuous parts is listed, too.
    pub(crate) all: bool,
}

impl<F: Syntax> PropertyParts<'_, F> {
    /// A part as it is written.
    fn name(&self, part: PartId) -> String {
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
        name: &PropertyName,
        findings: &Findings,
        mutual: Option<&MutualFindings>,
        left: Option<String>,
    ) -> VacuityAnswer {
        let names = |parts: &Vec<PartId>| parts.iter().map(|&part| self.name(part)).collect::<Vec<String>>();
        let listed: Vec<PartId> = match self.all {
            true => self.written.questions().filter(|&part| findings.covers(self.written, part)).collect(),
            false => findings.vacuous.clone(),
        };
        let spans: Vec<_> = findings.vacuous.iter().map(|&part| self.written.part(part).span).collect();
        VacuityAnswer {
            verdict: if findings.holds { "true" } else { "false" },
            words: findings.verdict(self.written, |part| self.name(part)),
            extent: Some(match findings.extent(self.written) {
                Extent::None => "none",
                Extent::Some => "some",
                Extent::All => "all",
            }),
            vacuous: self.all_placed(&listed),
            marked: underlined(self.source, self.written.formula().span(), &spans),
            mutual: mutual.map(|found| found.largest.iter().take(MOST_SETS).map(names).collect()),
            mutual_cut: mutual.is_some_and(|found| !found.complete),
            left,
            witnesses: findings.witnesses,
            runs: findings.runs,
            ..VacuityAnswer::blank(name)
        }
    }

    /// The atoms of which it is shown why they matter: the last one that does, or every one.
    pub(crate) fn shown_atoms(&self, matters: impl Fn(PartId) -> bool) -> Vec<PartId> {
        let mut atoms = self.written.atoms();
        atoms.retain(|&atom| matters(atom));
        let first = if self.all { 0 } else { atoms.len().saturating_sub(1) };
        atoms.split_off(first)
    }
}
