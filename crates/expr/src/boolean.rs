//! Boolean terms, conditionals, equality of all sorts.

use crate::{Sort, Term, TermKind, Terms, Variable};
use rustc_hash::FxHashSet;
use tertium_support::Id;

impl Terms {
    /// Negation.
    pub fn not(&self, term: Term) -> Term {
        match self.with_kind(term, |kind| match kind {
            TermKind::Bool(value) => Err(!value),
            TermKind::Not(inner) => Ok(Some(*inner)),
            _ => Ok(None),
        }) {
            Err(value) => self.boolean(value),
            Ok(Some(inner)) => inner,
            Ok(None) => {
                debug_assert_eq!(self.sort(term), Sort::Bool, "only truth values are negated");
                self.intern(TermKind::Not(term), Sort::Bool)
            }
        }
    }

    /// The parts of a conjunction, also of those that are parts of it; nothing for true.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.kind(term) {
                TermKind::And(parts) => open.extend(parts.into_vec().into_iter().rev()),
                TermKind::Bool(true) => {}
                _ if seen.insert(term) => found.push(term),
                _ => {}
            }
        }
        found
    }

    /// Conjunction; true for none.
    pub fn and(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.junction(terms, true)
    }

    /// Disjunction; false for none.
    pub fn or(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.junction(terms, false)
    }

    /// Implication.
    pub fn implies(&self, left: Term, right: Term) -> Term {
        self.or([self.not(left), right])
    }

    /// Conjunction if `and`, else disjunction. The neutral element vanishes, the other absorbs everything, as does a pair of opposites.
    /// What is of the same kind is taken apart, unless it is shared.
    fn junction(&self, terms: impl IntoIterator<Item = Term>, and: bool) -> Term {
        let mut parts = Vec::new();
        for term in terms {
            let inner = self.with_kind(term, |kind| match kind {
                TermKind::Bool(value) if *value == and => Some(Box::default()),
                TermKind::And(inner) if and && !self.is_shared(term) => Some(inner.clone()),
                TermKind::Or(inner) if !and && !self.is_shared(term) => Some(inner.clone()),
                _ => None,
            });
            match inner {
                Some(inner) => parts.extend(inner),
                None if self.as_bool(term) == Some(!and) => return term,
                None => parts.push(term),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let opposite = |&part: &Term| {
            self.with_kind(part, |kind| match kind {
                TermKind::Not(inner) => parts.binary_search(inner).is_ok(),
                _ => false,
            })
        };
        if parts.iter().any(opposite) {
            return self.boolean(!and);
        }
        match parts[..] {
            [] => self.boolean(and),
            [only] => only,
            _ if and => self.intern(TermKind::And(parts.into()), Sort::Bool),
            _ => self.intern(TermKind::Or(parts.into()), Sort::Bool),
        }
    }

    /// The second if the first holds, else the third.
    pub fn ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise {
            return then;
        }
        if let Some(value) = self.as_bool(condition) {
            return if value { then } else { otherwise };
        }
        let sort = self.sort(then);
        debug_assert_eq!(sort, self.sort(otherwise), "both cases have one sort");
        if sort == Sort::Bool {
            match (self.as_bool(then), self.as_bool(otherwise)) {
                (Some(true), _) => return self.or([condition, otherwise]),
                (Some(false), _) => return self.and([self.not(condition), otherwise]),
                (_, Some(true)) => return self.implies(condition, then),
                (_, Some(false)) => return self.and([condition, then]),
                _ => {}
            }
            let positive = self.implies(condition, then);
            return self.and([positive, self.or([condition, otherwise])]);
        }
        if let Some(opposite) = self.negated(condition) {
            return self.intern(TermKind::If(opposite, otherwise, then), sort);
        }
        self.intern(TermKind::If(condition, then, otherwise), sort)
    }

    /// Condition and cases of a truth value that is a choice between two: a conjunction of two disjunctions with opposite parts, which is
    /// how [`Self::ite`] writes it.
    pub fn choice(&self, term: Term) -> Option<(Term, Term, Term)> {
        let disjunctions = self.with_kind(term, |kind| match kind {
            TermKind::And(parts) => match parts[..] {
                [first, second] => Some([first, second]),
                _ => None,
            },
            _ => None,
        })?;
        let parts = disjunctions.map(|term| {
            self.with_kind(term, |kind| match kind {
                TermKind::Or(parts) if !self.is_shared(term) => Some(parts.clone()),
                _ => None,
            })
        });
        let [Some(first), Some(second)] = parts else { return None };
        let others =
            |parts: &[Term], without: Term| self.or(parts.iter().copied().filter(|&part| part != without));
        for (negative, positive) in [(&first, &second), (&second, &first)] {
            let opposite =
                |&part: &Term| self.negated(part).filter(|inner| positive.binary_search(inner).is_ok());
            if let Some(condition) = negative.iter().find_map(opposite) {
                let then = others(negative, self.not(condition));
                return Some((condition, then, others(positive, condition)));
            }
        }
        None
    }

    /// Equality of two terms of one sort; equivalence of truth values.
    pub fn equal(&self, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort(left), self.sort(right), "equality is between terms of one sort");
        if left == right {
            return self.boolean(true);
        }
        match self.sort(left) {
            Sort::Int => self.equal_numbers(left, right),
            Sort::Bool => self.iff(left, right),
            sort => {
                // Different constants are different; arrays are no constants here.
                if self.as_value(left).is_some() && self.as_value(right).is_some() {
                    return self.boolean(false);
                }
                if let Sort::Enumeration(of) = &sort
                    && of.values.len() == 1
                {
                    return self.boolean(true);
                }
                self.intern(TermKind::Equal(left.min(right), left.max(right)), Sort::Bool)
            }
        }
    }

    fn iff(&self, left: Term, right: Term) -> Term {
        match (self.as_bool(left), self.as_bool(right)) {
            (Some(true), _) => return right,
            (Some(false), _) => return self.not(right),
            (_, Some(true)) => return left,
            (_, Some(false)) => return self.not(left),
            _ => {}
        }
        let (plain_left, plain_right) =
            (self.negated(left).unwrap_or(left), self.negated(right).unwrap_or(right));
        let negate = (plain_left != left) != (plain_right != right);
        let plain = if plain_left == plain_right {
            self.boolean(true)
        } else {
            let (first, second) = (plain_left.min(plain_right), plain_left.max(plain_right));
            self.intern(TermKind::Equal(first, second), Sort::Bool)
        };
        if negate { self.not(plain) } else { plain }
    }

    /// What a negation negates.
    pub(crate) fn negated(&self, term: Term) -> Option<Term> {
        self.with_kind(term, |kind| match kind {
            TermKind::Not(inner) => Some(*inner),
            _ => None,
        })
    }

    /// Whether a truth value holds for all values of these variables. Variables that do not occur vanish.
    pub fn for_all(&self, variables: impl IntoIterator<Item = Variable>, body: Term) -> Term {
        let occurring = self.variables_of(body);
        let mut variables: Vec<Variable> =
            variables.into_iter().filter(|variable| occurring.contains(variable)).collect();
        variables.sort_unstable_by_key(|variable| variable.index());
        variables.dedup();
        if variables.is_empty() {
            return body;
        }
        self.intern(TermKind::ForAll(variables.into(), body), Sort::Bool)
    }

    /// Whether it holds for some values of these variables.
    pub fn exists(&self, variables: impl IntoIterator<Item = Variable>, body: Term) -> Term {
        self.not(self.for_all(variables, self.not(body)))
    }
}
