//! Rounds with more and more predicates, until an error is found or nothing was lost.
//!
//! A round that matched no two states, and left nothing out, ends it as well: it is an ordinary search through all
//! reachable states. More predicates would tell them apart from states that cannot be reached, and in a program that
//! goes through its locations one by one this takes a round for each location.

use crate::choose::Chooser;
use crate::initial::Roots;
use crate::round::search_open;
use crate::{
    Accounting, Answer, CheckSettings, Checks, Counted, Ending, Identity, InputSettings, Iteration,
    LossSettings, Losses, Machine, Matching, Order, Precision, Reason, Round, RoundSettings, Scope, Start,
    Written, losses,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Program, Role, State};
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, Measure, StopReason};

/// How the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which state of a round is next.
    pub order: Order,
    /// By how many threads; none of the results depends on it.
    pub threads: usize,
    /// How its losses become predicates.
    pub losses: LossSettings,
    /// Its questions.
    pub checks: CheckSettings,
    /// When predicates are one.
    pub identity: Identity,
    /// What it begins with.
    pub start: Start,
    /// After so many rounds in which a transition at a location stays inexact, the values at its source become
    /// predicates. Then the search comes to an end on programs with finitely many reachable states.
    pub values_after: Option<usize>,
    /// What becomes of inputs.
    pub inputs: InputSettings,
    /// How many rounds at most.
    pub iterations: usize,
    /// How many states each round follows at most.
    pub states: usize,
    /// How many predicates at most.
    pub predicates: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            order: Order::default(),
            threads: 1,
            losses: LossSettings::default(),
            checks: CheckSettings::default(),
            identity: Identity::default(),
            start: Start::default(),
            values_after: Some(3),
            inputs: InputSettings::default(),
            iterations: 50,
            states: usize::MAX,
            predicates: 10_000,
        }
    }
}

impl Settings {
    /// Whether a round that matched no two states is the last. The published search goes on.
    fn ends_with_all_states(&self) -> bool {
        self.checks.accounting == Accounting::Sparing
    }
}

/// Searches for a state where the goal holds. The prover has to be new, or used for this program only.
pub fn search_with_refinement<'p>(
    context: &Context,
    program: &'p Program,
    goal: Option<Term>,
    precision: Precision,
    settings: &Settings,
    prover: &mut Prover<'p>,
) -> Answer<'p> {
    let mut answer = Answer {
        ending: Ending::Open(Reason::Iterations),
        rounds: Vec::new(),
        machine: Machine::empty(program),
        iterations: Vec::new(),
        precision,
    };
    answer.ending = match rounds(context, goal, settings, prover, &mut answer) {
        Ok(ending) => ending,
        Err(reason) => Ending::Open(Reason::Stopped(reason)),
    };
    if answer.rounds.is_empty() {
        answer.rounds.push(Round::default());
        context.progress().count(Measure::Rounds, answer.rounds.len());
    }
    answer
}

/// Rounds until the end.
fn rounds<'p>(
    context: &Context,
    goal: Option<Term>,
    settings: &Settings,
    prover: &mut Prover<'p>,
    answer: &mut Answer<'p>,
) -> Result<Ending, StopReason> {
    let program = answer.machine.program();
    let roots = Roots::of(context, program)?;
    let mut failing: FxHashMap<(Box<[Value]>, CommandId), usize> = FxHashMap::default();
    loop {
        let before = prover.statistics();
        answer.rounds.push(Round::default());
        answer.iterations.push(Iteration {
            n_predicates: answer.precision.len(),
            n_concrete: 0,
            n_abstract: 0,
            counted: Counted::default(),
            n_input_questions: 0,
            solver: ProverStatistics::default(),
            added: Vec::new(),
        });
        let missing = search_round(context, goal, settings, &roots, prover, answer);
        let Answer { machine, precision, rounds, iterations, .. } = answer;
        let last = rounds.last().expect("it was pushed");
        let now = iterations.last_mut().expect("it was pushed");
        (now.n_concrete, now.n_abstract) = (last.n_generated, last.followed().len());
        now.solver = prover.statistics().since(&before);
        let missing = missing?;
        if let Some(reason @ (Reason::TooManyInputs(_) | Reason::States)) = missing {
            return Ok(Ending::Open(reason));
        }
        let mut checks = Checks::new(context, program, prover, settings.checks);
        // What a round lost that found the goal is of interest only to who compares numbers.
        let lost = if last.goal.is_some() && settings.checks.accounting == Accounting::Sparing {
            Ok(Losses::default())
        } else {
            losses(machine, precision, last, settings.losses, &mut checks)
        };
        now.counted = checks.counted();
        now.solver = prover.statistics().since(&before);
        let lost = lost?;
        let mut next = precision.clone();
        let stubborn = settings.values_after.map(|most| stubborn(last, &lost, &mut failing, most));
        now.added = add_missed(program, &lost, &mut next);
        now.added.extend(add_values(program, stubborn.into_iter().flatten(), &mut next));
        if now.added.is_empty() && settings.values_after.is_some() {
            // More rounds would not help; values may.
            let sources = lost.inexact.iter().map(|&(at, _)| last.state(at));
            now.added = add_values(program, sources, &mut next);
        }
        let stuck = now.added.is_empty();
        match (last.goal, missing) {
            (Some(visit), _) => return Ok(Ending::Reached(visit)),
            (None, None) if lost.is_exact() => return Ok(Ending::Exact),
            (None, None) if settings.ends_with_all_states() && visits_all_states(&roots, machine, last) => {
                return Ok(Ending::AllStates);
            }
            (None, missing) if stuck => return Ok(Ending::Open(missing.unwrap_or(Reason::Unsettled))),
            _ => {}
        }
        if iterations.len() >= settings.iterations {
            return Ok(Ending::Open(Reason::Iterations));
        }
        if next.len() > settings.predicates {
            return Ok(Ending::Open(Reason::Predicates));
        }
        debug_assert!(next.extends(precision), "rounds only add predicates");
        debug_assert!(!precision.extends(&next), "and each adds some");
        *precision = next;
    }
}

/// One round, and what it leaves out, if anything: then it proves nothing.
fn search_round<'p>(
    context: &Context,
    goal: Option<Term>,
    settings: &Settings,
    roots: &Roots,
    prover: &mut Prover<'p>,
    answer: &mut Answer<'p>,
) -> Result<Option<Reason>, StopReason> {
    let Answer { machine, precision, rounds, iterations, .. } = answer;
    let last = rounds.last_mut().expect("it was pushed");
    if let Err(command) = machine.treat_inputs(settings.inputs, precision) {
        return Ok(Some(Reason::TooManyInputs(command)));
    }
    let start = roots.states(context, machine.program(), precision, prover)?;
    let mut chooser = Chooser::new(context, prover);
    let mut outside = |state: &State| chooser.successors(machine, precision, state);
    let matching = Matching::Predicates(precision);
    let Settings { order, threads, states, .. } = *settings;
    let how = RoundSettings { order, threads, states, ..RoundSettings::default() };
    let searched = search_open(context, machine, &start.states, matching, goal, how, &mut outside, last);
    let complete = chooser.is_complete();
    if let Some(now) = iterations.last_mut() {
        now.n_input_questions = chooser.n_questions();
    }
    machine.keep(chooser.chosen());
    searched?;
    Ok(match () {
        () if last.is_cut() => Some(Reason::States),
        () if !start.complete => Some(Reason::InitialStates),
        () if !complete => Some(Reason::Inputs),
        () if machine.is_truncated() => Some(Reason::Truncated),
        () => None,
    })
}

/// Whether a round that left nothing out visited all reachable states, one by one.
fn visits_all_states(roots: &Roots, machine: &Machine<'_>, round: &Round) -> bool {
    match roots {
        Roots::All(all) => machine.open_steps().is_empty() && round.tells_apart(machine, &all.states),
        Roots::Many => false,
    }
}

/// Adds what was missed. Says what is new.
fn add_missed(program: &Program, lost: &Losses, precision: &mut Precision) -> Vec<Term> {
    let mut added = Vec::new();
    for (written, scopes) in &lost.missed {
        for scope in scopes {
            if precision.add(program, written.clone(), scope.clone()) {
                added.push(written.term(&program.terms));
            }
        }
    }
    added.dedup();
    added
}

/// Adds that variables have the values of states. Says what is new.
fn add_values(
    program: &Program,
    states: impl IntoIterator<Item = State>,
    precision: &mut Precision,
) -> Vec<Term> {
    let terms = &program.terms;
    let mut added = Vec::new();
    for state in states {
        let data = program.variables().iter().zip(&state.0).filter(|(own, _)| own.role == Role::Data);
        for (own, value) in data {
            let atom = terms.equal(terms.variable(own.variable), terms.value(value));
            for atom in terms.atoms_of(atom) {
                if precision.add(program, Written::new(terms, atom), Scope::Everywhere) {
                    added.push(atom);
                }
            }
        }
    }
    added
}

/// The sources of transitions that have been inexact for long.
fn stubborn(
    last: &Round,
    lost: &Losses,
    failing: &mut FxHashMap<(Box<[Value]>, CommandId), usize>,
    most: usize,
) -> BTreeSet<State> {
    let mut now: FxHashMap<(Box<[Value]>, CommandId), Vec<usize>> = FxHashMap::default();
    for &(at, command) in &lost.inexact {
        now.entry((last.key(at).control, command)).or_default().push(at);
    }
    failing.retain(|place, _| now.contains_key(place));
    let mut sources = BTreeSet::new();
    for (place, visits) in now {
        let times = failing.entry(place).or_default();
        *times += 1;
        if *times >= most {
            sources.extend(visits.into_iter().map(|at| last.state(at)));
        }
    }
    sources
}
