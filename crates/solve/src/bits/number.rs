//! Bounded integers as bits: two's complement, as wide as the bounds need.
//!
//! Every number has bounds that hold of its value in every valuation. The bounds of a result come from those of its operands, and its
//! width from its bounds, so nothing ever overflows. A number that cannot be negative has a sign that is a constant.

use super::gates::Gates;
use super::word::Word;
use crate::sat::Literal;

/// An integer between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    low: i128,
    high: i128,
    /// The lowest bit first; the last is the sign.
    bits: Word,
}

/// Bounds wider than this are not dealt with: circuits compute with them without a thought for the width of our own numbers.
const WIDEST: u32 = 100;

/// How many bits numbers between these bounds need, if that is not too many.
fn width(low: i128, high: i128) -> Option<usize> {
    debug_assert!(low <= high, "bounds are in order");
    let needed = |value: i128| 129 - (if value < 0 { !value } else { value }).leading_zeros();
    let width = needed(low).max(needed(high));
    (width <= WIDEST).then_some(width as usize)
}

impl Number {
    fn bit(&self, at: usize) -> Literal {
        *self.bits.get(at).unwrap_or_else(|| self.bits.last().expect("numbers have a sign"))
    }

    /// The bits, with copies of the sign or without them.
    fn resized(&self, width: usize) -> Word {
        debug_assert!(width > 0, "a number keeps its sign");
        (0..width).map(|at| self.bit(at)).collect()
    }

    /// The value, given those of its bits.
    pub(super) fn value(&self, value: impl Fn(Literal) -> bool) -> i128 {
        let weight = |at: usize| if at + 1 == self.bits.len() { -(1 << at) } else { 1 << at };
        self.bits.iter().enumerate().filter(|&(_, &bit)| value(bit)).map(|(at, _)| weight(at)).sum()
    }
}

impl Gates {
    /// A number between bounds with these bits. The sign is put in where the bounds decide it.
    fn bounded(&self, low: i128, high: i128, mut bits: Word) -> Number {
        debug_assert_eq!(Some(bits.len()), width(low, high), "the width is that of the bounds");
        let sign = bits.last_mut().expect("numbers have a sign");
        if low >= 0 || high < 0 {
            *sign = self.constant(high < 0);
        }
        Number { low, high, bits }
    }

    pub(super) fn number(&self, value: i128) -> Option<Number> {
        let width = width(value, value)?;
        let bits = (0..width).map(|at| self.constant(value >> at & 1 == 1)).collect();
        Some(Number { low: value, high: value, bits })
    }

    /// Any number between these bounds, which is demanded of it.
    pub(super) fn any_number(&mut self, low: i128, high: i128) -> Option<Number> {
        let width = width(low, high)?;
        let bits = (0..width).map(|_| self.fresh()).collect();
        let number = self.bounded(low, high, bits);
        let most = self.is_at_most(&number.bits, high);
        self.demand(most);
        let less = self.is_at_most(&number.bits, low - 1);
        self.demand(!less);
        Some(number)
    }

    /// Whether bits in two's complement are at most a number that has so many bits.
    fn is_at_most(&mut self, bits: &[Literal], bound: i128) -> Literal {
        debug_assert!(bits.len() <= WIDEST as usize, "bounds fit our own numbers");
        let sign = bits.len() - 1;
        if bound < -(1 << sign) {
            return self.constant(false);
        }
        if bound >= 1 << sign {
            return self.constant(true);
        }
        let mut at_most = self.constant(true);
        for (at, &bit) in bits.iter().enumerate() {
            let (bit, other) = (if at == sign { !bit } else { bit }, (bound >> at & 1 == 1) != (at == sign));
            at_most = if other { self.or(!bit, at_most) } else { self.and(!bit, at_most) };
        }
        at_most
    }

    pub(super) fn at_most(&mut self, number: &Number, bound: i128) -> Literal {
        if number.high <= bound {
            self.constant(true)
        } else if bound < number.low {
            self.constant(false)
        } else {
            self.is_at_most(&number.bits, bound)
        }
    }

    pub(super) fn exactly(&mut self, number: &Number, value: i128) -> Literal {
        if value < number.low || number.high < value {
            return self.constant(false);
        }
        let bits = number.bits.iter().enumerate();
        let bits: Word = bits.map(|(at, &bit)| if value >> at & 1 == 1 { bit } else { !bit }).collect();
        self.all(bits)
    }

    pub(super) fn same_number(&mut self, a: &Number, b: &Number) -> Literal {
        if a.high < b.low || b.high < a.low {
            return self.constant(false);
        }
        let width = a.bits.len().max(b.bits.len());
        self.equal(&a.resized(width), &b.resized(width))
    }

    pub(super) fn sum(&mut self, a: &Number, b: &Number) -> Option<Number> {
        let (low, high) = (a.low.checked_add(b.low)?, a.high.checked_add(b.high)?);
        let width = width(low, high)?;
        let bits = self.add(&a.resized(width), &b.resized(width), self.constant(false));
        Some(self.bounded(low, high, bits))
    }

    /// A number times a constant: shifted copies, added.
    pub(super) fn scaled(&mut self, factor: i128, number: &Number) -> Option<Number> {
        let mut sum = self.number(0)?;
        let magnitude = factor.checked_abs()?;
        for place in (0..WIDEST).filter(|place| magnitude >> place & 1 == 1) {
            let shifted = Number {
                low: number.low.checked_mul(1 << place)?,
                high: number.high.checked_mul(1 << place)?,
                bits: (0..place).map(|_| self.constant(false)).chain(number.bits.iter().copied()).collect(),
            };
            sum = self.sum(&sum, &shifted)?;
        }
        if magnitude >> WIDEST != 0 {
            return None;
        }
        if factor > 0 {
            return Some(sum);
        }
        let (low, high) = (-sum.high, -sum.low);
        let width = width(low, high)?;
        let bits = self.negate(&sum.resized(width));
        Some(self.bounded(low, high, bits))
    }

    pub(super) fn product(&mut self, a: &Number, b: &Number) -> Option<Number> {
        let corner = |x: i128, y: i128| x.checked_mul(y);
        let corners =
            [corner(a.low, b.low)?, corner(a.low, b.high)?, corner(a.high, b.low)?, corner(a.high, b.high)?];
        let (low, high) = (*corners.iter().min()?, *corners.iter().max()?);
        // Modulo two to the width of the result, operands may be cut or extended to that width.
        let width = width(low, high)?;
        let bits = self.multiply(&a.resized(width), &b.resized(width));
        Some(self.bounded(low, high, bits))
    }

    pub(super) fn choose_number(&mut self, condition: Literal, yes: &Number, no: &Number) -> Option<Number> {
        let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
        let width = width(low, high)?;
        let bits = self.choose_word(condition, &yes.resized(width), &no.resized(width));
        Some(self.bounded(low, high, bits))
    }

    /// Quotient by a positive constant, rounded down, and the remainder. By a power of two they are there already; else they are
    /// any numbers that give the dividend, and there is exactly one such pair.
    pub(super) fn divided(&mut self, number: &Number, divisor: i128) -> Option<(Number, Number)> {
        debug_assert!(divisor > 0, "divisors are positive");
        let (low, high) = (number.low.div_euclid(divisor), number.high.div_euclid(divisor));
        if divisor & (divisor - 1) == 0 {
            let place = divisor.trailing_zeros() as usize;
            let width = width(low, high)?;
            let bits = (0..width).map(|at| number.bit(at + place)).collect();
            let below = (0..place).map(|at| number.bit(at)).chain([self.constant(false)]).collect();
            let rest = self.bounded(0, divisor - 1, below);
            return Some((self.bounded(low, high, bits), rest));
        }
        let (quotient, rest) = (self.any_number(low, high)?, self.any_number(0, divisor - 1)?);
        let back = self.scaled(divisor, &quotient)?;
        let back = self.sum(&back, &rest)?;
        let width = back.bits.len().max(number.bits.len());
        let same = self.equal(&back.resized(width), &number.resized(width));
        self.demand(same);
        Some((quotient, rest))
    }
}
