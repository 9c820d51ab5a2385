//! Which parts do not matter, on a system with may and must, by the standard semantics.
//!
//! If a search for the states was cut, what lies beyond is open: what is found about a part holds for the whole model. What is still open
//! then is asked of the engines that check properties of programs.

use super::by_engines::{ByEngines, Oracle};
use super::property_parts::PropertyParts;
use super::{
    MOST_SETS, PropertyVacuity, VacuityAnswers, VacuityMethod, VacuityOptions, concluded, confirmed,
    unanswered,
};
use crate::check::{chosen_engines, prospects};
use crate::engines::confirm::OnSystem;
use crate::engines::explicit::branching;
use crate::model::is_bounded;
use crate::schedule::{Changed, Schedule};
use crate::{Admitted, FoundSystem, Halt, Logic, Model, PropertyId, Question, Request, found_system};
use std::borrow::Cow;
use std::sync::Arc;
use tertium_check::{Prepared, Record, Semantics, Settings, assumptions, check};
use tertium_evidence::{Assumption, Evidence};
use tertium_logic::{Formula, Staying, Syntax, Written, staying_at_ends};
use tertium_query::{ExplicitFindings, ExplicitVacuity, Findings, challenge};
use tertium_report::{Relevance, VacuityAnswer, assumption_report, cause_text};
use tertium_support::{Context, Id};
use tertium_truth::{Cause, Verdict};

/// Answers about these questions.
pub(super) fn answer_all(
    request: &Request<'_>,
    model: &dyn Model,
    options: &VacuityOptions,
    asked: &[Question],
    answers: &mut VacuityAnswers,
) -> Result<(), Halt> {
    let context = request.context;
    let properties: Vec<PropertyId> =
        asked.iter().filter_map(|question| question.property.clone().ok()).collect();
    let found = found_system(context, model, &properties, request.options.states)?;
    let prepared = Prepared::new(context, &found.system)?;
    let run = VacuityRun {
        context,
        model,
        options: *options,
        found: &found,
        prepared: &prepared,
        vacuity: ExplicitVacuity { context, prepared: &prepared },
    };
    let mut answer_each = |oracle: Option<&mut ScheduledOracle<'_>>| {
        let mut oracle = oracle;
        for (at, question) in asked.iter().enumerate() {
            let n_left = asked.len() - at;
            let mut own = oracle.as_mut().map(|oracle| |changed: Changed<'_>| oracle(changed, n_left));
            let answer = question.property.clone().and_then(|property| match &mut own {
                Some(own) => run.answer(property, Some(own)),
                None => run.answer(property, None),
            });
            answers.answers.push(answer.unwrap_or_else(|halt| unanswered(&question.name, halt)));
        }
    };
    // A bound that the user gives counts as it is.
    if found.is_complete() || request.options.states.is_some() || model.program().is_none() {
        answer_each(None);
    } else {
        let engines = chosen_engines(request, model)?;
        let properties = model.properties().to_vec();
        let is_bounded = is_bounded(model);
        let prospects = prospects(request, model);
        let schedule = Schedule { request, engines: &engines, is_bounded, asked, properties, prospects };
        schedule.with_oracle(|oracle| answer_each(Some(oracle)));
    }
    // How far the search came matters where something is open.
    if answers.answers.iter().any(|own| own.answer.cause.is_some()) {
        answers.left_out.clone_from(&found.left_out);
    }
    Ok(())
}

/// Answers changed questions, if it hears how many properties are still to come.
type ScheduledOracle<'o> = dyn FnMut(Changed<'_>, usize) -> Result<Admitted, Halt> + 'o;

struct VacuityRun<'a> {
    context: &'a Context,
    model: &'a dyn Model,
    options: VacuityOptions,
    found: &'a FoundSystem,
    prepared: &'a Prepared<'a>,
    vacuity: ExplicitVacuity<'a>,
}

impl VacuityRun<'_> {
    fn answer(&self, property: PropertyId, oracle: Option<&mut Oracle<'_>>) -> Result<PropertyVacuity, Halt> {
        let own = &self.model.properties()[property.index()];
        let formula = branching(own, &own.logic)?;
        let written = Written::new(&formula);
        let parts = PropertyParts {
            source: &own.source,
            comments: self.model.comments(),
            written: &written,
            all: self.options.all,
        };
        let atoms = written.atoms();
        let found = match self.options.method {
            VacuityMethod::Naive => self.vacuity.naive(&written, &atoms)?,
            VacuityMethod::Vaquot | VacuityMethod::Mutual => self.vacuity.vaquot(&written, &atoms)?,
            VacuityMethod::Refine => self.vacuity.refine(&written)?,
        };
        if let Some(oracle) = oracle
            && (found.definite().is_none() || !found.open.is_empty())
        {
            return ByEngines::new(self.model, self.options, property, oracle).answer(&parts, &found);
        }
        if let Some(findings) = found.definite() {
            return self.definite(property, &parts, &found, &findings);
        }
        let Verdict::Unknown(cause) = found.verdict else {
            return Err(Halt::Bug("true and false are definite".to_owned()));
        };
        let cause = if cause == Cause::Imprecise { self.found.open_cause() } else { cause };
        let answer = VacuityAnswer {
            words: cause_text(cause).to_owned(),
            open: parts.all_placed(&found.open),
            decisive: parts.all_placed(&found.decisive),
            witnesses: found.witnesses,
            runs: found.runs,
            cause: Some(cause),
            ..VacuityAnswer::blank(&own.name)
        };
        Ok(PropertyVacuity { answer, all_matter: Ok(Verdict::Unknown(cause)) })
    }

    fn definite(
        &self,
        property: PropertyId,
        parts: &PropertyParts<'_, Formula>,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Result<PropertyVacuity, Halt> {
        let written = parts.written;
        let mutual = match self.options.method {
            VacuityMethod::Mutual => {
                Some(self.vacuity.mutual(written, &findings.vacuous, findings.holds, MOST_SETS)?)
            }
            _ => None,
        };
        let left = match findings.vacuous.is_empty() {
            true => None,
            false => Some(self.vacuity.strengthen(written, findings)?),
        };
        let left = left.filter(|left| !left.is_given()).map(|left| self.model.text(&Logic::Branching(left)));
        let name = &self.model.properties()[property.index()].name;
        let mut answer = parts.answer(name, findings, mutual.as_ref(), left);
        answer.open = parts.all_placed(&found.open);
        answer.cause = (!found.open.is_empty()).then(|| self.found.open_cause());
        let relied_on = self.dependence(written, found, findings);
        let names = self.found.names.as_ref();
        answer.assumptions = relied_on.iter().map(|relied| assumption_report(relied, names)).collect();
        if self.options.evidence {
            answer.matters = self.relevance(parts, found, findings)?;
        }
        let all_matter = concluded(&mut answer, findings, written);
        Ok(PropertyVacuity { answer, all_matter: Ok(all_matter) })
    }

    /// What findings rely on about paths that end: nothing if the verdict, and which atoms matter, are the same where ended paths stay.
    fn dependence(
        &self,
        written: &Written<Formula>,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Option<Assumption> {
        let noted = assumptions(&self.found.system, written.formula(), Semantics::Sis);
        let note = noted.into_iter().find(|relied| matches!(relied, Assumption::Deadlock { .. }))?;
        let settings = Settings { semantics: Semantics::Sis, record: Record::Values };
        let staying = |formula: &Formula| {
            let formula = match staying_at_ends(formula) {
                Staying::Same => Cow::Borrowed(formula),
                Staying::Other(other) => Cow::Owned(other),
                Staying::TooLong => return Err(None),
            };
            match check(self.context, self.prepared, &formula, &settings).verdict {
                Verdict::Unknown(_) => Err(self.context.poll().err()),
                verdict => Ok((verdict == Verdict::True) == findings.holds),
            }
        };
        let is_same = || {
            let mut same = staying(written.formula())?;
            // What the system leaves open anyway does not count.
            let is_open = |atom| found.open.iter().any(|&open| written.is_inside(atom, open));
            for atom in written.atoms().into_iter().filter(|&atom| !is_open(atom)) {
                let keeps = staying(&challenge(written, atom, findings.holds).folded())?;
                same &= keeps == findings.covers(written, atom);
            }
            Ok(same)
        };
        match is_same() {
            Ok(true) => None,
            Ok(false) => Some(note),
            Err(reason) => Some(Assumption::DeadlocksUnknown(reason)),
        }
    }

    /// Why atoms matter: the last one that does, or every one.
    fn relevance(
        &self,
        parts: &PropertyParts<'_, Formula>,
        found: &ExplicitFindings,
        findings: &Findings,
    ) -> Result<Vec<Relevance>, Halt> {
        let written = parts.written;
        let is_open = |atom| found.open.iter().any(|&open| written.is_inside(atom, open));
        let mut matters = Vec::new();
        for atom in parts.shown_atoms(|atom| !findings.covers(written, atom) && !is_open(atom)) {
            let changed = challenge(written, atom, findings.holds);
            let text = self.model.text(&Logic::Branching(changed.clone()));
            let holds = !findings.holds;
            let evidence = self.evidence(changed.folded(), &text, holds)?;
            let shown = evidence.as_ref().map(|evidence| (evidence, self.found.names.as_ref()));
            matters.push(Relevance::new(parts.placed(atom), text, holds, shown, self.options.detail));
        }
        Ok(matters)
    }

    /// What shows that a changed property has the other verdict, validated; nothing if a limit was reached, and nothing for a
    /// constant: no run is needed to show what that is.
    fn evidence(&self, formula: Formula, text: &str, holds: bool) -> Result<Option<Evidence>, Halt> {
        let settings = Settings { semantics: Semantics::Sis, record: Record::Moves };
        let outcome = check(self.context, self.prepared, &formula, &settings);
        match outcome.verdict {
            Verdict::Unknown(_) => return Ok(None),
            verdict if (verdict == Verdict::True) == holds => {}
            _ => return Err(Halt::Bug(format!("vacuity and check disagree about {text}"))),
        }
        let is_constant = formula.is_given();
        let Some(evidence) = outcome.evidence else { return Ok(None) };
        let replay = OnSystem {
            system: Arc::clone(&self.found.system),
            ranks: None,
            semantics: Semantics::Sis,
            formula,
            verdict: outcome.verdict,
            evidence,
        };
        let stands = confirmed(self.context, &replay, text)?;
        Ok((stands && !is_constant).then_some(replay.evidence))
    }
}
