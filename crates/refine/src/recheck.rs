//! Whether an abstract system is one of the program, asked anew.
//!
//! What the verdict on an abstract system rests on is re-checked from the definitions \[GHJ01\], with a solver that has seen nothing
//! before and by code that shares nothing with the construction: weakest preconditions of whole statements, one question for each
//! abstract state and command. The strategy on the abstract system has a validator of its own, in `check`.
//!
//! Where the verdict rests on what steps do to ranks, that is asked once more, too, of whole statements.
//!
//! Cost: for each state one solver call for each command, must and label; for each step and rank that matter, two for each command.

use tertium_abstraction::{AbstractState, AbstractSystem, TriState};
use tertium_check::{Reliance, relied_on};
use tertium_evidence::{Evidence, Outcome, Strategy};
use tertium_expr::{Sort, Term};
use tertium_program::Program;
use tertium_solve::{Answer, Prover, Z3};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{StateId, Step, ranks_of};
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
    /// A step does to a rank what it is said not to do.
    Rank(Step),
    /// The solver gave up on a question that one of these rests on: nothing speaks against the system.
    GaveUp,
}

/// Re-checks everything that a definite verdict on the system can rest on. The outer error is a limit of the run, whatever was being
/// asked; an inner one says what was not confirmed. `relied_on` says what has to be right about ranks.
pub fn recheck(
    context: &Context,
    program: &Program,
    propositions: &[(String, Term)],
    found: &AbstractSystem<TriState>,
    relied_on: &[(Step, Reliance)],
) -> Result<Result<(), Unconfirmed>, StopReason> {
    let mut recheck = Recheck {
        context,
        program,
        prover: Prover::new(Z3::new()),
        gave_up: false,
        stopped: None,
        meanings: found.states.iter().map(|state| state.term(program, &found.precision)).collect(),
        found,
    };
    let confirmed = recheck.all(propositions).and_then(|()| recheck.ranks(relied_on));
    match recheck.stopped {
        Some(reason) => Err(reason),
        None => Ok(confirmed),
    }
}

/// What the strategies of an outcome about a system rely on about ranks.
pub fn relied_on_ranks(outcome: &Outcome, found: &AbstractSystem<TriState>) -> Vec<(Step, Reliance)> {
    let strategies: &[&Strategy] = match &outcome.evidence {
        Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) => &[strategy],
        Some(Evidence::Contradiction { proof, refutation }) => &[proof, refutation],
        _ => &[],
    };
    let ranks = found.ranked.as_ref().map(|ranked| &*ranked.steps);
    // A strategy that does not stand up is for its own validator.
    strategies.iter().flat_map(|strategy| relied_on(strategy, ranks).unwrap_or_default()).collect()
}

struct Recheck<'a> {
    context: &'a Context,
    program: &'a Program,
    prover: Prover<'a>,
    /// Whether the solver gave up on the claim that is being looked at.
    gave_up: bool,
    /// The limit that ended a question: no answer counts then.
    stopped: Option<StopReason>,
    /// What each state stands for.
    meanings: Vec<Term>,
    found: &'a AbstractSystem<TriState>,
}

impl Recheck<'_> {
    /// All claims, until one is not confirmed.
    fn all(&mut self, propositions: &[(String, Term)]) -> Result<(), Unconfirmed> {
        self.claim(Unconfirmed::Initial, Self::initial)?;
        for state in self.found.system.states() {
            if let Err(reason) = self.context.poll() {
                self.stopped = Some(reason);
                break;
            }
            self.claim(Unconfirmed::May(state), |recheck| recheck.may(state))?;
            self.claim(Unconfirmed::Must(state), |recheck| recheck.must(state))?;
            self.claim(Unconfirmed::Label(state), |recheck| recheck.labels(state, propositions))?;
            self.claim(Unconfirmed::Domain(state), |recheck| recheck.domain(state))?;
        }
        Ok(())
    }

    /// What a strategy relies on about ranks.
    fn ranks(&mut self, relied_on: &[(Step, Reliance)]) -> Result<(), Unconfirmed> {
        for &(step, reliance) in relied_on {
            if let Err(reason) = self.context.poll() {
                self.stopped = Some(reason);
                break;
            }
            self.claim(Unconfirmed::Rank(step), |recheck| recheck.step(step, reliance))?;
        }
        Ok(())
    }

    fn claim(
        &mut self,
        otherwise: Unconfirmed,
        holds: impl FnOnce(&mut Self) -> bool,
    ) -> Result<(), Unconfirmed> {
        self.gave_up = false;
        if holds(self) {
            return Ok(());
        }
        Err(if self.gave_up { Unconfirmed::GaveUp } else { otherwise })
    }

    fn ask(&mut self, together: impl IntoIterator<Item = Term>) -> Answer {
        let answer = self.prover.check(self.context, &self.program.terms, together);
        self.gave_up |= answer == Answer::GaveUp;
        if let Answer::Stopped(reason) = answer {
            self.stopped = Some(reason);
        }
        answer
    }

    fn impossible(&mut self, together: impl IntoIterator<Item = Term>) -> bool {
        self.ask(together) == Answer::Unsatisfiable
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
                self.ask(here) == Answer::Satisfiable
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
        let (program, precision) = (self.program, &self.found.precision);
        let parts: Vec<&AbstractState> =
            domain.gamma(state).iter().filter_map(|id| self.found.concrete.get_index(id.index())).collect();
        let own = &self.found.states[state.index()];
        let inside = parts.len() == domain.gamma(state).count() && parts.iter().all(|part| own.covers(part));
        let one = program.terms.or(parts.iter().map(|part| part.term(program, precision)));
        inside && self.impossible([self.meanings[state.index()], program.terms.not(one)])
    }

    /// That ranks do on a step what is said of them: each command with its action is asked about, with the number before the step as a
    /// variable that no statement changes.
    fn step(&mut self, (source, action, target): Step, reliance: Reliance) -> bool {
        let Some(ranked) = &self.found.ranked else { return false };
        let program = self.program;
        let terms = &program.terms;
        let precision = &self.found.precision;
        let (from, to) = (self.meanings[source.index()], self.meanings[target.index()]);
        let name = self.found.system.actions().name(action).to_owned();
        let mut wanted = ranks_of(reliance.falls | reliance.stays);
        wanted.all(|number| {
            let Some(rank) = ranked.ranks.get(number) else { return false };
            let falls = reliance.falls >> number & 1 == 1;
            let at = |state: StateId| rank.at(program, precision, &self.found.states[state.index()]);
            let (Some(before), Some(after)) = (at(source), at(target)) else { return false };
            let ghost = terms.variable(terms.fresh("before", &Sort::Int));
            let bound = if falls { terms.difference(ghost, terms.integer(1)) } else { ghost };
            let as_said = terms.implies(to, terms.at_most(after, bound));
            let negative = terms.less(before, terms.integer(0));
            let own = program.commands().iter().filter(|command| command.action == name);
            own.map(|command| &command.statement).all(|statement| {
                let otherwise = terms.not(statement.pre(terms, as_said));
                let leads_there = terms.not(statement.pre(terms, terms.not(to)));
                self.impossible([from, terms.equal(ghost, before), otherwise])
                    && (!falls || self.impossible([from, negative, leads_there]))
            })
        })
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
