//! Evidence about a model in its own values: named, and replayed by the interpreter, which knows nothing of decision diagrams.

use crate::{Flaw, Replay, Shown};
use std::sync::Arc;
use tertium_evidence::{StepName, Table};
use tertium_front_smv::{
    Evidence, Input, Interpreter, Specification, State, VarId, formula_text, validate_evidence, value_text,
};
use tertium_support::{Context, Id};

/// Names evidence, and keeps it for its validator.
pub(super) fn shown<'m>(
    interpreter: &'m Interpreter<'m>,
    specification: Specification,
    evidence: Evidence,
    holds: bool,
) -> Option<Shown<'m>> {
    let model = interpreter.model();
    let name = |variable: &VarId| model.variables[variable.index()].name.clone();
    let values = |state: &State| state.0.iter().map(|value| value_text(model, *value)).collect();
    let step = |input: &Input| step_name(interpreter, input);
    let variables = interpreter.state_variables().iter().map(name).collect();
    let (table, named) = Table::of(variables, evidence.clone(), values, step);
    let replay = SmvReplay { interpreter, specification, evidence, holds };
    Some(Shown {
        names: Arc::new(table.in_language(formula_text)),
        evidence: named?,
        replay: Box::new(replay),
    })
}

/// What a step is called. Which process runs is an input of the model, and whose step it is to the user.
pub(super) fn step_name(interpreter: &Interpreter<'_>, input: &Input) -> StepName {
    let model = interpreter.model();
    let mut named = StepName::default();
    for (variable, value) in interpreter.input_variables().iter().zip(&input.0) {
        let value = value_text(model, *value);
        if model.selector == Some(*variable) {
            named.process = Some(value);
        } else {
            named.inputs.push((model.variables[variable.index()].name.clone(), value));
        }
    }
    named
}

struct SmvReplay<'m> {
    interpreter: &'m Interpreter<'m>,
    specification: Specification,
    evidence: Evidence,
    holds: bool,
}

impl Replay for SmvReplay<'_> {
    fn by(&self) -> &'static str {
        "the interpreter"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        validate_evidence(&self.evidence, self.interpreter, &self.specification, self.holds)
            .map_err(|refusal| Flaw::Wrong(refusal.text(self.interpreter.model())))
    }
}
