//! Runs programs on concrete states, straight from the steps: the meaning that everything else is measured by.

use crate::{CommandId, Program, Step};
use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_support::Id;

/// A value for each variable, by id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Box<[Value]>);

/// Integers with more bits make a state huge.
const MOST_BITS: u64 = 1 << 16;

impl State {
    /// Whether some integer is too large to go on with: each step could make it twice as long, and soon one step would
    /// take forever.
    pub fn is_huge(&self) -> bool {
        self.0.iter().any(is_huge)
    }
}

fn is_huge(value: &Value) -> bool {
    match value {
        Value::Int(number) => number.bits() > MOST_BITS,
        Value::Array { rest, entries, .. } => is_huge(rest) || entries.values().any(is_huge),
        Value::Bool(_) | Value::Bits { .. } | Value::Constant { .. } => false,
    }
}

/// A state that a step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The command.
    pub command: CommandId,
    /// Which of its steps.
    pub step: usize,
    /// The values of the step's inputs.
    pub inputs: Vec<Value>,
    /// Where it leads.
    pub state: State,
}

/// Runs one program.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
}

impl<'p> Interpreter<'p> {
    /// For this program.
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The value of a term without inputs.
    pub fn value(&self, state: &State, term: Term) -> Value {
        self.known_value(state, term)
            .expect("terms of programs are about their variables, and are quantified over small domains only")
    }

    /// The value of a term without inputs; nothing if it is quantified over a domain that is not small, as a predicate can be.
    pub fn known_value(&self, state: &State, term: Term) -> Option<Value> {
        evaluate(&self.program.terms, term, &|variable| self.lookup(state, variable)).ok()
    }

    /// Whether a truth value holds.
    pub fn holds(&self, state: &State, term: Term) -> bool {
        self.value(state, term) == Value::Bool(true)
    }

    /// Whether the program can begin here.
    pub fn is_initial(&self, state: &State) -> bool {
        self.is_state(state) && self.holds(state, self.program.initial)
    }

    /// The values of the control variables, in order.
    pub fn control(&self, state: &State) -> Vec<Value> {
        self.program.control().iter().map(|id| state.0[id.index()].clone()).collect()
    }

    /// Whether all values are of their domains.
    pub fn is_state(&self, state: &State) -> bool {
        let variables = self.program.variables();
        state.0.len() == variables.len()
            && variables
                .iter()
                .zip(&state.0)
                .all(|(own, value)| value.sort() == own.domain.sort() && own.domain.has(value))
    }

    /// Where a step leads with these inputs; nothing if it is not enabled.
    pub fn take(&self, state: &State, step: &Step, inputs: &[Value]) -> Option<State> {
        debug_assert_eq!(inputs.len(), step.inputs.len(), "each input has a value");
        let value = |variable: Variable| {
            let input = step.inputs.iter().position(|input| input.variable == variable);
            input.map(|at| inputs[at].clone()).or_else(|| self.lookup(state, variable))
        };
        let terms = &self.program.terms;
        let compute = |term| evaluate(terms, term, &value).expect("steps are about variables and inputs");
        if compute(step.guard) != Value::Bool(true) {
            return None;
        }
        let mut next = state.clone();
        for (&variable, &term) in &step.updates {
            let id = self.program.id_of(variable).expect("only variables of the program change");
            next.0[id.index()] = compute(term);
        }
        debug_assert!(!self.is_state(state) || self.is_state(&next), "what leaves a domain is not enabled");
        Some(next)
    }

    /// All successors, by command, step and inputs. Nothing if an input has infinitely or too many values: the command
    /// is given.
    pub fn successors(&self, state: &State) -> Result<Vec<Successor>, CommandId> {
        let mut successors = Vec::new();
        for command in CommandId::first(self.program.commands().len()) {
            successors.extend(self.successors_of(state, command)?);
        }
        Ok(successors)
    }

    /// The successors by one command. Nothing if an input has infinitely or too many values, unless the step is not
    /// enabled whatever its inputs: the command is given.
    pub fn successors_of(&self, state: &State, command: CommandId) -> Result<Vec<Successor>, CommandId> {
        let mut successors = Vec::new();
        for step in 0..self.program.commands()[command.index()].steps.len() {
            successors.extend(self.successors_by(state, command, step).ok_or(command)?);
        }
        Ok(successors)
    }

    /// The successors by one step of a command. Nothing if an input has infinitely or too many values, unless the step
    /// is not enabled whatever its inputs.
    pub fn successors_by(&self, state: &State, command: CommandId, step: usize) -> Option<Vec<Successor>> {
        let own = &self.program.commands()[command.index()].steps[step];
        if self.is_blocked(state, own) {
            return Some(Vec::new());
        }
        let taken = own.all_inputs()?.into_iter().filter_map(|inputs| {
            let next = self.take(state, own, &inputs)?;
            Some(Successor { command, step, inputs, state: next })
        });
        Some(taken.collect())
    }

    /// Whether a part of the guard fails that no input has a say in.
    fn is_blocked(&self, state: &State, step: &Step) -> bool {
        let terms = &self.program.terms;
        if step.inputs.is_empty() {
            return false;
        }
        let is_input = |variable: &Variable| step.inputs.iter().any(|input| input.variable == *variable);
        let parts = terms.conjuncts(step.guard);
        let own = parts.into_iter().filter(|&part| !terms.variables_of(part).iter().any(is_input));
        own.into_iter().any(|part| !self.holds(state, part))
    }

    fn lookup(&self, state: &State, variable: Variable) -> Option<Value> {
        self.program.id_of(variable).map(|id| state.0[id.index()].clone())
    }
}
