//! Variables as codes: each value of what a query is about has a number, whose bits are propositions of the explored
//! system.
//!
//! Variables of few values have all of them, in order. Integers without bounds have the values that occur in the states
//! of the system, which are all that matter if these are all; else they have no code.

use crate::query::{Subject, SubjectKind};
use tertium_expr::{BigInt, Value};
use tertium_program::{Domain, Interpreter, Program, State, VarId};
use tertium_support::Id;

/// Ranges with more values than this have the codes of those that occur.
const MOST_VALUES: u64 = 1 << 32;

/// Bit-vectors with more bits have the codes of the values that occur.
const MOST_LISTED_BITS: u32 = 16;

/// What a query is about, with a code for each value.
#[derive(Clone, Debug)]
pub struct Coded {
    /// As it is shown.
    pub name: String,
    /// Whether only values that occur have a code.
    pub occurring: bool,
    of: SubjectKind,
    values: Values,
}

/// The values, by code.
#[derive(Clone, Debug)]
enum Values {
    /// `false` and `true`.
    Truth,
    /// All integers of a range.
    Range(BigInt, u64),
    /// These, in ascending order.
    Listed(Vec<Value>),
}

impl Coded {
    /// The codes of a subject. If it has no bounds, they are for the values that `occurring` says that a variable has,
    /// in ascending order; nothing if it does not know them all.
    pub fn new(
        program: &Program,
        subject: &Subject,
        occurring: impl Fn(VarId) -> Option<Vec<Value>>,
    ) -> Option<Self> {
        let (values, occurring) = match subject.kind {
            SubjectKind::Truth(_) => (Values::Truth, false),
            SubjectKind::Variable(id) => match &program.variables()[id.index()].domain {
                Domain::Bool => (Values::Truth, false),
                domain @ Domain::Enumeration(of) => (Values::Listed(domain.values(of.values.len())?), false),
                Domain::Range(low, high) => match u64::try_from(high - low) {
                    Ok(last) if last < MOST_VALUES => (Values::Range(low.clone(), last), false),
                    _ => (Values::Listed(occurring(id)?), true),
                },
                domain @ &Domain::Bits(width) if width <= MOST_LISTED_BITS => {
                    (Values::Listed(domain.values(1 << width)?), false)
                }
                Domain::Int | Domain::Bits(_) | Domain::Array(..) => (Values::Listed(occurring(id)?), true),
            },
        };
        Some(Self { name: subject.name.clone(), occurring, of: subject.kind, values })
    }

    /// The highest code.
    pub fn last_code(&self) -> u64 {
        match &self.values {
            Values::Truth => 1,
            Values::Range(_, last) => *last,
            Values::Listed(values) => (values.len() as u64).saturating_sub(1),
        }
    }

    /// The names of the propositions that are the bits, the lowest first. They are no expressions, so no formula has
    /// them.
    pub fn bit_names(&self) -> Vec<String> {
        let n_bits = u64::BITS - self.last_code().leading_zeros();
        (0..n_bits).map(|bit| format!("{} #{bit}", self.name)).collect()
    }

    /// The value with a code, which is not higher than the last.
    pub fn value(&self, code: u64) -> Value {
        match &self.values {
            Values::Truth => Value::Bool(code == 1),
            Values::Range(low, _) => Value::Int(low + BigInt::from(code)),
            Values::Listed(values) => values[code as usize].clone(),
        }
    }

    /// The code at a state.
    pub fn code(&self, interpreter: &Interpreter<'_>, state: &State) -> u64 {
        let value = match self.of {
            SubjectKind::Truth(term) => return u64::from(interpreter.holds(state, term)),
            SubjectKind::Variable(id) => &state.0[id.index()],
        };
        match (&self.values, value) {
            (Values::Truth, value) => u64::from(value.as_bool() == Some(true)),
            (Values::Range(low, _), Value::Int(number)) => {
                u64::try_from(number - low).expect("states are within the domains")
            }
            (Values::Range(..), _) => unreachable!("a range has integers"),
            (Values::Listed(values), value) => {
                values.binary_search(value).expect("every value that occurs is listed") as u64
            }
        }
    }

    /// Whether the values are integers.
    pub fn is_integer(&self) -> bool {
        match &self.values {
            Values::Truth => false,
            Values::Range(..) => true,
            Values::Listed(values) => matches!(values.first(), Some(Value::Int(_))),
        }
    }

    /// Whether the values are truth values.
    pub fn is_truth(&self) -> bool {
        matches!(self.values, Values::Truth)
    }
}
