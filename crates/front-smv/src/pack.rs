//! Values as numbers in words.

use crate::interpret::{Valuation, When, contains};
use crate::{FlatModel, Type, Value, VarId};
use tertium_support::Id;
use tertium_system::{NumberPlace, Numbers, WordPlaces};

/// Where each of some variables stands in the words.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    n_words: usize,
    n_bits: u32,
}

#[derive(Clone, Debug)]
struct Field {
    variable: VarId,
    ty: Type,
    place: NumberPlace,
}

impl Packing {
    pub(crate) fn new(model: &FlatModel, variables: &[VarId]) -> Self {
        let mut places = WordPlaces::default();
        let field = |&variable: &VarId| {
            let ty = model.variables[variable.index()].ty.clone();
            let place = places.number(numbers_of(&ty));
            Field { variable, ty, place }
        };
        let fields = variables.iter().map(field).collect();
        Self { fields, n_words: places.n_words(), n_bits: places.taken().iter().sum() }
    }

    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// How many bits are used.
    pub(crate) fn n_bits(&self) -> u32 {
        self.n_bits
    }

    /// The words of what a valuation has; all its values are of their types.
    pub(crate) fn pack(&self, valuation: &Valuation<'_, '_>, when: When, words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.n_words, 0);
        for field in &self.fields {
            let value = valuation.get(when, field.variable).expect("the plan places every variable");
            let fits = field.place.set(words, number(&field.ty, value));
            debug_assert!(fits, "only values of their types are packed");
        }
    }

    /// Gives a valuation the values that words stand for now, and no others.
    pub(crate) fn load(&self, words: &[u64], valuation: &mut Valuation<'_, '_>) {
        let values = self.fields.iter().map(|field| (field.variable, field.value(words)));
        valuation.load_values(When::Now, values);
    }

    /// Gives a valuation the values that words stand for now, besides those it has.
    pub(crate) fn add(&self, words: &[u64], valuation: &mut Valuation<'_, '_>) {
        for field in &self.fields {
            valuation.set(When::Now, field.variable, Some(field.value(words)));
        }
    }

    /// The values that words stand for, in order.
    pub(crate) fn values(&self, words: &[u64]) -> Box<[Value]> {
        self.fields.iter().map(|field| field.value(words)).collect()
    }
}

impl Field {
    fn value(&self, words: &[u64]) -> Value {
        value_at(&self.ty, self.place.get(words).expect("every type has numbers for all its values"))
    }
}

/// The numbers that the values of a type are.
fn numbers_of(ty: &Type) -> Numbers {
    match ty {
        Type::Boolean => Numbers::between(0, 1),
        Type::Range(low, high) => Numbers::between(*low, *high),
        Type::Enumeration(values) => Numbers::between(0, values.len().saturating_sub(1) as i64),
        Type::Word { width, .. } => Numbers::bit_vectors(*width),
    }
}

fn number(ty: &Type, value: Value) -> i64 {
    debug_assert!(contains(ty, value), "only values of their types are packed");
    match (ty, value) {
        (Type::Enumeration(values), value) => {
            values.iter().position(|&other| other == value).expect("a value of the type") as i64
        }
        (Type::Range(..), Value::Integer(n)) => n,
        (_, Value::Boolean(b)) => i64::from(b),
        (_, Value::Word { bits, .. }) => bits as i64,
        _ => unreachable!("the value is of the type"),
    }
}

fn value_at(ty: &Type, number: i64) -> Value {
    match *ty {
        Type::Boolean => Value::Boolean(number == 1),
        Type::Range(..) => Value::Integer(number),
        Type::Enumeration(ref values) => values[number as usize],
        Type::Word { width, signed } => Value::Word { bits: number as u64, width, signed },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::values_of;

    #[test]
    fn every_value_of_a_small_type_comes_back() {
        let types = [
            Type::Boolean,
            Type::Range(-3, 4),
            Type::Range(5, 5),
            Type::Enumeration(vec![Value::Integer(9), Value::Boolean(true), Value::Integer(-1)]),
            Type::Word { width: 3, signed: true },
        ];
        for ty in &types {
            for value in values_of(ty) {
                let own = number(ty, value);
                assert!(numbers_of(ty).raw_of(own).is_some(), "{ty:?} {value:?}");
                assert_eq!(value_at(ty, own), value);
            }
        }
        let whole = Type::Word { width: 64, signed: false };
        let most = Value::Word { bits: u64::MAX, width: 64, signed: false };
        assert_eq!(value_at(&whole, number(&whole, most)), most);
        assert_eq!(numbers_of(&Type::Range(i64::MIN, i64::MAX)).bits(), 64);
    }
}
