//! Written tests, run on a model by the interpreter.

use super::program;
use crate::check::read;
use crate::{Halt, Request};
use serde_json::Map;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{BigInt, Sort, Value};
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
    let value = printed(&domain.sort(), text).filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value);
    value.filter(|value| domain.has(value)).ok_or_else(|| format!("{text} is no value of {domain}"))
}

/// The value of a sort that a text begins with, and what is behind it.
fn printed<'t>(sort: &Sort, text: &'t str) -> Option<(Value, &'t str)> {
    if let Sort::Array(index, element) = sort {
        let mut rest = text.strip_prefix('[')?;
        let mut entries = BTreeMap::new();
        while !rest.starts_with("else ") {
            let (at, after) = printed(index, rest)?;
            let (own, after) = printed(element, after.strip_prefix(": ")?)?;
            entries.insert(at, own);
            rest = after.strip_prefix(", ")?;
        }
        let (other, after) = printed(element, rest.strip_prefix("else ")?)?;
        return Some((Value::array(Arc::clone(index), other, entries), after.strip_prefix(']')?));
    }
    let (own, rest) = text.split_at(text.find([',', ':', ']']).unwrap_or(text.len()));
    let value = match sort {
        Sort::Bool => Value::Bool(own.parse().ok()?),
        Sort::Int => Value::Int(own.parse::<BigInt>().ok()?),
        Sort::Bits(width) => {
            let (digits, value) = own.split_once("'d")?;
            let value: u128 = value.parse().ok()?;
            let fits = digits.parse() == Ok(*width) && value <= u128::MAX >> (128 - width);
            fits.then_some(Value::Bits { width: *width, value })?
        }
        Sort::Enumeration(of) => {
            let index = of.values.iter().position(|name| name == own)?;
            Value::Constant { of: Arc::clone(of), index }
        }
        Sort::Array(..) => unreachable!("arrays are read above"),
    };
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::value;
    use tertium_program::Domain;

    #[test]
    fn values_are_read_as_they_are_printed() {
        let index = Domain::Range(0.into(), 2.into());
        let row = Domain::array(index.clone(), Domain::Bits(2));
        for domain in [row.clone(), Domain::array(Domain::Bool, index), Domain::Bits(3)] {
            for own in domain.values(100).expect("few values") {
                assert_eq!(value(&domain, &own.to_string()), Ok(own));
            }
        }
        let table = Domain::array(Domain::Bool, row);
        assert_eq!(value(&table, &table.first().to_string()), Ok(table.first()));
        for wrong in
            ["[else 2'd4]", "[3: 2'd1, else 2'd0]", "[0: 2'd1, else 2'd1]", "[else 2'd0", "2'd0", "[]"]
        {
            assert!(
                value(&Domain::array(Domain::Range(0.into(), 2.into()), Domain::Bits(2)), wrong).is_err()
            );
        }
        assert!(value(&Domain::Bits(3), "2'd1").is_err());
    }
}
