//! Which sides of definitions a question needs.
//!
//! A definition ties a truth value to its parts on two sides: what follows if it holds, and what follows if it fails. Where a question
//! only gains from the one, the other is left out \[PG86\]: that halves the clauses, and the propagations of the solver with them.
//! Leaving clauses out can only make more satisfiable, so what is refuted stays refuted. And nothing else becomes satisfiable: each
//! defined value may be moved to what its parts say, in the order of the definitions, since that can only help whoever uses it.

use super::FiniteQuestion;
use rustc_hash::FxHashMap;
use tertium_expr::{Term, TermKind, Terms, Variable};

/// Sides of a truth value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    /// What follows if it holds.
    pub(super) holds: bool,
    /// What follows if it fails.
    pub(super) fails: bool,
}

impl Sides {
    pub(super) const BOTH: Self = Self { holds: true, fails: true };

    pub(super) fn swapped(self) -> Self {
        Self { holds: self.fails, fails: self.holds }
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self { holds: self.holds || other.holds, fails: self.fails || other.fails }
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self { holds: self.holds && !other.holds, fails: self.fails && !other.fails }
    }
}

/// The sides of the defined variables that a question needs; nothing for those that it does not use. Linear in its size.
pub(super) fn needed(terms: &Terms, question: FiniteQuestion<'_>) -> FxHashMap<Variable, Sides> {
    let mut defined: FxHashMap<Variable, Sides> =
        question.defined.iter().map(|(variable, _)| (*variable, Sides::default())).collect();
    debug_assert_eq!(defined.len(), question.defined.len(), "a variable is defined once");
    let mut seen: FxHashMap<Term, Sides> = FxHashMap::default();
    let mut open: Vec<(Term, Sides)> = Vec::new();
    let mut visit = |term: Term, sides: Sides, defined: &mut FxHashMap<Variable, Sides>| {
        open.push((term, sides));
        while let Some((term, sides)) = open.pop() {
            let known = seen.entry(term).or_default();
            let new = sides.without(*known);
            *known = known.with(sides);
            if new == Sides::default() {
                continue;
            }
            match terms.kind(term) {
                TermKind::Variable(variable) => {
                    if let Some(own) = defined.get_mut(&variable) {
                        *own = own.with(new);
                    }
                }
                TermKind::Not(inner) => open.push((inner, new.swapped())),
                TermKind::And(parts) | TermKind::Or(parts) => {
                    open.extend(parts.into_iter().map(|part| (part, new)));
                }
                kind => open.extend(kind.operands().into_iter().map(|part| (part, Sides::BOTH))),
            }
        }
    };
    for &term in question.together {
        visit(term, Sides { holds: true, fails: false }, &mut defined);
    }
    // Whoever uses a variable is defined after it.
    for &(variable, term) in question.defined.iter().rev() {
        visit(term, defined[&variable], &mut defined);
    }
    defined
}
