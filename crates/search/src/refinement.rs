//! Rounds with more and more predicates, until an error is found or nothing was lost.

use crate::{
    Accounting, CheckSettings, Checks, Counted, Identity, LossSettings, Losses, Machine, Matching, Order,
    Precision, Round, Scope, Written, losses, search_once,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{Term, TermKind, Value};
use tertium_program::{CommandId, Program, Role, State, initial_states};
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, Id, StopReason};

/// Which predicates there are at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Start {
    /// The atoms of the goal and of the guards.
    #[default]
    Guards,
    /// The atoms of the goal.
    Goal,
}

/// How the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which state of a round is next.
    pub order: Order,
    /// How its losses become predicates.
    pub losses: LossSettings,
    /// Its questions.
    pub checks: CheckSettings,
    /// When predicates are one.
    pub identity: Identity,
    /// What it begins with.
    pub start: Start,
    /// After so many rounds in which a transition at a location stays inexact, the values at its source become predicates. Then the search comes to
    /// an end on programs with finitely many reachable states.
    pub values_after: Option<usize>,
    /// How many rounds at most.
    pub iterations: usize,
    /// How many predicates at most.
    pub predicates: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            order: Order::default(),
            losses: LossSettings::default(),
            checks: CheckSettings::default(),
            identity: Identity::default(),
            start: Start::default(),
            values_after: Some(3),
            iterations: 50,
            predicates: 10_000,
        }
    }
}

/// One round and what it led to.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// How many predicates it had.
    pub n_predicates: usize,
    /// States that were generated, again or not.
    pub n_concrete: usize,
    /// States that were followed.
    pub n_abstract: usize,
    /// What was asked.
    pub counted: Counted,
    /// What the solver was asked until its end.
    pub solver: ProverStatistics,
    /// Predicates that are new.
    pub added: Vec<Term>,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The goal holds at this visit of the last round.
    Reached(usize),
    /// Nothing was lost in the last round: it is bisimilar to the program, and the goal cannot be reached.
    Exact,
    /// A budget was used up.
    Open,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended.
    pub ending: Ending,
    /// All rounds; there is one at least.
    pub rounds: Vec<Round>,
    /// The same in numbers.
    pub iterations: Vec<Iteration>,
    /// The predicates of the last round.
    pub precision: Precision,
}

impl Answer {
    /// The last round.
    pub fn last(&self) -> &Round {
        self.rounds.last().expect("there is one")
    }
}

/// The predicates to begin with.
pub fn starting_predicates(program: &Program, goal: Term, settings: &Settings) -> Precision {
    let terms = &program.terms;
    let mut precision = Precision::new(settings.identity);
    for atom in terms.atoms_of(goal) {
        precision.add(program, Written::new(terms, atom), Scope::Everywhere);
    }
    if settings.start == Start::Guards {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let scopes =
                if settings.losses.by_location { locations(program, step.guard) } else { Vec::new() };
            for atom in terms.atoms_of(step.guard) {
                if scopes.is_empty() {
                    precision.add(program, Written::new(terms, atom), Scope::Everywhere);
                }
                for scope in &scopes {
                    precision.add(program, Written::new(terms, atom), scope.clone());
                }
            }
        }
    }
    precision
}

/// The locations that a guard asks for.
fn locations(program: &Program, guard: Term) -> Vec<Scope> {
    let terms = &program.terms;
    let parts = terms.conjuncts(guard);
    let control = program.variables().iter().enumerate().filter(|(_, own)| own.role == Role::Control);
    let asked = control.flat_map(|(n, own)| {
        let variable = terms.variable(own.variable);
        let value = parts.iter().find_map(|&part| match terms.kind(part) {
            TermKind::Exactly(form, value) if form == variable => Some(Value::Int(value)),
            TermKind::Equal(left, right) if left == variable => terms.as_value(right),
            TermKind::Equal(left, right) if right == variable => terms.as_value(left),
            TermKind::Not(inner) if inner == variable => Some(Value::Bool(false)),
            _ => (part == variable).then_some(Value::Bool(true)),
        });
        value.map(|value| Scope::Location(Id::new(n), value))
    });
    asked.collect()
}

/// Searches for a state where the goal holds, from all initial states. Nothing if these are not finitely many or the solver does not find
/// them, or if an input has too many values.
pub fn search_with_refinement<'p>(
    context: &Context,
    program: &'p Program,
    goal: Option<Term>,
    precision: Precision,
    settings: &Settings,
    prover: &mut Prover<'p>,
) -> Result<Option<Answer>, StopReason> {
    let start = initial_states(context, program, MOST_INITIAL);
    if !start.complete {
        return Ok(None);
    }
    let Ok(machine) = Machine::new(program) else { return Ok(None) };
    let mut precision = precision;
    let (mut rounds, mut iterations) = (Vec::new(), Vec::new());
    let mut failing: FxHashMap<(Box<[Value]>, CommandId), usize> = FxHashMap::default();
    loop {
        let last = search_once(
            context,
            &machine,
            &start.states,
            Matching::Predicates(&precision),
            goal,
            settings.order,
        )?;
        let mut checks = Checks::new(context, program, prover, settings.checks);
        // What a round lost that found the goal is of interest only to who compares numbers.
        let lost = if last.goal.is_some() && settings.checks.accounting == Accounting::Sparing {
            Losses::default()
        } else {
            losses(&machine, &precision, &last, settings.losses, &mut checks)?
        };
        let counted = checks.counted();
        let mut next = precision.clone();
        let mut added = Vec::new();
        for (written, scopes) in &lost.missed {
            for scope in scopes {
                if next.add(program, written.clone(), scope.clone()) {
                    added.push(written.term(&program.terms));
                }
            }
        }
        added.dedup();
        let stubborn = settings.values_after.map(|most| stubborn(&last, &lost, &mut failing, most));
        for state in stubborn.into_iter().flatten() {
            for (own, value) in
                program.variables().iter().zip(&state.0).filter(|(own, _)| own.role == Role::Data)
            {
                let terms = &program.terms;
                let atom = terms.equal(terms.variable(own.variable), terms.value(value));
                for atom in terms.atoms_of(atom) {
                    if next.add(program, Written::new(terms, atom), Scope::Everywhere) {
                        added.push(atom);
                    }
                }
            }
        }
        let exact = added.is_empty();
        iterations.push(Iteration {
            n_predicates: precision.len(),
            n_concrete: last.n_generated,
            n_abstract: last.followed().len(),
            counted,
            solver: prover.statistics(),
            added,
        });
        let ending = match last.goal {
            Some(visit) => Some(Ending::Reached(visit)),
            None if exact => Some(Ending::Exact),
            None if iterations.len() >= settings.iterations || next.len() > settings.predicates => {
                Some(Ending::Open)
            }
            None => None,
        };
        rounds.push(last);
        if let Some(ending) = ending {
            return Ok(Some(Answer { ending, rounds, iterations, precision }));
        }
        precision = next;
    }
}

/// So many initial states are searched from.
const MOST_INITIAL: usize = 4096;

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
