//! Questions decided, and values read off one abstraction.

use super::refiner::Refiner;
use super::{Answer, Evidence, Obstacle, Question, Settings};
use crate::abstraction::explore::Ended;
use crate::abstraction::partial::Making;
use crate::abstraction::scopes::Scopes;
use crate::demand::{Goal, PartialProgram, diverging, reaching};
use tertium_program::Icfg;
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, StopReason};
use tertium_truth::{Belnap, Kleene};

/// A prover for [`decide`]: its questions have little to do with each other, and Z3 is slower the more it remembers of earlier ones.
pub fn prover() -> Prover<'static> {
    Prover::new(Z3::new().forgetful(MOST_KNOWN))
}

/// So many literals stay known to the solver.
const MOST_KNOWN: usize = 60;

/// Decides a question about a program, from the hints in the settings, or from no predicates.
pub fn decide(
    context: &Context,
    icfg: &Icfg,
    question: &Question,
    settings: &Settings,
    prover: &mut Prover<'_>,
) -> Answer {
    let scopes = Scopes::new(icfg);
    let merges = matches!(question, Question::Reach(_));
    let mut refiner = Refiner::new(context, &scopes, settings, prover, merges);
    let answered = match question {
        Question::Reach(targets) => refiner.reach(targets),
        Question::Diverge => refiner.diverge(),
    };
    let (value, evidence) = match answered {
        Ok(answered) => answered,
        Err(reason) => (Kleene::Unknown, Evidence::Open(Obstacle::Stopped(reason))),
    };
    refiner.answer(value, evidence)
}

/// The values of questions in one abstraction, that with the predicates in the settings, without refinement. Nothing if there are too many
/// abstract states.
pub fn abstract_values(
    context: &Context,
    icfg: &Icfg,
    questions: &[Question],
    settings: &Settings,
    prover: &mut Prover<'_>,
) -> Result<Option<Vec<Belnap>>, StopReason> {
    let scopes = Scopes::new(icfg);
    let mut refiner = Refiner::new(context, &scopes, settings, prover, false);
    let Some((_, partial)) = refiner.partial()? else { return Ok(None) };
    let values = questions.iter().map(|question| match question {
        Question::Reach(targets) => Ok(reaching(context, &partial, &Goal::at(&partial, targets))?.value()),
        Question::Diverge => Ok(diverging(context, &partial)?.value()),
    });
    values.collect::<Result<Vec<_>, StopReason>>().map(Some)
}

impl Refiner<'_, '_, '_, '_> {
    /// Everything explored, with what must be possible. Nothing if there are too many abstract states.
    pub(super) fn partial(
        &mut self,
    ) -> Result<Option<(crate::abstraction::explore::Exploration, PartialProgram)>, StopReason> {
        let (found, ended) = self.explore(&|_| false)?;
        if ended != Ended::Complete {
            return Ok(None);
        }
        let (context, scopes) = (self.context, self.scopes);
        let mut making =
            Making { context, scopes, sites: &mut self.sites, asked: &mut self.asked, found: &found };
        let partial = making.partial()?;
        Ok(Some((found, partial)))
    }
}
