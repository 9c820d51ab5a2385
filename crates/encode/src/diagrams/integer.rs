//! Integers as vectors in two's complement, as wide as needed.
//!
//! Results are exact: every operation takes as many bits as its result may need and then drops the highest ones as long
//! as they repeat the sign. Functions in normal form make that a comparison of handles, so numbers that stay small stay narrow, and
//! constants are folded without a rule for them.
//!
//! Invariant: there is at least one bit, the last is the sign, and it differs from the one below.

use super::circuit::{self, Made};
use tertium_dd::{Bdd, Manager};
use tertium_expr::BigInt;

/// An integer that depends on the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer(Vec<Bdd>);

impl Integer {
    /// A number.
    pub fn constant(manager: &Manager, value: &BigInt) -> Self {
        // One bit more than the magnitude needs, for the sign.
        Self::trimmed((0..=value.bits()).map(|bit| manager.constant(value.bit(bit))).collect())
    }

    /// The number that a vector in two's complement stands for.
    pub fn signed(bits: &[Bdd]) -> Self {
        Self::trimmed(bits.to_vec())
    }

    /// The number that a vector without sign stands for.
    pub fn unsigned(manager: &Manager, bits: &[Bdd]) -> Self {
        Self::trimmed(circuit::extend_unsigned(manager, bits, bits.len() + 1))
    }

    fn trimmed(mut bits: Vec<Bdd>) -> Self {
        debug_assert!(!bits.is_empty(), "a number has a sign");
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Self(bits)
    }

    /// Where it is negative.
    pub fn sign(&self) -> &Bdd {
        &self.0[self.0.len() - 1]
    }

    /// Its lowest `width` bits.
    pub fn cut(&self, width: usize) -> Vec<Bdd> {
        circuit::extend_signed(&self.0, width)
    }

    /// All of its bits.
    pub fn bits(&self) -> &[Bdd] {
        &self.0
    }

    /// Both with the same width, and `extra` bits more than the wider one.
    fn aligned(&self, other: &Self, extra: usize) -> (Vec<Bdd>, Vec<Bdd>) {
        let width = self.0.len().max(other.0.len()) + extra;
        (self.cut(width), other.cut(width))
    }

    /// Sum.
    pub fn add(&self, other: &Self) -> Made<Self> {
        let (a, b) = self.aligned(other, 1);
        let zero = self.sign().manager().constant(false);
        circuit::add(&a, &b, zero).map(Self::trimmed)
    }

    /// Difference.
    pub fn subtract(&self, other: &Self) -> Made<Self> {
        let (a, b) = self.aligned(other, 1);
        circuit::subtract(self.sign().manager(), &a, &b).map(Self::trimmed)
    }

    /// The opposite number.
    pub fn negate(&self) -> Made<Self> {
        circuit::negate(self.sign().manager(), &self.cut(self.0.len() + 1)).map(Self::trimmed)
    }

    /// Product.
    pub fn multiply(&self, other: &Self) -> Made<Self> {
        let width = self.0.len() + other.0.len();
        // The second operand gives one row per bit that is not zero everywhere: a constant is better there.
        let is_constant = |number: &Self| number.0.iter().all(|bit| bit.is_true() || bit.is_false());
        let (a, b) = if is_constant(self) { (other, self) } else { (self, other) };
        circuit::multiply(self.sign().manager(), &a.cut(width), &b.cut(width)).map(Self::trimmed)
    }

    /// Quotient towards zero, and the remainder, which has the sign of the dividend. Anything where the divisor is zero.
    pub fn divide(&self, other: &Self) -> Made<(Self, Self)> {
        let manager = self.sign().manager();
        let (a, b) = (self.absolute()?, other.absolute()?);
        let (quotient, rest) = circuit::divide(manager, &a, &b)?;
        let quotient = Self::unsigned(manager, &quotient).negate_where(&self.sign().xor(other.sign())?)?;
        let rest = Self::unsigned(manager, &rest).negate_where(self.sign())?;
        Ok((quotient, rest))
    }

    /// The magnitude, without a sign bit.
    fn absolute(&self) -> Made<Vec<Bdd>> {
        let mut magnitude = self.negate_where(self.sign())?.0;
        if magnitude.len() > 1 {
            magnitude.pop();
        }
        Ok(magnitude)
    }

    fn negate_where(&self, condition: &Bdd) -> Made<Self> {
        if condition.is_false() { Ok(self.clone()) } else { self.negate()?.or_else(self, condition) }
    }

    /// `if condition then self else other`.
    pub fn or_else(&self, other: &Self, condition: &Bdd) -> Made<Self> {
        let (yes, no) = self.aligned(other, 0);
        circuit::ite(condition, &yes, &no).map(Self::trimmed)
    }

    /// Where both are the same number.
    pub fn equal(&self, other: &Self) -> Made<Bdd> {
        let (a, b) = self.aligned(other, 0);
        circuit::equal(self.sign().manager(), &a, &b)
    }

    /// Where it is less than the other.
    pub fn less(&self, other: &Self) -> Made<Bdd> {
        // Moving both up by half of all numbers makes the order that of numbers without sign.
        let (mut a, mut b) = self.aligned(other, 0);
        for bits in [&mut a, &mut b] {
            let top = bits.len() - 1;
            bits[top] = bits[top].not();
        }
        circuit::less_unsigned(self.sign().manager(), &a, &b)
    }

    /// Where it is not between the two numbers, which are included.
    pub fn outside(&self, low: &BigInt, high: &BigInt) -> Made<Bdd> {
        let manager = self.sign().manager();
        let below = self.less(&Self::constant(manager, low))?;
        below.or(&Self::constant(manager, high).less(self)?)
    }

    /// Quotient by a positive constant, rounded down, and the remainder, which is never negative: digit by digit from the highest.
    /// The digits before the first are all copies of the sign, so the quotient so far is 0 or -1, and the remainder 0 or one less
    /// than the divisor.
    pub fn divide_floor(&self, divisor: &BigInt) -> Made<(Self, Self)> {
        debug_assert!(divisor.bits() > 0 && !divisor.bit(divisor.bits()), "the divisor is positive");
        let manager = self.sign().manager();
        let width = divisor.bits() as usize;
        if divisor.trailing_zeros() == Some(width as u64 - 1) {
            // A power of two cuts the digits in two.
            let digits = self.cut(self.0.len().max(width));
            let (rest, quotient) = digits.split_at(width - 1);
            return Ok((Self::signed(quotient), Self::unsigned(manager, rest)));
        }
        let of = |value: &BigInt, width: usize| -> Vec<Bdd> {
            (0..width).map(|bit| manager.constant(value.bit(bit as u64))).collect()
        };
        let wide = of(divisor, width + 1);
        let (digits, sign) = (&self.0[..self.0.len() - 1], self.sign());
        let mut rest = Vec::with_capacity(width + 1);
        for bit in of(&(divisor - 1), width) {
            rest.push(bit.and(sign)?);
        }
        let mut quotient = vec![sign.clone()];
        for digit in digits.iter().rev() {
            rest.insert(0, digit.clone());
            let fits = circuit::less_unsigned(manager, &rest, &wide)?.not();
            let reduced = circuit::subtract(manager, &rest, &wide)?;
            rest = circuit::ite(&fits, &reduced, &rest)?;
            // Less than the divisor again, so the highest bit is not needed.
            rest.pop();
            quotient.push(fits);
        }
        quotient.reverse();
        Ok((Self::trimmed(quotient), Self::unsigned(manager, &rest)))
    }
}
