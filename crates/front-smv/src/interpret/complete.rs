//! States and steps of which part is given, completed to whole ones.
//!
//! The part must be closed: the variables that are left have no law but their assignments, and these allow a value whatever
//! the others are (see `encode::cone`). So they are given values one after the other, in the order of the plan, and no choice is
//! ever taken back. Where there is a choice, a variable keeps the value that it has: runs change no more than they must, and
//! whoever follows a loop long enough comes to a state for the second time.

use super::enumerate::candidates;
use super::evaluate::{Valuation, When};
use super::plan::Plan;
use super::{Fault, Input, Interpreter, State, values_of};
use crate::{Value, VarId};
use tertium_support::Id;

/// Values of some variables.
pub type Given<'a> = &'a [(VarId, Value)];

impl<'m> Interpreter<'m> {
    /// An initial state with these values; `None` if the given part is not a closed one.
    pub fn complete_initial(&self, given: Given<'_>) -> Result<Option<State>, Fault> {
        let mut valuation = Valuation::new(self);
        let found = self.follow(&mut valuation, &self.initial, When::Now, given, &[])?;
        Ok(found.then(|| self.state_of(&valuation, When::Now)))
    }

    /// A step from a state with these inputs, to a state with these values; `None` if the given part is not a closed one.
    pub fn complete_step(
        &self,
        state: &State,
        inputs: Given<'_>,
        next: Given<'_>,
    ) -> Result<Option<(Input, State)>, Fault> {
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, None);
        for &(variable, value) in inputs {
            valuation.set(When::Now, variable, Some(value));
        }
        let process = self.model.selector.and_then(|selector| valuation.get(When::Now, selector));
        let Some((_, plan)) = self.steps.iter().find(|(of, _)| *of == process) else { return Ok(None) };
        let found = self.follow(&mut valuation, plan, When::Next, next, inputs)?;
        Ok(found.then(|| (self.input_of(&valuation), self.state_of(&valuation, When::Next))))
    }

    /// Gives every variable of the plan a value: the given one, or else one of its candidates.
    fn follow(
        &self,
        valuation: &mut Valuation<'_, 'm>,
        plan: &Plan<'m>,
        when: When,
        given: Given<'_>,
        inputs: Given<'_>,
    ) -> Result<bool, Fault> {
        let mut known = vec![None; self.model.variables.len()];
        for &(variable, value) in given.iter().chain(inputs) {
            known[variable.index()] = Some(value);
        }
        for choice in &plan.choices {
            let variable = choice.slot.variable;
            let present = if when == When::Next { valuation.get(When::Now, variable) } else { None };
            let value = match known[variable.index()] {
                Some(value) => Some(value),
                None => match candidates(valuation, choice)? {
                    Some(values) => {
                        let values = values.as_slice();
                        present.filter(|value| values.contains(value)).or(values.first().copied())
                    }
                    None => present.or_else(|| values_of(&self.model.variables[variable.index()].ty).next()),
                },
            };
            if value.is_none() {
                return Ok(false);
            }
            valuation.set(choice.slot.when, variable, value);
        }
        Ok(true)
    }
}
