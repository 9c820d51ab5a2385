//! What a term comes to once its variables have values.

use crate::evaluate::values_of;
use crate::{Enumeration, Sort};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A mathematical integer.
    Int(BigInt),
    /// A bit-vector; bits beyond the width are zero.
    Bits {
        /// How many bits.
        width: u32,
        /// As an unsigned number.
        value: u128,
    },
    /// A value with a name.
    Constant {
        /// The enumeration.
        of: Arc<Enumeration>,
        /// Which of its values.
        index: usize,
    },
    /// A function that has one value everywhere but at finitely many places. [`Value::array`] makes it such that equality is that
    /// of functions: entries that equal the rest are not kept, and if there are finitely many indices, the rest is the value that most
    /// of them have, the least of several. Indices are no arrays.
    Array {
        /// The sort of its indices.
        index: Arc<Sort>,
        /// The value at all other places.
        rest: Box<Value>,
        /// Where it differs from the rest.
        entries: BTreeMap<Value, Value>,
    },
}

impl Value {
    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Self {
        Self::Int(value.into())
    }

    /// The function that has the values of `entries` there and the rest elsewhere.
    ///
    /// Costs one step for each entry, and for each index if at least half of all have an entry.
    pub fn array(index: Arc<Sort>, rest: Self, mut entries: BTreeMap<Self, Self>) -> Self {
        entries.retain(|_, value| *value != rest);
        match index.count() {
            Some(count) if count <= 2 * entries.len() as u128 => Self::listed(index, count, rest, entries),
            _ => Self::Array { index, rest: Box::new(rest), entries },
        }
    }

    /// An array of finitely many indices, which need not be in normal form.
    fn listed(index: Arc<Sort>, count: u128, rest: Self, mut entries: BTreeMap<Self, Self>) -> Self {
        let mut frequencies: BTreeMap<&Self, u128> = BTreeMap::from([(&rest, count - entries.len() as u128)]);
        entries.values().for_each(|value| *frequencies.entry(value).or_default() += 1);
        let most = frequencies.values().max().copied().unwrap_or_default();
        let common = frequencies.into_iter().find(|&(_, times)| times == most);
        let common = common.map_or_else(|| rest.clone(), |(value, _)| value.clone());
        if common != rest {
            for at in values_of(&index, 2 * entries.len()).into_iter().flatten() {
                entries.entry(at).or_insert_with(|| rest.clone());
            }
            entries.retain(|_, value| *value != common);
        }
        Self::Array { index, rest: Box::new(common), entries }
    }

    /// The sort it belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::Bits { width, .. } => Sort::Bits(*width),
            Self::Constant { of, .. } => Sort::Enumeration(of.clone()),
            Self::Array { index, rest, .. } => Sort::Array(index.clone(), Arc::new(rest.sort())),
        }
    }

    /// The value that variables of this sort have if nothing is said: false, zero, the first name, an array of such values.
    pub fn default_of(sort: &Sort) -> Self {
        match sort {
            Sort::Bool => Self::Bool(false),
            Sort::Int => Self::int(0),
            Sort::Bits(width) => Self::Bits { width: *width, value: 0 },
            Sort::Enumeration(of) => Self::Constant { of: of.clone(), index: 0 },
            Sort::Array(index, element) => Self::Array {
                index: index.clone(),
                rest: Box::new(Self::default_of(element)),
                entries: BTreeMap::new(),
            },
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Self::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Bits { width, value } => write!(f, "{width}'d{value}"),
            Self::Constant { of, index } => f.write_str(&of.values[*index]),
            Self::Array { rest, entries, .. } => {
                f.write_str("[")?;
                for (index, value) in entries {
                    write!(f, "{index}: {value}, ")?;
                }
                write!(f, "else {rest}]")
            }
        }
    }
}
