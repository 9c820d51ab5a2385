//! Written runs on SMV models: states by the values of their variables, steps by their inputs. The interpreter judges.

use super::shown::step_name;
use super::{Smv, failure};
use crate::replay::{
    Misfit, OffersRuns, Rereads, WrittenEvidence, WrittenTrace, reread, reread_evidence, stranger,
};
use crate::simulate::MOST_CHOICES;
use crate::{Halt, PropertyId, Steps};
use serde_json::{Map, Value as Json};
use tertium_front_smv::{
    Fault, Input, Interpreter, Judgement, State, Value, VarId, validate_evidence, value_from_text, value_text,
};
use tertium_report::{Choice, Offer, StateReport, StepReport, cut};
use tertium_support::{Context, Id};

impl OffersRuns for Smv {
    fn steps<'m>(&'m self) -> Box<dyn Steps + 'm> {
        Box::new(SmvSteps { own: self, runs: Runs(Interpreter::new(&self.flat)) })
    }

    fn follow(
        &self,
        context: &Context,
        trace: &WrittenTrace<'_>,
        begins: bool,
    ) -> Result<Option<Misfit>, Halt> {
        Ok(reread(context, &Runs(Interpreter::new(&self.flat)), trace, begins)?.err())
    }

    fn shows(
        &self,
        context: &Context,
        property: PropertyId,
        holds: bool,
        evidence: &WrittenEvidence<'_>,
    ) -> Result<Result<(), String>, Halt> {
        let runs = Runs(Interpreter::new(&self.flat));
        let evidence = match reread_evidence(context, &runs, evidence)? {
            Ok(evidence) => evidence,
            Err(misfit) => return Ok(Err(misfit.why)),
        };
        let specification = &self.specifications[property.index()];
        let shown = validate_evidence(&evidence, &runs.0, specification, holds);
        Ok(shown.map_err(|refusal| refusal.text(&self.flat)))
    }
}

/// The steps that the interpreter finds.
struct SmvSteps<'m> {
    own: &'m Smv,
    runs: Runs<'m>,
}

impl SmvSteps<'_> {
    fn report(&self, state: &State) -> StateReport {
        let model = self.runs.0.model();
        let named = self.runs.0.state_variables().iter().zip(&state.0);
        let values = named.map(|(variable, value)| {
            (model.variables[variable.index()].name.clone(), Json::String(value_text(model, *value)))
        });
        StateReport { name: String::new(), values: values.collect() }
    }
}

impl Steps for SmvSteps<'_> {
    fn initial(&self, context: &Context) -> Result<Offer, Halt> {
        let found = self.runs.0.first_initial(context, MOST_CHOICES);
        let (states, more) = found.map_err(|halt| failure(&self.own.flat, halt.into()))?;
        let begin = |state| Choice { step: None, state: self.report(state), unsure: false };
        Ok(Offer::of(states.iter().map(begin).collect(), more))
    }

    fn enabled(&self, context: &Context, state: &StateReport) -> Result<Offer, Halt> {
        let from = self.runs.state(state).map_err(Halt::Bug)?;
        let found = self.runs.0.first_successors(context, &from, MOST_CHOICES);
        let (steps, more) = found.map_err(|halt| failure(&self.own.flat, halt.into()))?;
        let choice = |(input, next): &(Input, State)| Choice {
            step: Some(step_name(&self.runs.0, input).into()),
            state: self.report(next),
            unsure: false,
        };
        Ok(Offer::of(steps.iter().map(choice).collect(), more))
    }

    fn holds(&self, property: PropertyId, proposition: &str, state: &StateReport) -> Option<bool> {
        let atoms = &self.own.specifications[property.index()].atoms;
        let atom = atoms.iter().find(|own| own.name == proposition)?;
        self.runs.0.holds(&atom.expr, &self.runs.state(state).ok()?, None).ok()
    }
}

/// What written states and steps are in a model.
struct Runs<'m>(Interpreter<'m>);

impl Runs<'_> {
    /// The values of these variables, each of which must be there, and no others.
    fn values(
        &self,
        variables: &[VarId],
        written: &Map<String, Json>,
        kind: &str,
    ) -> Result<Box<[Value]>, String> {
        let model = self.0.model();
        let names: Vec<&str> =
            variables.iter().map(|variable| model.variables[variable.index()].name.as_str()).collect();
        if let Some(other) = stranger(written, &names) {
            return Err(format!("the model has no {kind} `{}`", cut(other)));
        }
        let read = |&variable: &VarId| {
            let own = &model.variables[variable.index()];
            let text = written.get(&own.name).and_then(Json::as_str);
            let text = text.ok_or_else(|| format!("no value of `{}` was written", own.name))?;
            if model.selector == Some(variable) && value_from_text(model, &own.ty, text).is_none() {
                return Err(format!("the model has no process `{}`", cut(text)));
            }
            value_from_text(model, &own.ty, text).ok_or_else(|| {
                format!("{} is no value of `{}`: {}", cut(text), own.name, model.type_text(&own.ty))
            })
        };
        variables.iter().map(read).collect()
    }

    fn judged(&self, judgement: Result<Judgement, Fault>) -> Result<(), String> {
        match judgement {
            Ok(Judgement::Yes) => Ok(()),
            Ok(Judgement::No(obstacle)) => Err(obstacle.text(self.0.model())),
            Err(fault) => Err(fault.diagnostic(self.0.model()).message),
        }
    }
}

impl Rereads for Runs<'_> {
    type State = State;
    type Step = Input;

    fn state(&self, written: &StateReport) -> Result<State, String> {
        if !written.name.is_empty() {
            return Err(format!("states of the model have no names, such as `{}`", cut(&written.name)));
        }
        self.values(self.0.state_variables(), &written.values, "variable").map(State)
    }

    fn begins(&self, state: &State) -> Result<(), String> {
        self.judged(self.0.is_initial(state)).map_err(|why| format!("the model does not begin there: {why}"))
    }

    fn step(&self, from: &State, step: &StepReport, to: &State) -> Result<Input, String> {
        let model = self.0.model();
        let mut inputs = step.inputs.clone();
        match (model.selector, &step.process) {
            (Some(selector), Some(process)) => {
                inputs.insert(model.variables[selector.index()].name.clone(), Json::String(process.clone()));
            }
            (Some(_), None) => return Err("no process was written".to_owned()),
            (None, Some(process)) => return Err(format!("the model has no process `{}`", cut(process))),
            (None, None) => {}
        }
        let input = Input(self.values(self.0.input_variables(), &inputs, "input")?);
        self.judged(self.0.is_step(from, &input, to)).map(|()| input)
    }
}
