//! The operators on single values.
//!
//! Words are computed with as numbers of 128 bits and cut back to their width, so that wrapping, signs and quotients all come
//! from one place. Quotients are towards zero and remainders have the sign of the dividend.

use super::FaultKind;
use super::domain::{mask, word_number};
use crate::{BinaryOp, Type, UnaryOp, Value};
use std::cmp::Ordering;

type Outcome = Result<Value, FaultKind>;

/// The value of an operator with one operand; `ty` is the type of the result.
pub(crate) fn unary(operator: UnaryOp, operand: Value, ty: &Type) -> Outcome {
    use UnaryOp as Op;
    use Value::{Boolean, Integer, Word};
    Ok(match (operator, operand) {
        (Op::Not, Boolean(b)) => Boolean(!b),
        (Op::Not, Word { bits, width, signed }) => Word { bits: !bits & mask(width), width, signed },
        (Op::Minus, Integer(n)) => Integer(n.checked_neg().ok_or(FaultKind::Overflow)?),
        (Op::Minus, Word { bits, width, signed }) => word(-word_number(bits, width, signed), width, signed),
        (Op::ToBoolean, Boolean(b)) => Boolean(b),
        (Op::ToBoolean, Integer(n)) => Boolean(n != 0),
        (Op::ToBoolean, Word { bits, .. }) => Boolean(bits != 0),
        (Op::ToWord1, Boolean(b)) => Word { bits: u64::from(b), width: 1, signed: false },
        (Op::ToInteger, Boolean(b)) => Integer(i64::from(b)),
        (Op::ToInteger, Integer(n)) => Integer(n),
        (Op::ToInteger, Word { bits, width, signed }) => integer(word_number(bits, width, signed))?,
        (Op::ToUnsigned, Word { bits, width, .. }) => Word { bits, width, signed: false },
        (Op::ToSigned, Word { bits, width, .. }) => Word { bits, width, signed: true },
        (Op::Resize, _) => return resize(operand, ty),
        _ => return Err(FaultKind::IllTyped),
    })
}

/// The operand with the width and sign of the type. A signed word that is cut keeps its sign bit and its lowest bits.
fn resize(operand: Value, ty: &Type) -> Outcome {
    let Type::Word { width: to, signed: as_signed } = *ty else { return Err(FaultKind::IllTyped) };
    match operand {
        Value::Integer(n) => Ok(word(i128::from(n), to, as_signed)),
        Value::Word { bits, width, signed: true } if to < width => {
            let sign = bits >> (width - 1) & 1;
            Ok(Value::Word { bits: sign << (to - 1) | bits & mask(to - 1), width: to, signed: as_signed })
        }
        Value::Word { bits, width, signed } => Ok(word(word_number(bits, width, signed), to, as_signed)),
        _ => Err(FaultKind::IllTyped),
    }
}

/// The value of an operator with two operands. `in` is about sets and not here.
pub(crate) fn binary(operator: BinaryOp, left: Value, right: Value) -> Outcome {
    use BinaryOp as Op;
    use Value::Boolean;
    match operator {
        Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies => logical(operator, left, right),
        Op::Equal => Ok(Boolean(left == right)),
        Op::NotEqual => Ok(Boolean(left != right)),
        Op::Less => compare(left, right).map(|order| Boolean(order == Ordering::Less)),
        Op::LessEqual => compare(left, right).map(|order| Boolean(order != Ordering::Greater)),
        Op::Greater => compare(left, right).map(|order| Boolean(order == Ordering::Greater)),
        Op::GreaterEqual => compare(left, right).map(|order| Boolean(order != Ordering::Less)),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo => arithmetic(operator, left, right),
        Op::ShiftLeft | Op::ShiftRight => shift(operator, left, right),
        Op::Concatenate => concatenate(left, right),
        Op::In => Err(FaultKind::IllTyped),
    }
}

fn logical(operator: BinaryOp, left: Value, right: Value) -> Outcome {
    let on_bits = |a: u64, b: u64| match operator {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Xnor => !(a ^ b),
        _ => !a | b,
    };
    match (left, right) {
        (Value::Boolean(a), Value::Boolean(b)) => {
            Ok(Value::Boolean(on_bits(u64::from(a), u64::from(b)) & 1 == 1))
        }
        (Value::Word { bits: a, width, signed }, Value::Word { bits: b, width: w, .. }) if width == w => {
            Ok(Value::Word { bits: on_bits(a, b) & mask(width), width, signed })
        }
        _ => Err(FaultKind::IllTyped),
    }
}

fn compare(left: Value, right: Value) -> Result<Ordering, FaultKind> {
    Ok(number(left)?.cmp(&number(right)?))
}

fn arithmetic(operator: BinaryOp, left: Value, right: Value) -> Outcome {
    let (a, b) = (number(left)?, number(right)?);
    if b == 0 && matches!(operator, BinaryOp::Divide | BinaryOp::Modulo) {
        return Err(FaultKind::DivisionByZero);
    }
    let wide = match operator {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        // Operands have 65 bits at most: what wraps here is not seen in the lowest 64.
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide => a / b,
        _ => a % b,
    };
    match (left, right) {
        (Value::Integer(_), Value::Integer(_)) => integer(wide),
        (Value::Word { width, signed, .. }, Value::Word { width: w, .. }) if width == w => {
            Ok(word(wide, width, signed))
        }
        _ => Err(FaultKind::IllTyped),
    }
}

/// Shifting by the width or more leaves nothing but zeros, or copies of the sign.
fn shift(operator: BinaryOp, left: Value, right: Value) -> Outcome {
    let Value::Word { bits, width, signed } = left else { return Err(FaultKind::IllTyped) };
    let by = number(right)?;
    if by < 0 {
        return Err(FaultKind::NegativeShift);
    }
    let by = u32::try_from(by.min(i128::from(width))).expect("a width");
    Ok(if operator == BinaryOp::ShiftLeft {
        let shifted = bits.checked_shl(by).unwrap_or(0);
        Value::Word { bits: shifted & mask(width), width, signed }
    } else {
        word(word_number(bits, width, signed) >> by, width, signed)
    })
}

fn concatenate(left: Value, right: Value) -> Outcome {
    let (Value::Word { bits: high, width: upper, .. }, Value::Word { bits: low, width: lower, .. }) =
        (left, right)
    else {
        return Err(FaultKind::IllTyped);
    };
    if upper + lower > 64 {
        return Err(FaultKind::Overflow);
    }
    Ok(Value::Word { bits: high << lower | low, width: upper + lower, signed: false })
}

/// The bits from `high` down to `low`.
pub(crate) fn bits(operand: Value, high: u32, low: u32) -> Outcome {
    match operand {
        Value::Word { bits, width, .. } if low <= high && high < width => {
            let width = high - low + 1;
            Ok(Value::Word { bits: bits >> low & mask(width), width, signed: false })
        }
        _ => Err(FaultKind::IllTyped),
    }
}

fn number(value: Value) -> Result<i128, FaultKind> {
    match value {
        Value::Integer(n) => Ok(i128::from(n)),
        Value::Word { bits, width, signed } => Ok(word_number(bits, width, signed)),
        _ => Err(FaultKind::IllTyped),
    }
}

fn integer(wide: i128) -> Outcome {
    i64::try_from(wide).map(Value::Integer).map_err(|_| FaultKind::Overflow)
}

/// The number, cut to the width.
fn word(number: i128, width: u32, signed: bool) -> Value {
    Value::Word { bits: number as u64 & mask(width), width, signed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsigned(bits: u64, width: u32) -> Value {
        Value::Word { bits, width, signed: false }
    }

    fn signed(number: i64, width: u32) -> Value {
        word(i128::from(number), width, true)
    }

    #[test]
    fn words_wrap_as_numbers_modulo_two_to_the_width() {
        for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let both = |operator| binary(operator, unsigned(a, 4), unsigned(b, 4));
            assert_eq!(both(BinaryOp::Add), Ok(unsigned((a + b) % 16, 4)));
            assert_eq!(both(BinaryOp::Subtract), Ok(unsigned((16 + a - b) % 16, 4)));
            assert_eq!(both(BinaryOp::Multiply), Ok(unsigned(a * b % 16, 4)));
            assert_eq!(both(BinaryOp::Less), Ok(Value::Boolean(a < b)));
            let or_zero = |number: Option<u64>| {
                number.map(|number| unsigned(number, 4)).ok_or(FaultKind::DivisionByZero)
            };
            assert_eq!(both(BinaryOp::Divide), or_zero(a.checked_div(b)));
            assert_eq!(both(BinaryOp::Modulo), or_zero(a.checked_rem(b)));
        }
    }

    #[test]
    fn quotient_and_remainder_belong_together_for_all_signs() {
        for (a, b) in (-8..8).flat_map(|a| (-8..8).map(move |b| (a, b))).filter(|(_, b)| *b != 0) {
            let (a, b) = (Value::Integer(a), Value::Integer(b));
            let quotient = binary(BinaryOp::Divide, a, b).unwrap();
            let remainder = binary(BinaryOp::Modulo, a, b).unwrap();
            let product = binary(BinaryOp::Multiply, b, quotient).unwrap();
            assert_eq!(binary(BinaryOp::Add, product, remainder), Ok(a));
        }
        let seven = |sign: i64| Value::Integer(7 * sign);
        assert_eq!(binary(BinaryOp::Divide, seven(-1), Value::Integer(2)), Ok(Value::Integer(-3)));
        assert_eq!(binary(BinaryOp::Modulo, seven(-1), Value::Integer(2)), Ok(Value::Integer(-1)));
        assert_eq!(binary(BinaryOp::Divide, signed(-8, 4), signed(-1, 4)), Ok(signed(-8, 4)));
    }

    #[test]
    fn integers_beyond_64_bits_are_faults() {
        let big = Value::Integer(i64::MAX);
        assert_eq!(binary(BinaryOp::Add, big, Value::Integer(1)), Err(FaultKind::Overflow));
        assert_eq!(binary(BinaryOp::Multiply, big, big), Err(FaultKind::Overflow));
        let minimum = Value::Integer(i64::MIN);
        assert_eq!(unary(UnaryOp::Minus, minimum, &Type::Range(0, 0)), Err(FaultKind::Overflow));
        assert_eq!(binary(BinaryOp::Divide, minimum, Value::Integer(-1)), Err(FaultKind::Overflow));
        let widest = unsigned(u64::MAX, 64);
        assert_eq!(unary(UnaryOp::ToInteger, widest, &Type::Range(0, 0)), Err(FaultKind::Overflow));
        assert_eq!(binary(BinaryOp::Multiply, widest, widest), Ok(unsigned(1, 64)));
    }

    #[test]
    fn shifts_keep_the_sign_of_signed_words_only() {
        let by = |n| Value::Integer(n);
        assert_eq!(binary(BinaryOp::ShiftRight, signed(-4, 4), by(1)), Ok(signed(-2, 4)));
        assert_eq!(binary(BinaryOp::ShiftRight, signed(-4, 4), by(9)), Ok(signed(-1, 4)));
        assert_eq!(binary(BinaryOp::ShiftRight, unsigned(12, 4), by(1)), Ok(unsigned(6, 4)));
        assert_eq!(binary(BinaryOp::ShiftLeft, unsigned(9, 4), by(1)), Ok(unsigned(2, 4)));
        assert_eq!(binary(BinaryOp::ShiftLeft, unsigned(1, 64), by(64)), Ok(unsigned(0, 64)));
        assert_eq!(binary(BinaryOp::ShiftLeft, unsigned(1, 4), by(-1)), Err(FaultKind::NegativeShift));
    }

    #[test]
    fn resizing_extends_by_the_sign_and_cuts_between_sign_and_low_bits() {
        let to = |width, signed| Type::Word { width, signed };
        assert_eq!(unary(UnaryOp::Resize, signed(-3, 4), &to(8, true)), Ok(signed(-3, 8)));
        assert_eq!(unary(UnaryOp::Resize, unsigned(13, 4), &to(8, false)), Ok(unsigned(13, 8)));
        assert_eq!(unary(UnaryOp::Resize, unsigned(13, 4), &to(2, false)), Ok(unsigned(1, 2)));
        assert_eq!(unary(UnaryOp::Resize, signed(-7, 4), &to(3, true)), Ok(signed(-3, 3)));
        assert_eq!(unary(UnaryOp::Resize, Value::Integer(-1), &to(3, true)), Ok(signed(-1, 3)));
        assert_eq!(binary(BinaryOp::Concatenate, unsigned(2, 2), unsigned(5, 3)), Ok(unsigned(21, 5)));
        assert_eq!(bits(unsigned(21, 5), 3, 1), Ok(unsigned(2, 3)));
    }
}
