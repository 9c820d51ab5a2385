//! The explicit engine on fair paths: reachable states, one by one. For small models, and to compare.
//!
//! A listing that a limit or a bound cut is used as far as it goes: a path or a lasso in it decides, and so does every claim
//! that does not depend on what is not listed. The clock does not stop that at once: there is some work left for it.

use super::depth;
use crate::model::is_made_for_diagrams;
use crate::{Asked, Candidate, Engine, Halt, ListedStates, Logic, Opening, Session, Taken, Work};
use tertium_check::fair::{
    FairAnswer, FairChecker, FairError, FairMemory, GraphEvidence, Length, Propositions,
};
use tertium_check::symbolic::Options;
use tertium_check::{Record, Semantics};
use tertium_evidence::{Assumption, Detail, Outcome};
use tertium_explore::Listing;
use tertium_logic::{Staying, is_boolean, staying_at_ends};
use tertium_support::{Context, Diagnostic, Id, Statistics, StopReason};
use tertium_system::{StateGraph, StateId, StateSet, StepFairness};
use tertium_truth::{Cause, Verdict};

/// The row of the table.
pub(crate) const LISTED: Engine = Engine {
    name: "explicit",
    title: "states one by one",
    fits: |model| model.states().is_some() && is_made_for_diagrams(model),
    semantics: &[Semantics::Sis],
    takes: &[Taken::States, Taken::Dot],
    on_bounded: None,
    on_unbounded: None,
    open,
    suits: |_, _| true,
    advise: |_| Vec::new(),
};

/// The work that may be done with what was found after a limit ended the search: less than a second.
const AFTER_LIMIT: u64 = 1 << 24;

/// An outcome, and what supports it.
pub(super) type Found = (Outcome, Option<GraphEvidence>);

/// A session on listed states.
pub(super) struct Listed<'m> {
    opening: Opening<'m>,
    states: Option<Box<dyn ListedStates + 'm>>,
    /// The bound that they were listed with.
    bound: usize,
    fairness: Option<StepFairness>,
    memory: FairMemory,
}

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    work(&mut Listed::new(opening));
    Ok(())
}

impl Session for Listed<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let most = self.opening.options.states.unwrap_or(usize::MAX);
        let found = self.find(asked, most)?;
        self.candidate(asked, found)
    }

    fn outlives_limits(&self) -> bool {
        true
    }
}

impl<'m> Listed<'m> {
    /// Nothing is listed before the first question.
    pub(super) fn new(opening: Opening<'m>) -> Self {
        Self { opening, states: None, bound: 0, fairness: None, memory: FairMemory::default() }
    }

    /// Lists the states, unless that was done. What a limit cut is listed anew if there is work left.
    fn list(&mut self, most: usize) -> Result<(), Halt> {
        let context = self.opening.context;
        if let Some(states) = &self.states {
            let is_enough = self.bound >= most || states.graph().is_complete();
            let is_usable =
                if states.graph().stopped().is_some() { context.poll().is_err() } else { is_enough };
            if is_usable {
                return Ok(());
            }
        }
        *self = Self::new(self.opening);
        let offer = self.opening.model.states();
        let offer = offer.ok_or_else(|| Halt::Bug("the model lists no states".to_owned()))?;
        self.states = Some(offer.list(context, most)?);
        self.bound = most;
        Ok(())
    }

    /// The answer to a question, on at most so many states.
    pub(super) fn find(&mut self, asked: Asked<'_>, most: usize) -> Result<Found, Halt> {
        self.list(most)?;
        let states = self.states.as_deref().ok_or_else(|| Halt::Bug("nothing is listed".to_owned()))?;
        let stopped = states.graph().stopped();
        let context = match stopped {
            None => self.opening.context.clone(),
            // A scheduler does not wait.
            Some(reason) if reason == StopReason::Interrupted || self.opening.growing => {
                return Err(Halt::Stopped(reason));
            }
            Some(_) => self.opening.context.after_limit(AFTER_LIMIT),
        };
        let question = Question { opening: self.opening, states, context: &context, asked };
        let found = question.ask(&mut self.fairness, &mut self.memory);
        match (found, stopped) {
            // What ended the search counts, not what ended the work after it.
            (Err(Halt::Stopped(_)), Some(reason)) => Err(Halt::Stopped(reason)),
            (found, _) => found,
        }
    }

    /// What was found, on its way to the door.
    pub(super) fn candidate(&self, asked: Asked<'_>, found: Found) -> Result<Candidate<'_>, Halt> {
        let states = self.states.as_deref().ok_or_else(|| Halt::Bug("nothing is listed".to_owned()))?;
        let (mut outcome, evidence) = found;
        let n_states = states.graph().n_states();
        if outcome.length.is_none() && states.graph().is_complete() {
            outcome.reachable = Some(n_states.to_string());
        }
        let holds = outcome.verdict == Verdict::True;
        let mut candidate = Candidate::plain("explicit", outcome);
        if let Some(evidence) = evidence
            && let Some(shown) = states.show(asked.property, asked.logic, evidence, holds)?
        {
            candidate.names = shown.names;
            candidate.outcome.evidence = Some(shown.evidence);
            candidate.replays.push(shown.replay);
        }
        if !candidate.outcome.is_definite() {
            candidate.details.extend(self.clear_depth(asked).map(Detail::NoViolationWithin));
            candidate.details.push(Detail::LeftOut(left_out(states.graph())));
        }
        Ok(candidate)
    }

    /// Within how many steps a claim that stays open is not violated. All that is listed was looked at, and so was everything before the
    /// nearest state with steps that are not. With justice a violation counts only if it is fair, which may be open.
    fn clear_depth(&self, asked: Asked<'_>) -> Option<usize> {
        depth::claim(asked.logic)?;
        let is_plain = matches!(asked.logic, Logic::Invariant(_))
            || self.fairness.as_ref().is_some_and(|fairness| fairness.justice.is_empty());
        self.states.as_deref().filter(|_| is_plain).and_then(|states| steps_to_open(states.graph()))
    }
}

/// Within how many steps a claim is not violated, as far as that is open after a look at so many states.
pub(super) fn clear_depth(opening: Opening<'_>, asked: Asked<'_>, most: usize) -> Option<usize> {
    let mut listed = Listed::new(opening);
    let (outcome, _) = listed.find(asked, most).ok()?;
    if outcome.is_definite() { None } else { listed.clear_depth(asked) }
}

/// How many steps it is to the nearest state some of whose steps are not listed.
fn steps_to_open(graph: &Listing) -> Option<usize> {
    if !graph.has_all_initial() {
        return None;
    }
    let open = graph.open_states();
    let mut layer: Vec<StateId> = StateId::first(graph.n_initial()).collect();
    let mut reached = StateSet::of(graph.n_states(), layer.iter().copied());
    let mut depth = 0;
    while !layer.iter().any(|&state| open.contains(state)) {
        let mut next = Vec::new();
        for &state in &layer {
            let targets = graph.steps(state).filter_map(|step| graph.step(step).1);
            next.extend(targets.filter(|&target| reached.insert(target)));
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
        depth += 1;
    }
    Some(depth)
}

fn left_out(graph: &Listing) -> String {
    let n = graph.n_states();
    let states = if n == 1 { "1 state was".to_owned() } else { format!("{n} states were") };
    let more = if graph.stopped().is_some() { "the search was stopped" } else { "there are more states" };
    format!("{states} looked at; {more}")
}

/// One question about listed states.
struct Question<'q> {
    opening: Opening<'q>,
    states: &'q dyn ListedStates,
    context: &'q Context,
    asked: Asked<'q>,
}

impl Question<'_> {
    fn ask(&self, fairness: &mut Option<StepFairness>, memory: &mut FairMemory) -> Result<Found, Halt> {
        let (context, graph) = (self.context, self.states.graph());
        let fairness = match fairness {
            Some(known) => known,
            None => fairness.insert(self.states.fairness(context)?),
        };
        let checker = &mut FairChecker::new(graph, fairness, memory);
        let logic = self.asked.logic;
        let collects = self.asked.record(self.opening.options) == Record::Moves;
        let most_claims = if collects { Options::default().evidence } else { 0 };
        let propositions = self.states.propositions(context, self.asked.property)?;
        let wrong = |error| self.failure(error);
        let mut length = None;
        let answer = match logic {
            Logic::Branching(formula) => checker.check_ctl(context, &propositions, formula, most_claims),
            Logic::Invariant(formula) => checker.check_invariant(context, &propositions, formula),
            Logic::Linear(formula) => checker.check_ltl(context, &propositions, formula),
            Logic::Shortest(f, g) | Logic::Longest(f, g) => {
                let measured = match logic {
                    Logic::Shortest(..) => checker.shortest(context, &propositions, f, g),
                    _ => checker.longest(context, &propositions, f, g),
                };
                length = measured.map_err(wrong)?.map(|length| match length {
                    Length::Finite(length) => length.to_string(),
                    Length::Infinite => "infinite".to_owned(),
                    Length::Undefined => "undefined".to_owned(),
                });
                Ok(FairAnswer { holds: length.is_some().then_some(true), evidence: None })
            }
        };
        let FairAnswer { holds, evidence } = answer.map_err(wrong)?;
        let verdict = match holds {
            Some(true) => Verdict::True,
            Some(false) => Verdict::False,
            None => Verdict::Unknown(graph.stopped().map_or(Cause::Bound, Cause::from)),
        };
        let mut statistics = Statistics::default();
        statistics.set("states", graph.n_states());
        statistics.set("transitions", graph.n_steps());
        let mut outcome = Outcome::new(verdict, statistics);
        outcome.length = length;
        if holds.is_some() {
            outcome.assumptions =
                self.assumptions(checker, fairness, &propositions, verdict).map_err(wrong)?;
        }
        Ok((outcome, evidence.filter(|_| most_claims > 0)))
    }

    /// What the answer relies on.
    fn assumptions(
        &self,
        checker: &mut FairChecker<'_, Listing>,
        fairness: &StepFairness,
        propositions: &Propositions,
        verdict: Verdict,
    ) -> Result<Vec<Assumption>, FairError> {
        let logic = self.asked.logic;
        let mut found = Vec::new();
        let just = !fairness.justice.is_empty();
        let compassion = (!fairness.compassion.is_empty()).then_some(Assumption::CompassionIgnored);
        if let Logic::Shortest(..) | Logic::Longest(..) = logic {
            found.extend(just.then_some(Assumption::JusticeIgnored));
            found.extend(compassion);
            return Ok(found);
        }
        found.extend((self.states.graph().n_initial() == 0).then_some(Assumption::NoInitialState));
        if let Logic::Branching(formula) = logic {
            let unfair = just && checker.has_unfair_initial_state(self.context)?;
            found.extend(unfair.then_some(Assumption::UnfairInitialStates));
            if !is_boolean(formula) {
                found.extend(compassion);
            }
        }
        found.extend(self.dependence(checker, fairness, propositions, verdict));
        Ok(found)
    }

    /// That a path can end and the verdict would be another one if it stayed where it ended, or that this is not known.
    fn dependence(
        &self,
        checker: &mut FairChecker<'_, Listing>,
        fairness: &StepFairness,
        propositions: &Propositions,
        verdict: Verdict,
    ) -> Option<Assumption> {
        let may_depend = match self.asked.logic {
            Logic::Branching(formula) => {
                !fairness.justice.is_empty() || staying_at_ends(formula) != Staying::Same
            }
            // A lasso that refutes is there whether or not other paths end.
            Logic::Linear(_) => verdict == Verdict::True,
            Logic::Invariant(_) | Logic::Shortest(..) | Logic::Longest(..) => false,
        };
        let steps = checker.steps_to_deadlock().filter(|_| may_depend)?;
        let pairs = fairness.compassion.iter().flat_map(|(one, other)| [one, other]);
        let sets = propositions.values().chain(&fairness.justice).chain(pairs);
        if self.states.has_inputs() && sets.into_iter().any(|set| set.states().is_none()) {
            return Some(Assumption::DeadlocksUnknown(None));
        }
        let other = checker.where_ends_stay(propositions, |other, propositions| match self.asked.logic {
            Logic::Linear(formula) => other.check_ltl(self.context, propositions, formula),
            Logic::Branching(formula) | Logic::Invariant(formula) => {
                other.check_ctl(self.context, propositions, formula, 0)
            }
            Logic::Shortest(..) | Logic::Longest(..) => Ok(FairAnswer { holds: None, evidence: None }),
        });
        match other.map(|answer| answer.holds) {
            Ok(Some(holds)) if holds == (verdict == Verdict::True) => None,
            Ok(Some(_)) => Some(Assumption::Deadlock { state: None, steps: Some(steps), sure: true }),
            Err(FairError::Stopped(reason)) => Some(Assumption::DeadlocksUnknown(Some(reason))),
            Ok(None) | Err(_) => Some(Assumption::DeadlocksUnknown(None)),
        }
    }

    fn failure(&self, error: FairError) -> Halt {
        let own = &self.opening.model.properties()[self.asked.property.index()];
        match error {
            FairError::Stopped(reason) => Halt::Stopped(reason),
            FairError::TooLarge => {
                Halt::Refused(format!("{} has too many operators for the explicit engine", own.name.text))
            }
            FairError::NotUnderstood(span) => {
                Halt::faulty(&own.source, vec![Diagnostic::error(span, "this is not a formula of the logic")])
            }
        }
    }
}
