//! Integers as vectors in two's complement, as wide as needed.
//!
//! Results are exact: every operation takes as many bits as its result may need and then drops the highest ones as long
//! as they repeat the sign. Functions in normal form make that a comparison of handles, so numbers that stay small stay narrow, and
//! constants are folded without a rule for them.
//!
//! Invariant: there is at least one bit, the last is the sign, and it differs from the one below.

use super::bits::{self, Made};
use tertium_dd::{Bdd, Manager};

/// An integer that depends on the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Integer(Vec<Bdd>);

impl Integer {
    /// A number.
    pub(super) fn constant(manager: &Manager, value: i128) -> Self {
        let width = 129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() } as usize;
        Self::trimmed(bits::constant(manager, value, width))
    }

    /// The number that a vector in two's complement stands for.
    pub(super) fn signed(bits: &[Bdd]) -> Self {
        Self::trimmed(bits.to_vec())
    }

    /// The number that a vector without sign stands for.
    pub(super) fn unsigned(manager: &Manager, bits: &[Bdd]) -> Self {
        Self::trimmed(bits::extend_unsigned(manager, bits, bits.len() + 1))
    }

    fn trimmed(mut bits: Vec<Bdd>) -> Self {
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Self(bits)
    }

    /// Where it is negative.
    pub(super) fn sign(&self) -> &Bdd {
        &self.0[self.0.len() - 1]
    }

    /// Its lowest `width` bits.
    pub(super) fn cut(&self, width: usize) -> Vec<Bdd> {
        bits::extend_signed(&self.0, width)
    }

    /// All of its bits.
    pub(super) fn bits(&self) -> &[Bdd] {
        &self.0
    }

    /// Both with the same width, and `extra` bits more than the wider one.
    fn aligned(&self, other: &Self, extra: usize) -> (Vec<Bdd>, Vec<Bdd>) {
        let width = self.0.len().max(other.0.len()) + extra;
        (self.cut(width), other.cut(width))
    }

    pub(super) fn add(&self, other: &Self) -> Made<Self> {
        let (a, b) = self.aligned(other, 1);
        let zero = self.sign().manager().constant(false);
        bits::add(&a, &b, zero).map(Self::trimmed)
    }

    pub(super) fn subtract(&self, other: &Self) -> Made<Self> {
        let (a, b) = self.aligned(other, 1);
        bits::subtract(self.sign().manager(), &a, &b).map(Self::trimmed)
    }

    pub(super) fn negate(&self) -> Made<Self> {
        bits::negate(self.sign().manager(), &self.cut(self.0.len() + 1)).map(Self::trimmed)
    }

    pub(super) fn multiply(&self, other: &Self) -> Made<Self> {
        let width = self.0.len() + other.0.len();
        // The second operand gives one row per bit that is not zero everywhere: a constant is better there.
        let is_constant = |number: &Self| number.0.iter().all(|bit| bit.is_true() || bit.is_false());
        let (a, b) = if is_constant(self) { (other, self) } else { (self, other) };
        bits::multiply(self.sign().manager(), &a.cut(width), &b.cut(width)).map(Self::trimmed)
    }

    /// Quotient towards zero, and the remainder, which has the sign of the dividend. Anything where the divisor is zero.
    pub(super) fn divide(&self, other: &Self) -> Made<(Self, Self)> {
        let manager = self.sign().manager();
        let (a, b) = (self.absolute()?, other.absolute()?);
        let (quotient, rest) = bits::divide(manager, &a, &b)?;
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
    pub(super) fn or_else(&self, other: &Self, condition: &Bdd) -> Made<Self> {
        let (yes, no) = self.aligned(other, 0);
        bits::ite(condition, &yes, &no).map(Self::trimmed)
    }

    pub(super) fn equal(&self, other: &Self) -> Made<Bdd> {
        let (a, b) = self.aligned(other, 0);
        bits::equal(self.sign().manager(), &a, &b)
    }

    pub(super) fn less(&self, other: &Self) -> Made<Bdd> {
        // Moving both up by half of all numbers makes the order that of numbers without sign.
        let (mut a, mut b) = self.aligned(other, 0);
        for bits in [&mut a, &mut b] {
            let top = bits.len() - 1;
            bits[top] = bits[top].not();
        }
        bits::less_unsigned(self.sign().manager(), &a, &b)
    }

    /// Where it is not between the two numbers, which are included.
    pub(super) fn outside(&self, low: i128, high: i128) -> Made<Bdd> {
        let manager = self.sign().manager();
        let below = self.less(&Self::constant(manager, low))?;
        below.or(&Self::constant(manager, high).less(self)?)
    }
}
