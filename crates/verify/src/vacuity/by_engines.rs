//! Which parts do not matter, by the engines that check properties: for programs whose states no search exhausts.
//!
//! Each replacement is a question of its own, and all engines may answer it in turn: a search with a growing bound finds runs on which a
//! part matters, an abstraction with refinement proves that it does not. Predicates that one question led to are where the next one begins.
//! What a search that was cut has decided already holds for the whole program, and is not asked again.
//!
//! A question that nobody decides leaves its part open, with the cause that was given. Sets of parts that can go together are not looked
//! for here: each set would be one more question.

use super::property_parts::PropertyParts;
use super::{PropertyVacuity, VacuityMethod, VacuityOptions, concluded};
use crate::check::add_predicates;
use crate::schedule::Changed;
use crate::{Admitted, Halt, Logic, Model, PropertyId, Wanted};
use tertium_logic::{Formula, PartId, Syntax};
use tertium_query::{ExplicitFindings, Findings, challenge, largest_parts, strengthened};
use tertium_report::{Relevance, VacuityAnswer, cause_text};
use tertium_support::Id;
use tertium_truth::{Cause, Verdict};

/// Whoever answers changed questions.
pub(super) type Oracle<'o> = dyn FnMut(Changed<'_>) -> Result<Admitted, Halt> + 'o;

/// The questions about one property.
pub(super) struct ByEngines<'a, 'o> {
    model: &'a dyn Model,
    options: VacuityOptions,
    property: PropertyId,
    oracle: &'a mut Oracle<'o>,
    /// The predicates that questions led to so far.
    hints: String,
    /// How many questions were asked.
    runs: usize,
    /// Why the first question that stayed open did.
    cause: Option<Cause>,
}

impl<'a, 'o> ByEngines<'a, 'o> {
    /// Nothing was asked yet.
    pub(super) fn new(
        model: &'a dyn Model,
        options: VacuityOptions,
        property: PropertyId,
        oracle: &'a mut Oracle<'o>,
    ) -> Self {
        Self { model, options, property, oracle, hints: String::new(), runs: 0, cause: None }
    }

    /// The answer about a property of which a search that was cut has found out this much.
    pub(super) fn answer(
        mut self,
        parts: &PropertyParts<'_, Formula>,
        known: &ExplicitFindings,
    ) -> Result<PropertyVacuity, Halt> {
        let holds = match known.verdict {
            Verdict::True => true,
            Verdict::False => false,
            Verdict::Unknown(_) => match self.decide(parts.written.formula().clone())? {
                Some(holds) => holds,
                None => return Ok(self.undecided(parts, known)),
            },
        };
        let (vacuous, open) = self.findings(parts, known, holds)?;
        let written = parts.written;
        let mut findings =
            Findings { holds, marked: written.atoms(), vacuous, runs: self.runs, witnesses: self.runs };
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => {
                let stays =
                    |formula: &Formula| Ok::<_, Halt>(self.decide(formula.clone())?.unwrap_or(!holds));
                Some(strengthened(written, &findings, stays)?.0)
            }
        };
        let left = left.filter(|left| !left.is_given()).map(|left| self.model.text(&Logic::Branching(left)));
        let matters = match self.options.evidence {
            true => self.relevance(parts, &findings, &open)?,
            false => Vec::new(),
        };
        (findings.runs, findings.witnesses) = (self.runs, self.runs);
        let name = &self.model.properties()[self.property.index()].name;
        let mut answer = parts.answer(name, &findings, None, left);
        answer.matters = matters;
        answer.open = parts.all_placed(&open);
        answer.cause = self.cause.filter(|_| !open.is_empty());
        let all_matter = concluded(&mut answer, &findings, written);
        Ok(PropertyVacuity { answer, all_matter: Ok(all_matter) })
    }

    /// The vacuous parts, and those that stay open.
    fn findings(
        &mut self,
        parts: &PropertyParts<'_, Formula>,
        known: &ExplicitFindings,
        holds: bool,
    ) -> Result<(Vec<PartId>, Vec<PartId>), Halt> {
        let written = parts.written;
        if self.options.method == VacuityMethod::Refine {
            let found = largest_parts(written, holds, |changed| self.decide(changed))?;
            return Ok((found.vacuous, found.open));
        }
        let is_settled = !matches!(known.verdict, Verdict::Unknown(_));
        let (mut vacuous, mut open) = (Vec::new(), Vec::new());
        for atom in written.atoms() {
            if is_settled && !known.open.contains(&atom) {
                vacuous.extend(known.vacuous.contains(&atom).then_some(atom));
                continue;
            }
            match self.decide(challenge(written, atom, holds))? {
                Some(changed) if changed == holds => vacuous.push(atom),
                Some(_) => {}
                None => open.push(atom),
            }
        }
        Ok((vacuous, open))
    }

    /// Why atoms matter: the last one that does, or every one.
    fn relevance(
        &mut self,
        parts: &PropertyParts<'_, Formula>,
        findings: &Findings,
        open: &[PartId],
    ) -> Result<Vec<Relevance>, Halt> {
        let written = parts.written;
        let is_open = |atom| open.iter().any(|&open| written.is_inside(atom, open));
        let mut matters = Vec::new();
        for atom in parts.shown_atoms(|atom| !findings.covers(written, atom) && !is_open(atom)) {
            let changed = challenge(written, atom, findings.holds);
            let text = self.model.text(&Logic::Branching(changed.clone()));
            let (holds, folded) = (!findings.holds, changed.folded());
            // No run is needed to show what a constant is.
            let admitted = match folded.is_given() {
                true => None,
                false => self.ask(folded, Wanted::Everything)?,
            };
            let answer = admitted.as_ref().map(|admitted| &admitted.answer);
            match answer.map(|answer| answer.outcome.verdict) {
                Some(Verdict::True) if !holds => return Err(disagreement(&text)),
                Some(Verdict::False) if holds => return Err(disagreement(&text)),
                _ => {}
            }
            let shown = answer.and_then(|answer| {
                let evidence = answer.outcome.evidence.as_ref().filter(|_| answer.outcome.is_definite())?;
                Some((evidence, answer.names.as_ref()))
            });
            matters.push(Relevance::new(parts.placed(atom), text, holds, shown, self.options.detail));
        }
        Ok(matters)
    }

    /// Whether a formula in the propositions of the property holds; nothing if that stays open.
    fn decide(&mut self, formula: Formula) -> Result<Option<bool>, Halt> {
        let verdict =
            self.ask(formula.folded(), Wanted::Verdict)?.map(|admitted| admitted.answer.outcome.verdict);
        match verdict {
            Some(Verdict::True) => Ok(Some(true)),
            Some(Verdict::False) => Ok(Some(false)),
            Some(Verdict::Unknown(cause)) => {
                self.cause.get_or_insert(cause);
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// The answer to a changed question; nothing if a limit was reached, which leaves this question open and not others.
    fn ask(&mut self, formula: Formula, wanted: Wanted) -> Result<Option<Admitted>, Halt> {
        let logic = Logic::Branching(formula);
        self.runs += 1;
        let changed = Changed { property: self.property, logic: &logic, hints: &self.hints, wanted };
        match (self.oracle)(changed) {
            Ok(Admitted { bug: Some(bug), .. }) => Err(Halt::Bug(bug)),
            Ok(admitted) => {
                add_predicates(&mut self.hints, &admitted);
                Ok(Some(admitted))
            }
            Err(Halt::Stopped(reason)) => {
                self.cause.get_or_insert(reason.into());
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }

    /// The answer where the verdict on the property itself stays open.
    fn undecided(&self, parts: &PropertyParts<'_, Formula>, known: &ExplicitFindings) -> PropertyVacuity {
        let cause = self.cause.unwrap_or(Cause::Bound);
        let own = &self.model.properties()[self.property.index()];
        let answer = VacuityAnswer {
            words: cause_text(cause).to_owned(),
            open: parts.all_placed(&known.open),
            decisive: parts.all_placed(&known.decisive),
            witnesses: self.runs,
            runs: self.runs,
            cause: Some(cause),
            ..VacuityAnswer::blank(&own.name)
        };
        PropertyVacuity { answer, all_matter: Ok(Verdict::Unknown(cause)) }
    }
}

fn disagreement(text: &str) -> Halt {
    Halt::Bug(format!("vacuity and check disagree about {text}"))
}
