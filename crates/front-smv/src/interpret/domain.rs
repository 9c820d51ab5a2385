//! The values of a type, and how values are written.

use crate::{FlatModel, Type, Value};

/// Whether a value is one of the type.
pub(crate) fn contains(ty: &Type, value: Value) -> bool {
    match (ty, value) {
        (Type::Boolean, Value::Boolean(_)) => true,
        (Type::Range(low, high), Value::Integer(n)) => (*low..=*high).contains(&n),
        (Type::Enumeration(values), value) => values.contains(&value),
        (Type::Word { width, signed }, Value::Word { width: w, signed: s, .. }) => {
            *width == w && *signed == s
        }
        _ => false,
    }
}

/// The values of a type, in their order.
pub(crate) fn values_of(ty: &Type) -> Box<dyn Iterator<Item = Value> + '_> {
    match *ty {
        Type::Boolean => Box::new([false, true].into_iter().map(Value::Boolean)),
        Type::Range(low, high) => Box::new((low..=high).map(Value::Integer)),
        Type::Enumeration(ref values) => Box::new(values.iter().copied()),
        Type::Word { width, signed } => {
            Box::new((0..=mask(width)).map(move |bits| Value::Word { bits, width, signed }))
        }
    }
}

/// The word of this many ones.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The number that a word stands for.
pub(crate) fn word_number(bits: u64, width: u32, signed: bool) -> i128 {
    let negative = signed && width > 0 && bits >> (width - 1) & 1 == 1;
    i128::from(bits) - if negative { 1 << width } else { 0 }
}

/// A value as one would write it in the language.
pub fn value_text(model: &FlatModel, value: Value) -> String {
    match value {
        Value::Boolean(true) => "TRUE".to_owned(),
        Value::Boolean(false) => "FALSE".to_owned(),
        Value::Integer(n) => n.to_string(),
        Value::Symbol(symbol) => model.symbols.name(symbol).to_owned(),
        Value::Word { bits, width, signed } => {
            let number = word_number(bits, width, signed);
            let minus = if number < 0 { "-" } else { "" };
            let kind = if signed { 's' } else { 'u' };
            format!("{minus}0{kind}d{width}_{}", number.unsigned_abs())
        }
    }
}

/// The value of a type that [`value_text`] writes like this. Cost: the values of an enumeration; of other types, the length of the text.
pub fn value_from_text(model: &FlatModel, ty: &Type, text: &str) -> Option<Value> {
    let value = match *ty {
        Type::Boolean => Value::Boolean(text == "TRUE"),
        Type::Range(..) => Value::Integer(text.parse().ok()?),
        Type::Enumeration(ref values) => {
            values.iter().copied().find(|&own| value_text(model, own) == text)?
        }
        Type::Word { width, signed } => {
            let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
            let digits: i128 = digits.split_once('_')?.1.parse().ok()?;
            let number = if negative { -digits } else { digits };
            let bits = u64::try_from(number & i128::from(mask(width))).ok()?;
            Value::Word { bits, width, signed }
        }
    };
    // Leading zeros, signs and other widths are nothing that we write.
    (contains(ty, value) && value_text(model, value) == text).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_contains_exactly_the_values_it_lists() {
        let word = |bits| Value::Word { bits, width: 2, signed: true };
        let types = [
            Type::Boolean,
            Type::Range(-1, 2),
            Type::Enumeration(vec![Value::Integer(7), Value::Boolean(true)]),
            Type::Word { width: 2, signed: true },
        ];
        let all: Vec<Value> = (-2..9)
            .map(Value::Integer)
            .chain([Value::Boolean(false), Value::Boolean(true)])
            .chain((0..4).map(word))
            .chain([Value::Word { bits: 1, width: 2, signed: false }])
            .collect();
        for ty in &types {
            let listed: Vec<Value> = values_of(ty).collect();
            for &value in &all {
                assert_eq!(contains(ty, value), listed.contains(&value), "{ty:?} {value:?}");
            }
        }
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let source = tertium_support::Source::new("m", "MODULE main\nVAR e : {up, 3, down};\n");
        let (model, _) = crate::read(source).expect("it can be read");
        let symbols = model.variables[0].ty.clone();
        let words = [(1, true), (3, false), (3, true), (64, true), (64, false)];
        let words = words.map(|(width, signed)| Type::Word { width, signed });
        for ty in [Type::Boolean, Type::Range(-1, 2), symbols].iter().chain(&words) {
            for value in values_of(ty).take(20) {
                assert_eq!(value_from_text(&model, ty, &value_text(&model, value)), Some(value), "{ty:?}");
            }
        }
        let least = Value::Word { bits: 1 << 63, width: 64, signed: true };
        assert_eq!(value_from_text(&model, &words[3], &value_text(&model, least)), Some(least));
        for (ty, text) in [
            (&Type::Boolean, "true"),
            (&Type::Boolean, ""),
            (&Type::Range(-1, 2), "3"),
            (&Type::Range(-1, 2), "+1"),
            (&Type::Range(-1, 2), "99999999999999999999999"),
            (&model.variables[0].ty, "left"),
            (&words[1], "0ud3_8"),
            (&words[1], "0ud4_1"),
            (&words[1], "0ud3_01"),
            (&words[1], "0ud3"),
            (&words[1], "-"),
        ] {
            assert_eq!(value_from_text(&model, ty, text), None, "{text}");
        }
    }

    #[test]
    fn words_of_64_bits_have_both_readings() {
        assert_eq!(mask(64), u64::MAX);
        assert_eq!(word_number(u64::MAX, 64, false), i128::from(u64::MAX));
        assert_eq!(word_number(u64::MAX, 64, true), -1);
        assert_eq!(word_number(1 << 63, 64, true), i128::from(i64::MIN));
    }
}
