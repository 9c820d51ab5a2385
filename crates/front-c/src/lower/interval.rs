//! Intervals of integers, and what operators of C make of them.
//!
//! An interval holds at least all values that an expression can have. Bounds are 128 bits wide; whatever goes beyond is no bound at all.
//! Results are those of mathematical integers: whoever knows the type fits them to it.

use crate::ir::Integer;
use tertium_expr::BigInt;

/// All integers from the low bound to the high one, both included; without a bound there is no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

impl Interval {
    /// All integers.
    pub(super) const ALL: Self = Self { low: None, high: None };
    /// Truth values.
    pub(super) const BIT: Self = Self { low: Some(0), high: Some(1) };

    pub(super) fn new(low: i128, high: i128) -> Self {
        Self { low: Some(low), high: Some(high) }
    }

    pub(super) fn only(value: i128) -> Self {
        Self::new(value, value)
    }

    /// The values of a type.
    pub(super) fn of(ty: Integer) -> Self {
        if ty.bits == 128 && !ty.signed {
            return Self { low: Some(0), high: None };
        }
        Self::new(ty.least(), ty.greatest())
    }

    /// The one value, if there is only one.
    pub(super) fn value(self) -> Option<i128> {
        self.low.filter(|_| self.low == self.high)
    }

    /// Whether there is no value.
    pub(super) fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    /// Whether all values are values of the other.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.is_empty()
            || other.low.is_none_or(|bound| self.low.is_some_and(|low| low >= bound))
                && other.high.is_none_or(|bound| self.high.is_some_and(|high| high <= bound))
    }

    pub(super) fn has(self, value: i128) -> bool {
        Self::only(value).is_within(self)
    }

    /// Whether no value is negative.
    pub(super) fn is_natural(self) -> bool {
        self.low.is_some_and(|low| low >= 0)
    }

    /// The smallest interval that holds both.
    pub(super) fn join(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let low = self.low.zip(other.low).map(|(one, other)| one.min(other));
        Self { low, high: self.high.zip(other.high).map(|(one, other)| one.max(other)) }
    }

    /// What both hold.
    pub(super) fn meet(self, other: Self) -> Self {
        let low = self.low.into_iter().chain(other.low).max();
        Self { low, high: self.high.into_iter().chain(other.high).min() }
    }

    /// What is left without one value, if that is a bound.
    pub(super) fn without(self, value: i128) -> Self {
        let low = if self.low == Some(value) { value.checked_add(1) } else { self.low };
        Self { low, high: if self.high == Some(value) { value.checked_sub(1) } else { self.high } }
    }

    pub(super) fn negate(self) -> Self {
        Self { low: self.high.and_then(i128::checked_neg), high: self.low.and_then(i128::checked_neg) }
    }

    pub(super) fn add(self, other: Self) -> Self {
        let sum = |one: Option<i128>, other: Option<i128>| one?.checked_add(other?);
        Self { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub(super) fn subtract(self, other: Self) -> Self {
        self.add(other.negate())
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        if self.value() == Some(0) || other.value() == Some(0) {
            return Self::only(0);
        }
        self.corners(other, i128::checked_mul)
    }

    /// The result of an operation that is monotone in each operand where the other is fixed.
    fn corners(self, other: Self, of: impl Fn(i128, i128) -> Option<i128>) -> Self {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
            // Natural numbers keep one bound.
            let natural = self.is_natural() && other.is_natural();
            return Self { low: natural.then_some(0), high: None };
        };
        let corners = [of(a, c), of(a, d), of(b, c), of(b, d)];
        let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else {
            let natural = self.is_natural() && other.is_natural();
            return Self { low: natural.then_some(0), high: None };
        };
        Self { low: corners.iter().copied().min(), high: corners.into_iter().max() }
    }

    /// The quotient, towards zero, by what is not zero.
    pub(super) fn divide(self, other: Self) -> Self {
        let by = |divisor: Self| self.quotient(divisor);
        let above = other.meet(Self { low: Some(1), high: None });
        let below = other.meet(Self { low: None, high: Some(-1) });
        match (above.is_empty(), below.is_empty()) {
            (true, true) => Self { low: Some(1), high: Some(0) },
            (false, true) => by(above),
            (true, false) => by(below),
            (false, false) => by(above).join(by(below)),
        }
    }

    /// The quotient by what has one sign.
    fn quotient(self, divisor: Self) -> Self {
        if let (Some(_), Some(_), Some(_), Some(_)) = (self.low, self.high, divisor.low, divisor.high) {
            return self.corners(divisor, i128::checked_div);
        }
        // Quotients are no larger than what is divided.
        if self.is_natural() && divisor.is_natural() {
            return Self { low: Some(0), high: self.high };
        }
        Self::ALL
    }

    /// The remainder, with the sign of this, by what is not zero.
    pub(super) fn remainder(self, other: Self) -> Self {
        let size = other.low.zip(other.high).and_then(|(low, high)| {
            let size = low.checked_abs()?.max(high.checked_abs()?);
            size.checked_sub(1)
        });
        let size = size.map(|size| size.max(0));
        let bounds = Self { low: size.map(|size| -size), high: size };
        let low = if self.is_natural() { Some(0) } else { bounds.low };
        let high = if self.high.is_some_and(|high| high <= 0) { Some(0) } else { bounds.high };
        let small = Self { low, high };
        // What is smaller than the divisor stays itself.
        if other.low.is_some_and(|low| low > 0)
            && self.is_natural()
            && self.high < other.low
            && self.high.is_some()
        {
            return self;
        }
        match (self.is_natural(), self.high) {
            (true, Some(high)) => small.meet(Self::new(0, high)),
            _ => small,
        }
    }

    /// Multiplied by a power of two.
    pub(super) fn shift_left(self, count: Self) -> Self {
        match (count.low, count.high) {
            (Some(low), Some(high)) if (0..=120).contains(&low) && high <= 120 => {
                self.multiply(Self::new(1 << low, 1 << high))
            }
            _ => Self { low: self.is_natural().then_some(0), high: None },
        }
    }

    /// Divided by a power of two, towards minus infinity.
    pub(super) fn shift_right(self, count: Self) -> Self {
        match (count.low, count.high) {
            (Some(low), Some(high)) if (0..=126).contains(&low) && (low..=126).contains(&high) => {
                let with = |value: i128, large: i128, small: i128| {
                    if value < 0 { value >> small } else { value >> large }
                };
                Self {
                    low: self.low.map(|own| with(own, high, low)),
                    high: self.high.map(|own| with(own, low, high)),
                }
            }
            _ if self.is_natural() => Self { low: Some(0), high: self.high },
            _ => Self::ALL,
        }
    }

    /// `&`, `|` and `^`.
    pub(super) fn and(self, other: Self) -> Self {
        match (self.is_natural(), other.is_natural()) {
            (true, true) => Self { low: Some(0), high: self.high.into_iter().chain(other.high).min() },
            (true, false) => Self { low: Some(0), high: self.high },
            (false, true) => Self { low: Some(0), high: other.high },
            (false, false) => Self::ALL,
        }
    }

    /// `|` and `^`: no more bits than the operands have.
    pub(super) fn or(self, other: Self) -> Self {
        let most = self.high.zip(other.high).filter(|_| self.is_natural() && other.is_natural());
        let all_ones = |most: i128| (most as u128).checked_next_power_of_two().map(|power| power as i128);
        match most.and_then(|(one, other)| all_ones(one.max(other).checked_add(1)?)) {
            Some(power) if power > 0 => Self::new(0, power - 1),
            _ => Self::ALL,
        }
    }
}

/// The least and the greatest value of a type, also where they need more than 128 bits.
pub(super) fn bounds(ty: Integer) -> (BigInt, BigInt) {
    if ty.bits == 128 && !ty.signed {
        return (BigInt::from(0), (BigInt::from(1) << 128u32) - 1);
    }
    (BigInt::from(ty.least()), BigInt::from(ty.greatest()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every interval with bounds between -4 and 4.
    fn small() -> Vec<Interval> {
        (-4..=4).flat_map(|low| (low..=4).map(move |high| Interval::new(low, high))).collect()
    }

    /// That an operator on intervals holds all results of the operator on values.
    #[track_caller]
    fn covers(of: fn(Interval, Interval) -> Interval, on: fn(i128, i128) -> Option<i128>) {
        for one in small() {
            for other in small() {
                let all = of(one, other);
                for left in one.low.unwrap()..=one.high.unwrap() {
                    for right in other.low.unwrap()..=other.high.unwrap() {
                        let value = on(left, right);
                        let is_covered = value.is_none_or(|value| all.has(value));
                        assert!(is_covered, "{left} and {right} of {one:?} and {other:?}: not in {all:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn operators_hold_all_results() {
        covers(Interval::add, |a, b| Some(a + b));
        covers(Interval::subtract, |a, b| Some(a - b));
        covers(Interval::multiply, |a, b| Some(a * b));
        covers(Interval::divide, i128::checked_div);
        covers(Interval::remainder, i128::checked_rem);
        covers(Interval::shift_left, |a, b| (b >= 0).then(|| a << b));
        covers(Interval::shift_right, |a, b| (b >= 0).then(|| a >> b));
        covers(Interval::and, |a, b| Some(a & b));
        covers(Interval::or, |a, b| Some(a | b));
        covers(Interval::or, |a, b| Some(a ^ b));
        covers(Interval::join, |a, _| Some(a));
        covers(Interval::meet, |a, b| (a == b).then_some(a));
    }

    #[test]
    fn bounds_beyond_128_bits_are_none() {
        let most = Interval::only(i128::MAX);
        assert_eq!(most.add(Interval::only(1)), Interval { low: None, high: None });
        assert!(most.is_within(Interval::ALL) && !Interval::ALL.is_within(most));
    }
}
