//! Literals without those that others say already, for people to read.
//!
//! Bounds of one term are drawn together: of `x <= 9`, `x > 2`, `x != 3` and `x <= 4` what is left is `x = 4`. The rest stays as it is.

use indexmap::IndexMap;
use tertium_expr::{BigInt, Term, TermKind, Terms};

/// What is known of the values of a term.
#[derive(Default)]
struct Bounds {
    least: Option<BigInt>,
    most: Option<BigInt>,
    never: Vec<BigInt>,
}

impl Bounds {
    fn at_most(&mut self, value: BigInt) {
        self.most = Some(match self.most.take() {
            Some(most) => most.min(value),
            None => value,
        });
    }

    fn at_least(&mut self, value: BigInt) {
        self.least = Some(match self.least.take() {
            Some(least) => least.max(value),
            None => value,
        });
    }

    /// Moves the bounds past values that are excluded.
    fn tighten(&mut self) {
        self.never.sort();
        for value in &self.never {
            if self.least.as_ref() == Some(value) {
                self.least = Some(value + 1);
            }
        }
        for value in self.never.iter().rev() {
            if self.most.as_ref() == Some(value) {
                self.most = Some(value - 1);
            }
        }
    }

    fn is_empty(&self) -> bool {
        matches!((&self.least, &self.most), (Some(least), Some(most)) if least > most)
    }

    /// As literals about a term.
    fn literals(self, terms: &Terms, form: Term) -> Vec<Term> {
        let number = |value: &BigInt| terms.integer(value.clone());
        let inside = |value: &BigInt| {
            self.least.as_ref().is_none_or(|least| least <= value)
                && self.most.as_ref().is_none_or(|most| value <= most)
        };
        if let (Some(least), Some(most)) = (&self.least, &self.most)
            && least == most
        {
            return vec![terms.equal(form, number(least))];
        }
        let least = self.least.iter().map(|least| terms.at_most(number(least), form));
        let most = self.most.iter().map(|most| terms.at_most(form, number(most)));
        let never = self.never.iter().filter(|value| inside(value));
        let never = never.map(|value| terms.not(terms.equal(form, number(value))));
        least.chain(most).chain(never).collect()
    }
}

/// Literals that say the same together, without what is plainly said twice, in the order in which their terms come up.
/// Contradictory ones are given back.
pub(crate) fn essential(terms: &Terms, literals: &[Term]) -> Vec<Term> {
    let mut bounds: IndexMap<Term, Bounds> = IndexMap::new();
    for &literal in literals {
        let (plain, positive) = match terms.kind(literal) {
            TermKind::Not(inner) => (inner, false),
            _ => (literal, true),
        };
        match (terms.kind(plain), positive) {
            (TermKind::AtMost(form, value), true) => bounds.entry(form).or_default().at_most(value),
            (TermKind::AtMost(form, value), false) => bounds.entry(form).or_default().at_least(value + 1),
            (TermKind::Exactly(form, value), true) => {
                let known = bounds.entry(form).or_default();
                known.at_least(value.clone());
                known.at_most(value);
            }
            (TermKind::Exactly(form, value), false) => bounds.entry(form).or_default().never.push(value),
            // A literal of its own: as a key it stands for itself.
            _ => drop(bounds.entry(literal).or_default()),
        }
    }
    bounds.values_mut().for_each(Bounds::tighten);
    if bounds.values().any(Bounds::is_empty) {
        return literals.to_vec();
    }
    let said = bounds.into_iter().flat_map(|(term, known)| match terms.sort(term) {
        tertium_expr::Sort::Bool => vec![term],
        _ => known.literals(terms, term),
    });
    said.collect()
}

#[cfg(test)]
mod tests {
    use super::essential;
    use tertium_expr::{BigInt, Sort, Term, Terms};

    #[test]
    fn bounds_of_one_term_are_drawn_together() {
        let terms = Terms::new();
        let x = terms.variable(terms.declare("x", &Sort::Int));
        let b = terms.variable(terms.declare("b", &Sort::Bool));
        let number = |value: i64| terms.integer(BigInt::from(value));
        let at_most = |value| terms.at_most(x, number(value));
        let is = |value| terms.equal(x, number(value));
        let said = |literals: &[Term]| {
            let said = essential(&terms, literals).into_iter().map(|term| terms.print(term).to_string());
            said.collect::<Vec<_>>().join(", ")
        };
        let above = |value| terms.not(at_most(value));
        assert_eq!(said(&[at_most(9), b, above(2), terms.not(is(3)), at_most(4)]), "x = 4, b");
        assert_eq!(said(&[above(0), above(2), at_most(9), terms.not(is(5))]), "x > 2, x <= 9, x != 5");
        assert_eq!(said(&[terms.not(b), terms.not(is(0)), above(5)]), "!b, x > 5");
        assert_eq!(said(&[above(5), at_most(2)]), "x > 5, x <= 2", "contradictions stay visible");
    }
}
