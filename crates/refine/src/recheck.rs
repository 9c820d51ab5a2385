//! Whether an abstract system is one of the program, asked anew.
//!
//! What the verdict on an abstract system rests on is re-checked from the definitions \[GHJ01\], with a solver that has seen nothing
//! before and by code that shares nothing with the construction: weakest preconditions of whole statements, one question for each
//! abstract state and command. The strategy on the abstract system has a validator of its own, in `check`.
//!
//! Cost: for each state one solver call for each command, must and label.

use tertium_abstraction::{AbstractState, AbstractSystem, TriState};
use tertium_expr::Term;
use tertium_program::Program;
use tertium_solve::{Answer, Prover, Z3};
use tertium_support::{Context, Id, StopReason};
use tertium_system::StateId;
use tertium_truth::Belnap;

/// What could not be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// Some initial state of the program is in no initial abstract state, or a definite one stands for none.
    Initial,
    /// The may steps of a state do not cover all steps of the program.
    May(StateId),
    /// A must step of a state is not one of all concrete states.
    Must(StateId),
    /// A definite label of a state does not hold of all concrete states.
    Label(StateId),
    /// What a state is said to stand for is not what it stands for.
    Domain(StateId),
}

/// Re-checks everything that a definite verdict on the system can rest on. The outer error is a limit; an inner one can mean that the
/// solver gave up this time.
pub fn recheck(
    context: &Context,
    program: &Program,
    propositions: &[(String, Term)],
    found: &AbstractSystem<TriState>,
) -> Result<Result<(), Unconfirmed>, StopReason> {
    let mut recheck = Recheck {
        context,
        program,
        prover: Prover::new(Z3::new()),
        meanings: found.states.iter().map(|state| state.term(program, &found.predicates)).collect(),
        found,
    };
    if !recheck.initial() {
        return Ok(Err(Unconfirmed::Initial));
    }
    for state in found.system.states() {
        context.poll()?;
        if !recheck.may(state) {
            return Ok(Err(Unconfirmed::May(state)));
        }
        if !recheck.must(state) {
            return Ok(Err(Unconfirmed::Must(state)));
        }
        if !recheck.labels(state, propositions) {
            return Ok(Err(Unconfirmed::Label(state)));
        }
        if !recheck.domain(state) {
            return Ok(Err(Unconfirmed::Domain(state)));
        }
    }
    Ok(Ok(()))
}

struct Recheck<'a> {
    context: &'a Context,
    program: &'a Program,
    prover: Prover<'a>,
    /// What each state stands for.
    meanings: Vec<Term>,
    found: &'a AbstractSystem<TriState>,
}

impl Recheck<'_> {
    fn impossible(&mut self, together: impl IntoIterator<Item = Term>) -> bool {
        self.prover.check(self.context, &self.program.terms, together) == Answer::Unsatisfiable
    }

    /// That one of these states holds.
    fn one_of(&self, states: &[StateId]) -> Term {
        self.program.terms.or(states.iter().map(|state| self.meanings[state.index()]))
    }

    fn initial(&mut self) -> bool {
        let terms = &self.program.terms;
        let begins = terms.and([self.program.initial, self.program.within()]);
        let outside = terms.not(self.one_of(self.found.system.initial()));
        let inhabited = self.found.inhabited.clone();
        self.impossible([begins, outside])
            && inhabited.iter().all(|state| {
                let here = [begins, self.meanings[state.index()]];
                self.prover.check(self.context, terms, here) == Answer::Satisfiable
            })
    }

    /// Mays are given by action, so every command of that action has to stay among them.
    fn may(&mut self, state: StateId) -> bool {
        let program = self.program;
        let terms = &program.terms;
        let system = &self.found.system;
        program.commands().iter().all(|command| {
            let action = system.actions().get(&command.action);
            let may = system.may(state).filter(|(own, _)| Some(*own) == action);
            let targets: Vec<StateId> = may.map(|(_, target)| target).collect();
            let stays = command.statement.pre(terms, self.one_of(&targets));
            self.impossible([self.meanings[state.index()], terms.not(stays)])
        })
    }

    /// Musts are given by action, so some command of that action has to lead there.
    fn must(&mut self, state: StateId) -> bool {
        let program = self.program;
        let terms = &program.terms;
        let musts: Vec<(String, Vec<StateId>)> = self
            .found
            .system
            .must_sets(state)
            .map(|(action, targets)| (self.found.system.actions().name(action).to_owned(), targets.to_vec()))
            .collect();
        musts.iter().all(|(action, targets)| {
            let wanted = self.one_of(targets);
            program.commands().iter().filter(|command| command.action == *action).any(|command| {
                let avoids = command.statement.pre(terms, terms.not(wanted));
                self.impossible([self.meanings[state.index()], avoids])
            })
        })
    }

    /// That what a state stands for in the domain is all of it, and nothing else. Reduced semantics rests on that.
    fn domain(&mut self, state: StateId) -> bool {
        let Some(domain) = self.found.system.domain() else { return true };
        let (program, predicates) = (self.program, &self.found.predicates);
        let parts: Vec<&AbstractState> =
            domain.gamma(state).iter().filter_map(|id| self.found.concrete.get_index(id.index())).collect();
        let own = &self.found.states[state.index()];
        let inside = parts.len() == domain.gamma(state).count() && parts.iter().all(|part| own.covers(part));
        let one = program.terms.or(parts.iter().map(|part| part.term(program, predicates)));
        inside && self.impossible([self.meanings[state.index()], program.terms.not(one)])
    }

    fn labels(&mut self, state: StateId, propositions: &[(String, Term)]) -> bool {
        let terms = &self.program.terms;
        propositions.iter().all(|(name, term)| {
            let labels = self.found.system.labels();
            let Some(proposition) = labels.names().get(name) else { return false };
            let against = match labels.get(proposition, state) {
                Belnap::Unknown => return true,
                Belnap::True => terms.not(*term),
                Belnap::False => *term,
                Belnap::Inconsistent => return false,
            };
            self.impossible([self.meanings[state.index()], against])
        })
    }
}
