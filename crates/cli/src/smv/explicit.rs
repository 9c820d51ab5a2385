//! The explicit engine on a model: its reachable states, one by one. For small models, and to compare.

use super::engine::{Answerer, Reply};
use crate::commands::check::Job;
use crate::failure::Failure;
use tertium_front_smv::{
    ExplicitAnswer, ExploreError, ExploreLimits, Explored, FlatModel, Interpreter, Length, Specification,
    check_explicitly, explore,
};
use tertium_support::Statistics;
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

    fn answer(&mut self, _: usize, specification: &Specification) -> Result<Reply, Failure> {
        let mut statistics = Statistics::default();
        statistics.set("states", self.explored.n_states());
        statistics.set("transitions", self.explored.n_edges());
        let answer =
            check_explicitly(&self.job.run.context, &self.interpreter, &self.explored, specification);
        match answer {
            Ok(ExplicitAnswer::Truth(holds)) => {
                Ok(Reply::plain(if holds { Verdict::True } else { Verdict::False }, statistics))
            }
            Ok(ExplicitAnswer::Length(length)) => {
                let mut reply = Reply::plain(Verdict::True, statistics);
                reply.value = Some(match length {
                    Length::Finite(length) => length.to_string(),
                    Length::Infinite => "infinite".to_owned(),
                    Length::Undefined => "undefined".to_owned(),
                });
                Ok(reply)
            }
            Err(ExploreError::Stopped(reason, _)) => Ok(Reply::unknown(reason.into(), statistics)),
            Err(error) => Err(failure(error, self.interpreter.model())),
        }
    }
}
