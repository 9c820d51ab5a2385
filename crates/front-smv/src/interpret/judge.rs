//! Whether a given state is initial and whether a given step exists, law by law, with the first reason why not.
//!
//! This shares the list of laws and the evaluation of expressions with the enumeration, and no search.

use super::contains;
use super::enumerate::assigned_values;
use super::evaluate::{Valuation, When};
use super::laws::{Laws, initial_laws, step_laws};
use super::{Fault, Input, Interpreter, State};
use crate::{FlatModel, Value, VarId, VarKind};
use tertium_support::{Id, Span};

/// The answer of the judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is so.
    Yes,
    /// It is not, for this reason.
    No(Obstacle),
}

impl Judgement {
    /// Whether it is so.
    pub fn is_yes(&self) -> bool {
        *self == Self::Yes
    }
}

/// Why a state is not initial, or a step does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// There are more or fewer values than variables.
    Shape,
    /// The variable has a value that is not of its type.
    Type(VarId),
    /// The variable has another value than its assignment here says.
    Assignment(VarId, Span),
    /// The variable changes and may not: it is frozen, or the process that runs does not assign it.
    Kept(VarId),
    /// The constraint here does not hold.
    Constraint(Span),
}

impl Obstacle {
    /// The reason in words.
    pub fn text(&self, model: &FlatModel) -> String {
        let name = |variable: VarId| &model.variables[variable.index()].name;
        let line = |span: Span| model.source.line(span.start);
        match *self {
            Self::Shape => "there is not one value for each variable".to_owned(),
            Self::Type(variable) => format!("the value of `{}` is not of its type", name(variable)),
            Self::Assignment(variable, span) => {
                format!("the value of `{}` is none of those assigned in line {}", name(variable), line(span))
            }
            Self::Kept(variable) if model.variables[variable.index()].kind == VarKind::Frozen => {
                format!("`{}` is frozen and changes", name(variable))
            }
            Self::Kept(variable) => {
                format!("`{}` changes and is not assigned in the process that runs", name(variable))
            }
            Self::Constraint(span) => format!("the constraint in line {} does not hold", line(span)),
        }
    }
}

impl Interpreter<'_> {
    /// Whether a state is initial.
    pub fn is_initial(&self, state: &State) -> Result<Judgement, Fault> {
        if let Some(obstacle) = self.misfit(&self.state_variables, &state.0) {
            return Ok(Judgement::No(obstacle));
        }
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, None);
        judge(&mut valuation, &initial_laws(self.model))
    }

    /// Whether there is a step from `state` to `next` under `input`. Whether `state` is reachable is not asked.
    pub fn is_step(&self, state: &State, input: &Input, next: &State) -> Result<Judgement, Fault> {
        let misfit = self
            .misfit(&self.state_variables, &state.0)
            .or_else(|| self.misfit(&self.input_variables, &input.0))
            .or_else(|| self.misfit(&self.state_variables, &next.0));
        if let Some(obstacle) = misfit {
            return Ok(Judgement::No(obstacle));
        }
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, Some(input));
        valuation.load_next(next);
        let process = self.model.selector.and_then(|selector| valuation.get(When::Now, selector));
        judge(&mut valuation, &step_laws(self.model, process))
    }

    fn misfit(&self, variables: &[VarId], values: &[Value]) -> Option<Obstacle> {
        if variables.len() != values.len() {
            return Some(Obstacle::Shape);
        }
        let fits = |(variable, value): &(&VarId, &Value)| {
            contains(&self.model.variables[variable.index()].ty, **value)
        };
        variables.iter().zip(values).find(|pair| !fits(pair)).map(|(&variable, _)| Obstacle::Type(variable))
    }
}

/// A law that is broken counts before a fault in another one.
fn judge(valuation: &mut Valuation<'_, '_>, laws: &Laws<'_>) -> Result<Judgement, Fault> {
    let mut fault = None;
    for &variable in &laws.kept {
        if valuation.get(When::Now, variable) != valuation.get(When::Next, variable) {
            return Ok(Judgement::No(Obstacle::Kept(variable)));
        }
    }
    for rule in &laws.rules {
        let target = rule.target;
        match assigned_values(valuation, *rule) {
            Ok(values) => {
                let value = valuation.get(target.when, target.variable);
                if !value.is_some_and(|value| values.as_slice().contains(&value)) {
                    let obstacle = Obstacle::Assignment(target.variable, rule.assign.span);
                    return Ok(Judgement::No(obstacle));
                }
            }
            Err(new) => fault = fault.or(Some(new)),
        }
    }
    for check in &laws.checks {
        match valuation.truth(check.expr, check.when) {
            Ok(true) => {}
            Ok(false) => return Ok(Judgement::No(Obstacle::Constraint(check.expr.span))),
            Err(new) => fault = fault.or(Some(new)),
        }
    }
    fault.map_or(Ok(Judgement::Yes), Err)
}
