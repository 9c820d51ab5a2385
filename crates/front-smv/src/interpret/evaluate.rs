//! What an expression denotes, when some variables have values.
//!
//! Operators apply to every combination of values of their operands. Conjunction, disjunction and implication are decided by
//! one operand where that is possible, whatever the other has to say: a fault there does not matter, and neither does
//! a variable that has no value yet. So an expression may be evaluated on part of a state, and what it then says stays true.
//!
//! The values of definitions are kept until a variable that they read changes.

use super::operate::{binary, bits, unary};
use super::{Fault, FaultKind, Input, Interpreter, State};
use crate::{BinaryOp, Expr, ExprKind, Value, VarId};
use tertium_support::{Id, Span};

/// Which of the two states of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum When {
    /// The state that the step leaves, or the only one.
    Now,
    /// The state that it leads to.
    Next,
}

/// A set of values, most often one. Never empty unless a set literal is; the many are sorted and different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Exactly one.
    One(Value),
    /// Any other number.
    Many(Vec<Value>),
}

impl Values {
    pub(crate) fn as_slice(&self) -> &[Value] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }

    fn of(mut values: Vec<Value>) -> Self {
        values.sort_unstable();
        values.dedup();
        if let [value] = values[..] { Self::One(value) } else { Self::Many(values) }
    }
}

const FALSE: Values = Values::One(Value::Boolean(false));
const TRUE: Values = Values::One(Value::Boolean(true));

type Outcome = Result<Values, Fault>;

/// The memory of a valuation.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// By time and variable.
    values: [Vec<Option<Value>>; 2],
    /// By time and definition.
    known: [Vec<Option<Outcome>>; 2],
}

/// Values for some of the variables, now and next.
#[derive(Debug)]
pub(crate) struct Valuation<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    /// By time and variable.
    values: [Vec<Option<Value>>; 2],
    /// By time and definition.
    known: [Vec<Option<Outcome>>; 2],
}

impl<'i, 'm> Valuation<'i, 'm> {
    pub(crate) fn new(interpreter: &'i Interpreter<'m>) -> Self {
        let values = vec![None; interpreter.model.variables.len()];
        let known = vec![None; interpreter.model.defines.len()];
        Self { interpreter, values: [values.clone(), values], known: [known.clone(), known] }
    }

    /// A valuation in memory that was used before for the same model, with the values that it has.
    pub(crate) fn within(interpreter: &'i Interpreter<'m>, buffers: Buffers) -> Self {
        let Buffers { mut values, mut known } = buffers;
        values.iter_mut().for_each(|values| values.resize(interpreter.model.variables.len(), None));
        known.iter_mut().for_each(|known| known.resize(interpreter.model.defines.len(), None));
        Self { interpreter, values, known }
    }

    /// Its memory.
    pub(crate) fn into_buffers(self) -> Buffers {
        Buffers { values: self.values, known: self.known }
    }

    pub(crate) fn interpreter(&self) -> &'i Interpreter<'m> {
        self.interpreter
    }

    /// Sets what is now.
    pub(crate) fn load_now(&mut self, state: &State, input: Option<&Input>) {
        self.load(When::Now, state);
        if let Some(input) = input {
            for (&variable, &value) in self.interpreter.input_variables.iter().zip(&input.0) {
                self.values[When::Now as usize][variable.index()] = Some(value);
            }
        }
    }

    /// Sets what is next.
    pub(crate) fn load_next(&mut self, state: &State) {
        self.load(When::Next, state);
    }

    fn load(&mut self, when: When, state: &State) {
        let state_variables = self.interpreter.state_variables.iter().copied();
        self.load_values(when, state_variables.zip(state.0.iter().copied()));
    }

    /// Sets what is now or next: these variables have these values, and the others none.
    pub(crate) fn load_values(&mut self, when: When, values: impl Iterator<Item = (VarId, Value)>) {
        self.values[when as usize].fill(None);
        self.known[when as usize].fill(None);
        for (variable, value) in values {
            self.values[when as usize][variable.index()] = Some(value);
        }
    }

    /// Gives a variable a value, or takes it away. What was known of definitions that read it is forgotten. All that was looked at to know
    /// a definition is known as well, faults among it: so behind a definition that is not known there is nothing to forget.
    pub(crate) fn set(&mut self, when: When, variable: VarId, value: Option<Value>) {
        self.values[when as usize][variable.index()] = value;
        let Interpreter { reads, readers, .. } = self.interpreter;
        let known = &mut self.known[when as usize];
        let mut changed = Vec::new();
        let mut next = Some(reads.of_variable(variable));
        while let Some(node) = next {
            for &define in &readers[node.index()] {
                if known[define].take().is_some() {
                    changed.push(reads.of_define(define));
                }
            }
            next = changed.pop();
        }
    }

    /// The value of a variable.
    pub(crate) fn get(&self, when: When, variable: VarId) -> Option<Value> {
        self.values[when as usize][variable.index()]
    }

    /// The one truth value of an expression.
    pub(crate) fn truth(&mut self, expr: &Expr, when: When) -> Result<bool, Fault> {
        match self.evaluate(expr, when)? {
            Values::One(Value::Boolean(value)) => Ok(value),
            Values::One(_) => Err(Fault { span: expr.span, kind: FaultKind::IllTyped }),
            Values::Many(_) => Err(Fault { span: expr.span, kind: FaultKind::NotDetermined }),
        }
    }

    /// The values of an expression.
    pub(crate) fn evaluate(&mut self, expr: &Expr, when: When) -> Outcome {
        let interpreter = self.interpreter;
        for &station in &interpreter.stations {
            // What goes wrong is remembered with the definition, and counts if it is read.
            let _ = self.define(station, when);
            if when == When::Now {
                let _ = self.define(station, When::Next);
            }
        }
        self.value(expr, when)
    }

    fn define(&mut self, define: usize, when: When) -> Outcome {
        if let Some(outcome) = &self.known[when as usize][define] {
            return outcome.clone();
        }
        let interpreter = self.interpreter;
        let outcome = self.value(&interpreter.model.defines[define].body, when);
        self.known[when as usize][define] = Some(outcome.clone());
        outcome
    }

    fn value(&mut self, expr: &Expr, when: When) -> Outcome {
        let fault = |kind| Fault { span: expr.span, kind };
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Values::One(*value)),
            ExprKind::Variable(id) => {
                self.get(when, *id).map(Values::One).ok_or(fault(FaultKind::NotGiven(*id)))
            }
            ExprKind::Define(id) => self.define(id.index(), when),
            // The elaborated model has no `next` inside `next`.
            ExprKind::Next(_) if when == When::Next => Err(fault(FaultKind::IllTyped)),
            ExprKind::Next(operand) => self.value(operand, When::Next),
            ExprKind::Unary(operator, operand) => {
                let operand = self.value(operand, when)?;
                each(&operand, expr.span, |value| unary(*operator, value, &expr.ty))
            }
            ExprKind::Binary(operator, left, right) => self.pair(*operator, left, right, when, expr.span),
            ExprKind::Case(branches) => {
                for (condition, value) in branches {
                    if self.truth_of(condition, when)? {
                        return self.value(value, when);
                    }
                }
                Err(fault(FaultKind::NoBranch))
            }
            ExprKind::Set(elements) => {
                let mut all = Vec::new();
                for element in elements {
                    all.extend_from_slice(self.value(element, when)?.as_slice());
                }
                Ok(Values::of(all))
            }
            ExprKind::Bits(operand, high, low) => {
                let operand = self.value(operand, when)?;
                each(&operand, expr.span, |value| bits(value, *high, *low))
            }
            ExprKind::Count(operands) => {
                let mut count = 0;
                for operand in operands {
                    count += i64::from(self.truth_of(operand, when)?);
                }
                Ok(Values::One(Value::Integer(count)))
            }
        }
    }

    /// As [`Self::truth`], inside an expression.
    fn truth_of(&mut self, expr: &Expr, when: When) -> Result<bool, Fault> {
        match self.value(expr, when)? {
            Values::One(Value::Boolean(value)) => Ok(value),
            Values::One(_) => Err(Fault { span: expr.span, kind: FaultKind::IllTyped }),
            Values::Many(_) => Err(Fault { span: expr.span, kind: FaultKind::NotDetermined }),
        }
    }

    fn pair(&mut self, operator: BinaryOp, left: &Expr, right: &Expr, when: When, span: Span) -> Outcome {
        // The value of one operand that decides, and what it decides.
        let deciding = match operator {
            BinaryOp::And => Some((FALSE, FALSE, FALSE)),
            BinaryOp::Or => Some((TRUE, TRUE, TRUE)),
            BinaryOp::Implies => Some((FALSE, TRUE, TRUE)),
            _ => None,
        };
        let a = self.value(left, when);
        if let (Some((by_left, _, decided)), Ok(a)) = (&deciding, &a)
            && a == by_left
        {
            return Ok(decided.clone());
        }
        if deciding.is_none() && a.is_err() {
            return a;
        }
        let b = self.value(right, when);
        if let (Some((_, by_right, decided)), Ok(b)) = (&deciding, &b)
            && b == by_right
        {
            return Ok(decided.clone());
        }
        let (a, b) = (a?, b?);
        if operator == BinaryOp::In {
            let all = a.as_slice().iter().all(|value| b.as_slice().contains(value));
            return Ok(Values::One(Value::Boolean(all)));
        }
        let fault = |kind| Fault { span, kind };
        if let (Values::One(a), Values::One(b)) = (&a, &b) {
            return binary(operator, *a, *b).map(Values::One).map_err(fault);
        }
        let mut all = Vec::new();
        for &a in a.as_slice() {
            for &b in b.as_slice() {
                all.push(binary(operator, a, b).map_err(fault)?);
            }
        }
        Ok(Values::of(all))
    }
}

fn each(operand: &Values, span: Span, apply: impl Fn(Value) -> Result<Value, FaultKind>) -> Outcome {
    let fault = |kind| Fault { span, kind };
    match operand {
        Values::One(value) => apply(*value).map(Values::One).map_err(fault),
        Values::Many(values) => {
            values.iter().map(|&value| apply(value)).collect::<Result<_, _>>().map(Values::of).map_err(fault)
        }
    }
}
