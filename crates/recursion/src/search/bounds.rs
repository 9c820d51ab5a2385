//! Bounds of inputs, and what they exclude.
//!
//! Most conditions along a path compare one input with a number. They are kept as one interval for each input, so that a loop of a
//! thousand rounds leaves two numbers behind and not a thousand conditions, and most ways that are not possible are seen without a
//! solver.

use super::persistent::Map;
use tertium_expr::{BigInt, Term, TermKind, Terms, Variable};
use tertium_program::Domain;
use tertium_support::Id;

/// The least and the greatest value, where there is one.
pub(super) type Interval = (Option<BigInt>, Option<BigInt>);

/// Intervals of inputs. An input that is missing has any value.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds(Map<Interval>);

/// What became of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// The intervals say the same.
    Whole,
    /// They do not say all of it.
    Partly,
}

impl Bounds {
    /// The interval of a variable.
    pub(super) fn get(&self, variable: Variable) -> Interval {
        self.0.get(variable.index()).cloned().unwrap_or((None, None))
    }

    /// The only value that is left for a variable.
    pub(super) fn only(&self, variable: Variable) -> Option<BigInt> {
        match self.0.get(variable.index()) {
            Some((Some(low), Some(high))) if low == high => Some(low.clone()),
            _ => None,
        }
    }

    /// Notes that a variable has a value of a domain; other domains than ranges are left to the sorts.
    pub(super) fn enter(&mut self, variable: Variable, domain: &Domain) {
        if let Domain::Range(low, high) = domain {
            self.0.insert(variable.index(), (Some(low.clone()), Some(high.clone())));
        }
    }

    /// Whether a condition without conjunctions is only about the bound of one variable; then it is noted.
    pub(super) fn note(&mut self, terms: &Terms, condition: Term) -> Noted {
        let of_variable = |term| match terms.kind(term) {
            TermKind::Variable(variable) => Some(variable),
            _ => None,
        };
        match terms.kind(condition) {
            TermKind::AtMost(form, bound) => match of_variable(form) {
                Some(variable) => self.at_most(variable, &bound),
                None => return Noted::Partly,
            },
            TermKind::Exactly(form, value) => match of_variable(form) {
                Some(variable) => {
                    self.at_most(variable, &value);
                    self.at_least(variable, &value);
                }
                None => return Noted::Partly,
            },
            TermKind::Not(inner) => match terms.kind(inner) {
                TermKind::AtMost(form, bound) => match of_variable(form) {
                    Some(variable) => self.at_least(variable, &(bound + 1)),
                    None => return Noted::Partly,
                },
                TermKind::Exactly(form, value) => match of_variable(form) {
                    Some(variable) => return self.differ(variable, &value),
                    None => return Noted::Partly,
                },
                _ => return Noted::Partly,
            },
            _ => return Noted::Partly,
        }
        Noted::Whole
    }

    fn at_most(&mut self, variable: Variable, bound: &BigInt) {
        let (low, high) = self.get(variable);
        if high.is_none_or(|high| high > *bound) {
            self.0.insert(variable.index(), (low, Some(bound.clone())));
        }
    }

    fn at_least(&mut self, variable: Variable, bound: &BigInt) {
        let (low, high) = self.get(variable);
        if low.is_none_or(|low| low < *bound) {
            self.0.insert(variable.index(), (Some(bound.clone()), high));
        }
    }

    /// A value at the end of an interval goes; one inside is not seen.
    fn differ(&mut self, variable: Variable, value: &BigInt) -> Noted {
        let (low, high) = self.get(variable);
        if low.as_ref() == Some(value) {
            self.at_least(variable, &(value + 1));
        } else if high.as_ref() == Some(value) {
            self.at_most(variable, &(value - 1));
        } else if low.is_none_or(|low| low < *value) && high.is_none_or(|high| high > *value) {
            return Noted::Partly;
        }
        Noted::Whole
    }

    /// That a variable is in its interval.
    pub(super) fn conditions(&self, terms: &Terms, variable: Variable) -> Vec<Term> {
        let (low, high) = self.get(variable);
        let term = terms.variable(variable);
        let low = low.map(|low| terms.at_most(terms.integer(low), term));
        let high = high.map(|high| terms.at_most(term, terms.integer(high)));
        low.into_iter().chain(high).collect()
    }

    /// Whether no values in the intervals satisfy a condition; may say no where that is not seen. Costs the Boolean structure.
    pub(super) fn exclude(&self, terms: &Terms, condition: Term) -> bool {
        match terms.kind(condition) {
            TermKind::Bool(value) => !value,
            TermKind::And(parts) => parts.iter().any(|&part| self.exclude(terms, part)),
            TermKind::Or(parts) => parts.iter().all(|&part| self.exclude(terms, part)),
            TermKind::AtMost(form, bound) => self.of(terms, form).0.is_some_and(|low| low > bound),
            TermKind::Exactly(form, value) => {
                let (low, high) = self.of(terms, form);
                low.is_some_and(|low| low > value) || high.is_some_and(|high| high < value)
            }
            TermKind::Not(inner) => match terms.kind(inner) {
                TermKind::AtMost(form, bound) => self.of(terms, form).1.is_some_and(|high| high <= bound),
                TermKind::Exactly(form, value) => {
                    let (low, high) = self.of(terms, form);
                    low.as_ref() == Some(&value) && high.as_ref() == Some(&value)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The interval of a linear combination.
    pub(super) fn of(&self, terms: &Terms, form: Term) -> Interval {
        let of_part = |part| match terms.kind(part) {
            TermKind::Variable(variable) => self.get(variable),
            TermKind::Modulo(_, divisor) => (Some(BigInt::from(0)), Some(divisor - 1)),
            TermKind::Int(value) => (Some(value.clone()), Some(value)),
            _ => (None, None),
        };
        match terms.kind(form) {
            TermKind::Sum(constant, parts) => {
                let start = (Some(constant.clone()), Some(constant));
                parts.iter().fold(start, |(low, high), (factor, part)| {
                    let (least, most) = of_part(*part);
                    let (least, most) = if *factor < BigInt::from(0) { (most, least) } else { (least, most) };
                    let add = |sum: Option<BigInt>, bound: Option<BigInt>| Some(sum? + factor * bound?);
                    (add(low, least), add(high, most))
                })
            }
            _ => of_part(form),
        }
    }
}
