//! The explicit engine on a model: its reachable states, one by one. For small models, and to compare.

use super::engine::{Answerer, Reply};
use super::evidence::supported;
use super::notes::Note;
use crate::commands::check::Job;
use crate::failure::Failure;
use tertium_check::Record;
use tertium_check::symbolic::Options;
use tertium_front_smv::{
    Evidence, ExplicitAnswer, ExploreError, ExploreLimits, Explored, FlatModel, Interpreter, Length,
    Specification, SpecificationKind, explain_explicitly, explore, satisfying_states, steps_to_deadlock,
};
use tertium_logic::{FormulaKind, PathOperator, PathQuantifier, is_boolean};
use tertium_support::{Source, Statistics};
use tertium_truth::Verdict;

struct ExplicitAnswerer<'a> {
    job: &'a Job,
    interpreter: Interpreter<'a>,
    explored: Explored,
}

/// Finds all reachable states and hands the engine to `work`.
pub(super) fn with_states(
    job: &Job,
    model: &FlatModel,
    work: impl FnOnce(&mut dyn Answerer),
) -> Result<(), Failure> {
    let interpreter = Interpreter::new(model);
    let explored = explore(&job.run.context, &interpreter, ExploreLimits::default())
        .map_err(|error| failure(error, model))?;
    work(&mut ExplicitAnswerer { job, interpreter, explored });
    Ok(())
}

/// What a failed exploration means for the user.
pub(crate) fn failure(error: ExploreError, model: &FlatModel) -> Failure {
    match error {
        ExploreError::Stopped(reason, _) => Failure::Stopped(reason),
        ExploreError::Fault(fault) => {
            Failure::Faulty(Box::new(model.source.clone()), vec![fault.diagnostic(model)])
        }
        ExploreError::TooLarge(states) => Failure::Input(format!(
            "{} has too many states to list them: {states} were found; use --engine symbolic",
            model.source.name()
        )),
        ExploreError::NotUnderstood(span) => Failure::Faulty(
            Box::new(model.source.clone()),
            vec![tertium_support::Diagnostic::error(span, "this is not a formula of the logic")],
        ),
    }
}

impl Answerer for ExplicitAnswerer<'_> {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn answer(&mut self, _: usize, specification: &Specification, _: &Source) -> Result<Reply, Failure> {
        let answered = self.explained(specification).and_then(|(answer, evidence)| {
            let notes = self.notes(specification)?;
            Ok((answer, evidence, notes))
        });
        let (answer, evidence, notes) = match answered {
            Ok(answered) => answered,
            Err(ExploreError::Stopped(reason, _)) => {
                return Ok(Reply::unknown(reason.into(), self.counted()));
            }
            Err(error) => return Err(failure(error, self.interpreter.model())),
        };
        let (verdict, value) = match answer {
            ExplicitAnswer::Truth(true) => (Verdict::True, None),
            ExplicitAnswer::Truth(false) => (Verdict::False, None),
            ExplicitAnswer::Length(Length::Finite(length)) => (Verdict::True, Some(length.to_string())),
            ExplicitAnswer::Length(Length::Infinite) => (Verdict::True, Some("infinite".to_owned())),
            ExplicitAnswer::Length(Length::Undefined) => (Verdict::True, Some("undefined".to_owned())),
        };
        let mut reply = Reply::plain(verdict, self.counted());
        reply.states = value.is_none().then(|| self.explored.n_states().to_string());
        reply.value = value;
        reply.assumptions = notes.iter().map(Note::words).collect();
        if let Some(evidence) = &evidence {
            supported(self.job.settings.validation, &self.interpreter, specification, evidence, &mut reply)?;
        }
        Ok(reply)
    }
}

impl ExplicitAnswerer<'_> {
    fn explained(
        &self,
        specification: &Specification,
    ) -> Result<(ExplicitAnswer, Option<Evidence>), ExploreError> {
        let context = &self.job.run.context;
        let n = self.explored.n_states();
        context.poll().map_err(|reason| ExploreError::Stopped(reason, n))?;
        let collect = self.job.settings.record == Record::Moves;
        let most_claims = if collect { Options::default().evidence } else { 0 };
        explain_explicitly(context, &self.interpreter, &self.explored, specification, most_claims)
    }

    fn counted(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.set("states", self.explored.n_states());
        statistics.set("transitions", self.explored.n_edges());
        statistics
    }

    /// What the answer relies on.
    fn notes(&self, specification: &Specification) -> Result<Vec<Note>, ExploreError> {
        let model = self.interpreter.model();
        let mut notes = Vec::new();
        let (just, compassionate) = (!model.justice.is_empty(), !model.compassion.is_empty());
        if let SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) =
            specification.kind
        {
            notes.extend(just.then_some(Note::JusticeIgnored));
            notes.extend(compassionate.then_some(Note::CompassionIgnored));
            return Ok(notes);
        }
        notes.extend(self.explored.initial().next().is_none().then_some(Note::NoInitialState));
        if let SpecificationKind::Ctl(formula) = &specification.kind {
            notes.extend((just && self.has_unfair_initial_state()?).then_some(Note::UnfairInitialStates));
            if is_boolean(formula) {
                return Ok(notes);
            }
            notes.extend(compassionate.then_some(Note::CompassionIgnored));
        }
        if !matches!(specification.kind, SpecificationKind::Invariant(_)) {
            notes.extend(steps_to_deadlock(&self.explored).map(Note::Deadlock));
        }
        Ok(notes)
    }

    fn has_unfair_initial_state(&self) -> Result<bool, ExploreError> {
        let always = PathOperator::Globally(Box::new(FormulaKind::True.into()));
        let fair = FormulaKind::Path(PathQuantifier::Some, always).into();
        let context = &self.job.run.context;
        let fair = satisfying_states(context, &self.interpreter, &self.explored, &[], &fair)?;
        Ok(self.explored.initial().any(|state| !fair.contains(state)))
    }
}
