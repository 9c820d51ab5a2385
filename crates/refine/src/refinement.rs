//! The loop: abstract, check, diagnose, refine. It knows nothing of any abstraction but these four verbs.
//!
//! A definite verdict on an abstract system is one of what it stands for \[GHJ01\]. While the verdict is unknown, the diagnosis looks for a
//! concrete run that decides the property, or for what makes the abstraction more precise. Cost: what the rounds cost. Invariant: the last
//! round that ended is what the outcome rests on, whatever stops the next one.

use std::collections::BTreeMap;
use tertium_abstraction::LeftOut;
use tertium_evidence::{Outcome, SearchRound};
use tertium_explore::Exploration;
use tertium_expr::Term;
use tertium_program::Precision;
use tertium_solve::ProverStatistics;
use tertium_support::{Context, Measure, StopReason};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// An abstraction that can be made more precise.
pub trait Refinable: Sized {
    /// The abstract system.
    type System;
    /// A concrete run that decides a property by itself.
    type Run;
    /// What makes the abstraction more precise: predicates, say.
    type Refinement;

    /// The abstract system, with what it took.
    fn abstract_system(&mut self, context: &Context) -> Result<(Self::System, Round), StopReason>;

    /// What the abstract system says about the property.
    fn check(&mut self, context: &Context, system: &Self::System) -> Result<Outcome, StopReason>;

    /// What follows from that.
    fn diagnose(
        &mut self,
        context: &Context,
        system: &Self::System,
        outcome: &Outcome,
    ) -> Result<Diagnosis<Self::Run, Self::Refinement>, StopReason>;

    /// The abstraction with more precision.
    fn refine(self, refinement: Self::Refinement) -> Self;

    /// What was learnt so far.
    fn learnt(&mut self) -> Learnt;
}

/// What follows from the outcome of a round.
#[derive(Debug)]
pub enum Diagnosis<R, P> {
    /// The outcome stands: it is definite, or nothing is known that would help.
    Final,
    /// A concrete run shows this verdict.
    Shown(Verdict, R),
    /// More precision may decide it.
    Refine(P),
}

/// One round of the loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// The size of the abstract system.
    pub n_states: usize,
    /// Its may steps.
    pub n_steps: usize,
    /// The predicates it was made with.
    pub n_predicates: usize,
    /// Of a search, its questions.
    pub searched: Option<SearchRound>,
}

/// What is learnt on the way, and may help with other questions.
#[derive(Debug, Default)]
pub struct Learnt {
    /// The predicates at the end, with where they count.
    pub precision: Precision,
    /// What the solver was asked.
    pub solver: ProverStatistics,
    /// The atoms with products in questions on which it gave up, with how often.
    pub hard: BTreeMap<Term, u64>,
    /// What was seen of the propositions of the program, if states were searched: the name, and whether it was seen to hold and to fail.
    pub seen: Vec<(String, bool, bool)>,
    /// What was left out because there was too much of it.
    pub left_out: LeftOut,
    /// How often the solver gave up on whether a path of an abstract system is one of the program.
    pub n_open_paths: u64,
    /// What a search stopped short of, in a sentence.
    pub stopped_short: Option<&'static str>,
    /// How runs may go round for ever where no rank was found, in a sentence.
    pub goes_round: Option<String>,
}

/// What an outcome rests on.
#[derive(Debug)]
pub enum Support<S, R> {
    /// A concrete run, which decides the property by itself.
    Run(R),
    /// An abstract system; the outcome speaks of its states.
    Abstract(Box<S>),
    /// All reachable states, one by one; the outcome speaks of them.
    AllStates(Box<AllStates>),
    /// Nothing: the run ended before.
    Nothing,
}

/// All reachable states of a program, and the system that they make.
#[derive(Debug)]
pub struct AllStates {
    /// The states.
    pub states: Exploration,
    /// The system, with the propositions of the property.
    pub system: PartialSystem,
}

/// What the loop found.
#[derive(Debug)]
pub struct Refined<S, R> {
    /// The answer.
    pub outcome: Outcome,
    /// What it rests on.
    pub support: Support<S, R>,
    /// All rounds.
    pub rounds: Vec<Round>,
    /// What was learnt.
    pub learnt: Learnt,
}

impl Learnt {
    /// What an open answer may be due to, in a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let times =
            if self.n_open_paths == 1 { "once".to_owned() } else { format!("{} times", self.n_open_paths) };
        let paths = format!("{times}: the solver gave up on whether an abstract path is one of the program");
        let mut all: Vec<String> = self.stopped_short.map(str::to_owned).into_iter().collect();
        all.extend(self.goes_round.clone());
        all.extend((self.n_open_paths > 0).then_some(paths));
        all.extend(self.left_out.sentences());
        all
    }
}

impl<S, R> Refined<S, R> {
    /// Nothing is known yet.
    pub(crate) fn open() -> Self {
        Self {
            outcome: Outcome::unknown(Cause::Iterations),
            support: Support::Nothing,
            rounds: Vec::new(),
            learnt: Learnt::default(),
        }
    }

    /// The verdict stays open for this reason; what was found supports it still.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.outcome.verdict = Verdict::Unknown(reason.into());
    }
}

/// Goes round until there is an answer, for so many rounds at most.
pub fn refine<A: Refinable>(
    context: &Context,
    mut abstraction: A,
    iterations: usize,
) -> Refined<A::System, A::Run> {
    let mut found = Refined::open();
    while found.rounds.len() < iterations {
        context.progress().count(Measure::Rounds, found.rounds.len() + 1);
        match round(context, &mut abstraction, &mut found) {
            Ok(Some(refinement)) => abstraction = abstraction.refine(refinement),
            Ok(None) => break,
            Err(reason) => {
                found.stop(reason);
                break;
            }
        }
    }
    found.learnt = abstraction.learnt();
    found
}

/// One round. Gives what makes the abstraction more precise, or nothing if the answer is final.
fn round<A: Refinable>(
    context: &Context,
    abstraction: &mut A,
    found: &mut Refined<A::System, A::Run>,
) -> Result<Option<A::Refinement>, StopReason> {
    let (system, round) = abstraction.abstract_system(context)?;
    found.rounds.push(round);
    let mut outcome = abstraction.check(context, &system)?;
    let diagnosis = abstraction.diagnose(context, &system, &outcome)?;
    let (verdict, refinement) = match diagnosis {
        Diagnosis::Shown(verdict, run) => {
            debug_assert!(
                !outcome.is_definite() || outcome.verdict == verdict,
                "a run does not contradict a definite verdict"
            );
            found.outcome = Outcome::new(verdict, Default::default());
            found.support = Support::Run(run);
            return Ok(None);
        }
        Diagnosis::Final => (because_of_solver(outcome.verdict, &abstraction.learnt()), None),
        Diagnosis::Refine(refinement) => {
            debug_assert!(!outcome.is_definite(), "a definite verdict needs no more precision");
            (Verdict::Unknown(Cause::Iterations), Some(refinement))
        }
    };
    outcome.verdict = verdict;
    found.outcome = outcome;
    found.support = Support::Abstract(Box::new(system));
    unless_limited(context, verdict, refinement)
}

/// What is imprecise after the solver gave up may be so because of that.
fn because_of_solver(verdict: Verdict, learnt: &Learnt) -> Verdict {
    match verdict {
        Verdict::Unknown(Cause::Imprecise) if learnt.solver.n_gave_up + learnt.n_open_paths > 0 => {
            Verdict::Unknown(Cause::Solver)
        }
        other => other,
    }
}

/// An open answer under a limit that was reached is open because of the limit, not because the solver did not answer in time.
pub(crate) fn unless_limited<T>(context: &Context, verdict: Verdict, result: T) -> Result<T, StopReason> {
    match verdict {
        Verdict::Unknown(Cause::Solver | Cause::Imprecise) => context.poll().map(|()| result),
        _ => Ok(result),
    }
}
