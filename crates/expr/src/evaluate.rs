//! The value of a term, given values for its variables.
//!
//! Straight from the meaning of each operation, without the solver: models that a solver finds are checked with it.

use crate::bits::compute;
use crate::{Sort, Term, TermKind, Terms, Value, Variable};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Quantified variables may have at most this many values together.
pub(crate) const QUANTIFIED_LIMIT: usize = 1 << 16;

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// Nothing is said about this variable.
    Unassigned(Variable),
    /// It is quantified over infinitely or too many values.
    Unbounded(Variable),
}

/// The value of `term` where variables have the values of `assignment`. Costs one operation for each part that matters.
pub fn evaluate(
    terms: &Terms,
    term: Term,
    assignment: &dyn Fn(Variable) -> Option<Value>,
) -> Result<Value, EvaluationError> {
    Evaluation { terms, assignment, done: FxHashMap::default() }.value(term)
}

struct Evaluation<'a> {
    terms: &'a Terms,
    assignment: &'a dyn Fn(Variable) -> Option<Value>,
    done: FxHashMap<Term, Value>,
}

impl Evaluation<'_> {
    fn value(&mut self, term: Term) -> Result<Value, EvaluationError> {
        if let Some(value) = self.done.get(&term) {
            return Ok(value.clone());
        }
        let value = match self.terms.kind(term) {
            TermKind::Bool(value) => Value::Bool(value),
            TermKind::Int(value) => Value::Int(value),
            TermKind::Bits(width, value) => Value::Bits { width, value },
            TermKind::Constant(of, index) => Value::Constant { of, index },
            TermKind::Variable(variable) => {
                (self.assignment)(variable).ok_or(EvaluationError::Unassigned(variable))?
            }
            TermKind::Not(inner) => Value::Bool(!self.truth(inner)?),
            TermKind::And(parts) => self.first_that_is(false, &parts)?,
            TermKind::Or(parts) => self.first_that_is(true, &parts)?,
            TermKind::If(condition, then, otherwise) => {
                let case = if self.truth(condition)? { then } else { otherwise };
                self.value(case)?
            }
            TermKind::Equal(left, right) => Value::Bool(self.value(left)? == self.value(right)?),
            TermKind::AtMost(form, bound) => Value::Bool(self.number(form)? <= bound),
            TermKind::Exactly(form, number) => Value::Bool(self.number(form)? == number),
            TermKind::Sum(mut total, parts) => {
                for (factor, part) in parts {
                    total += factor * self.number(part)?;
                }
                Value::Int(total)
            }
            TermKind::Product(factors) => {
                let mut product = BigInt::from(1);
                for factor in factors {
                    product *= self.number(factor)?;
                }
                Value::Int(product)
            }
            TermKind::Divide(term, divisor) => Value::Int(self.number(term)?.div_floor(&divisor)),
            TermKind::Modulo(term, divisor) => Value::Int(self.number(term)?.mod_floor(&divisor)),
            TermKind::Bitwise(operation, operands) => {
                let mut widths = Vec::new();
                let mut values = Vec::new();
                for operand in operands {
                    let Value::Bits { width, value } = self.value(operand)? else {
                        unreachable!("operands are bit-vectors")
                    };
                    widths.push(width);
                    values.push(value);
                }
                let value = compute(operation, &widths, &values);
                match self.terms.sort(term) {
                    Sort::Bits(width) => Value::Bits { width, value },
                    _ => Value::Bool(value != 0),
                }
            }
            TermKind::Select(array, index) => {
                let (array, index) = (self.value(array)?, self.value(index)?);
                let Value::Array { rest, mut entries, .. } = array else { unreachable!("an array") };
                entries.remove(&index).unwrap_or(*rest)
            }
            TermKind::Store(array, index, element) => {
                let (array, at, element) = (self.value(array)?, self.value(index)?, self.value(element)?);
                let Value::Array { index, rest, mut entries } = array else { unreachable!("an array") };
                entries.insert(at, element);
                Value::array(index, *rest, entries)
            }
            TermKind::Everywhere(index, element) => {
                Value::Array { index, rest: Box::new(self.value(element)?), entries: BTreeMap::new() }
            }
            TermKind::ForAll(variables, body) => Value::Bool(self.for_all(&variables, body)?),
        };
        self.done.insert(term, value.clone());
        Ok(value)
    }

    fn truth(&mut self, term: Term) -> Result<bool, EvaluationError> {
        match self.value(term)? {
            Value::Bool(value) => Ok(value),
            _ => unreachable!("a truth value"),
        }
    }

    fn number(&mut self, term: Term) -> Result<BigInt, EvaluationError> {
        match self.value(term)? {
            Value::Int(value) => Ok(value),
            _ => unreachable!("an integer"),
        }
    }

    /// Whether one of the parts has this truth value: then it is that of the whole, else the opposite is.
    fn first_that_is(&mut self, decisive: bool, parts: &[Term]) -> Result<Value, EvaluationError> {
        for &part in parts {
            if self.truth(part)? == decisive {
                return Ok(Value::Bool(decisive));
            }
        }
        Ok(Value::Bool(!decisive))
    }

    /// Tries all values of all variables.
    fn for_all(&self, variables: &[Variable], body: Term) -> Result<bool, EvaluationError> {
        let mut domains = Vec::new();
        let mut n_points = 1usize;
        for &variable in variables {
            let domain = values_of(&self.terms.sort_of(variable), QUANTIFIED_LIMIT)
                .ok_or(EvaluationError::Unbounded(variable))?;
            n_points = n_points.saturating_mul(domain.len());
            if n_points > QUANTIFIED_LIMIT {
                return Err(EvaluationError::Unbounded(variable));
            }
            domains.push(domain);
        }
        for mut point in 0..n_points {
            let mut values = BTreeMap::new();
            for (&variable, domain) in variables.iter().zip(&domains) {
                values.insert(variable, domain[point % domain.len()].clone());
                point /= domain.len();
            }
            let inside = |variable| values.get(&variable).cloned().or_else(|| (self.assignment)(variable));
            if evaluate(self.terms, body, &inside)? == Value::Bool(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The values of a sort, if there are at most `most`.
pub(crate) fn values_of(sort: &Sort, most: usize) -> Option<Vec<Value>> {
    let value = |n: u128| match sort {
        Sort::Bits(width) => Value::Bits { width: *width, value: n },
        Sort::Enumeration(of) => Value::Constant { of: of.clone(), index: n as usize },
        _ => Value::Bool(n == 1),
    };
    let count = sort.count().filter(|&count| count <= most as u128)?;
    Some((0..count).map(value).collect())
}
