//! Predicates as they are written: a comparison with its two sides.
//!
//! The store of terms brings `t + 1 <= s + 1` and `t <= s` to one form. Published figures count them as two \[PPV07\], so a predicate
//! here keeps its sides, each a sum with a constant, and nothing moves across.

use tertium_expr::{BigInt, Substitution, Term, TermKind, Terms};

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Relation {
    AtMost,
    Equal,
}

/// A predicate with its sides.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Written(Shape);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Shape {
    Comparison(Relation, Term, Term),
    Other(Term),
}

impl Written {
    /// An atom, positive terms on the left and the rest on the right.
    pub fn new(terms: &Terms, atom: Term) -> Self {
        let (relation, form, bound) = match terms.kind(atom) {
            TermKind::AtMost(form, bound) => (Relation::AtMost, form, bound),
            TermKind::Exactly(form, bound) => (Relation::Equal, form, bound),
            _ => return Self(Shape::Other(atom)),
        };
        let parts = match terms.kind(form) {
            TermKind::Sum(_, parts) => parts.into_vec(),
            _ => vec![(BigInt::from(1), form)],
        };
        let zero = BigInt::from(0);
        let (left, right): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(factor, _)| *factor > zero);
        let side = |parts: Vec<(BigInt, Term)>, sign: i32| {
            terms.sum(parts.into_iter().map(|(factor, term)| terms.scaled(factor * sign, term)))
        };
        let right = terms.sum([side(right, -1), terms.integer(bound)]);
        Self(Shape::Comparison(relation, side(left, 1), right))
    }

    /// The predicate as a truth value.
    pub fn term(&self, terms: &Terms) -> Term {
        match self.0 {
            Shape::Comparison(Relation::AtMost, left, right) => terms.at_most(left, right),
            Shape::Comparison(Relation::Equal, left, right) => terms.equal(left, right),
            Shape::Other(term) => term,
        }
    }

    /// Whether no variable occurs in it, not even on both sides.
    pub fn is_constant(&self, terms: &Terms) -> bool {
        match self.0 {
            Shape::Comparison(_, left, right) => {
                terms.variables_of(left).is_empty() && terms.variables_of(right).is_empty()
            }
            Shape::Other(term) => terms.variables_of(term).is_empty(),
        }
    }

    /// It, or the atoms that it is a combination of.
    pub fn atoms(&self, terms: &Terms) -> Vec<Self> {
        match self.0 {
            Shape::Comparison(..) => vec![self.clone()],
            Shape::Other(term) => {
                terms.atoms_of(term).into_iter().map(|atom| Self::new(terms, atom)).collect()
            }
        }
    }

    /// What it says of the state after an assignment, said of the state before.
    pub fn after(&self, terms: &Terms, assignment: &mut Substitution) -> Self {
        Self(match self.0 {
            Shape::Comparison(relation, left, right) => {
                Shape::Comparison(relation, assignment.apply(terms, left), assignment.apply(terms, right))
            }
            Shape::Other(term) => Shape::Other(assignment.apply(terms, term)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Written;
    use tertium_expr::{Sort, Substitution, Terms};

    #[test]
    fn sides_are_kept_apart_and_mean_the_same() {
        let terms = Terms::new();
        let (s, t) = (terms.declare("s", &Sort::Int), terms.declare("t", &Sort::Int));
        let (s_term, t_term) = (terms.variable(s), terms.variable(t));
        let one = terms.integer(1);
        let atom = terms.at_most(s_term, t_term);
        let written = Written::new(&terms, atom);
        assert_eq!(written.term(&terms), atom);
        let up = |variable, term| (variable, terms.sum([term, one]));
        let both = written.after(&terms, &mut Substitution::new([up(s, s_term), up(t, t_term)]));
        assert_ne!(both, written);
        assert_eq!(both.term(&terms), atom);
    }
}
