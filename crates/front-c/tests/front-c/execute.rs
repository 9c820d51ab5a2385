//! Runs of graphs with procedures on concrete values, for tests: all runs where inputs have a few values each.
//!
//! Depth first with states seen before, up to a number of states. Variables whose values are arbitrary where a procedure begins are zero.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tertium_expr::{BigInt, Term, Value, Variable, evaluate};
use tertium_front_c::lower::{InputOrigin, Lowered};
use tertium_program::{Action, Domain, EdgeId, Icfg, PointId, ProcedureId};

/// An activation record: where it is, and the call that it waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame {
    pub point: PointId,
    pub locals: BTreeMap<Variable, Value>,
    waits: Option<EdgeId>,
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Configuration {
    pub globals: BTreeMap<Variable, Value>,
    pub stack: Vec<Frame>,
}

/// What was met.
#[derive(Debug, Default)]
pub(crate) struct Met {
    /// Labels of points that control came to.
    pub labels: BTreeSet<String>,
    /// The values of the result of main, at its exit.
    pub results: BTreeSet<Value>,
    /// Whether all runs were followed to their ends.
    pub is_complete: bool,
}

/// All runs where inputs have those of these values that are of their domains.
pub(crate) fn run(icfg: &Icfg, values: &[i64], most: usize) -> Met {
    let executor = Executor { icfg, values };
    let mut met = Met { is_complete: true, ..Met::default() };
    let mut open = executor.start();
    let mut seen = BTreeSet::new();
    while let Some(state) = open.pop() {
        if seen.len() >= most {
            met.is_complete = false;
            break;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        let top = state.stack.last().expect("there is an activation");
        for (name, points) in &icfg.labels {
            if points.contains(&top.point) {
                met.labels.insert(name.clone());
            }
        }
        let main = icfg.procedure(icfg.main);
        if state.stack.len() == 1 && top.point == main.exit {
            met.results.extend(
                top.locals.iter().filter(|(own, _)| is_result(icfg, **own)).map(|(_, value)| value.clone()),
            );
        }
        open.extend(executor.after(&state));
    }
    met
}

fn is_result(icfg: &Icfg, variable: Variable) -> bool {
    icfg.cell(variable).is_some_and(|cell| cell.name == "result")
}

struct Executor<'a> {
    icfg: &'a Icfg,
    values: &'a [i64],
}

impl Executor<'_> {
    fn default_of(&self, variable: Variable) -> Value {
        let zero = Value::default_of(&self.icfg.terms.sort_of(variable));
        let domain = &self.icfg.cell(variable).expect("a variable of the graph").domain;
        if domain.has(&zero) { zero } else { domain.first() }
    }

    fn locals(&self, procedure: ProcedureId) -> BTreeMap<Variable, Value> {
        self.icfg.procedure(procedure).variables.iter().map(|&own| (own, self.default_of(own))).collect()
    }

    fn start(&self) -> Vec<Configuration> {
        let icfg = self.icfg;
        let mut globals: BTreeMap<Variable, Value> =
            icfg.globals().iter().map(|&own| (own, self.default_of(own))).collect();
        for part in icfg.terms.conjuncts(icfg.initial) {
            if let Some((own, value)) = tertium_program::pinned(&icfg.terms, part) {
                globals.insert(own, value);
            }
        }
        let holds = evaluate(&icfg.terms, icfg.initial, &|own| globals.get(&own).cloned());
        assert_eq!(holds, Ok(Value::Bool(true)), "the program begins where it says");
        let frame =
            Frame { point: icfg.procedure(icfg.main).entry, locals: self.locals(icfg.main), waits: None };
        vec![Configuration { globals, stack: vec![frame] }]
    }

    fn after(&self, state: &Configuration) -> Vec<Configuration> {
        let icfg = self.icfg;
        let top = state.stack.last().expect("there is an activation");
        let procedure = icfg.point(top.point).procedure;
        if top.point == icfg.procedure(procedure).exit {
            return self.leave(state).into_iter().collect();
        }
        let mut found = Vec::new();
        for &id in &icfg.point(top.point).leaving {
            let edge = icfg.edge(id);
            match &edge.action {
                Action::Call(call) => {
                    let mut next = state.clone();
                    let mut locals = self.locals(call.callee);
                    let formals = &icfg.procedure(call.callee).formals;
                    for (&formal, &argument) in formals.iter().zip(&call.arguments) {
                        let value = self.value(state, &BTreeMap::new(), argument);
                        self.check(formal, &value);
                        locals.insert(formal, value);
                    }
                    next.stack.last_mut().expect("there is an activation").waits = Some(id);
                    next.stack.push(Frame { point: icfg.procedure(call.callee).entry, locals, waits: None });
                    found.push(next);
                }
                Action::Step(step) => {
                    for inputs in self.choices(step) {
                        if self.value(state, &inputs, step.guard) != Value::Bool(true) {
                            continue;
                        }
                        let mut next = state.clone();
                        for (&own, &term) in &step.updates {
                            let value = self.value(state, &inputs, term);
                            self.check(own, &value);
                            set(&mut next, own, value);
                        }
                        next.stack.last_mut().expect("there is an activation").point = edge.target;
                        found.push(next);
                    }
                }
            }
        }
        found
    }

    /// Values stay within their domains.
    fn check(&self, variable: Variable, value: &Value) {
        let cell = self.icfg.cell(variable).expect("a variable of the graph");
        assert!(cell.domain.has(value), "{} becomes {value}, which is not of {}", cell.name, cell.domain);
    }

    fn leave(&self, state: &Configuration) -> Option<Configuration> {
        let mut next = state.clone();
        let done = next.stack.pop().expect("there is an activation");
        let id = next.stack.last_mut()?.waits.take().expect("the caller waits");
        let edge = self.icfg.edge(id);
        let Action::Call(call) = &edge.action else { panic!("only calls are waited for") };
        let results = &self.icfg.procedure(call.callee).results;
        for (result, to) in results.iter().zip(&call.results) {
            if let Some(to) = to {
                set(&mut next, *to, done.locals[result].clone());
            }
        }
        next.stack.last_mut()?.point = edge.target;
        Some(next)
    }

    fn choices(&self, step: &tertium_program::Step) -> Vec<BTreeMap<Variable, Value>> {
        let mut all = vec![BTreeMap::new()];
        for input in &step.inputs {
            let values: Vec<Value> = match &input.domain {
                Domain::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Domain::Bits(width) => {
                    let mask = u128::MAX >> (128 - width);
                    let of =
                        |&value: &i64| Value::Bits { width: *width, value: value as i128 as u128 & mask };
                    self.values.iter().map(of).collect()
                }
                // The same value everywhere.
                Domain::Array(index, element) if **element == Domain::Int => {
                    let index = Arc::new(index.sort());
                    let of =
                        |&value: &i64| Value::array(Arc::clone(&index), Value::int(value), BTreeMap::new());
                    self.values.iter().map(of).collect()
                }
                Domain::Array(..) => vec![Value::default_of(&input.domain.sort())],
                domain => {
                    let all = self.values.iter().map(|&value| Value::Int(BigInt::from(value)));
                    all.filter(|value| domain.has(value)).collect()
                }
            };
            all = all
                .iter()
                .flat_map(|before: &BTreeMap<Variable, Value>| {
                    values.iter().map(|value| {
                        let mut more = before.clone();
                        more.insert(input.variable, value.clone());
                        more
                    })
                })
                .collect();
        }
        all
    }

    fn value(&self, state: &Configuration, inputs: &BTreeMap<Variable, Value>, term: Term) -> Value {
        let top = state.stack.last().expect("there is an activation");
        let find = |own: Variable| {
            inputs.get(&own).or_else(|| top.locals.get(&own)).or_else(|| state.globals.get(&own)).cloned()
        };
        evaluate(&self.icfg.terms, term, &find).expect("all variables have values")
    }
}

fn set(state: &mut Configuration, variable: Variable, value: Value) {
    let top = state.stack.last_mut().expect("there is an activation");
    match top.locals.get_mut(&variable) {
        Some(own) => *own = value,
        None => {
            let own = state.globals.get_mut(&variable).expect("a variable in scope");
            *own = value;
        }
    }
}

/// How a run with given inputs ends in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    /// At the exit of main, with its result.
    Finished(Option<Value>),
    /// At a point without edges that has these labels.
    At(Vec<String>),
    /// No edge is enabled.
    Stuck,
    /// An edge that is not exact is enabled.
    Inexact,
    /// Too long, or for want of an input.
    Unfinished,
}

/// Follows the run where inputs that the program asks for have these values, in order.
pub(crate) fn follow(lowered: &Lowered, values: &[i128], most: usize) -> Followed {
    let icfg = &lowered.icfg;
    let executor = Executor { icfg, values: &[] };
    let mut state = executor.start().remove(0);
    let mut next = 0;
    for _ in 0..most {
        let top = state.stack.last().expect("there is an activation");
        let procedure = icfg.point(top.point).procedure;
        if top.point == icfg.procedure(procedure).exit {
            if state.stack.len() == 1 {
                let is_result = |own: &Variable| is_result(icfg, *own);
                return Followed::Finished(
                    top.locals.iter().find(|(own, _)| is_result(own)).map(|(_, value)| value.clone()),
                );
            }
            state = executor.leave(&state).expect("somebody waits");
            continue;
        }
        let mut found = Vec::new();
        let mut is_short = false;
        for &id in &icfg.point(top.point).leaving {
            let edge = icfg.edge(id);
            let Action::Step(step) = &edge.action else {
                found.extend(executor.after(&state).into_iter().map(|state| (state, next)));
                break;
            };
            let mut inputs: BTreeMap<Variable, Value> = BTreeMap::new();
            let mut used = next;
            for input in &step.inputs {
                let value = match &lowered.inputs[&input.variable] {
                    InputOrigin::Call { .. } => {
                        let Some(&value) = values.get(used) else {
                            is_short = true;
                            break;
                        };
                        used += 1;
                        value_of(value, &input.domain)
                    }
                    InputOrigin::Quotient(left, right) | InputOrigin::Remainder(left, right) => {
                        let value = |term: Term| match executor.value(&state, &inputs, term) {
                            Value::Int(value) => value,
                            other => panic!("{other} is divided"),
                        };
                        let (left, right) = (value(*left), value(*right));
                        let is_quotient =
                            matches!(lowered.inputs[&input.variable], InputOrigin::Quotient(..));
                        Value::Int(match (right == BigInt::from(0), is_quotient) {
                            (true, _) => BigInt::from(0),
                            (_, true) => left / right,
                            _ => left % right,
                        })
                    }
                    InputOrigin::Bits(term) => match executor.value(&state, &inputs, *term) {
                        Value::Int(value) => {
                            value_of(i128::try_from(value).expect("a number of the machine"), &input.domain)
                        }
                        other => panic!("{other} becomes bits"),
                    },
                    _ => input.domain.first(),
                };
                inputs.insert(input.variable, value);
            }
            if inputs.len() < step.inputs.len()
                || executor.value(&state, &inputs, step.guard) != Value::Bool(true)
            {
                continue;
            }
            if !edge.is_exact {
                return Followed::Inexact;
            }
            let mut after = state.clone();
            for (&own, &term) in &step.updates {
                let value = executor.value(&state, &inputs, term);
                executor.check(own, &value);
                set(&mut after, own, value);
            }
            after.stack.last_mut().expect("there is an activation").point = edge.target;
            found.push((after, used));
        }
        assert!(found.len() <= 1, "inputs say which edge is taken");
        match found.pop() {
            Some((after, used)) => (state, next) = (after, used),
            None if is_short => return Followed::Unfinished,
            None if icfg.point(top.point).leaving.iter().any(|&id| !icfg.edge(id).is_exact) => {
                return Followed::Inexact;
            }
            None => {
                let top = state.stack.last().expect("there is an activation").point;
                let labels = icfg.labels.iter().filter(|(_, points)| points.contains(&top));
                let labels: Vec<String> = labels.map(|(name, _)| name.clone()).collect();
                let is_end = icfg.point(top).leaving.is_empty() && !labels.is_empty();
                return if is_end { Followed::At(labels) } else { Followed::Stuck };
            }
        }
    }
    Followed::Unfinished
}

fn value_of(value: i128, domain: &Domain) -> Value {
    match domain {
        Domain::Bits(width) => {
            Value::Bits { width: *width, value: value as u128 & (u128::MAX >> (128 - width)) }
        }
        Domain::Bool => Value::Bool(value != 0),
        _ => Value::Int(BigInt::from(value)),
    }
}
