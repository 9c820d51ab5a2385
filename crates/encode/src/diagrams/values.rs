//! The values of a finite variable, and the code of each: a number in binary.
//!
//! Codes count from zero in the order of the values. The last code may be lower than what the bits can say; the codes beyond it
//! stand for nothing, and whoever makes a system excludes them from its states.
//!
//! Invariant: there is at least one value, and codes fit in 64 bits.

use std::sync::Arc;
use tertium_expr::{BigInt, BitOperation, Enumeration, Sort, Term, Terms, Value};
use tertium_program::Domain;

/// The values of a finite variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// False, then true.
    Bool,
    /// The integers from the first to the second, both included.
    Range(BigInt, BigInt),
    /// These integers, in this order, each once.
    Numbers(Vec<BigInt>),
    /// Named values.
    Enumeration(Arc<Enumeration>),
    /// Bit-vectors of this width.
    Bits(u32),
}

impl Values {
    /// The values of a sort that has finitely many; nothing if codes would not fit.
    pub fn of_sort(sort: &Sort) -> Option<Self> {
        match sort {
            Sort::Bool => Some(Self::Bool),
            Sort::Enumeration(of) => Some(Self::Enumeration(Arc::clone(of))),
            Sort::Bits(width) if *width <= u64::BITS => Some(Self::Bits(*width)),
            Sort::Bits(_) | Sort::Int | Sort::Array(..) => None,
        }
    }

    /// The values of a domain that has finitely many; nothing if codes would not fit.
    pub fn of_domain(domain: &Domain) -> Option<Self> {
        match domain {
            Domain::Range(low, high) => {
                u64::try_from(high - low).ok().map(|_| Self::Range(low.clone(), high.clone()))
            }
            Domain::Bool | Domain::Int | Domain::Bits(_) | Domain::Enumeration(_) | Domain::Array(..) => {
                Self::of_sort(&domain.sort())
            }
        }
    }

    /// The highest code that stands for a value.
    pub fn last_code(&self) -> u64 {
        match self {
            Self::Bool => 1,
            Self::Range(low, high) => u64::try_from(high - low).expect("codes fit in 64 bits"),
            Self::Numbers(numbers) => numbers.len() as u64 - 1,
            Self::Enumeration(of) => of.values.len() as u64 - 1,
            Self::Bits(width) => u64::MAX >> (u64::BITS - width),
        }
    }

    /// How many bits codes have; at least one.
    pub fn width(&self) -> usize {
        (u64::BITS - self.last_code().leading_zeros()).max(1) as usize
    }

    /// The value with a code; nothing beyond the last.
    pub fn value(&self, code: u64) -> Option<Value> {
        if code > self.last_code() {
            return None;
        }
        Some(match self {
            Self::Bool => Value::Bool(code == 1),
            Self::Range(low, _) => Value::Int(low + BigInt::from(code)),
            Self::Numbers(numbers) => Value::Int(numbers[code as usize].clone()),
            Self::Enumeration(of) => Value::Constant { of: Arc::clone(of), index: code as usize },
            Self::Bits(width) => Value::Bits { width: *width, value: code.into() },
        })
    }

    /// The code of a value; nothing if it is none of these.
    pub fn code(&self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Self::Bool, Value::Bool(truth)) => Some(u64::from(*truth)),
            (Self::Range(low, high), Value::Int(number)) if low <= number && number <= high => {
                u64::try_from(number - low).ok()
            }
            (Self::Numbers(numbers), Value::Int(number)) => {
                numbers.iter().position(|one| one == number).map(|at| at as u64)
            }
            (Self::Enumeration(own), Value::Constant { of, index }) if own == of => Some(*index as u64),
            (Self::Bits(own), Value::Bits { width, value }) if own == width => u64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The bits of the code of a term that has one of these values, the lowest first, each as a truth value.
    pub fn code_bits(&self, terms: &Terms, term: Term) -> Vec<Term> {
        let bit = |place: usize| match self {
            Self::Bool => term,
            Self::Bits(_) => {
                let place = place as u32;
                terms.equal(terms.bitwise(BitOperation::Extract(place, place), &[term]), terms.bits(1, 1))
            }
            Self::Range(low, _) => {
                let code = terms.difference(term, terms.integer(low.clone()));
                let above = terms.divide(code, BigInt::from(1) << place);
                terms.equal(terms.modulo(above, BigInt::from(2)), terms.integer(1))
            }
            Self::Numbers(_) | Self::Enumeration(_) => {
                let codes = (0..=self.last_code()).filter(|code| code >> place & 1 == 1);
                terms.or(codes.filter_map(|code| Some(terms.equal(term, terms.value(&self.value(code)?)))))
            }
        };
        (0..self.width()).map(bit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_up_to_the_last_is_that_of_its_value() {
        let of = Arc::new(Enumeration { name: "e".into(), values: vec!["a".into(), "b".into(), "c".into()] });
        let numbers = [0, 7, -3].map(BigInt::from).to_vec();
        for (values, width) in [
            (Values::Bool, 1),
            (Values::Range((-4).into(), 4.into()), 4),
            (Values::Range(5.into(), 5.into()), 1),
            (Values::Numbers(numbers), 2),
            (Values::Enumeration(of), 2),
            (Values::Bits(3), 3),
        ] {
            assert_eq!(values.width(), width, "{values:?}");
            for code in 0..=values.last_code() {
                let value = values.value(code).expect("a code of a value");
                assert_eq!(values.code(&value), Some(code), "{values:?}");
                let terms = Terms::new();
                let bits = values.code_bits(&terms, terms.value(&value));
                let expected: Vec<Term> = (0..width).map(|at| terms.boolean(code >> at & 1 == 1)).collect();
                assert_eq!(bits, expected, "{values:?} {code}");
            }
            assert_eq!(values.value(values.last_code() + 1), None, "{values:?}");
        }
        assert_eq!(Values::Bits(64).last_code(), u64::MAX);
        assert_eq!(Values::of_domain(&Domain::Int), None);
    }
}
