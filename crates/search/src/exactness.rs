//! What a round lost by matching states.
//!
//! At a state where a transition is enabled, all states with its key must enable it and lead to the key of its target; where it is not, none of them may.
//! If that holds of all followed states, what was visited is bisimilar to the program. What fails gives predicates: the atoms of the guard, or the
//! predicates of the target said of the source.
//!
//! Cost: for each followed state and transition at most one question for each predicate.

use crate::precision::control;
use crate::transition::Deterministic;
use crate::{Accounting, Checks, Key, Machine, Precision, Round, Scope, Transition, Written};
use indexmap::{IndexMap, IndexSet};
use tertium_expr::{Substitution, Term};
use tertium_program::{CommandId, Role, State};
use tertium_support::{Id, StopReason};

/// How new predicates are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossSettings {
    /// Whether predicates are added where they are found only.
    pub by_location: bool,
    /// Whether all predicates that could be needed are added, without questions.
    pub unasked: bool,
}

/// What a round lost.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// Predicates that were missed, with where, in the order in which they were.
    pub missed: IndexMap<Written, IndexSet<Scope>>,
    /// Visits and commands whose exactness could not be shown.
    pub inexact: IndexSet<(usize, CommandId)>,
}

/// What matching lost at the states that a round followed.
pub fn losses(
    machine: &Machine<'_>,
    precision: &Precision,
    round: &Round,
    settings: LossSettings,
    checks: &mut Checks<'_, '_>,
) -> Result<Losses, StopReason> {
    let examiner = Examiner { machine, precision, settings };
    let mut losses = Losses::default();
    for at in round.followed() {
        examiner.examine(round, at, &mut losses, checks)?;
    }
    Ok(losses)
}

struct Examiner<'a, 'p> {
    machine: &'a Machine<'p>,
    precision: &'a Precision,
    settings: LossSettings,
}

/// Where something is asked.
struct Question<'a, 'c, 'p> {
    losses: &'a mut Losses,
    checks: &'a mut Checks<'c, 'p>,
    at: usize,
    key: &'a Key,
    active: &'a [usize],
    scopes: &'a [Scope],
}

impl Examiner<'_, '_> {
    /// Asks about all transitions at a visit.
    fn examine(
        &self,
        round: &Round,
        at: usize,
        losses: &mut Losses,
        checks: &mut Checks<'_, '_>,
    ) -> Result<(), StopReason> {
        let program = self.machine.program();
        let terms = &program.terms;
        let (state, key) = (&round.state(at), &round.key(at));
        let active = self.precision.active(program, state);
        let mut here = Substitution::new(
            control(program, state)
                .map(|(id, value)| (program.variables()[id.index()].variable, terms.value(value))),
        );
        for (_, own) in self.machine.transitions() {
            let guard = here.apply(terms, own.guard);
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            let scopes = self.scopes(own.guard, state);
            let next = self.machine.take(state, own);
            let truth = if next.is_some() { guard } else { terms.not(guard) };
            let mut question = Question { losses, checks, at, key, active: &active, scopes: &scopes };
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
        }
        Ok(())
    }

    /// Asks whether all states with the key agree on a truth value that holds here; if not, its atoms are missed.
    fn settle(
        &self,
        question: &mut Question<'_, '_, '_>,
        own: &Transition,
        truth: Term,
    ) -> Result<(), StopReason> {
        let terms = &self.machine.program().terms;
        if self.is_settled(truth, question.active) {
            return Ok(());
        }
        let Question { losses, checks, at, key, active, scopes } = question;
        if self.settings.unasked || !checks.settles(self.precision, key, active, truth)? {
            for atom in terms.atoms_of(truth) {
                losses.miss(Written::new(terms, atom), scopes);
            }
            losses.inexact.insert((*at, own.command));
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
        let program = self.machine.program();
        let terms = &program.terms;
        let Question { losses, checks, at, key, active, scopes } = question;
        let mut assignment = Substitution::new(own.updates.iter().copied());
        for target in self.precision.active(program, next) {
            let predicate = self.precision.get(target);
            let before = predicate.written.after(terms, &mut assignment);
            let same = before == predicate.written && active.contains(&target);
            if same || before.is_constant(terms) || losses.is_missed(&before, scopes) {
                continue;
            }
            if checks.accounting() == Accounting::Sparing
                && self.is_settled(here.apply(terms, before.term(terms)), active)
            {
                continue;
            }
            let positive = self.machine.interpreter().holds(next, predicate.term);
            if self.settings.unasked || !checks.implies(self.precision, key, active, &before, positive)? {
                for part in before.atoms(terms) {
                    losses.miss(part, scopes);
                }
                losses.inexact.insert((*at, own.transition.command));
            }
        }
        Ok(())
    }

    /// Whether the predicates that count say all about a truth value.
    fn is_settled(&self, truth: Term, active: &[usize]) -> bool {
        let terms = &self.machine.program().terms;
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
        let program = self.machine.program();
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

impl Losses {
    fn miss(&mut self, written: Written, scopes: &[Scope]) {
        self.missed.entry(written).or_default().extend(scopes.iter().cloned());
    }

    fn is_missed(&self, written: &Written, scopes: &[Scope]) -> bool {
        self.missed.get(written).is_some_and(|known| scopes.iter().all(|scope| known.contains(scope)))
    }
}
