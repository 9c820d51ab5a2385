//! Operators on integers as terms over mathematical integers.
//!
//! A signed result without room ends the path; an unsigned one wraps. A wrap is written where the intervals that hold by the step alone
//! cannot exclude it: as a choice if at most one round is too much, else as a remainder. Where the analysis of the program excludes it,
//! a guard takes its place. Quotients by constants are exact; by anything else they are inputs that the guard determines.

use super::Lowering;
use super::interval::{Interval, bounds};
use super::options::{InputOrigin, IntegerModel};
use super::ranges;
use super::state::State;
use super::value::Number;
use crate::ir::{BinaryOperator, Integer, Rank, UnaryOperator, Undefined};
use tertium_expr::{BigInt, Term};
use tertium_program::Domain;

/// A constant mask has at most so many runs of ones.
const MOST_RUNS: usize = 4;
/// A shift by what has at most so many values is a choice.
const MOST_COUNTS: i128 = 8;

/// What happens to a result without room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRoom {
    Ends,
    Wraps,
}

impl Lowering<'_> {
    /// A constant.
    pub(super) fn constant(&self, value: i128, ty: Integer) -> Number {
        let exact = if value < 0 && !ty.signed && ty.bits == 128 {
            BigInt::from(value) + (BigInt::from(1) << 128u32)
        } else {
            BigInt::from(value)
        };
        let interval =
            i128::try_from(exact.clone()).map_or(Interval { low: Some(0), high: None }, Interval::only);
        Number::new(self.icfg.terms.integer(exact), interval, interval)
    }

    /// The values of a type, in this model.
    pub(super) fn interval_of(&self, ty: Integer) -> Interval {
        self.plain.of_type(ty)
    }

    /// The domain of variables of an integer type.
    pub(super) fn domain_of(&self, ty: Integer) -> Domain {
        match self.options.integers {
            IntegerModel::Mathematical if ty.rank != Rank::Bool => Domain::Int,
            _ => {
                let (low, high) = bounds(ty);
                Domain::Range(low, high)
            }
        }
    }

    /// That a number is a value of a type, as far as its interval leaves that open.
    fn within(&self, number: Number, ty: Integer) -> Term {
        let terms = &self.icfg.terms;
        let (low, high) = bounds(ty);
        let all = self.interval_of(ty);
        let half = |low: Option<i128>, high: Option<i128>| Interval { low, high };
        let is_above = all.low.is_some() && number.local.is_within(half(all.low, None));
        let is_below = all.high.is_some() && number.local.is_within(half(None, all.high));
        let above = terms.at_most(terms.integer(low), number.term);
        let below = terms.at_most(number.term, terms.integer(high));
        terms.and([(!is_above).then_some(above), (!is_below).then_some(below)].into_iter().flatten())
    }

    /// A value of the type that the exact result has.
    pub(super) fn fit(&mut self, state: &mut State, exact: Number, ty: Integer, no_room: NoRoom) -> Number {
        let all = self.interval_of(ty);
        if exact.local.is_within(all) {
            return Number { term: exact.term, local: exact.local, flow: exact.flow };
        }
        if no_room == NoRoom::Ends {
            self.demand(state, self.within(exact, ty), Undefined::Overflow);
        }
        if no_room == NoRoom::Ends || exact.flow.is_within(all) {
            state.demand(&self.icfg.terms, self.within(exact, ty));
            return Number::new(exact.term, exact.local.meet(all), exact.flow.meet(all));
        }
        Number::new(self.wrapped(exact, ty), all, all)
    }

    /// The value of the type that is equal to the exact one modulo two to the number of bits.
    fn wrapped(&self, exact: Number, ty: Integer) -> Term {
        let terms = &self.icfg.terms;
        if ty.rank == Rank::Bool {
            let is_zero = terms.equal(exact.term, terms.integer(0));
            return terms.ite(is_zero, terms.integer(0), terms.integer(1));
        }
        let (low, high) = bounds(ty);
        let round: BigInt = &high - &low + 1;
        let is_near = match (exact.local.low, exact.local.high) {
            (Some(least), Some(most)) => {
                BigInt::from(least) >= &low - &round && BigInt::from(most) <= &high + &round
            }
            _ => false,
        };
        if !is_near {
            let moved = terms.difference(exact.term, terms.integer(low.clone()));
            return terms.sum([terms.modulo(moved, round), terms.integer(low)]);
        }
        let rounds = |value: Option<i128>| {
            Some(terms.divide(terms.integer(BigInt::from(value?) - &low), round.clone()))
        };
        if let (Some(least), Some(most)) = (rounds(exact.local.low), rounds(exact.local.high))
            && least == most
        {
            return terms.difference(exact.term, terms.scaled(round, least));
        }
        let mut term = exact.term;
        if exact.local.high.is_none_or(|most| BigInt::from(most) > high) {
            let above = terms.less(terms.integer(high), exact.term);
            term = terms.ite(above, terms.difference(exact.term, terms.integer(round.clone())), term);
        }
        if exact.local.low.is_none_or(|least| BigInt::from(least) < low) {
            let below = terms.less(exact.term, terms.integer(low));
            term = terms.ite(below, terms.sum([exact.term, terms.integer(round)]), term);
        }
        term
    }

    /// An operator with one operand.
    pub(super) fn unary(
        &mut self,
        state: &mut State,
        operator: UnaryOperator,
        own: Number,
        ty: Integer,
    ) -> Number {
        let terms = &self.icfg.terms;
        let term = match operator {
            UnaryOperator::Negate => terms.scaled(-1, own.term),
            UnaryOperator::Complement => terms.difference(terms.integer(-1), own.term),
            UnaryOperator::Not => unreachable!("negations are conditions"),
        };
        let exact = Number::with(term, own, own, |own, _| ranges::unary(operator, own));
        let no_room = if ty.signed { NoRoom::Ends } else { NoRoom::Wraps };
        self.fit(state, exact, ty, no_room)
    }

    /// An operator with two operands of integer type, which is no comparison; nothing if it cannot be said with integers.
    pub(super) fn binary(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        left: Number,
        right: Number,
        ty: Integer,
    ) -> Option<Number> {
        use BinaryOperator::*;
        let terms = &self.icfg.terms;
        let term = match operator {
            Add => terms.sum([left.term, right.term]),
            Subtract => terms.difference(left.term, right.term),
            Multiply => terms.product(left.term, right.term),
            Divide | Remainder => return Some(self.quotient(state, operator, left, right, ty)),
            And | Or | Xor => self.masked(operator, left, right)?,
            ShiftLeft | ShiftRight => return self.shift(state, operator, left, right, ty),
            _ => return None,
        };
        let exact = Number::with(term, left, right, |one, other| ranges::binary(operator, one, other));
        let no_room = if ty.signed { NoRoom::Ends } else { NoRoom::Wraps };
        Some(self.fit(state, exact, ty, no_room))
    }

    /// `/` and `%`.
    fn quotient(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        left: Number,
        right: Number,
        ty: Integer,
    ) -> Number {
        let is_zero = self.icfg.terms.equal(right.term, self.icfg.terms.integer(0));
        self.demand(state, self.icfg.terms.not(is_zero), Undefined::DivisionByZero);
        let right = Number { local: right.local.without(0), flow: right.flow.without(0), ..right };
        let divisor = self.icfg.terms.as_value(right.term).and_then(|value| value.as_int().cloned());
        let (quotient, remainder) = match divisor {
            Some(divisor) if divisor != BigInt::from(0) => self.by_constant(left, &divisor),
            Some(_) => (self.icfg.terms.integer(0), self.icfg.terms.integer(0)),
            None => self.by_variable(state, left, right, ty),
        };
        let quotient = Number::with(quotient, left, right, Interval::divide);
        let quotient = self.fit(state, quotient, ty, NoRoom::Ends);
        match operator {
            BinaryOperator::Divide => quotient,
            _ => Number::with(remainder, left, right, Interval::remainder),
        }
    }

    /// Quotient towards zero and remainder.
    fn by_constant(&self, left: Number, divisor: &BigInt) -> (Term, Term) {
        let terms = &self.icfg.terms;
        let size = if *divisor < BigInt::from(0) { -divisor.clone() } else { divisor.clone() };
        let sign = if *divisor < BigInt::from(0) { -1 } else { 1 };
        let above = (terms.divide(left.term, size.clone()), terms.modulo(left.term, size.clone()));
        let opposite = terms.scaled(-1, left.term);
        let below = || {
            let (quotient, remainder) =
                (terms.divide(opposite, size.clone()), terms.modulo(opposite, size.clone()));
            (terms.scaled(-1, quotient), terms.scaled(-1, remainder))
        };
        let (quotient, remainder) = if left.local.is_natural() {
            above
        } else if left.local.high.is_some_and(|high| high <= 0) {
            below()
        } else {
            let is_natural = terms.at_most(terms.integer(0), left.term);
            let below = below();
            (terms.ite(is_natural, above.0, below.0), terms.ite(is_natural, above.1, below.1))
        };
        (terms.scaled(sign, quotient), remainder)
    }

    /// Quotient and remainder as inputs that the guard determines: what is divided is `q * b + r`, where r is smaller than b and has the
    /// sign of what is divided, or is zero.
    fn by_variable(&mut self, state: &mut State, left: Number, right: Number, ty: Integer) -> (Term, Term) {
        let (one, other) = (left.term, right.term);
        let quotient = self.input(state, "quotient", Domain::Int, InputOrigin::Quotient(one, other));
        let remainder =
            self.input(state, "remainder", self.domain_of(ty), InputOrigin::Remainder(one, other));
        let terms = &self.icfg.terms;
        let zero = terms.integer(0);
        let whole = terms.sum([terms.product(quotient, right.term), remainder]);
        let is_natural = terms.at_most(zero, left.term);
        let is_above = terms.less(zero, right.term);
        let size = |term: Term, is_natural: Term| terms.ite(is_natural, term, terms.scaled(-1, term));
        let signed = terms.ite(is_natural, terms.at_most(zero, remainder), terms.at_most(remainder, zero));
        let is_small = terms.less(size(remainder, is_natural), size(right.term, is_above));
        let all = terms.and([terms.equal(left.term, whole), signed, is_small]);
        state.demand(terms, all);
        (quotient, remainder)
    }

    /// `&`, `|` and `^` with a constant, or of values that are 0 or 1.
    fn masked(&self, operator: BinaryOperator, left: Number, right: Number) -> Option<Term> {
        let terms = &self.icfg.terms;
        if left.local.is_within(Interval::BIT) && right.local.is_within(Interval::BIT) {
            let one = |term: Term| terms.equal(term, terms.integer(1));
            let (left, right) = (one(left.term), one(right.term));
            let holds = match operator {
                BinaryOperator::And => terms.and([left, right]),
                BinaryOperator::Or => terms.or([left, right]),
                _ => terms.not(terms.equal(left, right)),
            };
            return Some(terms.ite(holds, terms.integer(1), terms.integer(0)));
        }
        let (own, mask) = match (left.local.value(), right.local.value()) {
            (_, Some(mask)) => (left, mask),
            (Some(mask), _) => (right, mask),
            _ => return None,
        };
        // Of a negative mask the complement is taken away.
        let both = match mask < 0 {
            false => self.and_natural(own, mask)?,
            true => terms.difference(own.term, self.and_natural(own, !mask)?),
        };
        let sum = || terms.sum([own.term, terms.integer(mask)]);
        Some(match operator {
            BinaryOperator::And => both,
            BinaryOperator::Or => terms.difference(sum(), both),
            _ => terms.difference(sum(), terms.scaled(2, both)),
        })
    }

    /// The bits that a number has in common with a mask that is not negative: a remainder for each run of ones.
    fn and_natural(&self, own: Number, mask: i128) -> Option<Term> {
        let terms = &self.icfg.terms;
        let mut parts = Vec::new();
        let mut rest = mask;
        while rest != 0 {
            let low = rest.trailing_zeros();
            let length = (rest >> low).trailing_ones();
            let high = low + length;
            let power = |by: u32| BigInt::from(1) << by;
            let is_below = own.local.is_natural()
                && own.local.high.is_some_and(|most| high >= 127 || most < 1i128 << high);
            let lower = if is_below { own.term } else { terms.modulo(own.term, power(high)) };
            parts.push(match low {
                0 => lower,
                _ => terms.scaled(power(low), terms.divide(lower, power(low))),
            });
            rest = if high >= 127 { 0 } else { rest >> high << high };
        }
        (parts.len() <= MOST_RUNS).then(|| terms.sum(parts))
    }

    /// `<<` and `>>` by a constant, or by one of few numbers.
    fn shift(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        left: Number,
        right: Number,
        ty: Integer,
    ) -> Option<Number> {
        let all = Interval::new(0, i128::from(ty.bits) - 1);
        let count = Domain::Range(0.into(), (ty.bits - 1).into()).contains(&self.icfg.terms, right.term);
        self.demand(state, count, Undefined::Shift);
        let counts = right.local.meet(all);
        let (low, high) = counts.low.zip(counts.high)?;
        if counts.is_empty() {
            return Some(left);
        }
        if high - low > MOST_COUNTS {
            return None;
        }
        let terms = &self.icfg.terms;
        let power = |count: i128| BigInt::from(1) << count as u32;
        let by = |count: i128| match operator {
            BinaryOperator::ShiftLeft => terms.scaled(power(count), left.term),
            _ => terms.divide(left.term, power(count)),
        };
        let mut term = by(high);
        for count in (low..high).rev() {
            term = terms.ite(terms.equal(right.term, terms.integer(count)), by(count), term);
        }
        let right = Number { local: counts, flow: right.flow.meet(all), ..right };
        let exact = Number::with(term, left, right, |one, other| ranges::binary(operator, one, other));
        Some(self.fit(state, exact, ty, NoRoom::Wraps))
    }
}
