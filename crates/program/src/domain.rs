//! What values a program variable can have.
//!
//! An array has an element at each index of its index domain. As a term it is a function on the whole sort of indices, so that two
//! arrays with the same elements are the same state, it has the first value of its element domain wherever there is no index. So a read
//! there has a value, which is the same for everybody, and a write of anything else leaves the domain.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use tertium_expr::{BigInt, Enumeration, Sort, Term, TermKind, Terms, Value};

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// The integers from the first to the second, both included; not empty.
    Range(BigInt, BigInt),
    /// Bit-vectors of this width, between 1 and 128.
    Bits(u32),
    /// Named values.
    Enumeration(Arc<Enumeration>),
    /// An element of the second domain at each index of the first, see [`Domain::is_sayable`].
    Array(Arc<Domain>, Arc<Domain>),
}

impl Domain {
    /// An array that says of each element whether it is of its domain has at most so many.
    pub const MOST_ELEMENTS: usize = 4096;

    /// The arrays with these indices and elements.
    pub fn array(index: Self, element: Self) -> Self {
        Self::Array(Arc::new(index), Arc::new(element))
    }

    /// Whether terms without quantifiers can say that a value is of the domain: indices are no arrays, and there are at most
    /// [`Domain::MOST_ELEMENTS`] of them, unless index and element can have all values of their sorts. Variables have such domains.
    pub fn is_sayable(&self) -> bool {
        match self {
            Self::Array(index, element) => {
                let few = index.count(Self::MOST_ELEMENTS).is_some();
                !matches!(**index, Self::Array(..)) && element.is_sayable() && (few || self.is_whole())
            }
            _ => true,
        }
    }

    /// Whether it has all values of its sort.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Bool | Self::Int | Self::Bits(_) | Self::Enumeration(_) => true,
            Self::Range(..) => false,
            Self::Array(index, element) => index.is_whole() && element.is_whole(),
        }
    }

    /// Whether it has finitely many values.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Int => false,
            Self::Bool | Self::Range(..) | Self::Bits(_) | Self::Enumeration(_) => true,
            Self::Array(index, element) => index.is_finite() && element.is_finite(),
        }
    }

    /// The sort of its values.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool => Sort::Bool,
            Self::Int | Self::Range(..) => Sort::Int,
            Self::Bits(width) => Sort::Bits(*width),
            Self::Enumeration(of) => Sort::Enumeration(Arc::clone(of)),
            Self::Array(index, element) => Sort::array(index.sort(), element.sort()),
        }
    }

    /// That a term of its sort has one of its values.
    pub fn contains(&self, terms: &Terms, term: Term) -> Term {
        match self {
            Self::Range(low, high) => terms.and([
                terms.at_most(terms.integer(low.clone()), term),
                terms.at_most(term, terms.integer(high.clone())),
            ]),
            Self::Array(index, element) if !self.is_whole() => {
                let indices = index.values(Self::MOST_ELEMENTS).expect("the domain is sayable");
                let elements: Vec<(Term, Term)> =
                    indices.iter().map(|at| terms.value(at)).map(|at| (at, terms.select(term, at))).collect();
                let inside = elements.iter().map(|&(_, own)| element.contains(terms, own));
                let mut parts: Vec<Term> = inside.collect();
                if !index.is_whole() {
                    let nothing = terms.everywhere(Arc::new(index.sort()), terms.value(&element.first()));
                    let whole =
                        elements.iter().fold(nothing, |array, &(at, own)| terms.store(array, at, own));
                    parts.push(terms.equal(term, whole));
                }
                terms.and(parts)
            }
            Self::Bool | Self::Int | Self::Bits(_) | Self::Enumeration(_) | Self::Array(..) => {
                terms.boolean(true)
            }
        }
    }

    /// That a variable of this domain stays in it when it becomes `term`, if it was in it before and these terms hold.
    ///
    /// That is [`Domain::contains`], but shorter where an array gets new elements at some indices.
    pub fn keeps(&self, terms: &Terms, known: &BTreeSet<Term>, variable: Term, term: Term) -> Term {
        self.keeps_but(terms, known, variable, term, &mut Vec::new())
    }

    /// The same, if elements at the indices `later` do not matter, since they are written again.
    fn keeps_but(
        &self,
        terms: &Terms,
        known: &BTreeSet<Term>,
        variable: Term,
        term: Term,
        later: &mut Vec<Term>,
    ) -> Term {
        match (self, terms.kind(term)) {
            _ if term == variable => terms.boolean(true),
            (Self::Array(index, element), TermKind::Store(array, at, own)) => {
                let demands = terms.conjuncts(index.contains(terms, at));
                let is_index = terms.and(demands.into_iter().filter(|demand| !known.contains(demand)));
                let first = terms.equal(own, terms.value(&element.first()));
                let inside = element.keeps(terms, known, terms.select(array, at), own);
                let demand = terms.and([terms.implies(is_index, inside), terms.or([is_index, first])]);
                let again = terms.or(later.iter().map(|&other| terms.equal(at, other)));
                later.push(at);
                terms.and([terms.or([again, demand]), self.keeps_but(terms, known, variable, array, later)])
            }
            _ if later.is_empty() => self.contains(terms, term),
            // What is written again may as well be the first value, which is right everywhere.
            (Self::Array(_, element), _) => {
                let first = terms.value(&element.first());
                self.contains(terms, later.iter().fold(term, |array, &at| terms.store(array, at, first)))
            }
            _ => unreachable!("only arrays are written in part"),
        }
    }

    /// Whether a value of its sort is one of its values.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Range(low, high), Value::Int(number)) => low <= number && number <= high,
            (Self::Array(index, element), Value::Array { rest, entries, .. }) => {
                let outside = if index.is_whole() { element.has(rest) } else { **rest == element.first() };
                outside && entries.iter().all(|(at, own)| index.has(at) && element.has(own))
            }
            _ => true,
        }
    }

    /// One of its values: the lowest of a range, else the default of its sort, and an array of such values.
    pub fn first(&self) -> Value {
        match self {
            Self::Range(low, _) => Value::Int(low.clone()),
            Self::Array(index, element) => {
                Value::array(Arc::new(index.sort()), element.first(), BTreeMap::new())
            }
            Self::Bool | Self::Int | Self::Bits(_) | Self::Enumeration(_) => Value::default_of(&self.sort()),
        }
    }

    /// The array with these elements, by index in order. Nothing if this is no array, or there is another number of indices.
    pub fn array_value(&self, elements: impl ExactSizeIterator<Item = Value>) -> Option<Value> {
        let Self::Array(index, element) = self else { return None };
        let indices = index.values(elements.len()).filter(|indices| indices.len() == elements.len())?;
        Some(Value::array(
            Arc::new(index.sort()),
            element.first(),
            indices.into_iter().zip(elements).collect(),
        ))
    }

    /// Which of its values this is, from 0, in the order of [`Domain::values`]. Nothing if it is none of them, an integer without
    /// bounds, or an array.
    pub fn number_of(&self, value: &Value) -> Option<usize> {
        match (self, value) {
            (Self::Bool, Value::Bool(value)) => Some(usize::from(*value)),
            (Self::Range(low, high), Value::Int(number)) if number <= high => {
                usize::try_from(number - low).ok()
            }
            (Self::Bits(_), Value::Bits { value, .. }) => usize::try_from(*value).ok(),
            (Self::Enumeration(_), Value::Constant { index, .. }) => Some(*index),
            _ => None,
        }
    }

    /// How many values there are, if at most `most`.
    pub fn count(&self, most: usize) -> Option<usize> {
        let count = match self {
            Self::Int => None,
            Self::Bool => Some(2),
            Self::Enumeration(of) => Some(of.values.len()),
            Self::Range(low, high) => usize::try_from(high - low).ok().and_then(|more| more.checked_add(1)),
            Self::Bits(width) => 1usize.checked_shl(*width),
            Self::Array(index, element) => match element.count(most)? {
                1 => Some(1),
                // Two values at more indices than this make more arrays than can be counted.
                elements => elements.checked_pow(index.count(usize::BITS as usize)? as u32),
            },
        };
        count.filter(|&count| count <= most)
    }

    /// All values in ascending order, if there are at most `most`.
    pub fn values(&self, most: usize) -> Option<Vec<Value>> {
        let count = self.count(most)?;
        let values = match self {
            Self::Int => return None,
            Self::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Self::Enumeration(of) => {
                (0..count).map(|index| Value::Constant { of: Arc::clone(of), index }).collect()
            }
            Self::Range(low, _) => (0..count).map(|n| Value::Int(low + BigInt::from(n))).collect(),
            Self::Bits(width) => {
                (0..count).map(|n| Value::Bits { width: *width, value: n as u128 }).collect()
            }
            Self::Array(..) if count == 1 => vec![self.first()],
            Self::Array(index, element) => {
                let (n_indices, elements) = (index.count(usize::BITS as usize)?, element.values(most)?);
                let array = |mut number: usize| {
                    let mut own = vec![Value::Bool(false); n_indices];
                    for place in own.iter_mut().rev() {
                        *place = elements[number % elements.len()].clone();
                        number /= elements.len();
                    }
                    self.array_value(own.into_iter())
                };
                let mut arrays = (0..count).map(array).collect::<Option<Vec<_>>>()?;
                arrays.sort_unstable();
                arrays
            }
        };
        debug_assert_eq!(values.len(), count, "all values of {self}");
        debug_assert!(values.is_sorted_by(|one, other| one < other), "values ascend");
        Some(values)
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Range(low, high) => write!(f, "{low}..{high}"),
            Self::Bits(width) => write!(f, "bits({width})"),
            Self::Enumeration(of) => f.write_str(&of.name),
            Self::Array(index, element) => write!(f, "array {index} of {element}"),
        }
    }
}
