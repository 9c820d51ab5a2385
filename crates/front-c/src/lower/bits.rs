//! Operators on integers as terms over bit-vectors, with the width of the type.
//!
//! Used where integers cannot say what an operator does. A signed result without room ends the path here too; all else is what the
//! machine does. A bit-vector becomes an integer, for an index, as the sum of its bits; an integer becomes a bit-vector as an input that
//! the guard determines, which values of one class never need.

use super::Lowering;
use super::interval::Interval;
use super::options::InputOrigin;
use super::state::State;
use super::value::{Number, Value};
use crate::ir::{BinaryOperator, Integer, UnaryOperator, Undefined};
use tertium_expr::{BigInt, BitOperation, Sort, Term};
use tertium_program::Domain;

/// A number with at most so many values becomes a bit-vector by cases.
const MOST_CASES: i128 = 16;

impl Lowering<'_> {
    fn width(&self, term: Term) -> u32 {
        match self.icfg.terms.sort(term) {
            Sort::Bits(width) => width,
            _ => unreachable!("bit-vectors have a width"),
        }
    }

    /// The bits of another width that mean the same number, or its lowest bits.
    pub(super) fn resized(&self, term: Term, width: u32, is_signed: bool) -> Term {
        let (terms, own) = (&self.icfg.terms, self.width(term));
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => terms.bitwise(BitOperation::Extract(width - 1, 0), &[term]),
            std::cmp::Ordering::Less if is_signed => {
                terms.bitwise(BitOperation::ExtendSign(width - own), &[term])
            }
            std::cmp::Ordering::Less => terms.bitwise(BitOperation::ExtendZeros(width - own), &[term]),
        }
    }

    /// A constant of a type.
    pub(super) fn bits_of(&self, value: i128, ty: Integer) -> Term {
        self.icfg.terms.bits(ty.bits, value as u128)
    }

    /// A value of a type as a bit-vector.
    pub(super) fn as_bits(&mut self, state: &mut State, value: Value, ty: Integer) -> Term {
        let terms = &self.icfg.terms;
        match value {
            Value::Bits(bits) => self.resized(bits, ty.bits, ty.signed),
            Value::Truth(holds) => terms.ite(holds, self.bits_of(1, ty), self.bits_of(0, ty)),
            Value::Number(number) => self.number_to_bits(state, number, ty),
            Value::Pointer(_) | Value::Unknown => {
                self.input(state, "unknown", Domain::Bits(ty.bits), InputOrigin::Approximation)
            }
        }
    }

    fn number_to_bits(&mut self, state: &mut State, number: Number, ty: Integer) -> Term {
        let constant =
            self.icfg.terms.as_value(number.term).and_then(|value| i128::try_from(value.as_int()?).ok());
        if let Some(value) = constant {
            return self.bits_of(value, ty);
        }
        if let (Some(low), Some(high)) = (number.local.low, number.local.high)
            && high.checked_sub(low).is_some_and(|more| (0..MOST_CASES).contains(&more))
        {
            let terms = &self.icfg.terms;
            return (low..high).rev().fold(self.bits_of(high, ty), |rest, value| {
                let is_this = terms.equal(number.term, terms.integer(value));
                terms.ite(is_this, self.bits_of(value, ty), rest)
            });
        }
        let bits = self.input(state, "bits", Domain::Bits(ty.bits), InputOrigin::Bits(number.term));
        let same = self.icfg.terms.equal(self.sum_of(bits, ty.bits, ty.signed), number.term);
        state.demand(&self.icfg.terms, same);
        bits
    }

    /// The number that the lowest bits stand for.
    fn sum_of(&self, bits: Term, width: u32, is_signed: bool) -> Term {
        let terms = &self.icfg.terms;
        let zero = terms.integer(0);
        let part = |at: u32| {
            let bit = terms.bitwise(BitOperation::Extract(at, at), &[bits]);
            let is_one = terms.equal(bit, terms.bits(1, 1));
            let power = BigInt::from(1) << at;
            let is_sign = is_signed && at + 1 == width;
            terms.ite(is_one, terms.integer(if is_sign { -power } else { power }), zero)
        };
        terms.sum((0..width).map(part).collect::<Vec<Term>>())
    }

    /// A bit-vector of a type as a number.
    pub(super) fn bits_to_number(&self, bits: Term, ty: Integer) -> Number {
        let all = Interval::of(ty);
        if let Some(tertium_expr::Value::Bits { value, .. }) = self.icfg.terms.as_value(bits) {
            return self.constant(ty.wrap(value as i128), ty);
        }
        Number::new(self.sum_of(bits, ty.bits, ty.signed), all, all)
    }

    /// The index of an element: bits that are always zero below the length are not looked at.
    pub(super) fn bits_to_index(
        &mut self,
        state: &mut State,
        bits: Term,
        ty: Integer,
        length: Option<u64>,
    ) -> Number {
        let needed = length.map(|length| u64::BITS - length.leading_zeros());
        match (needed, length) {
            (Some(needed), Some(length)) if needed < ty.bits && self.icfg.terms.as_value(bits).is_none() => {
                let limit = self.icfg.terms.bits(ty.bits, u128::from(length));
                let operation = match self.is_address {
                    true => BitOperation::AtMostUnsigned,
                    false => BitOperation::LessUnsigned,
                };
                let inside = self.icfg.terms.bitwise(operation, &[bits, limit]);
                self.demand(state, inside, Undefined::OutOfBounds);
                let last = i128::from(length) - i128::from(!self.is_address);
                let all = Interval::new(0, last);
                Number::new(self.sum_of(bits, needed, false), all, all)
            }
            _ => self.bits_to_number(bits, ty),
        }
    }

    /// An operator with one operand.
    pub(super) fn unary_on_bits(
        &mut self,
        state: &mut State,
        operator: UnaryOperator,
        own: Term,
        ty: Integer,
    ) -> Term {
        let zero = self.bits_of(0, ty);
        match operator {
            UnaryOperator::Complement => self.icfg.terms.bitwise(BitOperation::Not, &[own]),
            _ => {
                if ty.signed {
                    let least = self.icfg.terms.equal(own, self.bits_of(ty.least(), ty));
                    self.demand(state, self.icfg.terms.not(least), Undefined::Overflow);
                }
                self.icfg.terms.bitwise(BitOperation::Subtract, &[zero, own])
            }
        }
    }

    /// An operator with two operands of one type, which is no comparison; of shifts the right operand has a type of its own.
    pub(super) fn binary_on_bits(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        (left, right): (Term, Term),
        ty: Integer,
        right_ty: Integer,
    ) -> Option<Term> {
        use BinaryOperator as Own;
        let operation = match (operator, ty.signed) {
            (Own::Add, _) => BitOperation::Add,
            (Own::Subtract, _) => BitOperation::Subtract,
            (Own::Multiply, _) => BitOperation::Multiply,
            (Own::Divide, true) => BitOperation::DivideSigned,
            (Own::Divide, false) => BitOperation::DivideUnsigned,
            (Own::Remainder, true) => BitOperation::RemainderSigned,
            (Own::Remainder, false) => BitOperation::RemainderUnsigned,
            (Own::And, _) => BitOperation::And,
            (Own::Or, _) => BitOperation::Or,
            (Own::Xor, _) => BitOperation::Xor,
            (Own::ShiftLeft, _) => BitOperation::ShiftLeft,
            (Own::ShiftRight, true) => BitOperation::ShiftRightSigned,
            (Own::ShiftRight, false) => BitOperation::ShiftRight,
            _ => return None,
        };
        let right = match operator {
            Own::ShiftLeft | Own::ShiftRight => self.count(state, right, ty, right_ty),
            _ => right,
        };
        if matches!(operator, Own::Divide | Own::Remainder) {
            let is_zero = self.icfg.terms.equal(right, self.bits_of(0, ty));
            self.demand(state, self.icfg.terms.not(is_zero), Undefined::DivisionByZero);
        }
        if ty.signed {
            self.demand_room(state, operator, operation, (left, right), ty);
        }
        Some(self.icfg.terms.bitwise(operation, &[left, right]))
    }

    /// The count of a shift, which is below the width.
    fn count(&mut self, state: &mut State, right: Term, ty: Integer, right_ty: Integer) -> Term {
        let width = self.width(right);
        if width < 128 && (1u128 << width) > u128::from(ty.bits) {
            let limit = self.icfg.terms.bits(width, u128::from(ty.bits));
            let inside = self.icfg.terms.bitwise(BitOperation::LessUnsigned, &[right, limit]);
            self.demand(state, inside, Undefined::Shift);
        }
        self.resized(right, ty.bits, right_ty.signed)
    }

    /// The path goes on only where a signed result has room.
    fn demand_room(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        operation: BitOperation,
        (left, right): (Term, Term),
        ty: Integer,
    ) {
        let terms = &self.icfg.terms;
        let has_room = match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                let more = if operator == BinaryOperator::Multiply { ty.bits } else { 1 };
                if ty.bits + more > 128 {
                    state.is_approximate = true;
                    return;
                }
                let wide = |term: Term| self.resized(term, ty.bits + more, true);
                let exact = terms.bitwise(operation, &[wide(left), wide(right)]);
                terms.equal(exact, wide(terms.bitwise(operation, &[left, right])))
            }
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                let least = terms.equal(left, self.bits_of(ty.least(), ty));
                let minus = terms.equal(right, self.bits_of(-1, ty));
                terms.not(terms.and([least, minus]))
            }
            _ => return,
        };
        self.demand(state, has_room, Undefined::Overflow);
    }

    /// A comparison of bit-vectors of one type.
    pub(super) fn compare_bits(
        &self,
        operator: BinaryOperator,
        left: Term,
        right: Term,
        ty: Integer,
    ) -> Term {
        let terms = &self.icfg.terms;
        let operation = match (operator, ty.signed) {
            (BinaryOperator::Equal, _) => return terms.equal(left, right),
            (BinaryOperator::NotEqual, _) => return terms.not(terms.equal(left, right)),
            (BinaryOperator::Less, true) => BitOperation::LessSigned,
            (BinaryOperator::Less, false) => BitOperation::LessUnsigned,
            (_, true) => BitOperation::AtMostSigned,
            (_, false) => BitOperation::AtMostUnsigned,
        };
        terms.bitwise(operation, &[left, right])
    }
}
