//! The values of a variable, with a code for each place: one place, or those of the elements of an array.
//!
//! An array has no code as a whole: each element has its own, so that diagrams can tell them apart and no code grows beyond 64 bits.
//! The places of an array are those of its elements, in the order of the indices. Outside of its indices an array of integers has the first
//! value of its element domain, as programs have it.
//!
//! Invariant: an array has at least one index, and at most as many as domains can list.

use super::Values;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{Sort, Term, Terms, Value};
use tertium_program::Domain;

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Values with a code.
    One(Values),
    /// Arrays.
    Array(Arc<Elements>),
}

/// Arrays of one form.
#[derive(Debug, PartialEq, Eq)]
pub struct Elements {
    /// The sort of the indices.
    pub index: Arc<Sort>,
    /// The indices, ascending.
    pub indices: Vec<Value>,
    /// What each element can be.
    pub element: Form,
    /// The element at all other values of the sort of the indices, if there are any.
    pub elsewhere: Option<Value>,
}

impl Form {
    /// The values of a domain that has finitely many; nothing if codes would not fit, or an array has too many indices.
    pub fn of_domain(domain: &Domain) -> Option<Self> {
        let Domain::Array(index, element) = domain else { return Values::of_domain(domain).map(Self::One) };
        let indices = index.values(Domain::MOST_ELEMENTS)?;
        debug_assert!(indices.is_sorted_by(|one, other| one < other), "indices ascend");
        let elsewhere = (!index.is_whole()).then(|| element.first());
        let (index, element) = (Arc::new(index.sort()), Self::of_domain(element)?);
        Some(Self::Array(Arc::new(Elements { index, indices, element, elsewhere })))
    }

    /// How many bits all codes together have.
    pub fn width(&self) -> usize {
        match self {
            Self::One(values) => values.width(),
            Self::Array(own) => own.indices.len().saturating_mul(own.element.width()),
        }
    }

    /// The values of each place.
    pub fn places(&self) -> Vec<&Values> {
        match self {
            Self::One(values) => vec![values],
            Self::Array(own) => {
                let element = own.element.places();
                own.indices.iter().flat_map(|_| element.iter().copied()).collect()
            }
        }
    }

    /// How many places there are.
    pub fn n_places(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Array(own) => own.indices.len() * own.element.n_places(),
        }
    }

    /// What stands at each place of a term of this form.
    pub fn parts(&self, terms: &Terms, term: Term) -> Vec<Term> {
        match self {
            Self::One(_) => vec![term],
            Self::Array(own) => {
                let element = |at: &Value| own.element.parts(terms, terms.select(term, terms.value(at)));
                own.indices.iter().flat_map(element).collect()
            }
        }
    }

    /// The names of the places of a variable.
    pub fn names(&self, name: &str) -> Vec<String> {
        match self {
            Self::One(_) => vec![name.to_owned()],
            Self::Array(own) => {
                let names = |at: &Value| own.element.names(&format!("{name}[{at}]"));
                own.indices.iter().flat_map(names).collect()
            }
        }
    }

    /// The value with these codes, one for each place; nothing if one stands for no value.
    pub fn value(&self, codes: &[u64]) -> Option<Value> {
        debug_assert_eq!(codes.len(), self.n_places(), "each place has a code");
        match self {
            Self::One(values) => values.value(*codes.first()?),
            Self::Array(own) => {
                let each = codes.chunks(own.element.n_places()).map(|codes| own.element.value(codes));
                let elements = each.collect::<Option<Vec<Value>>>()?;
                let rest = own.elsewhere.clone().or_else(|| elements.first().cloned())?;
                let entries: BTreeMap<Value, Value> = own.indices.iter().cloned().zip(elements).collect();
                Some(Value::array(Arc::clone(&own.index), rest, entries))
            }
        }
    }

    /// The codes of a value, one for each place; nothing if it is none of these.
    pub fn codes(&self, value: &Value) -> Option<Vec<u64>> {
        match (self, value) {
            (Self::One(values), value) => values.code(value).map(|code| vec![code]),
            (Self::Array(own), Value::Array { index, rest, entries }) if *index == own.index => {
                let outside = own.elsewhere.as_ref().is_none_or(|elsewhere| **rest == *elsewhere);
                let known = entries.keys().all(|at| own.indices.binary_search(at).is_ok());
                let mut codes = Vec::with_capacity(self.n_places());
                for at in &own.indices {
                    codes.extend(own.element.codes(entries.get(at).unwrap_or(rest))?);
                }
                (outside && known).then_some(codes)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_has_codes_of_its_own_and_is_found_by_them() {
        let range = |low: i32, high: i32| Domain::Range(low.into(), high.into());
        let row = Domain::array(range(1, 2), range(4, 6));
        for domain in [
            range(-1, 3),
            row.clone(),
            Domain::array(Domain::Bool, range(0, 2)),
            Domain::array(Domain::Bits(2), Domain::Bool),
            Domain::array(range(-1, 0), row),
        ] {
            let form = Form::of_domain(&domain).expect("it is finite");
            let values = domain.values(1000).expect("there are few");
            let mut seen = std::collections::BTreeSet::new();
            for value in &values {
                let codes = form.codes(value).expect("it has codes");
                assert_eq!(form.value(&codes).as_ref(), Some(value), "{domain}");
                assert!(seen.insert(codes), "{domain}: {value}");
                let terms = Terms::new();
                let parts = form.parts(&terms, terms.value(value));
                assert_eq!(parts.len(), form.n_places());
                assert_eq!(form.names("a").len(), form.n_places());
            }
        }
    }

    #[test]
    fn what_is_no_value_has_no_codes() {
        let domain = Domain::array(Domain::Range(1.into(), 2.into()), Domain::Range(4.into(), 6.into()));
        let form = Form::of_domain(&domain).expect("it is finite");
        let array = |rest: i32, entries: &[(i32, i32)]| {
            let entries = entries.iter().map(|&(at, own)| (Value::int(at), Value::int(own)));
            Value::array(Arc::new(Sort::Int), Value::int(rest), entries.collect())
        };
        assert_eq!(form.codes(&array(4, &[(2, 6)])), Some(vec![0, 2]));
        assert_eq!(form.codes(&array(5, &[])), None, "another value elsewhere");
        assert_eq!(form.codes(&array(4, &[(3, 5)])), None, "an index that is none");
        assert_eq!(form.codes(&array(4, &[(1, 7)])), None, "an element that is none");
        assert_eq!(form.codes(&Value::int(4)), None);
        assert_eq!(form.value(&[0, 3]), None, "a code that stands for nothing");
        assert_eq!(form.names("a"), ["a[1]", "a[2]"]);
        let whole = |index: Domain, element: Domain| Form::of_domain(&Domain::array(index, element));
        assert_eq!(whole(Domain::Int, Domain::Bool), None);
        assert_eq!(whole(Domain::Bits(40), Domain::Bool), None);
        assert_eq!(whole(Domain::Bool, Domain::Int), None);
    }
}
