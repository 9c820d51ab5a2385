//! Integers: linear combinations, products, division by constants, comparisons.
//!
//! Every integer term is read as a linear combination of terms that are none, but for long sums that are shared, which stay whole as
//! parts of others: see [`Terms::share`]. What is compared is always a combination without a constant, never one sum alone.
//! Comparisons divide it by the greatest common divisor of its coefficients and round the bound, which is exact for integers.

use crate::{Sort, Term, TermKind, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// Products of sums are multiplied out if that gives at most so many parts; beyond, they stay products.
const EXPANSION_LIMIT: usize = 64;

/// A sum that is shared stays whole as a part of others if it has more parts than this.
const WHOLE: usize = 16;

/// A linear combination on its way.
#[derive(Clone, Default)]
struct Linear {
    constant: BigInt,
    parts: BTreeMap<Term, BigInt>,
}

impl Linear {
    fn add(&mut self, factor: &BigInt, term: Term) {
        let coefficient = self.parts.entry(term).or_default();
        *coefficient += factor;
        if coefficient.is_zero() {
            self.parts.remove(&term);
        }
    }

    fn add_scaled(&mut self, factor: &BigInt, other: &Linear) {
        self.constant += factor * &other.constant;
        for (&term, coefficient) in &other.parts {
            self.add(&(factor * coefficient), term);
        }
    }

    fn add_nonzero(&mut self, factor: &BigInt, term: Term) {
        if !factor.is_zero() {
            self.add(factor, term);
        }
    }

    /// The combination as `divisor * whole + rest`, with every number of the rest between zero and the divisor.
    fn split(self, divisor: &BigInt) -> (Linear, Linear) {
        let (mut whole, mut rest) = (Linear::default(), Linear::default());
        let halves = |number: &BigInt| (number.div_floor(divisor), number.mod_floor(divisor));
        (whole.constant, rest.constant) = halves(&self.constant);
        for (term, coefficient) in &self.parts {
            let (quotient, remainder) = halves(coefficient);
            whole.add_nonzero(&quotient, *term);
            rest.add_nonzero(&remainder, *term);
        }
        (whole, rest)
    }
}

impl Terms {
    /// The sum.
    pub fn sum(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut linear = Linear::default();
        for term in terms {
            linear.add_scaled(&BigInt::one(), &self.linear(term));
        }
        self.combination(linear)
    }

    /// The first less the second.
    pub fn difference(&self, left: Term, right: Term) -> Term {
        let mut linear = self.linear(left);
        linear.add_scaled(&-BigInt::one(), &self.linear(right));
        self.combination(linear)
    }

    /// A multiple.
    pub fn scaled(&self, factor: impl Into<BigInt>, term: Term) -> Term {
        let mut linear = Linear::default();
        linear.add_scaled(&factor.into(), &self.linear(term));
        self.combination(linear)
    }

    /// The product.
    pub fn product(&self, left: Term, right: Term) -> Term {
        let (left, right) = (self.linear(left), self.linear(right));
        let n_parts = |linear: &Linear| linear.parts.len() + usize::from(!linear.constant.is_zero());
        let small = n_parts(&left) * n_parts(&right) <= EXPANSION_LIMIT;
        if !small && !left.parts.is_empty() && !right.parts.is_empty() {
            return self.monomial(vec![self.combination(left), self.combination(right)]);
        }
        let mut result = Linear { constant: &left.constant * &right.constant, parts: BTreeMap::new() };
        for (&term, coefficient) in &left.parts {
            result.add_nonzero(&(coefficient * &right.constant), term);
        }
        for (&term, coefficient) in &right.parts {
            result.add_nonzero(&(coefficient * &left.constant), term);
        }
        for (&first, one) in &left.parts {
            for (&second, other) in &right.parts {
                result.add(&(one * other), self.monomial(vec![first, second]));
            }
        }
        self.combination(result)
    }

    /// A product of terms that are not multiplied out.
    fn monomial(&self, factors: Vec<Term>) -> Term {
        let mut flat = Vec::new();
        for factor in factors {
            match self.kind(factor) {
                TermKind::Product(inner) => flat.extend(inner),
                _ => flat.push(factor),
            }
        }
        flat.sort_unstable();
        self.intern(TermKind::Product(flat.into()), Sort::Int)
    }

    /// The quotient by a constant other than zero, as SMT-LIB defines it: the remainder is never negative.
    pub fn divide(&self, term: Term, divisor: impl Into<BigInt>) -> Term {
        let divisor = divisor.into();
        assert!(!divisor.is_zero(), "nothing is divided by zero");
        if divisor.is_negative() {
            // With a remainder that is never negative, dividing by -k is the opposite of dividing by k.
            return self.scaled(-1, self.divide(term, -divisor));
        }
        if divisor.is_one() {
            return term;
        }
        let (whole, rest) = self.linear(term).split(&divisor);
        let rest = self.combination(rest);
        let quotient = match self.kind(rest) {
            TermKind::Int(value) => self.integer(value.div_floor(&divisor)),
            _ => self.intern(TermKind::Divide(rest, divisor), Sort::Int),
        };
        self.sum([self.combination(whole), quotient])
    }

    /// The remainder of the division by a constant other than zero, never negative.
    pub fn modulo(&self, term: Term, divisor: impl Into<BigInt>) -> Term {
        let divisor = divisor.into().abs();
        assert!(!divisor.is_zero(), "nothing is divided by zero");
        let (_, rest) = self.linear(term).split(&divisor);
        let rest = self.combination(rest);
        match self.kind(rest) {
            TermKind::Int(value) => self.integer(value.mod_floor(&divisor)),
            TermKind::Modulo(_, inner) if inner <= divisor => rest,
            _ => self.intern(TermKind::Modulo(rest, divisor), Sort::Int),
        }
    }

    /// At most.
    pub fn at_most(&self, left: Term, right: Term) -> Term {
        let Linear { constant, parts } = self.compared(left, right);
        let Some((form, divisor)) = self.primitive(parts) else {
            return self.boolean(!constant.is_positive());
        };
        if divisor.is_positive() {
            // form <= -constant / divisor
            self.bounded(form, (-constant).div_floor(&divisor))
        } else {
            // form >= constant / -divisor, so form is not below that, rounded up.
            self.not(self.bounded(form, (constant - 1i32).div_floor(&-divisor)))
        }
    }

    /// Less.
    pub fn less(&self, left: Term, right: Term) -> Term {
        self.not(self.at_most(right, left))
    }

    fn bounded(&self, form: Term, bound: BigInt) -> Term {
        match self.kind(form) {
            // A remainder lies between zero and its divisor.
            TermKind::Modulo(..) if bound.is_negative() => self.boolean(false),
            TermKind::Modulo(_, divisor) if bound >= &divisor - 1i32 => self.boolean(true),
            TermKind::Modulo(..) if bound.is_zero() => self.equal_numbers(form, self.integer(0)),
            _ => self.intern(TermKind::AtMost(form, bound), Sort::Bool),
        }
    }

    pub(crate) fn equal_numbers(&self, left: Term, right: Term) -> Term {
        let Linear { constant, parts } = self.compared(left, right);
        let Some((form, divisor)) = self.primitive(parts) else {
            return self.boolean(constant.is_zero());
        };
        let (value, remainder) = (-constant).div_rem(&divisor);
        if !remainder.is_zero() {
            return self.boolean(false);
        }
        match self.kind(form) {
            TermKind::Modulo(_, divisor) if value.is_negative() || value >= divisor => self.boolean(false),
            // Of two remainders modulo two, the odd one is kept.
            TermKind::Modulo(_, divisor) if divisor == BigInt::from(2) && value.is_zero() => {
                self.not(self.intern(TermKind::Exactly(form, BigInt::one()), Sort::Bool))
            }
            _ => self.intern(TermKind::Exactly(form, value), Sort::Bool),
        }
    }

    /// The combination divided by the number that makes its coefficients coprime and the first positive, with that
    /// number. Nothing if it is empty.
    fn primitive(&self, parts: BTreeMap<Term, BigInt>) -> Option<(Term, BigInt)> {
        let mut divisor = parts.values().fold(BigInt::zero(), |gcd, coefficient| gcd.gcd(coefficient));
        if parts.values().next()?.is_negative() {
            divisor = -divisor;
        }
        let parts = parts.into_iter().map(|(term, coefficient)| (term, coefficient / &divisor)).collect();
        Some((self.combination(Linear { constant: BigInt::zero(), parts }), divisor))
    }

    /// The difference of two sides of a comparison. Sums are opened, so that no comparison is one of a sum with a constant.
    fn compared(&self, left: Term, right: Term) -> Linear {
        let mut linear = self.opened(left);
        linear.add_scaled(&-BigInt::one(), &self.opened(right));
        while let Some(only) = self.only_sum(&linear) {
            let factor = linear.parts.remove(&only).expect("it is the only part");
            linear.add_scaled(&factor, &self.opened(only));
        }
        linear
    }

    /// The sum that is the only part.
    fn only_sum(&self, linear: &Linear) -> Option<Term> {
        let (&only, _) = linear.parts.first_key_value().filter(|_| linear.parts.len() == 1)?;
        self.with_kind(only, |kind| matches!(kind, TermKind::Sum(..))).then_some(only)
    }

    fn linear(&self, term: Term) -> Linear {
        let is_long = |kind: &TermKind| matches!(kind, TermKind::Sum(_, parts) if parts.len() > WHOLE);
        if self.with_kind(term, is_long) && self.is_shared(term) {
            return Linear { constant: BigInt::zero(), parts: BTreeMap::from([(term, BigInt::one())]) };
        }
        self.opened(term)
    }

    /// The combination that a term is, whether it is shared or not.
    fn opened(&self, term: Term) -> Linear {
        debug_assert_eq!(self.sort(term), Sort::Int, "only integers are counted with");
        self.with_kind(term, |kind| match kind {
            TermKind::Int(value) => Linear { constant: value.clone(), parts: BTreeMap::new() },
            TermKind::Sum(constant, parts) => Linear {
                constant: constant.clone(),
                parts: parts.iter().map(|(coefficient, term)| (*term, coefficient.clone())).collect(),
            },
            _ => Linear { constant: BigInt::zero(), parts: BTreeMap::from([(term, BigInt::one())]) },
        })
    }

    fn combination(&self, linear: Linear) -> Term {
        if linear.parts.is_empty() {
            return self.integer(linear.constant);
        }
        if linear.constant.is_zero()
            && linear.parts.len() == 1
            && let Some((&term, coefficient)) = linear.parts.iter().next()
            && coefficient.is_one()
        {
            return term;
        }
        let parts = linear.parts.into_iter().map(|(term, coefficient)| (coefficient, term)).collect();
        self.intern(TermKind::Sum(linear.constant, parts), Sort::Int)
    }
}
