//! What a round lost by matching states.
//!
//! At a state where a transition is enabled, all states with its key must enable it and lead to the key of its target;
//! where it is not, none of them may. If that holds of all followed states, what was visited is bisimilar to the
//! program. What fails gives predicates: the atoms of the guard, or the predicates of the target said of the source.
//! Steps whose inputs are chosen are looked at in `covering`.
//!
//! **Why an end without new predicates is exact.** A truth value is only asked about, and found inexact, if one of its
//! atoms is not determined by the key: it is no constant where control has its values, and no predicate that counts
//! here. Such an atom is a predicate that is new here, since what is added here counts here. So a round that is inexact
//! misses something new, or says that it cannot tell what ([`Losses::unsettled`]). This is not relied on:
//! [`Losses::is_exact()`] asks for the first.
//!
//! Cost: for each followed state and transition at most one question for each predicate. What there is to ask depends
//! on the control only, and is found out once for each; where nothing is, a state costs no more than looking that up.

use crate::precision::control;
use crate::transition::Deterministic;
use crate::{Accounting, Checks, Key, Machine, Precision, Round, Scope, TransitionId, Written};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tertium_expr::{Substitution, Term, Value, Variable};
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
    /// Those of them for which no predicate can be told that would help.
    pub unsettled: IndexSet<(usize, CommandId)>,
}

/// What matching lost at the states that a round followed.
pub fn losses<'p>(
    machine: &Machine<'p>,
    precision: &Precision,
    round: &Round,
    settings: LossSettings,
    checks: &mut Checks<'_, 'p>,
) -> Result<Losses, StopReason> {
    let mut losses = Losses::default();
    let is_open = !machine.open_steps().is_empty();
    let mut steps: FxHashMap<usize, Vec<(TransitionId, usize)>> = FxHashMap::default();
    for edge in round.chosen() {
        steps.entry(edge.source).or_default().push((edge.transition, edge.target));
    }
    let mut sites: FxHashMap<Box<[Value]>, Site> = FxHashMap::default();
    for at in round.followed() {
        let (state, key) = (round.state(at), round.key(at));
        if !sites.contains_key(&key.control) && sites.len() * machine.moves().len() >= MOST_REMEMBERED {
            sites.clear();
        }
        let site = sites.entry(key.control.clone()).or_insert_with(|| Site::new(machine, precision, &state));
        let mut place =
            Place { machine, precision, settings, losses: &mut losses, checks, at, state, key, site };
        place.examine()?;
        if is_open {
            place.examine_choices(round, steps.get(&at).map_or(&[], Vec::as_slice))?;
        }
    }
    debug_assert!(
        losses.unsettled.iter().all(|place| losses.inexact.contains(place)),
        "what is unsettled is inexact"
    );
    debug_assert!(
        losses.is_exact() || !losses.missed.is_empty() || !losses.unsettled.is_empty(),
        "what is inexact misses a predicate, or cannot tell which"
    );
    Ok(losses)
}

/// Units of work for a predicate that is followed through a transition.
const UNITS_PER_PREDICATE: u64 = 512;

/// So many transitions at sites are remembered.
const MOST_REMEMBERED: usize = 1 << 18;

/// What the states with one control have in common.
pub(crate) struct Site {
    /// The predicates that count.
    active: Vec<usize>,
    /// The control, replaced by its values.
    here: Substitution,
    /// What the predicates say where control has these values, or the opposite.
    determined: FxHashSet<Term>,
    /// What there is to ask about each transition, as far as known.
    asked: Vec<Option<Asked>>,
}

/// What there is to ask about a transition.
#[derive(Clone)]
enum Asked {
    /// Nothing, whatever the data are.
    Nothing,
    /// Only whether these predicates, said of the state before it, are determined, with where they are missed if not.
    Predicates(Rc<(Vec<Written>, Vec<Scope>)>),
    /// More.
    All,
}

impl Site {
    /// For the control of a state.
    fn new(machine: &Machine<'_>, precision: &Precision, state: &State) -> Self {
        let program = machine.program();
        let terms = &program.terms;
        let active = precision.active(program, state);
        let mut here = Substitution::new(
            control(program, state)
                .map(|(id, value)| (program.variables()[id.index()].variable, terms.value(value))),
        );
        let mut determined = FxHashSet::default();
        for predicate in active.iter().map(|&number| precision.get(number)) {
            let said = if predicate.mixed { here.apply(terms, predicate.term) } else { predicate.term };
            determined.insert(said.min(terms.not(said)));
        }
        Self { active, here, determined, asked: vec![None; machine.moves().len()] }
    }
}

/// A followed state, with what is determined at all states that are matched with it.
pub(crate) struct Place<'a, 'c, 'p> {
    pub(crate) machine: &'a Machine<'p>,
    pub(crate) precision: &'a Precision,
    settings: LossSettings,
    pub(crate) losses: &'a mut Losses,
    pub(crate) checks: &'a mut Checks<'c, 'p>,
    pub(crate) at: usize,
    pub(crate) state: State,
    key: Key,
    site: &'a mut Site,
}

impl Place<'_, '_, '_> {
    /// Asks about all transitions whose inputs are not chosen.
    fn examine(&mut self) -> Result<(), StopReason> {
        let machine = self.machine;
        let program = machine.program();
        let terms = &program.terms;
        for (number, (_, own)) in machine.transitions().enumerate() {
            if self.is_answered(number, own) {
                continue;
            }
            let guard = self.site.here.apply(terms, own.guard);
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            let command = own.transition.command;
            self.checks.spend(UNITS_PER_PREDICATE * (1 + self.precision.len() as u64))?;
            let scopes = self.scopes(own.guard);
            let next = machine.take(&self.state, own);
            let truth = if next.is_some() { guard } else { terms.not(guard) };
            self.settle(command, &scopes, truth)?;
            let Some(next) = next else { continue };
            for &(variable, update) in &own.updates {
                let id = program.id_of(variable).expect("only variables of the program change");
                if program.variables()[id.index()].role == Role::Control {
                    let becomes = self.site.here.apply(terms, update);
                    let becomes = terms.equal(becomes, terms.value(&next.0[id.index()]));
                    self.settle(command, &scopes, becomes)?;
                }
            }
            let mut assignment = Substitution::new(own.updates.iter().copied());
            for target in self.precision.active(program, &next) {
                let positive = machine.interpreter().holds(&next, self.precision.get(target).term);
                self.carry_over(command, &scopes, &mut assignment, target, positive)?;
            }
        }
        Ok(())
    }

    /// Whether there is nothing to ask about a transition, or what would be missed already is.
    fn is_answered(&mut self, number: usize, own: &Deterministic<'_>) -> bool {
        let asked = match &self.site.asked[number] {
            Some(asked) => asked.clone(),
            None => {
                let asked = self.asked(own);
                self.site.asked[number] = Some(asked.clone());
                asked
            }
        };
        match asked {
            Asked::Nothing => true,
            Asked::Predicates(all) => all.0.iter().all(|before| self.losses.is_missed(before, &all.1)),
            Asked::All => false,
        }
    }

    /// What there is to ask about a transition, whatever the data are: what [`Place::examine`] would do, without a successor.
    fn asked(&mut self, own: &Deterministic<'_>) -> Asked {
        let program = self.machine.program();
        let terms = &program.terms;
        let guard = self.site.here.apply(terms, own.guard);
        if terms.as_bool(guard) == Some(false) {
            return Asked::Nothing;
        }
        let is_fixed = |(variable, update): &(Variable, Term), here: &mut Substitution| {
            let id = program.id_of(*variable).expect("only variables of the program change");
            program.variables()[id.index()].role == Role::Data
                || terms.as_value(here.apply(terms, *update)).is_some()
        };
        // Which predicates count afterwards has to be known.
        if !self.is_settled(guard)
            || !self.precision.is_global()
            || !own.updates.iter().all(|update| is_fixed(update, &mut self.site.here))
        {
            return Asked::All;
        }
        let scopes = self.scopes(own.guard);
        let mut assignment = Substitution::new(own.updates.iter().copied());
        let mut open = Vec::new();
        for target in 0..self.precision.len() {
            let before = self.precision.get(target).written.after(terms, &mut assignment);
            if !self.is_carried(&before, target) {
                open.push(before);
            }
        }
        if open.is_empty() { Asked::Nothing } else { Asked::Predicates(Rc::new((open, scopes))) }
    }

    /// Whether nothing is asked about a predicate that is this before a step.
    fn is_carried(&mut self, before: &Written, target: usize) -> bool {
        let terms = &self.machine.program().terms;
        let same = *before == self.precision.get(target).written && self.site.active.contains(&target);
        same || before.is_constant(terms)
            || self.checks.accounting() == Accounting::Sparing && {
                let said = self.site.here.apply(terms, before.term(terms));
                self.is_settled(said)
            }
    }

    /// Asks whether all states with the key agree on a truth value that holds here; if not, its atoms are missed.
    pub(crate) fn settle(
        &mut self,
        command: CommandId,
        scopes: &[Scope],
        truth: Term,
    ) -> Result<(), StopReason> {
        let terms = &self.machine.program().terms;
        if self.is_settled(truth) {
            return Ok(());
        }
        if self.settings.unasked
            || !self.checks.settles(self.precision, &self.key, &self.site.active, truth)?
        {
            for atom in terms.atoms_of(truth) {
                self.losses.miss(Written::new(terms, atom), scopes);
            }
            self.losses.inexact.insert((self.at, command));
        }
        Ok(())
    }

    /// Asks whether a predicate after an assignment is the same from all states with the key.
    pub(crate) fn carry_over(
        &mut self,
        command: CommandId,
        scopes: &[Scope],
        assignment: &mut Substitution,
        target: usize,
        positive: bool,
    ) -> Result<(), StopReason> {
        let terms = &self.machine.program().terms;
        let before = self.precision.get(target).written.after(terms, assignment);
        if self.losses.is_missed(&before, scopes) || self.is_carried(&before, target) {
            return Ok(());
        }
        let said = self.site.here.apply(terms, before.term(terms));
        let settled = self.is_settled(said);
        let implied = !self.settings.unasked
            && self.checks.implies(self.precision, &self.key, &self.site.active, &before, positive)?;
        if !implied && !settled {
            for part in before.atoms(terms) {
                self.losses.miss(part, scopes);
            }
            self.losses.inexact.insert((self.at, command));
        }
        Ok(())
    }

    /// Asks the solver whether all states with the key satisfy a truth value, without consequences.
    pub(crate) fn is_valid(&mut self, truth: Term) -> Result<bool, StopReason> {
        Ok(!self.settings.unasked
            && self.checks.settles(self.precision, &self.key, &self.site.active, truth)?)
    }

    /// Whether the predicates that count say all about a truth value in which control has its values.
    fn is_settled(&self, truth: Term) -> bool {
        let terms = &self.machine.program().terms;
        terms.atoms_of(truth).into_iter().all(|atom| self.is_determined(atom))
    }

    /// Whether a truth value in which control has its values is a predicate that counts, or the opposite of one, or constant.
    pub(crate) fn is_determined(&self, atom: Term) -> bool {
        let terms = &self.machine.program().terms;
        terms.as_bool(atom).is_some() || self.site.determined.contains(&atom.min(terms.not(atom)))
    }

    /// Where predicates for a guard are added: at the locations that it looks at.
    pub(crate) fn scopes(&self, guard: Term) -> Vec<Scope> {
        if !self.settings.by_location {
            return vec![Scope::Everywhere];
        }
        let program = self.machine.program();
        let looked_at = program.terms.variables_of(guard);
        let scopes: Vec<Scope> = looked_at
            .into_iter()
            .filter_map(|variable| program.id_of(variable))
            .filter(|id| program.variables()[id.index()].role == Role::Control)
            .map(|id| Scope::Location(id, self.state.0[id.index()].clone()))
            .collect();
        if scopes.is_empty() { vec![Scope::Everywhere] } else { scopes }
    }
}

impl Losses {
    /// Whether nothing was lost.
    pub fn is_exact(&self) -> bool {
        self.inexact.is_empty()
    }

    fn miss(&mut self, written: Written, scopes: &[Scope]) {
        self.missed.entry(written).or_default().extend(scopes.iter().cloned());
    }

    fn is_missed(&self, written: &Written, scopes: &[Scope]) -> bool {
        self.missed.get(written).is_some_and(|known| scopes.iter().all(|scope| known.contains(scope)))
    }
}
