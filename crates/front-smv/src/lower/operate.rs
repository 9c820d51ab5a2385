//! The operators on scalars, as terms, and where they have no value.
//!
//! Integers are mathematical ones. The interpreter computes with 64 bits and calls more a fault; bounds on the values, kept with each
//! integer, show that this cannot happen in almost all models, and a term says so in the others. Quotients go towards
//! zero. Operands of the wrong sort have no meaning anywhere; the type checker lets none through.

use super::scalar::{Integer, Scalar, Word, is_set};
use crate::{BinaryOp, Type, UnaryOp};
use tertium_expr::{BigInt, BitOperation, Term, Terms};

/// Up to so many values of a divisor, a quotient is a case for each; beyond, it is one of bit-vectors.
const MOST_DIVISORS: i128 = 256;

/// A value, and where the operator is not defined.
pub(super) type Outcome = (Scalar, Term);

/// The value of an operator with one operand; `ty` is the type of the result.
pub(super) fn unary(terms: &Terms, operator: UnaryOp, operand: &Scalar, ty: &Type) -> Outcome {
    use Scalar::Boolean;
    use UnaryOp as Op;
    let scalar = match (operator, operand) {
        (Op::Not, Boolean(value)) => Boolean(terms.not(*value)),
        (Op::Not, Scalar::Word(word)) => same(word, terms.bitwise(BitOperation::Not, &[word.bits])),
        (Op::Minus, Scalar::Integer(number)) => {
            return integer(terms, terms.scaled(-1, number.term), -number.high, -number.low);
        }
        (Op::Minus, Scalar::Word(word)) => {
            let zero = terms.bits(word.width, 0);
            same(word, terms.bitwise(BitOperation::Subtract, &[zero, word.bits]))
        }
        (Op::ToBoolean, Boolean(_)) | (Op::ToInteger, Scalar::Integer(_)) => operand.clone(),
        (Op::ToBoolean, Scalar::Integer(number)) => {
            Boolean(terms.not(terms.equal(number.term, terms.integer(0))))
        }
        (Op::ToBoolean, Scalar::Word(word)) => {
            Boolean(terms.not(terms.equal(word.bits, terms.bits(word.width, 0))))
        }
        (Op::ToWord1, Boolean(value)) => {
            let bits = terms.ite(*value, terms.bits(1, 1), terms.bits(1, 0));
            Scalar::Word(Word { bits, width: 1, signed: false })
        }
        (Op::ToInteger, Boolean(value)) => {
            let term = terms.ite(*value, terms.integer(1), terms.integer(0));
            Scalar::Integer(Integer { term, low: 0, high: 1 })
        }
        (Op::ToInteger, Scalar::Word(word)) => {
            let Integer { term, low, high } = number_of(terms, word);
            return integer(terms, term, low, high);
        }
        (Op::ToUnsigned, Scalar::Word(word)) => Scalar::Word(Word { signed: false, ..*word }),
        (Op::ToSigned, Scalar::Word(word)) => Scalar::Word(Word { signed: true, ..*word }),
        (Op::Resize, _) => return resize(terms, operand, ty),
        _ => return undefined(terms),
    };
    defined(terms, scalar)
}

fn same(word: &Word, bits: Term) -> Scalar {
    Scalar::Word(Word { bits, ..*word })
}

/// The operand with the width and sign of the type. A signed word that is cut keeps its sign bit and its lowest bits.
fn resize(terms: &Terms, operand: &Scalar, ty: &Type) -> Outcome {
    let Type::Word { width, signed } = *ty else { return undefined(terms) };
    let bits = match operand {
        Scalar::Integer(number) => cut(terms, number, width),
        Scalar::Word(word) if word.signed && width < word.width => {
            let top = word.width - 1;
            let sign = terms.bitwise(BitOperation::Extract(top, top), &[word.bits]);
            match width {
                1 => sign,
                _ => {
                    let rest = terms.bitwise(BitOperation::Extract(width - 2, 0), &[word.bits]);
                    terms.bitwise(BitOperation::Concatenate, &[sign, rest])
                }
            }
        }
        Scalar::Word(word) => word.resized(terms, width),
        _ => return undefined(terms),
    };
    defined(terms, Scalar::Word(Word { bits, width, signed }))
}

/// The lowest bits of an integer.
fn cut(terms: &Terms, number: &Integer, width: u32) -> Term {
    if number.low == number.high {
        return terms.bits(width, number.low as u128);
    }
    let bit = |place: u32| {
        let odd = terms.modulo(terms.divide(number.term, BigInt::from(1) << place), 2);
        terms.ite(terms.equal(odd, terms.integer(1)), terms.bits(1, 1), terms.bits(1, 0))
    };
    (1..width).fold(bit(0), |low, place| terms.bitwise(BitOperation::Concatenate, &[bit(place), low]))
}

/// The number that a word stands for.
fn number_of(terms: &Terms, word: &Word) -> Integer {
    let top = word.width - 1;
    let weight = |place: u32| {
        let weight = 1i128 << place;
        if word.signed && place == top { -weight } else { weight }
    };
    let summands = (0..word.width).map(|place| {
        terms.ite(is_set(terms, word.bits, place), terms.integer(weight(place)), terms.integer(0))
    });
    let half = 1i128 << top;
    let (low, high) = if word.signed { (-half, half - 1) } else { (0, 2 * half - 1) };
    Integer { term: terms.sum(summands), low, high }
}

/// The value of an operator with two operands. `in` is about sets and not here.
pub(super) fn binary(terms: &Terms, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    use BinaryOp as Op;
    match operator {
        Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies => logical(terms, operator, left, right),
        Op::Equal => defined(terms, Scalar::Boolean(left.equal(right, terms))),
        Op::NotEqual => defined(terms, Scalar::Boolean(terms.not(left.equal(right, terms)))),
        Op::Less => compare(terms, left, right, |less| less),
        Op::GreaterEqual => compare(terms, left, right, |less| terms.not(less)),
        Op::Greater => compare(terms, right, left, |less| less),
        Op::LessEqual => compare(terms, right, left, |less| terms.not(less)),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo => match (left, right) {
            (Scalar::Integer(a), Scalar::Integer(b)) => numbers(terms, operator, a, b),
            (Scalar::Word(a), Scalar::Word(b)) if a.width == b.width => words(terms, operator, a, b),
            _ => undefined(terms),
        },
        Op::ShiftLeft | Op::ShiftRight => shift(terms, operator, left, right),
        Op::Concatenate => concatenate(terms, left, right),
        Op::In => undefined(terms),
    }
}

fn logical(terms: &Terms, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    match (left, right) {
        (&Scalar::Boolean(a), &Scalar::Boolean(b)) => {
            let value = match operator {
                BinaryOp::And => terms.and([a, b]),
                BinaryOp::Or => terms.or([a, b]),
                BinaryOp::Xor => terms.not(terms.equal(a, b)),
                BinaryOp::Xnor => terms.equal(a, b),
                _ => terms.implies(a, b),
            };
            defined(terms, Scalar::Boolean(value))
        }
        (Scalar::Word(a), Scalar::Word(b)) if a.width == b.width => {
            let apply = |operation| terms.bitwise(operation, &[a.bits, b.bits]);
            let not = |bits| terms.bitwise(BitOperation::Not, &[bits]);
            let bits = match operator {
                BinaryOp::And => apply(BitOperation::And),
                BinaryOp::Or => apply(BitOperation::Or),
                BinaryOp::Xor => apply(BitOperation::Xor),
                BinaryOp::Xnor => not(apply(BitOperation::Xor)),
                _ => terms.bitwise(BitOperation::Or, &[not(a.bits), b.bits]),
            };
            defined(terms, same(a, bits))
        }
        _ => undefined(terms),
    }
}

fn compare(terms: &Terms, left: &Scalar, right: &Scalar, result: impl Fn(Term) -> Term) -> Outcome {
    let less = match (left, right) {
        (Scalar::Word(a), Scalar::Word(b)) if a.width == b.width && a.signed == b.signed => {
            let operation = if a.signed { BitOperation::LessSigned } else { BitOperation::LessUnsigned };
            terms.bitwise(operation, &[a.bits, b.bits])
        }
        (Scalar::Word(a), Scalar::Word(b)) => {
            // With one more bit than the wider one, both fit in two's complement.
            let width = a.width.max(b.width) + 1;
            terms.bitwise(BitOperation::LessSigned, &[a.resized(terms, width), b.resized(terms, width)])
        }
        _ => match (as_number(terms, left), as_number(terms, right)) {
            (Some(a), Some(b)) => terms.less(a.term, b.term),
            _ => return undefined(terms),
        },
    };
    defined(terms, Scalar::Boolean(result(less)))
}

fn as_number(terms: &Terms, scalar: &Scalar) -> Option<Integer> {
    match scalar {
        Scalar::Integer(number) => Some(*number),
        Scalar::Word(word) => Some(number_of(terms, word)),
        _ => None,
    }
}

fn numbers(terms: &Terms, operator: BinaryOp, a: &Integer, b: &Integer) -> Outcome {
    match operator {
        BinaryOp::Add => integer(terms, terms.sum([a.term, b.term]), a.low + b.low, a.high + b.high),
        BinaryOp::Subtract => {
            integer(terms, terms.difference(a.term, b.term), a.low - b.high, a.high - b.low)
        }
        BinaryOp::Multiply => {
            let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
            let (low, high) = corners
                .iter()
                .fold((i128::MAX, i128::MIN), |(low, high), &corner| (low.min(corner), high.max(corner)));
            integer(terms, terms.product(a.term, b.term), low, high)
        }
        _ => divide(terms, operator, a, b),
    }
}

/// Quotient towards zero, or the remainder that belongs to it.
fn divide(terms: &Terms, operator: BinaryOp, a: &Integer, b: &Integer) -> Outcome {
    let result = if b.high - b.low < MOST_DIVISORS {
        divide_by_each(terms, operator, a, b)
    } else {
        divide_bits(terms, operator, a, b)
    };
    let by_zero =
        if b.low <= 0 && b.high >= 0 { terms.equal(b.term, terms.integer(0)) } else { terms.boolean(false) };
    let largest = a.low.abs().max(a.high.abs());
    let bound = match operator {
        BinaryOp::Divide => largest,
        _ => largest.min((b.low.abs().max(b.high.abs()) - 1).max(0)),
    };
    let is_positive = a.low >= 0 && (operator == BinaryOp::Modulo || b.low >= 0);
    let (scalar, overflow) = integer(terms, result, if is_positive { 0 } else { -bound }, bound);
    (scalar, terms.or([overflow, by_zero]))
}

/// A case for each divisor.
fn divide_by_each(terms: &Terms, operator: BinaryOp, a: &Integer, b: &Integer) -> Term {
    let mut result = terms.integer(0);
    for divisor in (b.low..=b.high).filter(|&divisor| divisor != 0) {
        let here = match operator {
            BinaryOp::Divide => quotient(terms, a, divisor),
            _ if a.low >= 0 => terms.modulo(a.term, divisor.abs()),
            _ => terms.difference(a.term, terms.scaled(divisor, quotient(terms, a, divisor))),
        };
        result = terms.ite(terms.equal(b.term, terms.integer(divisor)), here, result);
    }
    result
}

/// Both as bit-vectors in two's complement, wide enough for the quotient of the lowest number by -1.
fn divide_bits(terms: &Terms, operator: BinaryOp, a: &Integer, b: &Integer) -> Term {
    let size = [a.low, a.high, b.low, b.high].map(i128::unsigned_abs).into_iter().max().unwrap_or_default();
    let width = u128::BITS - size.leading_zeros() + 2;
    let operands = [a, b].map(|number| cut(terms, number, width));
    let operation = match operator {
        BinaryOp::Divide => BitOperation::DivideSigned,
        _ => BitOperation::RemainderSigned,
    };
    let bits = terms.bitwise(operation, &operands);
    number_of(terms, &Word { bits, width, signed: true }).term
}

fn quotient(terms: &Terms, a: &Integer, divisor: i128) -> Term {
    let size = divisor.abs();
    let towards_zero = if a.low >= 0 {
        terms.divide(a.term, size)
    } else {
        let negated = terms.scaled(-1, terms.divide(terms.scaled(-1, a.term), size));
        terms.ite(terms.less(a.term, terms.integer(0)), negated, terms.divide(a.term, size))
    };
    if divisor < 0 { terms.scaled(-1, towards_zero) } else { towards_zero }
}

fn words(terms: &Terms, operator: BinaryOp, a: &Word, b: &Word) -> Outcome {
    use BitOperation as Op;
    let apply = |operation| terms.bitwise(operation, &[a.bits, b.bits]);
    let quotient = operator == BinaryOp::Divide;
    let bits = match operator {
        BinaryOp::Add => apply(Op::Add),
        BinaryOp::Subtract => apply(Op::Subtract),
        BinaryOp::Multiply => apply(Op::Multiply),
        _ if a.signed != b.signed => {
            let operation = if quotient { Op::DivideSigned } else { Op::RemainderSigned };
            let wide = [a, b].map(|word| word.resized(terms, a.width + 1));
            terms.bitwise(Op::Extract(a.width - 1, 0), &[terms.bitwise(operation, &wide)])
        }
        _ => apply(match (quotient, a.signed) {
            (true, true) => Op::DivideSigned,
            (true, false) => Op::DivideUnsigned,
            (false, true) => Op::RemainderSigned,
            (false, false) => Op::RemainderUnsigned,
        }),
    };
    let by_zero = match operator {
        BinaryOp::Divide | BinaryOp::Modulo => terms.equal(b.bits, terms.bits(b.width, 0)),
        _ => terms.boolean(false),
    };
    (same(a, bits), by_zero)
}

/// Shifting by the width or more leaves nothing but zeros, or copies of the sign.
fn shift(terms: &Terms, operator: BinaryOp, left: &Scalar, right: &Scalar) -> Outcome {
    let Scalar::Word(word) = left else { return undefined(terms) };
    let operation = match operator {
        BinaryOp::ShiftLeft => BitOperation::ShiftLeft,
        _ if word.signed => BitOperation::ShiftRightSigned,
        _ => BitOperation::ShiftRight,
    };
    match right {
        Scalar::Word(by) => {
            let width = word.width.max(by.width);
            let amount = Word { signed: false, ..*by }.resized(terms, width);
            let shifted = terms.bitwise(operation, &[word.resized(terms, width), amount]);
            let bits = Word { bits: shifted, width, signed: false }.resized(terms, word.width);
            let negative =
                if by.signed { is_set(terms, by.bits, by.width - 1) } else { terms.boolean(false) };
            (same(word, bits), negative)
        }
        Scalar::Integer(by) => {
            let shifted = |amount: u32| {
                terms.bitwise(operation, &[word.bits, terms.bits(word.width, amount.min(word.width).into())])
            };
            // By the width itself: the bits of a number that does not fit into the width would be cut.
            let out = {
                let wide = word.resized(terms, word.width + 1);
                let amount = terms.bits(word.width + 1, word.width.into());
                let all = terms.bitwise(operation, &[wide, amount]);
                Word { bits: all, width: word.width + 1, signed: false }.resized(terms, word.width)
            };
            let amounts =
                (0..word.width).filter(|&by_this| (by.low..=by.high).contains(&i128::from(by_this)));
            let bits = amounts.fold(out, |rest, amount| {
                let is_this = terms.equal(by.term, terms.integer(amount));
                terms.ite(is_this, shifted(amount), rest)
            });
            (same(word, bits), by.outside(terms, 0, i128::MAX))
        }
        _ => undefined(terms),
    }
}

fn concatenate(terms: &Terms, left: &Scalar, right: &Scalar) -> Outcome {
    match (left, right) {
        (Scalar::Word(high), Scalar::Word(low)) if high.width + low.width <= 64 => {
            let bits = terms.bitwise(BitOperation::Concatenate, &[high.bits, low.bits]);
            defined(terms, Scalar::Word(Word { bits, width: high.width + low.width, signed: false }))
        }
        _ => undefined(terms),
    }
}

/// The bits from `high` down to `low`.
pub(super) fn bits_of(terms: &Terms, operand: &Scalar, high: u32, low: u32) -> Outcome {
    match operand {
        Scalar::Word(word) if low <= high && high < word.width => {
            let bits = terms.bitwise(BitOperation::Extract(high, low), &[word.bits]);
            defined(terms, Scalar::Word(Word { bits, width: high - low + 1, signed: false }))
        }
        _ => undefined(terms),
    }
}

/// An integer between these bounds, which has to fit in 64 bits.
fn integer(terms: &Terms, term: Term, low: i128, high: i128) -> Outcome {
    let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
    let fault = Integer { term, low, high }.outside(terms, least, most);
    (Scalar::Integer(Integer { term, low: low.max(least), high: high.min(most) }), fault)
}

fn defined(terms: &Terms, scalar: Scalar) -> Outcome {
    (scalar, terms.boolean(false))
}

/// Some value, and nowhere a meaning.
fn undefined(terms: &Terms) -> Outcome {
    (Scalar::Boolean(terms.boolean(false)), terms.boolean(true))
}
