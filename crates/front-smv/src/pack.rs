//! States as a few machine words: each variable is the number of its value within its type.

use crate::interpret::{Interpreter, State, contains};
use crate::{Type, Value};
use tertium_support::Id;

/// Where each variable of a state stands in the words.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    n_words: usize,
}

#[derive(Clone, Debug)]
struct Field {
    ty: Type,
    word: usize,
    shift: u32,
    bits: u32,
}

impl Packing {
    pub(crate) fn new(interpreter: &Interpreter<'_>) -> Self {
        let (mut word, mut shift) = (0, 0);
        let mut fields = Vec::new();
        for variable in interpreter.state_variables() {
            let ty = interpreter.model().variables[variable.index()].ty.clone();
            let bits = bits_of(&ty);
            // A field does not go over the end of a word.
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            fields.push(Field { ty, word, shift, bits });
            shift += bits;
        }
        Self { fields, n_words: word + 1 }
    }

    /// The words of a state whose values are of their types.
    pub(crate) fn pack(&self, state: &State) -> Box<[u64]> {
        let mut words = vec![0; self.n_words];
        for (field, &value) in self.fields.iter().zip(&state.0) {
            if field.bits > 0 {
                words[field.word] |= number(&field.ty, value) << field.shift;
            }
        }
        words.into_boxed_slice()
    }

    /// The state with these words.
    pub(crate) fn unpack(&self, words: &[u64]) -> State {
        let value = |field: &Field| {
            let mask = if field.bits == 64 { u64::MAX } else { (1 << field.bits) - 1 };
            let raw = if field.bits == 0 { 0 } else { words[field.word] >> field.shift & mask };
            value_at(&field.ty, raw)
        };
        State(self.fields.iter().map(value).collect())
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
