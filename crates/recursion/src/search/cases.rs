//! Values by cases: conversions and sums that wrap around are linear in each case, and a case is an interval of one input.
//!
//! Where a value is a choice by a bound of one input, or a remainder of a sum in one input with few rounds, the run goes on in the case
//! that the input is in, and the other cases are ways that are left. Conditions later on then compare the input with numbers, which
//! intervals keep, instead of nests of choices, which nothing simplifies.

use super::Search;
use super::bounds::Bounds;
use super::state::State;
use tertium_expr::{BigInt, Term, TermKind, Value, Variable};

/// A remainder is taken apart if there are at most so many rounds.
const MOST_ROUNDS: u32 = 4;

/// Cases of one value: the one that it is in, and all others.
pub(super) struct Cases {
    pub(super) is: Term,
    pub(super) others: Vec<Term>,
}

impl Search<'_> {
    /// A term without what intervals decide.
    pub(super) fn simplified(&self, bounds: &Bounds, term: Term) -> Term {
        let terms = &self.icfg.terms;
        terms.rewritten(term, &mut |part| match terms.kind(part) {
            TermKind::If(condition, then, otherwise) => {
                if bounds.exclude(terms, condition) {
                    Some(otherwise)
                } else if bounds.exclude(terms, terms.not(condition)) {
                    Some(then)
                } else {
                    None
                }
            }
            TermKind::Modulo(form, divisor) => {
                let round = self.only_round(bounds, form, &divisor)?;
                Some(terms.sum([form, terms.integer(-round * divisor)]))
            }
            TermKind::Divide(form, divisor) => Some(terms.integer(self.only_round(bounds, form, &divisor)?)),
            TermKind::AtMost(..) | TermKind::Exactly(..) => {
                if bounds.exclude(terms, part) {
                    Some(terms.boolean(false))
                } else if bounds.exclude(terms, terms.not(part)) {
                    Some(terms.boolean(true))
                } else {
                    None
                }
            }
            _ => None,
        })
    }

    /// The quotient, if it is the same for all values in the intervals.
    fn only_round(&self, bounds: &Bounds, form: Term, divisor: &BigInt) -> Option<BigInt> {
        let (low, high) = bounds.of(&self.icfg.terms, form);
        let (low, high) = (floor(&low?, divisor), floor(&high?, divisor));
        (low == high).then_some(low)
    }

    /// Cases that make a term simpler, if there are any.
    pub(super) fn cases(&self, state: &State, term: Term) -> Option<Cases> {
        let terms = &self.icfg.terms;
        let mut open = vec![term];
        let mut n_left = 64;
        while let Some(part) = open.pop() {
            let kind = terms.kind(part);
            let cases = match &kind {
                TermKind::If(condition, ..) => self.sides(state, *condition),
                TermKind::Modulo(form, divisor) | TermKind::Divide(form, divisor) => {
                    self.rounds(state, *form, divisor)
                }
                _ => None,
            };
            n_left -= 1;
            if cases.is_some() || n_left == 0 {
                return cases;
            }
            open.extend(kind.operands());
        }
        None
    }

    /// The sides of a bound of one input.
    fn sides(&self, state: &State, condition: Term) -> Option<Cases> {
        let terms = &self.icfg.terms;
        let TermKind::AtMost(form, _) = terms.kind(condition) else { return None };
        self.input_in(form)?;
        let (is, other) = match self.value(state, condition)? {
            Value::Bool(true) => (condition, terms.not(condition)),
            _ => (terms.not(condition), condition),
        };
        (!state.bounds.exclude(terms, other)).then(|| Cases { is, others: vec![other] })
    }

    /// The rounds of a sum in one input around a divisor.
    fn rounds(&self, state: &State, form: Term, divisor: &BigInt) -> Option<Cases> {
        let terms = &self.icfg.terms;
        self.input_in(form)?;
        let (low, high) = state.bounds.of(terms, form);
        let (low, high) = (floor(&low?, divisor), floor(&high?, divisor));
        if low == high || &high - &low >= BigInt::from(MOST_ROUNDS) {
            return None;
        }
        let Value::Int(now) = self.value(state, form)? else { return None };
        let round = floor(&now, divisor);
        let below = terms.less(form, terms.integer(&round * divisor));
        let above = terms.at_most(terms.integer((&round + 1) * divisor), form);
        let others = [below, above].into_iter().filter(|&other| !state.bounds.exclude(terms, other));
        Some(Cases { is: terms.and([terms.not(below), terms.not(above)]), others: others.collect() })
    }

    /// The only input in a sum that has no other parts.
    fn input_in(&self, form: Term) -> Option<Variable> {
        let terms = &self.icfg.terms;
        let as_variable = |term| match terms.kind(term) {
            TermKind::Variable(variable) => Some(variable),
            _ => None,
        };
        match terms.kind(form) {
            TermKind::Sum(_, parts) => match &parts[..] {
                [(_, part)] => as_variable(*part),
                _ => None,
            },
            _ => as_variable(form),
        }
    }
}

/// The quotient, rounded downwards.
fn floor(value: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = value / divisor;
    if value < &BigInt::from(0) && &quotient * divisor != *value { quotient - 1 } else { quotient }
}
