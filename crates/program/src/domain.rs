//! What values a program variable can have.

use std::fmt;
use std::sync::Arc;
use tertium_expr::{BigInt, Enumeration, Sort, Term, Terms, Value};

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// The integers from the first to the second, both included; not empty.
    Range(BigInt, BigInt),
    /// Named values.
    Enumeration(Arc<Enumeration>),
}

impl Domain {
    /// The sort of its values.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool => Sort::Bool,
            Self::Int | Self::Range(..) => Sort::Int,
            Self::Enumeration(of) => Sort::Enumeration(Arc::clone(of)),
        }
    }

    /// That a term of its sort has one of its values.
    pub fn contains(&self, terms: &Terms, term: Term) -> Term {
        match self {
            Self::Range(low, high) => terms.and([
                terms.at_most(terms.integer(low.clone()), term),
                terms.at_most(term, terms.integer(high.clone())),
            ]),
            Self::Bool | Self::Int | Self::Enumeration(_) => terms.boolean(true),
        }
    }

    /// Whether a value of its sort is one of its values.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Range(low, high), Value::Int(number)) => low <= number && number <= high,
            _ => true,
        }
    }

    /// One of its values: the lowest of a range, else the default of its sort.
    pub fn first(&self) -> Value {
        match self {
            Self::Range(low, _) => Value::Int(low.clone()),
            Self::Bool | Self::Int | Self::Enumeration(_) => Value::default_of(&self.sort()),
        }
    }

    /// How many values there are, if at most `most`.
    pub fn count(&self, most: usize) -> Option<usize> {
        let count = match self {
            Self::Int => None,
            Self::Bool => Some(2),
            Self::Enumeration(of) => Some(of.values.len()),
            Self::Range(low, high) => usize::try_from(high - low).ok().and_then(|more| more.checked_add(1)),
        };
        count.filter(|&count| count <= most)
    }

    /// All values in order, if there are at most `most`.
    pub fn values(&self, most: usize) -> Option<Vec<Value>> {
        match self {
            Self::Int => None,
            Self::Bool => (most >= 2).then(|| vec![Value::Bool(false), Value::Bool(true)]),
            Self::Enumeration(of) => (of.values.len() <= most).then(|| {
                (0..of.values.len()).map(|index| Value::Constant { of: Arc::clone(of), index }).collect()
            }),
            Self::Range(low, high) => {
                let more = usize::try_from(high - low).ok().filter(|&more| more < most)?;
                Some((0..=more).map(|n| Value::Int(low + BigInt::from(n))).collect())
            }
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Range(low, high) => write!(f, "{low}..{high}"),
            Self::Enumeration(of) => f.write_str(&of.name),
        }
    }
}
