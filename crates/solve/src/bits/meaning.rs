//! What terms are among literals, and what can be done with that whatever their sort.

use super::array::Array;
use super::gates::Gates;
use super::number::Number;
use super::word::Word;
use crate::sat::Literal;
use std::rc::Rc;
use std::sync::Arc;
use tertium_expr::{Enumeration, Value};

/// What a term is among literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Truth(Literal),
    Number(Rc<Number>),
    Word(Rc<Word>),
    Choice(Arc<Enumeration>, Rc<Word>),
    Array(Rc<Array>),
}

impl Meaning {
    /// The value, given those of the literals.
    pub(super) fn value(&self, bit: &dyn Fn(Literal) -> bool) -> Value {
        let code = |bits: &[Literal]| {
            bits.iter().enumerate().filter(|&(_, &own)| bit(own)).map(|(at, _)| 1u128 << at).sum::<u128>()
        };
        match self {
            Self::Truth(literal) => Value::Bool(bit(*literal)),
            Self::Number(number) => Value::int(number.value(bit)),
            Self::Word(word) => Value::Bits { width: word.len() as u32, value: code(word) },
            Self::Choice(of, word) => Value::Constant { of: Arc::clone(of), index: code(word) as usize },
            Self::Array(array) => array.value(bit),
        }
    }
}

impl Gates {
    /// A value that depends on nothing; nothing for numbers that are too wide and arrays with too many indices.
    pub(super) fn constant_of(&self, value: &Value) -> Option<Meaning> {
        Some(match value {
            Value::Bool(value) => Meaning::Truth(self.constant(*value)),
            Value::Int(value) => Meaning::Number(Rc::new(self.number(i128::try_from(value.clone()).ok()?)?)),
            Value::Bits { width, value } => Meaning::Word(Rc::new(self.word(*width, *value))),
            Value::Constant { of, index } => {
                Meaning::Choice(Arc::clone(of), Rc::new(self.word(code_width(of), *index as u128)))
            }
            Value::Array { index, rest, entries } => {
                let mut array = Array::everywhere(index, &self.constant_of(rest)?)?;
                for (at, element) in entries {
                    array.put(at, self.constant_of(element)?);
                }
                Meaning::Array(Rc::new(array))
            }
        })
    }

    /// `if condition then yes else no`, of one sort; nothing if a number gets too wide.
    pub(super) fn choose_meaning(
        &mut self,
        condition: Literal,
        yes: &Meaning,
        no: &Meaning,
    ) -> Option<Meaning> {
        match self.known(condition) {
            Some(true) => return Some(yes.clone()),
            Some(false) => return Some(no.clone()),
            None if yes == no => return Some(yes.clone()),
            None => {}
        }
        Some(match (yes, no) {
            (Meaning::Number(yes), Meaning::Number(no)) => {
                Meaning::Number(Rc::new(self.choose_number(condition, yes, no)?))
            }
            (Meaning::Word(yes), Meaning::Word(no)) => {
                Meaning::Word(Rc::new(self.choose_word(condition, yes, no)))
            }
            (Meaning::Choice(of, yes), Meaning::Choice(_, no)) => {
                Meaning::Choice(Arc::clone(of), Rc::new(self.choose_word(condition, yes, no)))
            }
            (Meaning::Truth(yes), Meaning::Truth(no)) => Meaning::Truth(self.choose(condition, *yes, *no)),
            (Meaning::Array(yes), Meaning::Array(no)) => {
                Meaning::Array(Rc::new(self.choose_array(condition, yes, no)?))
            }
            (yes, no) => panic!("both sides have one sort, not {yes:?} and {no:?}"),
        })
    }

    /// Whether both, of one sort, are the same; nothing if a number gets too wide.
    pub(super) fn same(&mut self, left: &Meaning, right: &Meaning) -> Option<Literal> {
        Some(match (left, right) {
            (Meaning::Truth(left), Meaning::Truth(right)) => self.iff(*left, *right),
            (Meaning::Number(left), Meaning::Number(right)) => self.same_number(left, right),
            (Meaning::Word(left), Meaning::Word(right))
            | (Meaning::Choice(_, left), Meaning::Choice(_, right)) => self.equal(left, right),
            (Meaning::Array(left), Meaning::Array(right)) => return self.same_array(left, right),
            (left, right) => panic!("both sides have one sort, not {left:?} and {right:?}"),
        })
    }
}

/// How many bits the codes of an enumeration have.
pub(super) fn code_width(of: &Enumeration) -> u32 {
    (usize::BITS - (of.values.len() - 1).leading_zeros()).max(1)
}
