//! Runs of a program with procedures, from the beginning of main to some state.
//!
//! A run is told by what was chosen: where it begins, the edges that it takes, and the values of inputs. Everything else follows, and
//! [`IcfgRun::replay`] computes it, with a stack of activation records and the evaluator of terms. It shares nothing with who found
//! the run, so it is also the judge of runs in the graph. What the graph over-approximates has to be judged by the program itself.

use std::collections::BTreeMap;
use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_program::{Action, Call, EdgeId, Icfg, PointId, ProcedureId};
use tertium_support::Id;

/// Values of variables.
pub type Values = BTreeMap<Variable, Value>;

/// What a run does along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Takes a step.
    Step,
    /// Enters the callee of a call.
    Call,
    /// Comes back from it.
    Return,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The edge. A call that returns has its edge twice, when it begins and when it ends.
    pub edge: EdgeId,
    /// What is done along it.
    pub what: Move,
    /// How many activations there are before it; 1 in main.
    pub depth: usize,
    /// Values of the inputs of a step, in its order; for a call, values of the callee's variables that are no formals. A variable
    /// that is not mentioned has the first value of its domain.
    pub inputs: Vec<(Variable, Value)>,
}

/// A run from the beginning of main.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IcfgRun {
    /// Globals and variables of main at the beginning. What is not mentioned has the first value of its domain.
    pub initial: Values,
    /// What it does.
    pub steps: Vec<RunStep>,
}

/// One activation of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Where control is, or where it comes back to.
    pub point: PointId,
    /// The call that began it; nothing for main.
    pub called_by: Option<EdgeId>,
    /// Its variables.
    pub values: Values,
}

/// A state of a program: globals and the stack of activations, which is never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The globals.
    pub globals: Values,
    /// Main first.
    pub stack: Vec<Activation>,
}

/// Why a run is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not begin where the program does.
    Beginning,
    /// This step, by number, does not follow from those before it.
    Step(usize),
}

impl IcfgRun {
    /// Whether all its steps are exact: then it is one of the program as the front end understands it.
    pub fn is_exact(&self, icfg: &Icfg) -> bool {
        self.steps.iter().all(|step| icfg.edge(step.edge).is_exact)
    }

    /// The state that it ends in.
    pub fn replay(&self, icfg: &Icfg) -> Result<Configuration, Mismatch> {
        let mut now = Configuration::initial(icfg, &self.initial).ok_or(Mismatch::Beginning)?;
        for (number, step) in self.steps.iter().enumerate() {
            now.follow(icfg, step).ok_or(Mismatch::Step(number))?;
        }
        Ok(now)
    }

    /// Whether the run can go on for ever as it went from its state after `start` steps on: at its end the globals and the activation
    /// that runs have the same values again, and none of the activations below was used in between. There may be more of them: then
    /// the run goes ever deeper.
    pub fn repeats(&self, icfg: &Icfg, start: usize) -> Result<bool, Mismatch> {
        let mut now = Configuration::initial(icfg, &self.initial).ok_or(Mismatch::Beginning)?;
        let mut begun: Option<Head> = None;
        let mut is_above = true;
        for (number, step) in self.steps.iter().enumerate() {
            if number == start {
                begun = Some(now.head());
            }
            now.follow(icfg, step).ok_or(Mismatch::Step(number))?;
            is_above &= begun.as_ref().is_none_or(|begun| now.stack.len() >= begun.depth);
        }
        Ok(is_above && begun.is_some_and(|begun| begun.is_like(&now)))
    }

    /// All states, that at the beginning first. Costs the length of the run times the size of a state.
    pub fn states(&self, icfg: &Icfg) -> Result<Vec<Configuration>, Mismatch> {
        let mut now = Configuration::initial(icfg, &self.initial).ok_or(Mismatch::Beginning)?;
        let mut all = Vec::with_capacity(self.steps.len() + 1);
        for (number, step) in self.steps.iter().enumerate() {
            all.push(now.clone());
            now.follow(icfg, step).ok_or(Mismatch::Step(number))?;
        }
        all.push(now);
        Ok(all)
    }
}

/// What a configuration is but for the activations below the one that runs.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    globals: Values,
    procedure: ProcedureId,
    point: PointId,
    values: Values,
    /// How many activations there are.
    depth: usize,
}

impl Head {
    /// Whether a configuration has this head; there may be other activations below.
    pub(crate) fn is_like(&self, other: &Configuration) -> bool {
        let top = other.top();
        (self.procedure, self.point) == (top.procedure, top.point)
            && self.values == top.values
            && self.globals == other.globals
    }
}

impl Configuration {
    /// What it is but for the activations below the one that runs.
    pub(crate) fn head(&self) -> Head {
        let Activation { procedure, point, values, .. } = self.top().clone();
        Head { globals: self.globals.clone(), procedure, point, values, depth: self.stack.len() }
    }

    /// The beginning of the program with these values, if it can begin so.
    pub fn initial(icfg: &Icfg, values: &Values) -> Option<Self> {
        let globals = chosen(icfg, icfg.globals(), values)?;
        let main = icfg.procedure(icfg.main);
        let own = chosen(icfg, &main.variables, values)?;
        let start = Activation { procedure: icfg.main, point: main.entry, called_by: None, values: own };
        let state = Self { globals, stack: vec![start] };
        (state.evaluate(icfg, icfg.initial, &[])? == Value::Bool(true)).then_some(state)
    }

    /// The activation that runs.
    pub fn top(&self) -> &Activation {
        self.stack.last().expect("main is always there")
    }

    /// Where control is.
    pub fn point(&self) -> PointId {
        self.top().point
    }

    /// The value of a variable in scope.
    pub fn value(&self, variable: Variable) -> Option<&Value> {
        self.globals.get(&variable).or_else(|| self.top().values.get(&variable))
    }

    /// The value of a term over variables in scope and inputs with these values.
    pub fn evaluate(&self, icfg: &Icfg, term: Term, inputs: &[(Variable, Value)]) -> Option<Value> {
        let known = |variable| {
            let input = inputs.iter().find(|(input, _)| *input == variable).map(|(_, value)| value);
            input.or_else(|| self.value(variable)).cloned()
        };
        evaluate(&icfg.terms, term, &known).ok()
    }

    /// Gives a variable in scope a value of its domain.
    fn set(&mut self, icfg: &Icfg, variable: Variable, value: Value) -> Option<()> {
        let cell = icfg.cell(variable)?;
        (value.sort() == cell.domain.sort() && cell.domain.has(&value)).then_some(())?;
        let top = self.stack.last_mut()?;
        let values = if cell.owner.is_none() { &mut self.globals } else { &mut top.values };
        values.insert(variable, value);
        Some(())
    }

    /// Goes on by a step, if there is one like it.
    pub fn follow(&mut self, icfg: &Icfg, step: &RunStep) -> Option<()> {
        let edge = icfg.edges().get(step.edge.index())?;
        (step.depth == self.stack.len()).then_some(())?;
        match (step.what, &edge.action) {
            (Move::Step, Action::Step(taken)) => {
                (self.point() == edge.source).then_some(())?;
                let mut inputs = Vec::new();
                for input in &taken.inputs {
                    let given = step.inputs.iter().find(|(variable, _)| *variable == input.variable);
                    let value = given.map_or_else(|| input.domain.first(), |(_, value)| value.clone());
                    let legal = value.sort() == input.domain.sort() && input.domain.has(&value);
                    inputs.push((input.variable, legal.then_some(value)?));
                }
                (self.evaluate(icfg, taken.guard, &inputs)? == Value::Bool(true)).then_some(())?;
                let new = taken.updates.iter();
                let new = new.map(|(&variable, &term)| Some((variable, self.evaluate(icfg, term, &inputs)?)));
                for (variable, value) in new.collect::<Option<Vec<_>>>()? {
                    self.set(icfg, variable, value)?;
                }
                self.stack.last_mut()?.point = edge.target;
            }
            (Move::Call, Action::Call(call)) => {
                (self.point() == edge.source).then_some(())?;
                self.enter(icfg, step, call)?;
            }
            (Move::Return, Action::Call(call)) => {
                (self.top().called_by == Some(step.edge)).then_some(())?;
                (self.point() == icfg.procedure(call.callee).exit).then_some(())?;
                self.leave(icfg, edge.target, call)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn enter(&mut self, icfg: &Icfg, step: &RunStep, call: &Call) -> Option<()> {
        let callee = icfg.procedure(call.callee);
        let given: Values = step.inputs.iter().cloned().collect();
        let mut values = chosen(icfg, &callee.variables, &given)?;
        for (&formal, &argument) in callee.formals.iter().zip(&call.arguments) {
            values.insert(formal, self.evaluate(icfg, argument, &[])?);
        }
        let has_domains = |(&variable, value): (&Variable, &Value)| {
            icfg.cell(variable).is_some_and(|cell| cell.domain.has(value))
        };
        values.iter().all(has_domains).then_some(())?;
        let called_by = Some(step.edge);
        self.stack.push(Activation { procedure: call.callee, point: callee.entry, called_by, values });
        Some(())
    }

    fn leave(&mut self, icfg: &Icfg, target: PointId, call: &Call) -> Option<()> {
        (self.stack.len() > 1).then_some(())?;
        let ended = self.stack.pop()?;
        let results = &icfg.procedure(call.callee).results;
        for (result, taker) in results.iter().zip(&call.results) {
            if let Some(taker) = taker {
                self.set(icfg, *taker, ended.values.get(result)?.clone())?;
            }
        }
        self.stack.last_mut()?.point = target;
        Some(())
    }
}

/// Values for variables: what is given, else the first of their domains. Nothing if one is given a value outside of its domain.
fn chosen(icfg: &Icfg, variables: &[Variable], given: &Values) -> Option<Values> {
    let value = |&variable: &Variable| {
        let domain = &icfg.cell(variable)?.domain;
        let value = given.get(&variable).cloned().unwrap_or_else(|| domain.first());
        (value.sort() == domain.sort() && domain.has(&value)).then_some((variable, value))
    };
    variables.iter().map(value).collect()
}
