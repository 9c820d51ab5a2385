//! Programs with procedures: summaries by predicates with refinement, without a call stack.
//!
//! A proof is a condition for each point and a summary for each procedure; a fresh solver judges it again, obligation by obligation. A
//! run that was found in the graph is followed by the program itself, which knows nothing of the graph. Where something begins that the
//! graph has nothing for, that counts like a target until it is known not to be reached.

use super::execution::of_run;
use crate::{
    Asked, Candidate, Engine, Flaw, Followed, Goal, Halt, OffersProcedures, Opening, Posed, Replay, Session,
    Turn, Work,
};
use std::rc::Rc;
use tertium_check::{Record, Semantics};
use tertium_evidence::{Assumption, Detail, Document, DocumentKind, Evidence, Outcome};
use tertium_program::{Icfg, PointId};
use tertium_recursion::{
    Answer, Entries, Evidence as Found, IcfgRun, Invariants, Judgement, Obstacle, Question, Settings, decide,
    prover, reach_in_turns, validate,
};
use tertium_support::{Context, Id, Statistics};
use tertium_truth::{Cause, Kleene, Verdict};

/// The row of the table.
pub(crate) const RECURSION: Engine = Engine {
    name: "recursion",
    title: "summaries of procedures, by predicates with refinement",
    fits: |model| model.procedures().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[],
    on_bounded: Some(Turn::whole(2)),
    on_unbounded: Some(Turn::whole(2)),
    open,
    suits: |model, property| {
        let logic = &model.properties()[property.index()].logic;
        model.procedures().is_some_and(|offer| offer.has_goal(property, logic))
    },
    advise: |_| Vec::new(),
};

/// Why nobody else can be shown a run to a place that only the graph can tell.
const ONLY_IN_THE_GRAPH: &str = "the run leads to no call of the error function, no assertion and no label, which is where such files end";

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer =
        opening.model.procedures().ok_or_else(|| Halt::Bug("the model has no procedures".to_owned()))?;
    work(&mut Summarising { opening, offer });
    Ok(())
}

struct Summarising<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersProcedures,
}

impl Session for Summarising<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let context = self.opening.context;
        let Some(posed) = self.offer.pose(context, asked.property, asked.logic)? else {
            if let Some(why) = self.offer.beyond_goals(asked.property, asked.logic) {
                context.poll().map_err(Halt::Stopped)?;
                let mut candidate = Candidate::plain("recursion", Outcome::unknown(Cause::Unsupported));
                candidate.details.extend(why.into_iter().map(Detail::DependsOn));
                return Ok(candidate);
            }
            return Err(Halt::Refused(
                "this asks for more than whether a place can be reached, or whether runs end".to_owned(),
            ));
        };
        self.answer(asked, &posed)
    }
}

impl<'m> Summarising<'m> {
    fn answer(&self, asked: Asked<'_>, posed: &Posed) -> Result<Candidate<'m>, Halt> {
        match posed.goal.clone() {
            Goal::Reach { targets, holds } => self.reach(asked, posed, &targets, holds),
            Goal::Diverge { holds } => Ok(self.diverge(asked, posed, holds)),
        }
    }

    fn reach(
        &self,
        asked: Asked<'_>,
        posed: &Posed,
        targets: &[PointId],
        holds: bool,
    ) -> Result<Candidate<'m>, Halt> {
        let all: Vec<PointId> = targets.iter().chain(&posed.unsupported).copied().collect();
        let answer = self.decide(posed, &all);
        let is_error = |run: &IcfgRun| end_of(&posed.icfg, run).is_some_and(|end| targets.contains(&end));
        match &answer.evidence {
            Found::Proof(invariants) => Ok(self.proof(asked, posed, &answer, invariants.clone(), all, holds)),
            Found::Run { run, .. } if is_error(run) => self.run(asked, posed, &answer, run, holds),
            Found::Run { .. } if !targets.is_empty() => {
                // What is not supported can be reached. So can, perhaps, what is asked for.
                let again = self.decide(posed, targets);
                match &again.evidence {
                    Found::Run { run, .. } => self.run(asked, posed, &again, run, holds),
                    _ => Ok(self.unsupported(posed, &again)),
                }
            }
            Found::Run { .. } => Ok(self.unsupported(posed, &answer)),
            Found::Open(obstacle) => Ok(self.open(posed, &answer, obstacle)),
            Found::Ends | Found::Diverges { .. } => Err(Halt::Bug("this was not asked".to_owned())),
        }
    }

    /// Whether a run goes on for ever.
    fn diverge(&self, asked: Asked<'_>, posed: &Posed, holds: bool) -> Candidate<'m> {
        let settings = Settings { rounds: self.rounds(), ..Settings::default() };
        let answer = decide(self.opening.context, &posed.icfg, &Question::Diverge, &settings, &mut prover());
        match &answer.evidence {
            Found::Diverges { run, cycle } => {
                let mut candidate = self.plain(&answer, Verdict::of(holds));
                let is_model = |own: &Assumption| matches!(own, Assumption::Integers(_));
                candidate.outcome.assumptions =
                    self.offer.assumptions().into_iter().filter(is_model).collect();
                if asked.record(self.opening.options) == Record::Moves
                    && let Some((names, evidence)) = self.offer.show_run(&posed.icfg, run, *cycle)
                {
                    candidate.names = names;
                    candidate.outcome.evidence = Some(evidence);
                }
                if let Some(cycle) = *cycle {
                    let (icfg, run) = (Rc::clone(&posed.icfg), run.clone());
                    candidate.replays.push(Box::new(Repeating { icfg, run, cycle }));
                }
                candidate
            }
            // Where something is not supported, the graph ends and the program may go on.
            Found::Ends if !posed.unsupported.is_empty() => {
                let reached = self.decide(posed, &posed.unsupported);
                match &reached.evidence {
                    Found::Proof(_) => self.ends(&answer, holds),
                    _ => self.unsupported(posed, &reached),
                }
            }
            Found::Ends => self.ends(&answer, holds),
            Found::Open(obstacle) => self.open(posed, &answer, obstacle),
            Found::Proof(_) | Found::Run { .. } => {
                self.open(posed, &answer, &Obstacle::Rounds(answer.rounds))
            }
        }
    }

    fn ends(&self, answer: &Answer, holds: bool) -> Candidate<'m> {
        let mut candidate = self.plain(answer, Verdict::of(!holds));
        candidate.outcome.assumptions = self.offer.assumptions();
        candidate
    }

    /// Whether a run comes to one of these points.
    fn decide(&self, posed: &Posed, targets: &[PointId]) -> Answer {
        reach_in_turns(self.opening.context, &posed.icfg, targets, self.rounds())
    }

    /// The most rounds of refinement.
    fn rounds(&self) -> usize {
        let Opening { options, growing, .. } = self.opening;
        if growing { usize::MAX } else { options.iterations.max(Settings::default().rounds) }
    }

    /// No run leads to a target.
    fn proof(
        &self,
        asked: Asked<'_>,
        posed: &Posed,
        answer: &Answer,
        invariants: Invariants,
        targets: Vec<PointId>,
        holds: bool,
    ) -> Candidate<'m> {
        let mut candidate = self.plain(answer, Verdict::of(!holds));
        candidate.outcome.assumptions = self.offer.assumptions();
        if asked.record(self.opening.options) == Record::Moves {
            let summaries = self.offer.summaries(&posed.icfg, &invariants);
            candidate.outcome.evidence = Some(Evidence::Summaries(summaries));
        }
        let wanted = &self.opening.options.documents;
        candidate.documents = self.offer.documents(wanted, posed, &invariants);
        candidate.replays.push(Box::new(Judged { icfg: Rc::clone(&posed.icfg), invariants, targets }));
        candidate
    }

    /// A run of the graph leads to a target. It counts if the program follows it.
    fn run(
        &self,
        asked: Asked<'_>,
        posed: &Posed,
        answer: &Answer,
        run: &IcfgRun,
        holds: bool,
    ) -> Result<Candidate<'m>, Halt> {
        let Opening { context, options, model, .. } = self.opening;
        let offer = model.execution();
        let is_seen = offer.is_some_and(|offer| offer.sees(asked.property, asked.logic));
        let of_graph = !is_seen && run.is_exact(&posed.icfg);
        let shown = match offer {
            Some(offer) => {
                match offer.follow(context, asked.property, asked.logic, posed, run, &options.documents)? {
                    Followed::Shows(shown) => *shown,
                    Followed::Differs(_) if of_graph => {
                        return Ok(self.run_of_graph(asked, posed, answer, run, holds));
                    }
                    Followed::Differs(doubts) => {
                        let mut candidate = self.plain(answer, Verdict::Unknown(doubts.cause));
                        candidate.doubt(doubts);
                        return Ok(candidate);
                    }
                }
            }
            None if of_graph => return Ok(self.run_of_graph(asked, posed, answer, run, holds)),
            None => {
                let why =
                    "the program cannot be run, so nobody can tell whether a run of the graph is one of its";
                let mut candidate = self.plain(answer, Verdict::Unknown(Cause::Imprecise));
                candidate.details.push(Detail::DependsOn(why.to_owned()));
                return Ok(candidate);
            }
        };
        let plain = self.plain(answer, Verdict::False);
        let mut candidate = of_run(shown, holds, plain.outcome.statistics, asked.record(options));
        candidate.engine = plain.engine;
        let is_model = |own: &Assumption| matches!(own, Assumption::Integers(_));
        candidate.outcome.assumptions = self.offer.assumptions().into_iter().filter(is_model).collect();
        Ok(candidate)
    }

    /// A run of the graph to a place that only the graph can tell, since values decide there.
    fn run_of_graph(
        &self,
        asked: Asked<'_>,
        posed: &Posed,
        answer: &Answer,
        run: &IcfgRun,
        holds: bool,
    ) -> Candidate<'m> {
        let mut candidate = self.plain(answer, Verdict::of(holds));
        candidate.outcome.assumptions = self.offer.assumptions();
        if asked.record(self.opening.options) == Record::Moves
            && let Some((names, evidence)) = self.offer.show_run(&posed.icfg, run, None)
        {
            candidate.names = names;
            candidate.outcome.evidence = Some(evidence);
        }
        let of_runs = [DocumentKind::Harness, DocumentKind::Witness].into_iter();
        let wanted = of_runs.filter(|kind| self.opening.options.documents.contains(kind));
        let refused = |kind| Document { kind, text: Err(ONLY_IN_THE_GRAPH.to_owned()) };
        candidate.documents = wanted.map(refused).collect();
        let targets = match &posed.goal {
            Goal::Reach { targets, .. } => targets.clone(),
            Goal::Diverge { .. } => Vec::new(),
        };
        candidate.replays.push(Box::new(Replayed {
            icfg: Rc::clone(&posed.icfg),
            run: run.clone(),
            targets,
        }));
        candidate
    }

    fn unsupported(&self, posed: &Posed, answer: &Answer) -> Candidate<'m> {
        let mut candidate = self.plain(answer, Verdict::Unknown(Cause::Unsupported));
        let found = self.offer.unsupported(&posed.unsupported);
        candidate.details.extend(found.into_iter().map(Detail::DependsOn));
        candidate
    }

    fn open(&self, posed: &Posed, answer: &Answer, obstacle: &Obstacle) -> Candidate<'m> {
        let (cause, why) = match obstacle {
            Obstacle::Stopped(reason) => ((*reason).into(), None),
            Obstacle::Rounds(_) => (Cause::Iterations, None),
            Obstacle::Nodes(n) => (Cause::Bound, Some(format!("{n} abstract states were looked at"))),
            Obstacle::Path { target, .. } if posed.unsupported.contains(target) => {
                return self.unsupported(posed, answer);
            }
            Obstacle::Lasso { cycle, .. } => {
                let head = cycle.first().map(|&edge| posed.icfg.edge(edge).source);
                let place = head.map_or("somewhere".to_owned(), |head| self.place(posed, head));
                let why = format!(
                    "runs may go round for ever at {place}: no predicates exclude it, and none was followed for ever"
                );
                (Cause::Imprecise, Some(why))
            }
            Obstacle::Path { target, .. } => {
                let place = self.place(posed, *target);
                let why = format!(
                    "an abstract path leads to {place}: no predicates exclude it, and no run follows it"
                );
                (Cause::Imprecise, Some(why))
            }
        };
        let mut candidate = self.plain(answer, Verdict::Unknown(cause));
        candidate.details.extend(why.map(Detail::DependsOn));
        if !matches!(cause, Cause::Interrupted) {
            candidate.advice.extend(self.offer.easier_reading());
        }
        candidate
    }

    /// Where a point is, for the user.
    fn place(&self, posed: &Posed, point: PointId) -> String {
        match self.offer.place(posed.icfg.point(point).span) {
            place if place.is_empty() => "what is asked for".to_owned(),
            place => place,
        }
    }

    /// A verdict with what the answer cost.
    fn plain(&self, answer: &Answer, verdict: Verdict) -> Candidate<'m> {
        debug_assert!(answer.value == Kleene::Unknown || answer.rounds > 0, "an answer takes a round");
        let predicates: usize = answer.predicates.values().map(Vec::len).sum();
        let mut statistics: Statistics = answer.statistics.clone();
        statistics.set("rounds", answer.rounds);
        statistics.set("predicates", predicates);
        let words = format!(
            "recursion, {}, {}",
            super::count(predicates, "predicate"),
            super::count(answer.rounds, "round")
        );
        Candidate::plain(words, Outcome::new(verdict, statistics))
    }
}

/// Where a run ends.
fn end_of(icfg: &Icfg, run: &IcfgRun) -> Option<PointId> {
    run.replay(icfg).ok().map(|state| state.point())
}

/// A run that leads to a target, judged by values alone.
struct Replayed {
    icfg: Rc<Icfg>,
    run: IcfgRun,
    targets: Vec<PointId>,
}

impl Replay for Replayed {
    fn by(&self) -> &'static str {
        "the graph"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        let is_there = end_of(&self.icfg, &self.run).is_some_and(|end| self.targets.contains(&end));
        if is_there {
            Ok(())
        } else {
            Err(Flaw::Wrong("the run does not lead to what is asked for".to_owned()))
        }
    }
}

/// A run that comes back to a state, or to one that is alike but for more open calls.
struct Repeating {
    icfg: Rc<Icfg>,
    run: IcfgRun,
    cycle: usize,
}

impl Replay for Repeating {
    fn by(&self) -> &'static str {
        "the graph"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        let repeats = self.run.repeats(&self.icfg, self.cycle);
        let is_back = repeats.map_err(|_| Flaw::Wrong("the run is none of the graph".to_owned()))?;
        if is_back && self.run.is_exact(&self.icfg) {
            Ok(())
        } else {
            Err(Flaw::Wrong("the run does not come back to where it was".to_owned()))
        }
    }
}

/// A proof that a fresh solver judges.
struct Judged {
    icfg: Rc<Icfg>,
    invariants: Invariants,
    targets: Vec<PointId>,
}

impl Replay for Judged {
    fn by(&self) -> &'static str {
        "a fresh solver"
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        let entries = Entries::new(&self.icfg);
        match validate(context, &self.icfg, &entries, &self.invariants, &self.targets) {
            Judgement::Stands => Ok(()),
            Judgement::GaveUp(_) => Err(Flaw::GaveUp),
            Judgement::Stopped(reason) => Err(Flaw::Stopped(reason)),
            Judgement::Fails { obligation, .. } => {
                Err(Flaw::Wrong(format!("the summaries are no proof: {obligation:?} fails")))
            }
            Judgement::Malformed(point) => {
                Err(Flaw::Wrong(format!("the condition at {point:?} speaks of what is not in scope")))
            }
        }
    }
}
