//! The program itself is run: once if it asks for nothing from outside, else with inputs that differ from run to run.
//!
//! A run that shows what is asked decides. So does the only run of a program without inputs, whatever it shows. Other runs
//! decide nothing. How long runs may get grows with their number, so no endless run keeps the others from their turn.

use crate::{
    Asked, Candidate, Engine, Executed, Halt, OffersExecution, Opening, Session, ShownRun, Turn, Work,
};
use tertium_check::{Record, Semantics};
use tertium_evidence::{Evidence, Outcome};
use tertium_support::{Id, Statistics};
use tertium_truth::{Cause, Verdict};

/// The row of the table.
pub(crate) const EXECUTION: Engine = Engine {
    name: "execution",
    title: "runs of the program, with inputs that are tried",
    fits: |model| model.execution().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[],
    on_bounded: Some(Turn::whole(0)),
    on_unbounded: Some(Turn::whole(0)),
    open,
    suits: |model, property| {
        let logic = &model.properties()[property.index()].logic;
        model.procedures().is_none_or(|offer| offer.has_goal(property, logic))
    },
    advise: |_| Vec::new(),
};

/// So many runs are tried where nobody says when to stop.
const MOST_RUNS: u64 = 400;

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.execution().ok_or_else(|| Halt::Bug("the model cannot be run".to_owned()))?;
    work(&mut Running { opening, offer });
    Ok(())
}

struct Running<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersExecution,
}

impl Session for Running<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let Opening { context, options, .. } = self.opening;
        let mut n_runs = 0;
        for number in 0..MOST_RUNS {
            let executed =
                self.offer.attempt(context, asked.property, asked.logic, number, &options.documents)?;
            let mut statistics = Statistics::default();
            n_runs = number + 1;
            statistics.set("runs", n_runs);
            match executed {
                Executed::Shows(shown, holds) => {
                    return Ok(of_run(*shown, holds, statistics, asked.record(options)));
                }
                Executed::Whole { instructions, holds, assumptions } => {
                    let mut outcome = Outcome::new(Verdict::of(holds), statistics);
                    outcome.evidence = Some(Evidence::WholeRun { instructions });
                    outcome.assumptions = assumptions;
                    return Ok(Candidate::plain("execution", outcome));
                }
                Executed::Open(true) => {}
                Executed::Open(false) => break,
            }
        }
        let mut statistics = Statistics::default();
        statistics.set("runs", n_runs);
        Ok(Candidate::plain("execution", Outcome::new(Verdict::Unknown(Cause::Imprecise), statistics)))
    }
}

/// What a run shows, on its way to the door.
pub(super) fn of_run(
    shown: ShownRun<'_>,
    holds: bool,
    statistics: Statistics,
    record: Record,
) -> Candidate<'_> {
    let ShownRun { names, evidence, documents, replay } = shown;
    let mut candidate = Candidate::plain("execution", Outcome::new(Verdict::of(holds), statistics));
    if record == Record::Moves {
        candidate.names = names;
        candidate.outcome.evidence = Some(evidence);
    }
    candidate.documents = documents;
    candidate.replays.push(replay);
    candidate
}
