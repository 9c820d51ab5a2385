//! Which parts do not matter, by decision diagrams. Every property is looked at on its cone of influence, as when it is checked.

use super::property_parts::PropertyParts;
use super::subject::{Branching, Linear, Subject};
use super::{PropertyVacuity, VacuityAnswers, VacuityOptions, confirmed, unanswered};
use crate::engines::symbolic::{AskedOfPart, Inquiry, assumptions};
use crate::{Halt, Logic, Model, Opening, PropertyId, Question, Request, Shown};
use tertium_check::symbolic::Options;
use tertium_evidence::Table;
use tertium_logic::{Syntax, Written};
use tertium_query::{Extent, Findings, Property, Rigid, challenge};
use tertium_report::{Relevance, assumption_report};
use tertium_support::Id;
use tertium_truth::Verdict;

/// Answers about these questions.
pub(super) fn answer_all(
    request: &Request<'_>,
    model: &dyn Model,
    options: &VacuityOptions,
    asked: &[Question],
    answers: &mut VacuityAnswers,
) -> Result<(), Halt> {
    let offer = model.symbolic().ok_or_else(|| Halt::Bug("the model has no diagrams".to_owned()))?;
    let properties: Vec<PropertyId> =
        asked.iter().filter_map(|question| question.property.clone().ok()).collect();
    let encodings = offer.encode(request.context, &properties, &request.options.symbolic)?;
    // A model without meaning is no mistake of any of its properties.
    if let Some(&first) = properties.first() {
        match encodings.check_model(encodings.part_of(first)) {
            Ok(()) | Err(Halt::Stopped(_)) => {}
            Err(halt) => return Err(halt),
        }
    }
    let opening = Opening {
        context: request.context,
        model,
        asked: &properties,
        options: request.options,
        growing: false,
    };
    let own = Options { find_deadlocks: false, ..Options::default() };
    let mut run = VacuityRun {
        opening,
        options: *options,
        inquiry: Inquiry::new(opening, encodings.as_ref(), own),
        rigid: (0..encodings.n_parts()).map(|_| Rigid::default()).collect(),
    };
    for question in asked {
        let answer = question.property.clone().and_then(|property| run.answer(property));
        answers.answers.push(answer.unwrap_or_else(|halt| unanswered(&question.name, halt)));
    }
    Ok(())
}

struct VacuityRun<'e> {
    opening: Opening<'e>,
    options: VacuityOptions,
    inquiry: Inquiry<'e>,
    /// By part.
    rigid: Vec<Rigid>,
}

impl<'e> VacuityRun<'e> {
    fn answer(&mut self, property: PropertyId) -> Result<PropertyVacuity, Halt> {
        let logic = &self.opening.model.properties()[property.index()].logic;
        let asked = AskedOfPart { property, logic, part: self.inquiry.encodings.part_of(property) };
        let branching = |property, formula| Branching { property, written: Written::new(formula) };
        match logic {
            Logic::Branching(formula) => self.answer_about(&branching(Property::Ctl, formula), asked),
            Logic::Invariant(formula) => self.answer_about(&branching(Property::Invariant, formula), asked),
            Logic::Linear(formula) => self.answer_about(&Linear { written: Written::new(formula) }, asked),
            Logic::Shortest(..) | Logic::Longest(..) => {
                Err(Halt::Bug("lengths are not asked about".to_owned()))
            }
        }
    }

    fn answer_about<S: Subject>(
        &mut self,
        subject: &S,
        asked: AskedOfPart<'_>,
    ) -> Result<PropertyVacuity, Halt> {
        let checker = self.inquiry.checker(asked)?;
        let rigid = &mut self.rigid[asked.part];
        let (findings, mutual) = subject.findings(checker, rigid, self.options.method)?;
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => Some(subject.left(checker, rigid, &findings)?),
        };
        let mut relied_on = subject.assumptions(checker)?;
        let method = self.options.method;
        subject.note_dependence(checker, &mut relied_on, &mut |other| {
            let (again, _) = subject.findings(other, rigid, method)?;
            Ok(again.holds == findings.holds && again.vacuous == findings.vacuous)
        });
        let relied_on = assumptions(relied_on);
        let own = &self.opening.model.properties()[asked.property.index()];
        let parts = PropertyParts {
            source: &own.source,
            comments: self.opening.model.comments(),
            written: subject.written(),
            all: self.options.all,
        };
        // That a constant has the verdict says only that no initial state counts.
        let left =
            left.filter(|left| !left.is_given()).map(|left| self.opening.model.text(&subject.kind(left)));
        let mut answer = parts.answer(&own.name, &findings, mutual.as_ref(), left);
        let names = Table::default();
        answer.assumptions = relied_on.iter().map(|relied| assumption_report(relied, &names)).collect();
        if self.options.evidence {
            answer.matters = self.relevance(subject, &parts, asked, &findings)?;
        }
        let is_none = findings.extent(subject.written()) == Extent::None;
        let all_matter = Ok(if is_none { Verdict::True } else { Verdict::False });
        Ok(PropertyVacuity { answer, all_matter })
    }

    /// Why atoms matter: the last one that does, or every one.
    fn relevance<S: Subject>(
        &mut self,
        subject: &S,
        parts: &PropertyParts<'_, S::Formula>,
        asked: AskedOfPart<'_>,
        findings: &Findings,
    ) -> Result<Vec<Relevance>, Halt> {
        let written = subject.written();
        let holds = !findings.holds;
        let mut matters = Vec::new();
        for atom in parts.shown_atoms(|atom| !findings.covers(written, atom)) {
            let formula = challenge(written, atom, findings.holds);
            let text = self.opening.model.text(&subject.kind(formula.clone()));
            // Shown with the constant in its place, checked without.
            let changed = subject.kind(formula.folded());
            let shown = self.evidence(AskedOfPart { logic: &changed, ..asked }, &text, holds)?;
            let shown = shown.as_ref().map(|shown| (&shown.evidence, shown.names.as_ref()));
            matters.push(Relevance::new(parts.placed(atom), text, holds, shown, self.options.detail));
        }
        Ok(matters)
    }

    /// What shows that a changed property has the other verdict, validated; nothing if no run does or a limit was reached.
    fn evidence(
        &mut self,
        asked: AskedOfPart<'_>,
        text: &str,
        holds: bool,
    ) -> Result<Option<Shown<'e>>, Halt> {
        let mut outcome = match self.inquiry.outcome(asked) {
            Ok(outcome) => outcome,
            Err(Halt::Stopped(_)) => return Ok(None),
            Err(failed) => return Err(failed),
        };
        if outcome.verdict != (if holds { Verdict::True } else { Verdict::False }) {
            return Err(Halt::Bug(format!("vacuity and check disagree about {text}")));
        }
        let Some(shown) = self.inquiry.shown(asked, &mut outcome)? else { return Ok(None) };
        let stands = confirmed(self.opening.context, shown.replay.as_ref(), text)?;
        Ok(stands.then_some(shown))
    }
}
