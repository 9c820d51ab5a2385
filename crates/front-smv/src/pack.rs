//! Values as bits of words: each variable is the number of its value within its type.

use crate::interpret::{Valuation, When, contains};
use crate::{FlatModel, Type, Value, VarId};
use tertium_support::Id;
use tertium_system::{WordPlace, WordPlaces};

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
    place: WordPlace,
}

impl Packing {
    pub(crate) fn new(model: &FlatModel, variables: &[VarId]) -> Self {
        let mut places = WordPlaces::default();
        let field = |&variable: &VarId| {
            let ty = model.variables[variable.index()].ty.clone();
            let place = places.add(bits_of(&ty));
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
            field.place.set(words, number(&field.ty, value));
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
        value_at(&self.ty, self.place.get(words))
    }
}

fn bits_of(ty: &Type) -> u32 {
    let last = match ty {
        Type::Boolean => 1,
        Type::Range(low, high) => high.wrapping_sub(*low) as u64,
        Type::Enumeration(values) => values.len().saturating_sub(1) as u64,
        Type::Word { width, .. } => return *width,
    };
    u64::BITS - last.leading_zeros()
}

fn number(ty: &Type, value: Value) -> u64 {
    debug_assert!(contains(ty, value), "only values of their types are packed");
    match (ty, value) {
        (Type::Enumeration(values), value) => {
            values.iter().position(|&other| other == value).expect("a value of the type") as u64
        }
        (Type::Range(low, _), Value::Integer(n)) => n.wrapping_sub(*low) as u64,
        (_, Value::Boolean(b)) => u64::from(b),
        (_, Value::Word { bits, .. }) => bits,
        _ => unreachable!("the value is of the type"),
    }
}

fn value_at(ty: &Type, raw: u64) -> Value {
    match *ty {
        Type::Boolean => Value::Boolean(raw == 1),
        Type::Range(low, _) => Value::Integer(low.wrapping_add(raw as i64)),
        Type::Enumeration(ref values) => values[raw as usize],
        Type::Word { width, signed } => Value::Word { bits: raw, width, signed },
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
                let raw = number(ty, value);
                assert!(raw.checked_shr(bits_of(ty)).is_none_or(|rest| rest == 0), "{ty:?} {value:?}");
                assert_eq!(value_at(ty, raw), value);
            }
        }
        assert_eq!(bits_of(&Type::Range(i64::MIN, i64::MAX)), 64);
    }
}
