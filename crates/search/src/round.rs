//! One search with fixed predicates.
//!
//! From each state that is taken from the queue all transitions are tried, in the order of the text. A state whose key is known already is not
//! followed: the first one with the key stands for it. Whether that loses something is asked on the way: at a state where the transition is enabled,
//! all states with its key must enable it and lead to the key of its target; where it is not, none of them may. What fails gives predicates: the
//! atoms of the guard, or the predicates of the target said of the source.
//!
//! Cost: for each state and transition at most one question for each predicate.

use crate::precision::control;
use crate::transition::{Deterministic, Transition, transitions};
use crate::{Accounting, Checks, Key, Precision, Scope, Written};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tertium_expr::{Substitution, Term};
use tertium_program::{CommandId, Interpreter, Program, Role, State};
use tertium_support::{Context, Id, StopReason};

/// Which state is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    Breadth,
    /// The one that was found last.
    Depth,
}

/// How a round goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundSettings {
    /// Which state is next.
    pub order: Order,
    /// Whether predicates are added where they are found only.
    pub by_location: bool,
    /// Whether all predicates that could be needed are added, without questions.
    pub unasked: bool,
}

/// A state that was followed.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The state.
    pub state: State,
    /// What it is matched by.
    pub key: Key,
    /// The visit that found it, and how.
    pub parent: Option<(usize, Transition)>,
}

/// A step between keys, by the numbers of visits that stand for them.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From here.
    pub source: usize,
    /// By this.
    pub transition: Transition,
    /// To here.
    pub target: usize,
}

/// What a round found.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// States in the order in which they were found.
    pub visits: Vec<Visit>,
    /// Those that were followed, in that order; all of them unless the goal was found.
    pub followed: Vec<usize>,
    /// The steps.
    pub edges: Vec<Edge>,
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed; the round ended there.
    pub goal: Option<usize>,
    /// Predicates that were missed, with where, in the order in which they were.
    pub missed: IndexMap<Written, IndexSet<Scope>>,
    /// Visits and transitions whose exactness could not be shown.
    pub inexact: IndexSet<(usize, CommandId)>,
}

impl Round {
    /// The visits from the beginning to one.
    pub fn path_to(&self, visit: usize) -> Vec<usize> {
        let mut path = vec![visit];
        while let Some((parent, _)) = &self.visits[path[path.len() - 1]].parent {
            path.push(*parent);
        }
        path.reverse();
        path
    }
}

/// Searches from these states. Ends when a state where the goal holds was followed. Nothing if an input has too many values: the command is given.
pub fn search_once(
    context: &Context,
    program: &Program,
    start: &[State],
    precision: &Precision,
    goal: Option<Term>,
    settings: RoundSettings,
    checks: &mut Checks<'_, '_>,
) -> Result<Result<Round, CommandId>, StopReason> {
    let transitions = match transitions(program) {
        Ok(transitions) => transitions,
        Err(command) => return Ok(Err(command)),
    };
    let search = Searcher { interpreter: Interpreter::new(program), transitions, precision, settings };
    let mut round = Round { n_generated: start.len(), ..Round::default() };
    let mut known: FxHashMap<Key, usize> = FxHashMap::default();
    let mut waiting = VecDeque::new();
    for state in start {
        let key = precision.key(&search.interpreter, state);
        if !known.contains_key(&key) {
            known.insert(key.clone(), round.visits.len());
            waiting.push_back(round.visits.len());
            round.visits.push(Visit { state: state.clone(), key, parent: None });
        }
    }
    let mut ticker = context.ticker("searching");
    while let Some(at) = match settings.order {
        Order::Breadth => waiting.pop_front(),
        Order::Depth => waiting.pop_back(),
    } {
        ticker.tick(64)?;
        round.followed.push(at);
        let found = search.follow(&mut round, at, checks)?;
        for (transition, state) in found {
            round.n_generated += 1;
            let key = precision.key(&search.interpreter, &state);
            let target = *known.entry(key.clone()).or_insert_with(|| {
                waiting.push_back(round.visits.len());
                round.visits.push(Visit { state, key, parent: Some((at, transition.clone())) });
                round.visits.len() - 1
            });
            round.edges.push(Edge { source: at, transition, target });
        }
        if goal.is_some_and(|goal| search.interpreter.holds(&round.visits[at].state, goal)) {
            round.goal = Some(at);
            break;
        }
    }
    Ok(Ok(round))
}

struct Searcher<'a> {
    interpreter: Interpreter<'a>,
    transitions: Vec<Deterministic<'a>>,
    precision: &'a Precision,
    settings: RoundSettings,
}

/// Where something is asked.
struct Question<'a, 'c, 'p> {
    round: &'a mut Round,
    checks: &'a mut Checks<'c, 'p>,
    at: usize,
    key: &'a Key,
    active: &'a [usize],
    scopes: &'a [Scope],
}

impl Searcher<'_> {
    /// All successors of a visit, with what they show to be missed.
    fn follow(
        &self,
        round: &mut Round,
        at: usize,
        checks: &mut Checks<'_, '_>,
    ) -> Result<Vec<(Transition, State)>, StopReason> {
        let program = self.interpreter.program();
        let terms = &program.terms;
        let (state, key) = (round.visits[at].state.clone(), round.visits[at].key.clone());
        let active = self.precision.active(program, &state);
        let mut here = Substitution::new(
            control(program, &state)
                .map(|(id, value)| (program.variables()[id.index()].variable, terms.value(value))),
        );
        let mut successors = Vec::new();
        for own in &self.transitions {
            let guard = here.apply(terms, own.guard);
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            let scopes = self.scopes(own.guard, &state);
            let next = self.interpreter.take(&state, own.step, &own.transition.inputs);
            let truth = if next.is_some() { guard } else { terms.not(guard) };
            let mut question = Question { round, checks, at, key: &key, active: &active, scopes: &scopes };
            self.settle(&mut question, &own.transition, truth)?;
            let Some(next) = next else { continue };
            for &(variable, update) in &own.updates {
                let id = program.id_of(variable).expect("only variables of the program change");
                if program.variables()[id.index()].role == Role::Control {
                    let becomes = here.apply(terms, update);
                    let becomes = terms.equal(becomes, terms.value(&next.0[id.index()]));
                    self.settle(&mut question, &own.transition, becomes)?;
                }
            }
            self.carry_over(&mut question, own, &mut here, &next)?;
            successors.push((own.transition.clone(), next));
        }
        Ok(successors)
    }

    /// Asks whether all states with the key agree on a truth value that holds here; if not, its atoms are missed.
    fn settle(
        &self,
        question: &mut Question<'_, '_, '_>,
        own: &Transition,
        truth: Term,
    ) -> Result<(), StopReason> {
        let terms = &self.interpreter.program().terms;
        if self.is_settled(truth, question.active) {
            return Ok(());
        }
        let Question { round, checks, at, key, active, scopes } = question;
        if self.settings.unasked || !checks.settles(self.precision, key, active, truth)? {
            for atom in terms.atoms_of(truth) {
                round.miss(Written::new(terms, atom), scopes);
            }
            round.inexact.insert((*at, own.command));
        }
        Ok(())
    }

    /// Asks whether the predicates after the transition are the same from all states with the key.
    fn carry_over(
        &self,
        question: &mut Question<'_, '_, '_>,
        own: &Deterministic<'_>,
        here: &mut Substitution,
        next: &State,
    ) -> Result<(), StopReason> {
        let program = self.interpreter.program();
        let terms = &program.terms;
        let Question { round, checks, at, key, active, scopes } = question;
        let mut assignment = Substitution::new(own.updates.iter().copied());
        for target in self.precision.active(program, next) {
            let predicate = self.precision.get(target);
            let before = predicate.written.after(terms, &mut assignment);
            let same = before == predicate.written && active.contains(&target);
            if same || before.is_constant(terms) || round.is_missed(&before, scopes) {
                continue;
            }
            if checks.accounting() == Accounting::Sparing
                && self.is_settled(here.apply(terms, before.term(terms)), active)
            {
                continue;
            }
            let positive = self.interpreter.holds(next, predicate.term);
            if self.settings.unasked || !checks.implies(self.precision, key, active, &before, positive)? {
                for part in before.atoms(terms) {
                    round.miss(part, scopes);
                }
                round.inexact.insert((*at, own.transition.command));
            }
        }
        Ok(())
    }

    /// Whether the predicates that count say all about a truth value.
    fn is_settled(&self, truth: Term, active: &[usize]) -> bool {
        let terms = &self.interpreter.program().terms;
        terms.atoms_of(truth).into_iter().all(|atom| {
            terms.as_bool(atom).is_some()
                || active.iter().any(|&number| {
                    let term = self.precision.get(number).term;
                    term == atom || terms.not(term) == atom
                })
        })
    }

    /// Where predicates for a guard are added: at the locations that it looks at.
    fn scopes(&self, guard: Term, state: &State) -> Vec<Scope> {
        if !self.settings.by_location {
            return vec![Scope::Everywhere];
        }
        let program = self.interpreter.program();
        let looked_at = program.terms.variables_of(guard);
        let scopes: Vec<Scope> = looked_at
            .into_iter()
            .filter_map(|variable| program.id_of(variable))
            .filter(|id| program.variables()[id.index()].role == Role::Control)
            .map(|id| Scope::Location(id, state.0[id.index()].clone()))
            .collect();
        if scopes.is_empty() { vec![Scope::Everywhere] } else { scopes }
    }
}

impl Round {
    fn miss(&mut self, written: Written, scopes: &[Scope]) {
        self.missed.entry(written).or_default().extend(scopes.iter().cloned());
    }

    fn is_missed(&self, written: &Written, scopes: &[Scope]) -> bool {
        self.missed.get(written).is_some_and(|known| scopes.iter().all(|scope| known.contains(scope)))
    }
}
