//! What a term stands for.

use crate::Value;
use crate::evaluate::values_of;
use std::fmt;
use std::sync::Arc;

/// A finite type whose values have names. Two enumerations are the same if their names and values are.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Enumeration {
    /// Its name, for messages and solvers.
    pub name: String,
    /// The names of its values, in order; at least one.
    pub values: Vec<String>,
}

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers, without bounds.
    Int,
    /// Bit-vectors of this width, between 1 and 128.
    Bits(u32),
    /// Values with names.
    Enumeration(Arc<Enumeration>),
    /// Total functions from the first sort to the second.
    Array(Arc<Sort>, Arc<Sort>),
}

impl Sort {
    /// The arrays from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Self {
        Self::Array(Arc::new(index), Arc::new(element))
    }

    /// How many values it has, if these are finitely many, the number fits, and they are no arrays.
    pub fn count(&self) -> Option<u128> {
        match self {
            Self::Bool => Some(2),
            Self::Bits(width) => 1u128.checked_shl(*width),
            Self::Enumeration(of) => Some(of.values.len() as u128),
            Self::Int | Self::Array(..) => None,
        }
    }

    /// All of its values in ascending order, if there are at most `most` and they are no arrays.
    pub fn values(&self, most: usize) -> Option<Vec<Value>> {
        values_of(self, most)
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Bits(width) => write!(f, "bits({width})"),
            Self::Enumeration(enumeration) => f.write_str(&enumeration.name),
            Self::Array(index, element) => write!(f, "array({index}, {element})"),
        }
    }
}
