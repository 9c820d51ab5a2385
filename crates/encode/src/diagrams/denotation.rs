//! What terms are, as functions of bits, and what can be done with them whatever their sort.

use super::circuit::{self, Made};
use super::{Array, Integer, Values};
use std::rc::Rc;
use std::sync::Arc;
use tertium_dd::{Bdd, Manager};
use tertium_expr::Value;

/// What a term is, as a function of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denotation {
    /// A truth value.
    Truth(Bdd),
    /// An integer.
    Number(Integer),
    /// A bit-vector, or the code of a value with a name; the lowest bit first.
    Bits(Vec<Bdd>),
    /// An array, element by element.
    Array(Rc<Array>),
}

impl Denotation {
    /// A value that depends on nothing; nothing for arrays with too many indices.
    pub fn constant(manager: &Manager, value: &Value) -> Option<Self> {
        Some(match value {
            Value::Bool(truth) => Self::Truth(manager.constant(*truth)),
            Value::Int(number) => Self::Number(Integer::constant(manager, number)),
            Value::Bits { width, value } => {
                Self::Bits(circuit::constant(manager, *value as i128, *width as usize))
            }
            Value::Constant { of, index } => {
                let width = Values::Enumeration(Arc::clone(of)).width();
                Self::Bits(circuit::constant(manager, *index as i128, width))
            }
            Value::Array { index, rest, entries } => {
                let mut array = Array::everywhere(index, &Self::constant(manager, rest)?)?;
                for (at, element) in entries {
                    array.put(at, Self::constant(manager, element)?);
                }
                Self::Array(Rc::new(array))
            }
        })
    }

    /// `if condition then yes else no`, of one sort.
    pub(super) fn choose(condition: &Bdd, yes: &Self, no: &Self) -> Made<Self> {
        if condition.is_true() || yes == no {
            return Ok(yes.clone());
        }
        if condition.is_false() {
            return Ok(no.clone());
        }
        Ok(match (yes, no) {
            (Self::Number(yes), Self::Number(no)) => Self::Number(yes.or_else(no, condition)?),
            (Self::Bits(yes), Self::Bits(no)) => Self::Bits(circuit::ite(condition, yes, no)?),
            (Self::Truth(yes), Self::Truth(no)) => Self::Truth(condition.ite(yes, no)?),
            (Self::Array(yes), Self::Array(no)) => Self::Array(Rc::new(Array::choose(condition, yes, no)?)),
            _ => unreachable!("both cases have one sort"),
        })
    }

    /// Where both, of one sort, are the same.
    pub(super) fn same(manager: &Manager, left: &Self, right: &Self) -> Made<Bdd> {
        match (left, right) {
            (Self::Truth(a), Self::Truth(b)) => a.iff(b),
            (Self::Bits(a), Self::Bits(b)) => circuit::equal(manager, a, b),
            (Self::Number(a), Self::Number(b)) => a.equal(b),
            (Self::Array(a), Self::Array(b)) => a.same(manager, b),
            _ => unreachable!("both sides have one sort"),
        }
    }
}
