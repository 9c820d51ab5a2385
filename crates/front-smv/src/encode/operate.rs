//! The operators on scalars: the value for all points at once, and where there is none.
//!
//! Integers are exact and have to fit in 64 bits, words wrap. Operands of the wrong sort have no meaning anywhere; the type
//! checker lets none through.

use super::scalar::Scalar;
use crate::{BinaryOp, Type, UnaryOp};
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::Integer;
use tertium_encode::diagrams::circuit::{self as bits, Made};

/// A value, and where the operator is not defined.
type Outcome = Made<(Scalar, Bdd)>;

/// The value of an operator with one operand; `ty` is the type of the result.
pub(super) fn unary(manager: &Manager, operator: UnaryOp, operand: &Scalar, ty: &Type) -> Outcome {
    use Scalar::{Boolean, Word};
    use UnaryOp as Op;
    let scalar = match (operator, operand) {
        (Op::Not, Boolean(value)) => Boolean(value.not()),
        (Op::Not, Word { bits, signed }) => Word { bits: bits::not(bits), signed: *signed },
        (Op::Minus, Scalar::Integer(number)) => return integer(manager, number.negate()?),
        (Op::Minus, Word { bits, signed }) => Word { bits: bits::negate(manager, bits)?, signed: *signed },
        (Op::ToBoolean, Boolean(_)) | (Op::ToInteger, Scalar::Integer(_)) => operand.clone(),
        (Op::ToBoolean, Scalar::Integer(number)) => Boolean(bits::any(manager, number.bits())?),
        (Op::ToBoolean, Word { bits, .. }) => Boolean(bits::any(manager, bits)?),
        (Op::ToWord1, Boolean(value)) => Word { bits: vec![value.clone()], signed: false },
        (Op::ToInteger, Boolean(value)) => {
            Scalar::Integer(Integer::unsigned(manager, std::slice::from_ref(value)))
        }
        (Op::ToInteger, Word { bits, signed }) => {
            return integer(manager, word_number(manager, bits, *signed));
        }
        (Op::ToUnsigned, Word { bits, .. }) => Word { bits: bits.clone(), signed: false },
        (Op::ToSigned, Word { bits, .. }) => Word { bits: bits.clone(), signed: true },
        (Op::Resize, _) => match resize(manager, operand, ty) {
            Some(scalar) => scalar,
            None => return Ok(undefined(manager)),
        },
        _ => return Ok(undefined(manager)),
    };
    defined(manager, scalar)
}

/// The operand with the width and sign of the type. A signed word that is cut keeps its sign bit and its lowest bits.
fn resize(manager: &Manager, operand: &Scalar, ty: &Type) -> Option<Scalar> {
    let Type::Word { width, signed: as_signed } = *ty else { return None };
    let width = width as usize;
    let bits = match operand {
        Scalar::Integer(number) => number.cut(width),
        Scalar::Word { bits, signed: true } if width < bits.len() => {
            let mut cut = bits[..width].to_vec();
            *cut.last_mut()? = bits.last()?.clone();
            cut
        }
        Scalar::Word { bits, signed: true } => bits::extend_signed(bits, width),
        Scalar::Word { bits, signed: false } => bits::extend_unsigned(manager, bits, width),
        _ => return None,
    };
    Some(Scalar::Word { bits, signed: as_signed })
}

/// The value of an operator with two operands. `in` is about sets and not here.
pub(super) fn binary(manager: &Manager, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    use BinaryOp as Op;
    match operator {
        Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies => logical(manager, operator, left, right),
        Op::Equal => defined(manager, Scalar::Boolean(left.equal(right, manager)?)),
        Op::NotEqual => defined(manager, Scalar::Boolean(left.equal(right, manager)?.not())),
        Op::Less => compare(manager, left, right, |less| less),
        Op::GreaterEqual => compare(manager, left, right, |less| less.not()),
        Op::Greater => compare(manager, right, left, |less| less),
        Op::LessEqual => compare(manager, right, left, |less| less.not()),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo => {
            arithmetic(manager, operator, left, right)
        }
        Op::ShiftLeft | Op::ShiftRight => shift(manager, operator, left, right),
        Op::Concatenate => Ok(concatenate(manager, left, right)),
        Op::In => Ok(undefined(manager)),
    }
}

fn logical(manager: &Manager, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    let apply = |a: &Bdd, b: &Bdd| match operator {
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Xnor => a.iff(b),
        _ => a.implies(b),
    };
    match (left, right) {
        (Scalar::Boolean(a), Scalar::Boolean(b)) => defined(manager, Scalar::Boolean(apply(a, b)?)),
        (Scalar::Word { bits: a, signed }, Scalar::Word { bits: b, .. }) if a.len() == b.len() => {
            defined(manager, Scalar::Word { bits: bits::zip(a, b, apply)?, signed: *signed })
        }
        _ => Ok(undefined(manager)),
    }
}

fn compare(manager: &Manager, left: &Scalar, right: &Scalar, result: impl Fn(Bdd) -> Bdd) -> Outcome {
    match (number(manager, left), number(manager, right)) {
        (Some(a), Some(b)) => defined(manager, Scalar::Boolean(result(a.less(&b)?))),
        _ => Ok(undefined(manager)),
    }
}

fn arithmetic(manager: &Manager, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    match (left, right) {
        (Scalar::Integer(a), Scalar::Integer(b)) => {
            let (value, by_zero) = exact(manager, operator, a, b)?;
            let (value, overflow) = integer(manager, value)?;
            Ok((value, overflow.or(&by_zero)?))
        }
        (Scalar::Word { bits: a, signed }, Scalar::Word { bits: b, .. }) if a.len() == b.len() => {
            let never = manager.constant(false);
            let (bits, by_zero) = match operator {
                BinaryOp::Add => (bits::add(a, b, never.clone())?, never),
                BinaryOp::Subtract => (bits::subtract(manager, a, b)?, never),
                BinaryOp::Multiply => (bits::multiply(manager, a, b)?, never),
                _ => {
                    let Scalar::Word { signed: of_right, .. } = right else { return Ok(undefined(manager)) };
                    let (x, y) = (word_number(manager, a, *signed), word_number(manager, b, *of_right));
                    let (value, by_zero) = exact(manager, operator, &x, &y)?;
                    (value.cut(a.len()), by_zero)
                }
            };
            Ok((Scalar::Word { bits, signed: *signed }, by_zero))
        }
        _ => Ok(undefined(manager)),
    }
}

/// The result of any size, and where it is a division by zero.
fn exact(manager: &Manager, operator: BinaryOp, a: &Integer, b: &Integer) -> Made<(Integer, Bdd)> {
    let never = manager.constant(false);
    Ok(match operator {
        BinaryOp::Add => (a.add(b)?, never),
        BinaryOp::Subtract => (a.subtract(b)?, never),
        BinaryOp::Multiply => (a.multiply(b)?, never),
        _ => {
            let by_zero = b.equal(&Integer::constant(manager, &0.into()))?;
            let (quotient, rest) = a.divide(b)?;
            (if operator == BinaryOp::Divide { quotient } else { rest }, by_zero)
        }
    })
}

/// Shifting by the width or more leaves nothing but zeros, or copies of the sign.
fn shift(manager: &Manager, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    let (Scalar::Word { bits, signed }, Some(by)) = (left, number(manager, right)) else {
        return Ok(undefined(manager));
    };
    let negative = by.sign().clone();
    let by = &by.bits()[..by.bits().len() - 1];
    let fill = if *signed { bits[bits.len() - 1].clone() } else { manager.constant(false) };
    let shifted = if operator == BinaryOp::ShiftLeft {
        bits::shift_up(manager, bits, by)?
    } else {
        bits::shift_down(bits, by, &fill)?
    };
    Ok((Scalar::Word { bits: shifted, signed: *signed }, negative))
}

fn concatenate(manager: &Manager, left: &Scalar, right: &Scalar) -> (Scalar, Bdd) {
    match (left, right) {
        (Scalar::Word { bits: high, .. }, Scalar::Word { bits: low, .. }) if high.len() + low.len() <= 64 => {
            let bits = low.iter().chain(high).cloned().collect();
            (Scalar::Word { bits, signed: false }, manager.constant(false))
        }
        _ => undefined(manager),
    }
}

/// The bits from `high` down to `low`.
pub(super) fn bits_of(manager: &Manager, operand: &Scalar, high: u32, low: u32) -> (Scalar, Bdd) {
    let (high, low) = (high as usize, low as usize);
    match operand {
        Scalar::Word { bits, .. } if low <= high && high < bits.len() => {
            let bits = bits[low..=high].to_vec();
            (Scalar::Word { bits, signed: false }, manager.constant(false))
        }
        _ => undefined(manager),
    }
}

/// An integer, which has to fit in 64 bits.
fn integer(manager: &Manager, number: Integer) -> Outcome {
    let too_large = if number.bits().len() <= 64 {
        manager.constant(false)
    } else {
        number.outside(&i64::MIN.into(), &i64::MAX.into())?
    };
    Ok((Scalar::Integer(number), too_large))
}

fn word_number(manager: &Manager, bits: &[Bdd], signed: bool) -> Integer {
    if signed { Integer::signed(bits) } else { Integer::unsigned(manager, bits) }
}

fn number(manager: &Manager, scalar: &Scalar) -> Option<Integer> {
    match scalar {
        Scalar::Integer(number) => Some(number.clone()),
        Scalar::Word { bits, signed } => Some(word_number(manager, bits, *signed)),
        _ => None,
    }
}

fn defined(manager: &Manager, scalar: Scalar) -> Outcome {
    Ok((scalar, manager.constant(false)))
}

/// Some value, and nowhere a meaning.
fn undefined(manager: &Manager) -> (Scalar, Bdd) {
    (Scalar::Boolean(manager.constant(false)), manager.constant(true))
}
