//! Inputs guessed from a condition, before anybody is asked.
//!
//! A comparison that is linear in an input says what value that input needs if the others keep theirs. Such values, their neighbours, the
//! ends of the interval and a few small numbers are tried, for one input at a time. What is found is checked against everything that
//! has to hold together, so a guess can only be right or no answer. Small numbers come first: they make short runs.

use super::Search;
use super::state::State;
use std::collections::BTreeSet;
use tertium_expr::{BigInt, Term, TermKind, Value, Variable, evaluate};
use tertium_program::Domain;
use tertium_support::Id;

/// Conditions with more inputs are left to the solver.
const MOST_INPUTS: usize = 4;
/// Conditions with more comparisons are, too.
const MOST_ATOMS: usize = 16;

impl Search<'_> {
    /// Gives one input another value such that all these hold, if one is found; the first is the one that does not hold yet.
    pub(super) fn guess(&mut self, state: &mut State, together: &[Term]) -> bool {
        let terms = &self.icfg.terms;
        let condition = together[0];
        let inputs = self.paths.variables_of(terms, condition);
        if inputs.len() > MOST_INPUTS {
            return false;
        }
        for &input in inputs.iter() {
            let Value::Int(now) = self.input_value(state, input) else { continue };
            for value in self.candidates(state, condition, input, &now) {
                let value = Value::Int(value);
                let known = |variable| {
                    Some(if variable == input { value.clone() } else { self.input_value(state, variable) })
                };
                let holds = |&part: &Term| evaluate(terms, part, &known) == Ok(Value::Bool(true));
                if together.iter().all(holds) {
                    state.chosen.insert(input.index(), value);
                    return true;
                }
            }
        }
        false
    }

    /// Whether a condition leaves one value to the only input that everything is about: then a guess that fails is the answer.
    pub(super) fn is_settled(&mut self, state: &State, together: &[Term]) -> bool {
        let terms = &self.icfg.terms;
        let inputs = self.paths.variables_of(terms, together[0]);
        let Some(&input) = inputs.first().filter(|_| inputs.len() == 1) else { return false };
        let mut bounds = state.bounds.clone();
        terms.conjuncts(together[0]).into_iter().for_each(|part| {
            let _ = bounds.note(terms, part);
        });
        bounds.only(input).is_some()
            && together.iter().all(|&part| *self.paths.variables_of(terms, part) == *inputs)
    }

    /// Values of an input that are worth a try, the smallest first; none that it cannot have.
    fn candidates(&self, state: &State, condition: Term, input: Variable, now: &BigInt) -> Vec<BigInt> {
        let terms = &self.icfg.terms;
        let mut values: BTreeSet<BigInt> = [0, 1, 2, -1, 3, 10].map(BigInt::from).into();
        let mut atoms = terms.atoms_of(condition);
        if atoms.len() > MOST_ATOMS {
            atoms.clear();
        }
        for atom in atoms {
            let (TermKind::AtMost(form, value) | TermKind::Exactly(form, value)) = terms.kind(atom) else {
                continue;
            };
            let factor = match terms.kind(form) {
                TermKind::Variable(own) if own == input => BigInt::from(1),
                TermKind::Sum(_, parts) => {
                    let own = parts.iter().find(|(_, part)| *part == terms.variable(input));
                    let Some((factor, _)) = own else { continue };
                    factor.clone()
                }
                _ => continue,
            };
            let Some(Value::Int(is)) = self.value(state, form) else { continue };
            // What the form has too much or too little, the input gives.
            let needed = now + (value - is) / &factor;
            values.extend([&needed - 1, needed.clone(), needed + 1]);
        }
        let (low, high) = state.bounds.get(input);
        values.extend(low.iter().chain(&high).cloned());
        let domain = match (low, high) {
            (Some(low), Some(high)) if low <= high => Domain::Range(low, high),
            (Some(low), None) => {
                values.retain(|value| *value >= low);
                Domain::Int
            }
            (None, Some(high)) => {
                values.retain(|value| *value <= high);
                Domain::Int
            }
            _ => Domain::Int,
        };
        let mut values: Vec<BigInt> =
            values.into_iter().filter(|value| domain.has(&Value::Int(value.clone()))).collect();
        // Of two that are as large, the positive one first.
        values.sort_by_key(|value| (value.magnitude().clone(), *value < BigInt::from(0)));
        values
    }
}
