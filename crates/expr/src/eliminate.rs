//! Quantifiers over single variables, said without them.
//!
//! Variables with few values are tried one by one. For integers this is Cooper's method \[Coo72\] in three steps.
//! Conditionals that the variable occurs in become cases. With m a common period of the divisions, x is m*x + r for
//! some r below m, and the normal forms take m*x out of quotients and remainders, so that x occurs in linear
//! comparisons only. Of the values for which such a combination of comparisons holds, one is as low as the lower bounds
//! allow: with the comparisons c*x >= p, either arbitrarily low, or (p + r) / c for some p and c, and r below c that
//! makes it a whole number. The same goes for the highest; the side with fewer candidates is taken.
//!
//! Cost: the formula once for each candidate, so quadratic for each variable while all factors are one.

use crate::evaluate::{QUANTIFIED_LIMIT, values_of};
use crate::{Sort, Substitution, Term, TermKind, Terms, Variable};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Terms {
    /// Where a truth value holds for some value of a variable, as a term without it. Nothing if the variable occurs in
    /// products, arrays, bit-vectors or below other quantifiers, unless an equation beside them says what it is; or if more
    /// than `most` comparisons would have to be looked at.
    pub fn eliminate(&self, variable: Variable, term: Term, most: usize) -> Option<Term> {
        let mut left = most;
        self.eliminate_within(variable, term, &mut left)
    }

    /// The same for several variables within one limit. Nothing if some of them cannot be eliminated.
    pub fn eliminate_all(
        &self,
        variables: impl IntoIterator<Item = Variable>,
        term: Term,
        most: usize,
    ) -> Option<Term> {
        let (term, kept) = self.eliminate_some(variables, term, most);
        kept.is_empty().then_some(term)
    }

    /// Where a truth value holds for some values of variables, as one that holds there for some values of fewer: those that
    /// could not be eliminated within the limit, in the given order.
    pub fn eliminate_some(
        &self,
        variables: impl IntoIterator<Item = Variable>,
        mut term: Term,
        most: usize,
    ) -> (Term, Vec<Variable>) {
        let mut left = most;
        let mut kept: Vec<Variable> = variables.into_iter().collect();
        loop {
            let n_before = kept.len();
            // What one leaves may be simple enough for another that failed before.
            kept.retain(|&variable| match self.eliminate_within(variable, term, &mut left) {
                Some(without) => {
                    term = without;
                    false
                }
                None => true,
            });
            if kept.is_empty() || kept.len() == n_before {
                return (term, kept);
            }
        }
    }

    /// A universally quantified truth value with fewer quantified variables, if some can be eliminated within the limit; any
    /// other term as it is.
    pub fn with_fewer_quantified(&self, term: Term, most: usize) -> Term {
        let (mut variables, mut body) = (Vec::new(), term);
        let quantified = |kind: &TermKind| match kind {
            TermKind::ForAll(bound, inside) => Some((bound.clone(), *inside)),
            _ => None,
        };
        while let Some((bound, inside)) = self.with_kind(body, quantified) {
            variables.extend(bound);
            body = inside;
        }
        if variables.is_empty() {
            return term;
        }
        variables.sort_unstable();
        variables.dedup();
        let n_variables = variables.len();
        let (refuted, kept) = self.eliminate_some(variables, self.not(body), most);
        if kept.len() == n_variables { term } else { self.not(self.exists(kept, refuted)) }
    }

    fn eliminate_within(&self, variable: Variable, term: Term, left: &mut usize) -> Option<Term> {
        debug_assert_eq!(self.sort(term), Sort::Bool, "only truth values are quantified");
        let mut elimination = Elimination { terms: self, variable, occurs: FxHashMap::default(), left };
        if !elimination.occurs(term) {
            return Some(term);
        }
        match self.sort_of(variable) {
            Sort::Int => elimination.integer(term),
            sort => {
                let values = values_of(&sort, QUANTIFIED_LIMIT)?;
                elimination.spend(values.len())?;
                Some(
                    self.or(values
                        .iter()
                        .map(|value| Substitution::new([(variable, self.value(value))]).apply(self, term))),
                )
            }
        }
    }
}

struct Elimination<'a> {
    terms: &'a Terms,
    variable: Variable,
    occurs: FxHashMap<Term, bool>,
    /// How much more may be done.
    left: &'a mut usize,
}

/// The comparison of factor * x + rest with zero.
#[derive(Clone)]
struct Comparison {
    equal: bool,
    factor: BigInt,
    rest: Term,
}

/// The value (sum + r) / factor for the least r that makes it a whole number, or only for r = 0. The factor is positive.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Candidate {
    sum: Term,
    factor: BigInt,
    whole: bool,
}

impl Elimination<'_> {
    fn spend(&mut self, work: usize) -> Option<()> {
        *self.left = self.left.checked_sub(work)?;
        Some(())
    }

    /// Whether the variable occurs free.
    fn occurs(&mut self, term: Term) -> bool {
        if let Some(&known) = self.occurs.get(&term) {
            return known;
        }
        let found = match self.terms.kind(term) {
            TermKind::Variable(variable) => variable == self.variable,
            TermKind::ForAll(bound, _) if bound.contains(&self.variable) => false,
            kind => kind.operands().into_iter().any(|operand| self.occurs(operand)),
        };
        self.occurs.insert(term, found);
        found
    }

    fn integer(&mut self, term: Term) -> Option<Term> {
        let terms = self.terms;
        if !self.occurs(term) {
            return Some(term);
        }
        match terms.kind(term) {
            TermKind::Or(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|&part| self.integer(part)).collect();
                Some(terms.or(parts?))
            }
            TermKind::And(parts) => {
                let (own, other): (Vec<Term>, Vec<Term>) = parts.iter().partition(|&&part| self.occurs(part));
                match own[..] {
                    [only] => {
                        let own = self.integer(only)?;
                        Some(terms.and(other.into_iter().chain([own])))
                    }
                    _ => {
                        let own = match self.only_value(&own) {
                            Some(value) => {
                                Substitution::new([(self.variable, value)]).apply(terms, terms.and(own))
                            }
                            None => self.without_divisions(terms.and(own))?,
                        };
                        Some(terms.and(other.into_iter().chain([own])))
                    }
                }
            }
            _ => self.without_divisions(term),
        }
    }

    /// The one value that the variable can have where all of these hold, if one of them says so: then it does not matter where
    /// else the variable occurs.
    fn only_value(&mut self, parts: &[Term]) -> Option<Term> {
        let terms = self.terms;
        parts.iter().find_map(|&part| match terms.kind(part) {
            TermKind::Exactly(form, value) => {
                let own = self.comparison(true, form, value)?;
                own.factor.abs().is_one().then(|| own.solution(terms).sum)
            }
            _ => None,
        })
    }

    /// For a term in which conditionals and divisions may occur.
    fn without_divisions(&mut self, term: Term) -> Option<Term> {
        let terms = self.terms;
        let term = self.in_cases(term)?;
        let period = self.period(term)?;
        if period.is_one() {
            return self.linear(term);
        }
        let x = terms.variable(self.variable);
        let n = usize::try_from(&period).ok()?;
        self.spend(n)?;
        let mut parts = Vec::new();
        for rest in 0..n {
            let value = terms.sum([terms.scaled(period.clone(), x), terms.integer(rest)]);
            let part = Substitution::new([(self.variable, value)]).apply(terms, term);
            parts.push(if self.occurs(part) { self.linear(part)? } else { part });
        }
        Some(terms.or(parts))
    }

    /// The term with cases in place of the conditionals that the variable occurs in.
    fn in_cases(&mut self, term: Term) -> Option<Term> {
        let terms = self.terms;
        if !self.occurs(term) {
            return Some(term);
        }
        self.spend(1)?;
        let kind = terms.kind(term);
        if is_junction(terms, &kind) {
            let parts: Option<Vec<Term>> =
                kind.operands().into_iter().map(|part| self.in_cases(part)).collect();
            return Some(terms.rebuild(&kind, &parts?));
        }
        let Some((conditional, [condition, then, otherwise])) = self.conditional(term) else {
            return Some(term);
        };
        let replaced = |by| replace(terms, term, conditional, by, &mut FxHashMap::default());
        let (then, otherwise) = (replaced(then), replaced(otherwise));
        let (condition, then, otherwise) =
            (self.in_cases(condition)?, self.in_cases(then)?, self.in_cases(otherwise)?);
        Some(terms.ite(condition, then, otherwise))
    }

    /// A conditional in a comparison that the variable occurs in.
    fn conditional(&mut self, comparison: Term) -> Option<(Term, [Term; 3])> {
        let mut seen = FxHashSet::default();
        let mut open = vec![comparison];
        while let Some(term) = open.pop() {
            if !self.occurs(term) || !seen.insert(term) {
                continue;
            }
            match self.terms.kind(term) {
                TermKind::If(condition, then, otherwise) => {
                    return Some((term, [condition, then, otherwise]));
                }
                TermKind::ForAll(..) => {}
                kind => open.extend(kind.operands()),
            }
        }
        None
    }

    /// A number m such that quotients and remainders are linear in x where the variable is m*x + r. Nothing if the
    /// variable occurs elsewhere than in sums, comparisons, divisions and Boolean operations.
    fn period(&mut self, term: Term) -> Option<BigInt> {
        if !self.occurs(term) {
            return Some(BigInt::one());
        }
        let kind = self.terms.kind(term);
        match &kind {
            TermKind::Variable(_) => Some(BigInt::one()),
            TermKind::Divide(inner, divisor) | TermKind::Modulo(inner, divisor) => {
                let parts = match self.terms.kind(*inner) {
                    TermKind::Sum(_, parts) => parts.into_vec(),
                    _ => vec![(BigInt::one(), *inner)],
                };
                let mut period = BigInt::one();
                for (factor, part) in parts {
                    if self.occurs(part) {
                        period = period.lcm(&(self.period(part)? * (divisor / divisor.gcd(&factor))));
                    }
                }
                Some(period)
            }
            TermKind::Sum(..) | TermKind::AtMost(..) | TermKind::Exactly(..) => self.period_of_all(&kind),
            _ if is_junction(self.terms, &kind) => self.period_of_all(&kind),
            _ => None,
        }
    }

    fn period_of_all(&mut self, kind: &TermKind) -> Option<BigInt> {
        let operands = kind.operands().into_iter();
        operands.into_iter().try_fold(BigInt::one(), |period, part| Some(period.lcm(&self.period(part)?)))
    }

    /// For a term in which the variable occurs linearly only.
    fn linear(&mut self, term: Term) -> Option<Term> {
        let terms = self.terms;
        let comparisons = self.comparisons(term)?;
        let exact = terms.conjuncts(term).into_iter().filter_map(|part| comparisons.get(&part));
        let exact = exact.filter(|(own, _)| own.equal).min_by_key(|(own, _)| own.factor.abs());
        let (candidates, unlimited, down) = if let Some((own, _)) = exact {
            (BTreeSet::from([own.solution(terms)]), false, true)
        } else {
            let side = |down| -> BTreeSet<Candidate> {
                comparisons.values().flat_map(|(own, polarity)| own.bounds(terms, *polarity, down)).collect()
            };
            let (low, high) = (side(true), side(false));
            let cost = |side: &BTreeSet<Candidate>| side.iter().map(Candidate::n_tries).sum::<BigInt>();
            let down = cost(&low) <= cost(&high);
            (if down { low } else { high }, true, down)
        };
        let mut parts = Vec::new();
        if unlimited {
            let far = |own: &Comparison| terms.boolean(!own.equal && own.factor.is_positive() == down);
            parts.push(self.said(term, &comparisons, &far)?);
        }
        for candidate in candidates {
            let n = usize::try_from(candidate.n_tries()).ok()?;
            self.spend(n)?;
            for rest in 0..n {
                let sum = terms.sum([candidate.sum, terms.integer(rest)]);
                let whole = terms.equal(terms.modulo(sum, candidate.factor.clone()), terms.integer(0));
                if terms.as_bool(whole) == Some(false) {
                    continue;
                }
                let at = |own: &Comparison| own.at(terms, sum, &candidate.factor, down);
                let holds = self.said(term, &comparisons, &at)?;
                parts.push(terms.and([whole, holds]));
            }
        }
        Some(terms.or(parts))
    }

    /// The comparisons that the variable occurs in, with whether they count as they are and whether negated.
    fn comparisons(&mut self, term: Term) -> Option<FxHashMap<Term, (Comparison, [bool; 2])>> {
        let terms = self.terms;
        let mut found: FxHashMap<Term, (Comparison, [bool; 2])> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut open = vec![(term, true)];
        while let Some((term, positive)) = open.pop() {
            if !self.occurs(term) || !seen.insert((term, positive)) {
                continue;
            }
            match terms.kind(term) {
                TermKind::Not(inner) => open.push((inner, !positive)),
                TermKind::And(parts) | TermKind::Or(parts) => {
                    open.extend(parts.iter().map(|&part| (part, positive)));
                }
                TermKind::Equal(left, right) if terms.sort(left) == Sort::Bool => {
                    open.extend([(left, true), (left, false), (right, true), (right, false)]);
                }
                TermKind::AtMost(form, bound) => {
                    let own = self.comparison(false, form, bound)?;
                    found.entry(term).or_insert((own, [false; 2])).1[usize::from(positive)] = true;
                }
                TermKind::Exactly(form, value) => {
                    let own = self.comparison(true, form, value)?;
                    found.entry(term).or_insert((own, [false; 2])).1[usize::from(positive)] = true;
                }
                _ => return None,
            }
        }
        Some(found)
    }

    fn comparison(&mut self, equal: bool, form: Term, bound: BigInt) -> Option<Comparison> {
        let terms = self.terms;
        let x = terms.variable(self.variable);
        let factor = match terms.kind(form) {
            TermKind::Sum(_, parts) => parts.iter().find(|(_, part)| *part == x)?.0.clone(),
            _ => (form == x).then(BigInt::one)?,
        };
        let rest = terms.sum([form, terms.scaled(-factor.clone(), x), terms.integer(-bound)]);
        (!self.occurs(rest)).then_some(Comparison { equal, factor, rest })
    }

    /// The term with other truth values for the comparisons.
    fn said(
        &mut self,
        term: Term,
        comparisons: &FxHashMap<Term, (Comparison, [bool; 2])>,
        truth: &dyn Fn(&Comparison) -> Term,
    ) -> Option<Term> {
        self.spend(comparisons.len())?;
        let mut done = comparisons.iter().map(|(&term, (own, _))| (term, truth(own))).collect();
        Some(self.rebuilt(term, &mut done))
    }

    fn rebuilt(&mut self, term: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let kind = self.terms.kind(term);
        let result = if self.occurs(term) {
            let parts: Vec<Term> = kind.operands().into_iter().map(|part| self.rebuilt(part, done)).collect();
            self.terms.rebuild(&kind, &parts)
        } else {
            term
        };
        done.insert(term, result);
        result
    }
}

impl Comparison {
    /// The value for which both sides are equal.
    fn solution(&self, terms: &Terms) -> Candidate {
        let sign = if self.factor.is_positive() { -1 } else { 1 };
        Candidate { sum: terms.scaled(sign, self.rest), factor: self.factor.abs(), whole: true }
    }

    /// The bounds for x if downwards, else for -x, from below.
    fn bounds(&self, terms: &Terms, [negative, positive]: [bool; 2], down: bool) -> Vec<Candidate> {
        let factor = if down { self.factor.clone() } else { -&self.factor };
        let size = factor.abs();
        // size * x >= sum
        let bound = |sum| Candidate { sum, factor: size.clone(), whole: false };
        let one = terms.integer(1);
        let above = terms.difference(one, self.rest);
        let below = terms.sum([one, self.rest]);
        let mut bounds = Vec::new();
        if self.equal {
            let sign = if factor.is_positive() { -1 } else { 1 };
            if positive {
                bounds.push(Candidate { whole: true, ..bound(terms.scaled(sign, self.rest)) });
            }
            if negative {
                bounds.push(bound(if factor.is_positive() { above } else { below }));
            }
        } else if positive && factor.is_negative() {
            bounds.push(bound(self.rest));
        } else if negative && factor.is_positive() {
            bounds.push(bound(above));
        }
        bounds
    }

    /// The comparison for x = sum / divisor if downwards, else for x = -sum / divisor.
    fn at(&self, terms: &Terms, sum: Term, divisor: &BigInt, down: bool) -> Term {
        let factor = if down { self.factor.clone() } else { -&self.factor };
        let left = terms.sum([terms.scaled(factor, sum), terms.scaled(divisor.clone(), self.rest)]);
        let zero = terms.integer(0);
        if self.equal { terms.equal(left, zero) } else { terms.at_most(left, zero) }
    }
}

impl Candidate {
    fn n_tries(&self) -> BigInt {
        if self.whole { BigInt::one() } else { self.factor.clone() }
    }
}

/// Whether a truth value is made of truth values only.
fn is_junction(terms: &Terms, kind: &TermKind) -> bool {
    match kind {
        TermKind::Not(_) | TermKind::And(_) | TermKind::Or(_) => true,
        TermKind::Equal(left, _) => terms.sort(*left) == Sort::Bool,
        _ => false,
    }
}

/// The term with one part replaced, quantified formulas left alone.
fn replace(terms: &Terms, term: Term, from: Term, to: Term, done: &mut FxHashMap<Term, Term>) -> Term {
    if term == from {
        return to;
    }
    if let Some(&known) = done.get(&term) {
        return known;
    }
    let kind = terms.kind(term);
    let operands = kind.operands();
    let result = if operands.is_empty() || matches!(kind, TermKind::ForAll(..)) {
        term
    } else {
        let parts: Vec<Term> = operands.iter().map(|&part| replace(terms, part, from, to, done)).collect();
        if parts == operands { term } else { terms.rebuild(&kind, &parts) }
    };
    done.insert(term, result);
    result
}
