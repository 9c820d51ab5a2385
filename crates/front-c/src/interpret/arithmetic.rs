//! Arithmetic of C on registers.
//!
//! Machine integers: results of unsigned types are taken modulo two to the width, results of signed types that have no room are
//! undefined. Mathematical integers: all results are exact; those that need more than 127 bits stop the run. Right shifts of negative
//! numbers keep the sign, and left shifts of signed numbers take the result modulo the width, as machines do.

use super::ending::{Halt, IntegerModel};
use super::scalar::{from_float, to_float};
use crate::ir::{BinaryOperator, Float, Integer, Undefined};

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Undefined(Undefined),
    Halt(Halt),
}

impl From<Undefined> for Fault {
    fn from(undefined: Undefined) -> Self {
        Self::Undefined(undefined)
    }
}

impl From<Halt> for Fault {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

type Value = Result<i128, Fault>;

/// A result, which is not there if it was too large to be computed.
fn exact(value: Option<i128>) -> Value {
    value.filter(|&value| value != i128::MIN).ok_or(Fault::Halt(Halt::IntegerTooLarge))
}

/// Whether a signed type has room for a value.
fn has_room(integer: Integer, value: i128) -> bool {
    integer.wrap(value) == value
}

/// An arithmetic operator on two integers of a type, or a shift of one of that type.
pub(super) fn integer(model: IntegerModel, operator: BinaryOperator, ty: Integer, a: i128, b: i128) -> Value {
    match (model, ty.signed) {
        (IntegerModel::Mathematical, _) => mathematical(operator, a, b),
        (IntegerModel::Machine, true) => signed(operator, ty, a, b),
        (IntegerModel::Machine, false) => unsigned(operator, ty, a, b),
    }
}

fn signed(operator: BinaryOperator, ty: Integer, a: i128, b: i128) -> Value {
    let result = match operator {
        BinaryOperator::Add => a.checked_add(b),
        BinaryOperator::Subtract => a.checked_sub(b),
        BinaryOperator::Multiply => a.checked_mul(b),
        BinaryOperator::Divide | BinaryOperator::Remainder => {
            if b == 0 {
                return Err(Undefined::DivisionByZero.into());
            }
            let quotient = divided(a, b).filter(|&quotient| has_room(ty, quotient));
            let remainder = quotient.map(|quotient| a - quotient * b);
            if operator == BinaryOperator::Divide { quotient } else { remainder }
        }
        BinaryOperator::ShiftLeft => return Ok(ty.wrap(a << count(ty, b)?)),
        BinaryOperator::ShiftRight => return Ok(a >> count(ty, b)?),
        _ => return Ok(plain(operator, a, b)),
    };
    result.filter(|&result| has_room(ty, result)).ok_or(Undefined::Overflow.into())
}

fn unsigned(operator: BinaryOperator, ty: Integer, a: i128, b: i128) -> Value {
    Ok(match operator {
        BinaryOperator::Add => ty.wrap(a.wrapping_add(b)),
        BinaryOperator::Subtract => ty.wrap(a.wrapping_sub(b)),
        BinaryOperator::Multiply => ty.wrap(a.wrapping_mul(b)),
        BinaryOperator::Divide | BinaryOperator::Remainder if b == 0 => {
            return Err(Undefined::DivisionByZero.into());
        }
        BinaryOperator::Divide if ty.bits < 128 => divided(a, b).expect("neither is negative"),
        BinaryOperator::Remainder if ty.bits < 128 => a - divided(a, b).expect("neither is negative") * b,
        BinaryOperator::Divide => (a as u128 / b as u128) as i128,
        BinaryOperator::Remainder => (a as u128 % b as u128) as i128,
        BinaryOperator::ShiftLeft => ty.wrap(a << count(ty, b)?),
        BinaryOperator::ShiftRight => (a as u128 >> count(ty, b)?) as i128,
        BinaryOperator::Less if ty.bits == 128 => i128::from((a as u128) < b as u128),
        BinaryOperator::AtMost if ty.bits == 128 => i128::from(a as u128 <= b as u128),
        _ => plain(operator, a, b),
    })
}

fn mathematical(operator: BinaryOperator, a: i128, b: i128) -> Value {
    match operator {
        BinaryOperator::Add => exact(a.checked_add(b)),
        BinaryOperator::Subtract => exact(a.checked_sub(b)),
        BinaryOperator::Multiply => exact(a.checked_mul(b)),
        BinaryOperator::Divide | BinaryOperator::Remainder if b == 0 => Err(Undefined::DivisionByZero.into()),
        BinaryOperator::Divide => exact(divided(a, b)),
        BinaryOperator::Remainder => Ok(a.checked_rem(b).unwrap_or(0)),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if b < 0 => Err(Undefined::Shift.into()),
        BinaryOperator::ShiftLeft if a == 0 => Ok(0),
        BinaryOperator::ShiftLeft => exact((b < 127).then(|| 1 << b).and_then(|power| a.checked_mul(power))),
        BinaryOperator::ShiftRight => Ok(a >> b.min(127)),
        _ => exact(Some(plain(operator, a, b))),
    }
}

/// The quotient; nothing if it has no room in 128 bits. Most quotients are those of 64 bits, which are much faster.
fn divided(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(short), Ok(by)) if by != -1 => Some(i128::from(short / by)),
        _ => a.checked_div(b),
    }
}

/// The operators that are the same on all integers.
fn plain(operator: BinaryOperator, a: i128, b: i128) -> i128 {
    match operator {
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        _ => i128::from(holds(operator, &a, &b)),
    }
}

/// Whether a comparison holds.
fn holds<T: PartialOrd>(operator: BinaryOperator, a: &T, b: &T) -> bool {
    match operator {
        BinaryOperator::Equal => a == b,
        BinaryOperator::NotEqual => a != b,
        BinaryOperator::Less => a < b,
        BinaryOperator::AtMost => a <= b,
        _ => unreachable!("only comparisons are left, not {operator:?}"),
    }
}

fn count(ty: Integer, b: i128) -> Result<u32, Fault> {
    u32::try_from(b).ok().filter(|&count| count < ty.bits).ok_or(Undefined::Shift.into())
}

/// `-`.
pub(super) fn negated(model: IntegerModel, ty: Integer, a: i128) -> Value {
    integer(model, BinaryOperator::Subtract, ty, 0, a)
}

/// `~`.
pub(super) fn complement(model: IntegerModel, ty: Integer, a: i128) -> Value {
    if model == IntegerModel::Machine { Ok(ty.wrap(!a)) } else { exact(Some(!a)) }
}

/// An integer converted to an integer type.
#[inline]
pub(super) fn wrapped(model: IntegerModel, ty: Integer, a: i128) -> i128 {
    if model == IntegerModel::Machine || ty.rank == crate::ir::Rank::Bool { ty.wrap(a) } else { a }
}

/// An operator on two floating numbers; comparisons give integers.
pub(super) fn float(operator: BinaryOperator, kind: Float, a: i128, b: i128) -> i128 {
    let (a, b) = (to_float(a), to_float(b));
    let value = match operator {
        BinaryOperator::Add => a + b,
        BinaryOperator::Subtract => a - b,
        BinaryOperator::Multiply => a * b,
        BinaryOperator::Divide => a / b,
        _ => return i128::from(holds(operator, &a, &b)),
    };
    // Of two single numbers, the double result rounded to single is the single result: 53 bits are at least 2 * 24 + 2.
    from_float(rounded(kind, value))
}

/// A number rounded to what a type can hold.
pub(super) fn rounded(kind: Float, value: f64) -> f64 {
    if kind == Float::Single { f64::from(value as f32) } else { value }
}

/// An integer as a floating number, rounded once.
pub(super) fn to_floating(from: Integer, to: Float, a: i128) -> f64 {
    match (to, from.bits == 128 && !from.signed) {
        (Float::Single, false) => f64::from(a as f32),
        (Float::Single, true) => f64::from(a as u128 as f32),
        (_, false) => a as f64,
        (_, true) => a as u128 as f64,
    }
}

/// A floating number without its fraction as an integer.
pub(super) fn to_integer(model: IntegerModel, to: Integer, value: f64) -> Value {
    if to.rank == crate::ir::Rank::Bool {
        return Ok(i128::from(value != 0.0));
    }
    let whole = value.trunc();
    let power = |bits: u32| 2f64.powi(bits as i32);
    let (least, above) = match (model, to.signed) {
        (IntegerModel::Mathematical, _) => (-power(126), power(126)),
        (IntegerModel::Machine, true) => (-power(to.bits - 1), power(to.bits - 1)),
        (IntegerModel::Machine, false) => (0.0, power(to.bits)),
    };
    if !(least..above).contains(&whole) {
        return match model {
            IntegerModel::Mathematical if whole.is_finite() => Err(Halt::IntegerTooLarge.into()),
            _ => Err(Undefined::FloatConversion.into()),
        };
    }
    Ok(if whole < 0.0 { whole as i128 } else { whole as u128 as i128 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Rank;

    const SMALL: Integer = Integer { rank: Rank::Char, bits: 4, signed: true };
    const NATURAL: Integer = Integer { rank: Rank::Char, bits: 4, signed: false };

    /// What the standard says, on integers without bounds.
    fn reference(operator: BinaryOperator, ty: Integer, a: i128, b: i128) -> Result<i128, Undefined> {
        let in_range = |value: i128| match (ty.signed, (ty.least()..=ty.greatest()).contains(&value)) {
            (_, true) => Ok(value),
            (true, false) => Err(Undefined::Overflow),
            (false, false) => Ok(value.rem_euclid(16)),
        };
        let bits = |value: i128| (value + 16) % 16;
        let back = |value: i128| if ty.signed && value > 7 { value - 16 } else { value };
        match operator {
            BinaryOperator::Add => in_range(a + b),
            BinaryOperator::Subtract => in_range(a - b),
            BinaryOperator::Multiply => in_range(a * b),
            BinaryOperator::Divide | BinaryOperator::Remainder if b == 0 => Err(Undefined::DivisionByZero),
            BinaryOperator::Divide => in_range((a.abs() / b.abs()) * a.signum() * b.signum()),
            BinaryOperator::Remainder => {
                let quotient = in_range((a.abs() / b.abs()) * a.signum() * b.signum())?;
                Ok(a - quotient * b)
            }
            BinaryOperator::And => Ok(back(bits(a) & bits(b))),
            BinaryOperator::Or => Ok(back(bits(a) | bits(b))),
            BinaryOperator::Xor => Ok(back(bits(a) ^ bits(b))),
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if !(0..4).contains(&b) => {
                Err(Undefined::Shift)
            }
            BinaryOperator::ShiftLeft => Ok(back((a * (1 << b)).rem_euclid(16))),
            BinaryOperator::ShiftRight => Ok(a.div_euclid(1 << b)),
            BinaryOperator::Equal => Ok(i128::from(a == b)),
            BinaryOperator::NotEqual => Ok(i128::from(a != b)),
            BinaryOperator::Less => Ok(i128::from(a < b)),
            _ => Ok(i128::from(a <= b)),
        }
    }

    #[test]
    fn all_operators_on_all_integers_of_four_bits_are_those_of_the_standard() {
        use BinaryOperator::{Add, AtMost, Divide, Equal, Less, Multiply, NotEqual, Remainder, Subtract};
        use BinaryOperator::{And, Or, ShiftLeft, ShiftRight, Xor};
        let all = [Add, Subtract, Multiply, Divide, Remainder, Equal, NotEqual, Less, AtMost];
        for operator in all.into_iter().chain([And, Or, Xor, ShiftLeft, ShiftRight]) {
            for ty in [SMALL, NATURAL] {
                for a in ty.least()..=ty.greatest() {
                    for b in ty.least()..=ty.greatest() {
                        let expected = reference(operator, ty, a, b).map_err(Fault::Undefined);
                        let found = integer(IntegerModel::Machine, operator, ty, a, b);
                        assert_eq!(found, expected, "{a} {operator:?} {b} of {ty:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn mathematical_integers_have_no_ends_but_that_of_the_registers() {
        let add = |a, b| integer(IntegerModel::Mathematical, BinaryOperator::Add, NATURAL, a, b);
        assert_eq!((add(15, 1), add(0, -1)), (Ok(16), Ok(-1)));
        assert_eq!(add(i128::MAX, 1), Err(Fault::Halt(Halt::IntegerTooLarge)));
    }

    #[test]
    fn floating_numbers_without_room_have_no_conversion() {
        let to = |value| to_integer(IntegerModel::Machine, SMALL, value);
        assert_eq!((to(7.9), to(-8.9)), (Ok(7), Ok(-8)));
        let none = Err(Fault::Undefined(Undefined::FloatConversion));
        assert_eq!((to(8.0), to(-9.0), to(f64::NAN)), (none, none, none));
    }
}
