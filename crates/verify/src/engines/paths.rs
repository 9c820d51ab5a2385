//! A search for runs of a program with procedures: a solver chooses inputs that lead where no run came before.
//!
//! What is found in the graph counts if the program itself follows it. The search proves nothing.

use super::execution::of_run;
use crate::{
    Asked, Candidate, Doubts, Engine, Followed, Goal, Halt, OffersProcedures, Opening, Session, Turn, Work,
};
use tertium_check::Semantics;
use tertium_evidence::{Assumption, Detail, Outcome};
use tertium_recursion::{Progress, Search};
use tertium_support::Statistics;
use tertium_truth::{Cause, Verdict};

/// The row of the table.
pub(crate) const PATHS: Engine = Engine {
    name: "search",
    title: "runs with inputs that a solver chooses",
    fits: |model| model.procedures().is_some() && model.execution().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[],
    on_bounded: Some(Turn::whole(1)),
    on_unbounded: Some(Turn::whole(1)),
    open,
    suits: super::recursion::RECURSION.suits,
    advise: |_| Vec::new(),
};

/// The work of a part of the search.
const PART: u64 = 1 << 24;
/// So many parts are done where nobody says when to stop.
const MOST_PARTS: usize = 64;

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer =
        opening.model.procedures().ok_or_else(|| Halt::Bug("the model has no procedures".to_owned()))?;
    work(&mut Searching { opening, offer });
    Ok(())
}

struct Searching<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersProcedures,
}

impl Session for Searching<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let Opening { context, options, model, growing, .. } = self.opening;
        let open = |why: &str| {
            let mut candidate = Candidate::plain("search", Outcome::unknown(Cause::Imprecise));
            candidate.details.push(Detail::LeftOut(why.to_owned()));
            candidate
        };
        let posed = self.offer.pose(context, asked.property, asked.logic)?;
        let Some(posed) = posed else {
            return Ok(open("this asks for more than whether a place can be reached"));
        };
        let Goal::Reach { targets, holds } = posed.goal.clone() else {
            return Ok(open("whether runs end is not asked here"));
        };
        let Some(program) = model.execution() else { return Ok(open("the program cannot be run")) };
        let mut doubts: Option<Doubts> = None;
        let mut search = Search::new(&posed.icfg, &targets);
        let mut parts = 0;
        while growing || parts < MOST_PARTS {
            parts += 1;
            match search.step(context, PART) {
                Progress::Found(found) => {
                    let followed = program.follow(
                        context,
                        asked.property,
                        asked.logic,
                        &posed,
                        &found.run,
                        &options.documents,
                    )?;
                    let shown = match followed {
                        Followed::Shows(shown) => *shown,
                        // The first is as good as any other that leads the same way.
                        Followed::Differs(own) => {
                            doubts.get_or_insert(own);
                            continue;
                        }
                    };
                    let mut statistics = Statistics::default();
                    statistics.set("runs", search.statistics().runs);
                    let mut candidate = of_run(shown, holds, statistics, asked.record(options));
                    candidate.engine = "search".to_owned();
                    let is_model = |own: &Assumption| matches!(own, Assumption::Integers(_));
                    candidate.outcome.assumptions =
                        self.offer.assumptions().into_iter().filter(is_model).collect();
                    return Ok(candidate);
                }
                Progress::Exhausted | Progress::Stuck => {
                    return Ok(doubted(
                        open("no run leads there, as far as runs were followed"),
                        doubts,
                        None,
                    ));
                }
                Progress::Stopped(reason) if context.poll().is_err() => {
                    if doubts.is_none() {
                        return Err(Halt::Stopped(reason));
                    }
                    let candidate = Candidate::plain("search", Outcome::unknown(reason));
                    return Ok(doubted(candidate, doubts, Some(reason.into())));
                }
                _ => {}
            }
        }
        Ok(doubted(open("there are more runs than were followed"), doubts, Some(Cause::Bound)))
    }
}

/// What is open, with what stood in the way of a run that was found, and the cause, if it is another than that.
fn doubted<'s>(mut candidate: Candidate<'s>, doubts: Option<Doubts>, cause: Option<Cause>) -> Candidate<'s> {
    let own = doubts.as_ref().map(|doubts| doubts.cause);
    if let Some(cause) = cause.or(own) {
        candidate.outcome.verdict = Verdict::Unknown(cause);
    }
    doubts.into_iter().for_each(|doubts| candidate.doubt(doubts));
    candidate
}
