//! Finding initial states and steps by following a plan, variable by variable, with a step back where a filter says no.
//!
//! A fault on the way does not end the search: it is remembered, and counts at the end of a branch that nothing excluded.

use super::contains;
use super::evaluate::{Valuation, Values, When};
use super::laws::{Check, Rule};
use super::plan::{Choice, Filter, Plan, Source};
use super::{Fault, FaultKind, Input, Interpreter, State, values_of};
use crate::Value;
use tertium_support::{Context, Id, StopReason, Ticker};

/// Why states or steps could not be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The model has no meaning there.
    Fault(Fault),
    /// A limit was reached.
    Stopped(StopReason),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Looks at limits now and then.
pub(crate) type Tick<'t> = dyn FnMut() -> Result<(), StopReason> + 't;

impl<'m> Interpreter<'m> {
    /// Gives every initial state to `found`, once.
    pub fn for_each_initial(
        &self,
        ticker: &mut Ticker<'_>,
        mut found: impl FnMut(State),
    ) -> Result<(), Halt> {
        let mut emit = |valuation: &Valuation<'_, 'm>| {
            found(self.state_of(valuation, When::Now));
            true
        };
        self.each_initial(&mut Valuation::new(self), &mut || ticker.tick(1), &mut emit)
    }

    /// Gives every step from a state to `found`, once.
    pub fn for_each_successor(
        &self,
        ticker: &mut Ticker<'_>,
        state: &State,
        mut found: impl FnMut(Input, State),
    ) -> Result<(), Halt> {
        let mut emit = |valuation: &Valuation<'_, 'm>| {
            found(self.input_of(valuation), self.state_of(valuation, When::Next));
            true
        };
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, None);
        self.each_step(&mut valuation, &mut || ticker.tick(1), &mut emit)
    }

    /// The first initial states, at most so many, and whether there are more.
    pub fn first_initial(&self, context: &Context, most: usize) -> Result<(Vec<State>, bool), Halt> {
        let (mut found, mut more) = (Vec::new(), false);
        let mut ticker = context.ticker("initial states");
        let mut emit = |valuation: &Valuation<'_, 'm>| {
            more = found.len() == most;
            if !more {
                found.push(self.state_of(valuation, When::Now));
            }
            !more
        };
        self.each_initial(&mut Valuation::new(self), &mut || ticker.tick(1), &mut emit)?;
        Ok((found, more))
    }

    /// The first steps from a state, at most so many, and whether there are more.
    pub fn first_successors(
        &self,
        context: &Context,
        state: &State,
        most: usize,
    ) -> Result<(Vec<(Input, State)>, bool), Halt> {
        let (mut found, mut more) = (Vec::new(), false);
        let mut ticker = context.ticker("successors");
        let mut emit = |valuation: &Valuation<'_, 'm>| {
            more = found.len() == most;
            if !more {
                found.push((self.input_of(valuation), self.state_of(valuation, When::Next)));
            }
            !more
        };
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, None);
        self.each_step(&mut valuation, &mut || ticker.tick(1), &mut emit)?;
        Ok((found, more))
    }

    /// Finds initial states in a valuation without values, each once, until `emit` has enough.
    pub(crate) fn each_initial<'i>(
        &'i self,
        valuation: &mut Valuation<'i, 'm>,
        tick: &mut Tick<'_>,
        emit: &mut dyn FnMut(&Valuation<'i, 'm>) -> bool,
    ) -> Result<(), Halt> {
        Search { valuation, plan: &self.initial, tick, emit, enough: false }.run()
    }

    /// Finds steps from the state that a valuation has, each once, until `emit` has enough. Afterwards the valuation has that state
    /// again, unless it failed.
    pub(crate) fn each_step<'i>(
        &'i self,
        valuation: &mut Valuation<'i, 'm>,
        tick: &mut Tick<'_>,
        emit: &mut dyn FnMut(&Valuation<'i, 'm>) -> bool,
    ) -> Result<(), Halt> {
        for (process, plan) in &self.steps {
            if let Some(selector) = self.model.selector {
                valuation.set(When::Now, selector, *process);
            }
            Search { valuation, plan, tick, emit, enough: false }.run()?;
        }
        Ok(())
    }

    pub(super) fn state_of(&self, valuation: &Valuation<'_, 'm>, when: When) -> State {
        let value = |&variable| valuation.get(when, variable).expect("the plan places every variable");
        State(self.state_variables.iter().map(value).collect())
    }

    pub(super) fn input_of(&self, valuation: &Valuation<'_, 'm>) -> Input {
        let value = |&variable| valuation.get(When::Now, variable).expect("the plan places every variable");
        Input(self.input_variables.iter().map(value).collect())
    }
}

/// What a filter says.
enum Opinion {
    Yes,
    No,
    Fault(Fault),
}

struct Search<'i, 'm, 'e, 't> {
    valuation: &'e mut Valuation<'i, 'm>,
    plan: &'i Plan<'m>,
    tick: &'e mut Tick<'t>,
    /// Takes what was found. Whether it wants more.
    emit: &'e mut dyn FnMut(&Valuation<'i, 'm>) -> bool,
    enough: bool,
}

impl<'m> Search<'_, 'm, '_, '_> {
    fn run(mut self) -> Result<(), Halt> {
        let plan = self.plan;
        match self.pass(&plan.first, &[]) {
            Opinion::No => Ok(()),
            Opinion::Yes => self.descend(0, None),
            Opinion::Fault(fault) => self.descend(0, Some(&fault)),
        }
    }

    /// Tries all values from the choice at `depth` on. `fault` is what went wrong on the way.
    fn descend(&mut self, depth: usize, fault: Option<&Fault>) -> Result<(), Halt> {
        (self.tick)()?;
        let plan = self.plan;
        let Some(choice) = plan.choices.get(depth) else {
            return match fault {
                Some(fault) => Err(Halt::Fault(fault.clone())),
                None => {
                    self.enough = !(self.emit)(self.valuation);
                    Ok(())
                }
            };
        };
        let variable = choice.slot.variable;
        let interpreter = self.valuation.interpreter();
        let ty = &interpreter.model.variables[variable.index()].ty;
        match candidates(self.valuation, choice) {
            Ok(Some(values)) => {
                for &value in values.as_slice() {
                    self.try_value(depth, choice, value, fault)?;
                }
            }
            Ok(None) => {
                for value in values_of(ty) {
                    self.try_value(depth, choice, value, fault)?;
                }
            }
            Err(new) => {
                let fault = fault.unwrap_or(&new);
                for value in values_of(ty) {
                    self.try_value(depth, choice, value, Some(fault))?;
                }
            }
        }
        self.valuation.set(choice.slot.when, variable, None);
        Ok(())
    }

    fn try_value(
        &mut self,
        depth: usize,
        choice: &Choice<'m>,
        value: Value,
        fault: Option<&Fault>,
    ) -> Result<(), Halt> {
        if self.enough {
            return Ok(());
        }
        self.valuation.set(choice.slot.when, choice.slot.variable, Some(value));
        match self.pass(&choice.filters, &choice.hints) {
            Opinion::No => Ok(()),
            Opinion::Yes => self.descend(depth + 1, fault),
            Opinion::Fault(new) => self.descend(depth + 1, Some(fault.unwrap_or(&new))),
        }
    }

    fn pass(&mut self, filters: &[Filter<'m>], hints: &[Check<'m>]) -> Opinion {
        let mut opinion = Opinion::Yes;
        for filter in filters {
            match self.ask(filter) {
                Ok(true) => {}
                Ok(false) => return Opinion::No,
                Err(fault) => opinion = Opinion::Fault(fault),
            }
        }
        let refuted = |hint: &Check<'m>| self.valuation.truth(hint.expr, hint.when) == Ok(false);
        if hints.iter().any(refuted) { Opinion::No } else { opinion }
    }

    fn ask(&mut self, filter: &Filter<'m>) -> Result<bool, Fault> {
        match *filter {
            Filter::Check(Check { when, expr }) => self.valuation.truth(expr, when),
            Filter::Rule(rule) => {
                let values = assigned_values(self.valuation, rule)?;
                let value = self.valuation.get(rule.target.when, rule.target.variable);
                Ok(value.is_some_and(|value| values.as_slice().contains(&value)))
            }
            Filter::Kept(variable) => {
                Ok(self.valuation.get(When::Now, variable) == self.valuation.get(When::Next, variable))
            }
        }
    }
}

/// The values to try; `None` for all of the type.
pub(super) fn candidates<'m>(
    valuation: &mut Valuation<'_, 'm>,
    choice: &Choice<'m>,
) -> Result<Option<Values>, Fault> {
    let variable = choice.slot.variable;
    let ty = &valuation.interpreter().model.variables[variable.index()].ty;
    Ok(match choice.source {
        Source::Assigned(rule) => Some(assigned_values(valuation, rule)?),
        Source::Kept => valuation.get(When::Now, variable).map(Values::One),
        Source::Truth(value) => Some(Values::One(Value::Boolean(value))),
        // The conjunct behind it is checked in any case, so a fault here is reported there.
        Source::Equal(Check { when, expr }) => match valuation.evaluate(expr, when) {
            Ok(Values::One(value)) => Some(within(ty, &[value])),
            _ => None,
        },
        Source::Member(Check { when, expr }) => match valuation.evaluate(expr, when) {
            Ok(values) => Some(within(ty, values.as_slice())),
            Err(_) => None,
        },
        Source::Any => None,
    })
}

/// The values of an assignment; each must be of the type of its variable.
pub(crate) fn assigned_values(valuation: &mut Valuation<'_, '_>, rule: Rule<'_>) -> Result<Values, Fault> {
    let values = valuation.evaluate(&rule.assign.value, rule.when)?;
    let variable = rule.target.variable;
    let ty = &valuation.interpreter().model.variables[variable.index()].ty;
    match values.as_slice().iter().find(|&&value| !contains(ty, value)) {
        None => Ok(values),
        Some(&value) => Err(Fault { span: rule.assign.span, kind: FaultKind::OutsideType(variable, value) }),
    }
}

fn within(ty: &crate::Type, values: &[Value]) -> Values {
    Values::Many(values.iter().copied().filter(|&value| contains(ty, value)).collect())
}
