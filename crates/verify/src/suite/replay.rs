//! Written tests, run on a model by the interpreter.

use super::program;
use crate::check::read;
use crate::{Halt, Request};
use serde_json::Map;
use std::sync::Arc;
use tertium_expr::{BigInt, Value};
use tertium_program::{Domain, Interpreter, Program, State};
use tertium_report::{TestReport, WrittenTests};
use tertium_support::{Diagnostics, Source};

/// How written tests went.
#[derive(Clone, Debug)]
pub struct ReplayedTests {
    /// How many there are.
    pub n_tests: usize,
    /// The numbers of those that fail, from 1, and why.
    pub failures: Vec<(usize, String)>,
    /// What is suspicious about the file.
    pub warnings: Option<(Source, Diagnostics)>,
}

/// Runs written tests on a model.
pub fn replay_tests(request: &Request<'_>, written: &WrittenTests) -> Result<ReplayedTests, Halt> {
    let (model, warnings) = read(request)?;
    let program = program(model.as_ref())?.program();
    let mut failures = Vec::new();
    for (number, test) in written.tests.iter().enumerate() {
        request.context.poll()?;
        if let Err(why) = replay(program, test) {
            failures.push((number + 1, why));
        }
    }
    let warnings = (!warnings.is_empty()).then(|| (model.source().clone(), warnings));
    Ok(ReplayedTests { n_tests: written.tests.len(), failures, warnings })
}

/// Runs one test; on a difference, says where.
fn replay(program: &Program, test: &TestReport) -> Result<(), String> {
    let interpreter = Interpreter::new(program);
    let mut state = state(program, &test.start).map_err(|why| format!("start: {why}"))?;
    if !interpreter.is_initial(&state) {
        return Err("start: the model does not begin there".to_owned());
    }
    for (n, step) in test.steps.iter().enumerate() {
        let at = |why: &str| format!("step {}, [{}]: {why}", n + 1, step.action);
        let command = step.command.checked_sub(1).and_then(|n| program.commands().get(n));
        let command = command.filter(|command| command.action == step.action);
        let command = command.ok_or_else(|| at("the model has no such command"))?;
        let way = step.way.checked_sub(1).and_then(|n| command.steps.get(n));
        let way = way.filter(|way| way.inputs.len() == step.inputs.len());
        let way = way.ok_or_else(|| at("the command has no such way"))?;
        let inputs = way.inputs.iter().zip(&step.inputs).map(|(input, text)| value(&input.domain, text));
        let inputs: Result<Vec<Value>, String> = inputs.collect();
        let inputs = inputs.map_err(|why| at(&why))?;
        let next = interpreter.take(&state, way, &inputs).ok_or_else(|| at("it is not enabled"))?;
        let expected = self::state(program, &step.state).map_err(|why| at(&why))?;
        if next != expected {
            let pairs = program.variables().iter().zip(next.0.iter().zip(&expected.0));
            let differing = pairs.filter(|(_, (has, wanted))| has != wanted);
            let texts: Vec<String> = differing
                .map(|(own, (has, wanted))| {
                    format!("{} is {has} instead of {wanted}", program.terms.name(own.variable))
                })
                .collect();
            return Err(at(&texts.join(", ")));
        }
        state = next;
    }
    Ok(())
}

fn state(program: &Program, values: &Map<String, serde_json::Value>) -> Result<State, String> {
    if let Some(other) = values
        .keys()
        .find(|&name| program.variables().iter().all(|own| program.terms.name(own.variable) != *name))
    {
        return Err(format!("the model has no variable {other}"));
    }
    let own = program.variables().iter().map(|own| {
        let name = program.terms.name(own.variable);
        let text = values.get(&name).and_then(|value| value.as_str());
        text.ok_or_else(|| format!("there is no value for {name}")).and_then(|text| value(&own.domain, text))
    });
    own.collect::<Result<Box<[Value]>, String>>().map(State)
}

/// A value as it is printed.
fn value(domain: &Domain, text: &str) -> Result<Value, String> {
    let value = match domain {
        Domain::Bool => text.parse().ok().map(Value::Bool),
        Domain::Int | Domain::Range(..) => text.parse::<BigInt>().ok().map(Value::Int),
        Domain::Enumeration(of) => {
            let index = of.values.iter().position(|name| name == text);
            index.map(|index| Value::Constant { of: Arc::clone(of), index })
        }
    };
    value.filter(|value| domain.has(value)).ok_or_else(|| format!("{text} is no value of {domain}"))
}
