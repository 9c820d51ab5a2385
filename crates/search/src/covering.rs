//! What a round lost at steps whose inputs were chosen.
//!
//! Such a step has several successors, and for the round to be bisimilar to the program all states with one key must
//! have successors with the same keys. Let K1, K2, ... be the keys of the successors that were chosen. Then every state
//! with the key of the source must have inputs that lead to K1, inputs that lead to K2, and so on, and none that lead
//! elsewhere. As conditions on the state before the step these are formulas with quantifiers over the inputs; they are
//! eliminated, which leaves the atoms that are missed if a condition turns out to depend on the state. The part of a
//! key that inputs have no say in is asked about like that of a step without any.
//!
//! The conditions are also evaluated at the state itself. The last one fails there if the solver missed a combination
//! when it chose, so that what was not chosen is never taken for impossible.

use crate::exactness::Place;
use crate::transition::OpenStep;
use crate::{Round, Scope, TransitionId};
use indexmap::{IndexMap, IndexSet};
use tertium_expr::{Substitution, Term, Variable};
use tertium_program::{CommandId, Role};
use tertium_support::{Id, StopReason};

impl Place<'_, '_, '_> {
    /// Asks about all steps whose inputs are chosen, given the transitions that were made here with the visits that they led to.
    pub(crate) fn examine_choices(
        &mut self,
        round: &Round,
        made: &[(TransitionId, usize)],
    ) -> Result<(), StopReason> {
        debug_assert!(made.iter().all(|&(_, target)| target < round.n_visits()), "steps lead to visits");
        let machine = self.machine;
        let pinned = self.pinned();
        for own in machine.open_steps() {
            let is_own = |id| {
                let transition = machine.transition(id);
                transition.command == own.command && transition.step == own.number
            };
            let targets = made.iter().filter(|(id, _)| is_own(*id)).map(|(_, target)| *target);
            self.examine_step(round, own, targets.collect(), pinned.clone())?;
        }
        Ok(())
    }

    fn examine_step(
        &mut self,
        round: &Round,
        own: &OpenStep<'_>,
        targets: IndexSet<usize>,
        mut pinned: Substitution,
    ) -> Result<(), StopReason> {
        let program = self.machine.program();
        let terms = &program.terms;
        let guard = pinned.apply(terms, own.step.guard);
        if terms.as_bool(guard) == Some(false) {
            return Ok(());
        }
        let scopes = self.scopes(own.step.guard);
        let inputs: Vec<Variable> = own.step.inputs.iter().map(|input| input.variable).collect();
        let depends =
            |term: Term| terms.variables_of(term).into_iter().any(|variable| inputs.contains(&variable));
        let mut assignment = own.step.substitution();
        let mut wishes = IndexMap::new();
        for target in targets {
            let (state, key) = (round.state(target), round.key(target));
            let mut wish = Vec::new();
            for (&variable, &update) in &own.step.updates {
                let id = program.id_of(variable).expect("only variables of the program change");
                if program.variables()[id.index()].role == Role::Control {
                    let value = terms.value(&state.0[id.index()]);
                    let becomes = terms.equal(pinned.apply(terms, update), value);
                    if depends(becomes) {
                        wish.push(becomes);
                    } else {
                        self.settle(own.command, &scopes, becomes)?;
                    }
                }
            }
            for number in self.precision.active(program, &state) {
                let positive = key.bits.contains(number);
                let said = assignment.apply(terms, self.precision.get(number).term);
                if depends(said) {
                    let said = pinned.apply(terms, said);
                    wish.push(if positive { said } else { terms.not(said) });
                } else {
                    self.carry_over(own.command, &scopes, &mut assignment, number, positive)?;
                }
            }
            wishes.insert(terms.and(wish), ());
        }
        let wishes: Vec<Term> = wishes.into_keys().collect();
        for &wish in &wishes {
            self.settle_some(own.command, &scopes, &inputs, terms.and([guard, wish]), true)?;
        }
        let elsewhere = terms.and(wishes.iter().map(|&wish| terms.not(wish)).chain([guard]));
        self.settle_some(own.command, &scopes, &inputs, elsewhere, false)
    }

    /// Asks whether all states with the key have inputs where a truth value holds, or whether none has.
    fn settle_some(
        &mut self,
        command: CommandId,
        scopes: &[Scope],
        inputs: &[Variable],
        body: Term,
        some: bool,
    ) -> Result<(), StopReason> {
        let terms = &self.machine.program().terms;
        let signed = |term| if some { term } else { terms.not(term) };
        match self.checks.eliminate(inputs, body) {
            Some(truth) => {
                let truth = signed(truth);
                if self.machine.interpreter().holds(&self.state, truth) {
                    return self.settle(command, scopes, truth);
                }
            }
            None => {
                // The solver may know more about quantifiers.
                let quantified = signed(terms.exists(inputs.iter().copied(), body));
                if self.is_valid(quantified)? {
                    return Ok(());
                }
            }
        }
        self.losses.inexact.insert((self.at, command));
        self.losses.unsettled.insert((self.at, command));
        Ok(())
    }

    /// The variables that have one value at all states with the key, replaced by it.
    fn pinned(&self) -> Substitution {
        let program = self.machine.program();
        let terms = &program.terms;
        let known = program.variables().iter().zip(&self.state.0).filter(|(own, value)| {
            let is = terms.equal(terms.variable(own.variable), terms.value(value));
            own.role == Role::Control || self.is_determined(is)
        });
        Substitution::new(known.map(|(own, value)| (own.variable, terms.value(value))))
    }
}
