//! Shared terms in positive normal form: the step between the tree and the graph.
//!
//! Binders are numbered from inside: a binder gets a number greater than all binders inside its body, and a variable
//! is the number of its binder. Binders around a place have strictly growing numbers, so nothing is captured; and
//! a fixpoint without free variables is the same term wherever it stands and however its variables are called.
//!
//! Simplifications hold for Kleene and Belnap values too: units and zeros of `&&` and `||`, doubled operands, and
//! binders whose variable does not occur. (`p && !p` is not false: `p` may be unknown.)

use crate::translate::Reading;
use crate::{ActionFormula, PathQuantifier, PropositionId, Regular, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tertium_support::{Id, Interner, define_id};

define_id!(
    /// A term of a [`Terms`] table.
    TermId
);

/// The number of a binder.
pub(crate) type Binder = u32;

/// A term with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    True,
    False,
    Literal { proposition: PropositionId, negated: bool },
    And(Rc<[TermId]>),
    Or(Rc<[TermId]>),
    Diamond(usize, TermId),
    Box(usize, TermId),
    Fixpoint(Sign, Binder, TermId),
    Variable(Binder),
}

/// What is known of a term.
#[derive(Clone, Debug)]
struct Facts {
    /// The free variables, ascending.
    free: Rc<[Binder]>,
    /// Greater than all binders inside, whose numbers start at 0.
    height: Binder,
}

/// Terms without duplicates. Operands stand before the terms that use them.
#[derive(Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    facts: Vec<Facts>,
    known: FxHashMap<Term, TermId>,
    /// The name that the user first gave to the variable of a fixpoint.
    pub(crate) names: FxHashMap<TermId, String>,
    pub(crate) propositions: Interner<PropositionId>,
    pub(crate) actions: Vec<ActionFormula>,
    known_actions: FxHashMap<ActionFormula, usize>,
    no_variables: Option<Rc<[Binder]>>,
}

impl Terms {
    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The free variables of a term, ascending: the innermost binder comes first.
    pub(crate) fn free(&self, id: TermId) -> &[Binder] {
        &self.facts[id.index()].free
    }

    /// The name for the variable of a fixpoint.
    pub(crate) fn name(&self, fixpoint: TermId) -> &str {
        self.names.get(&fixpoint).map_or("Z", String::as_str)
    }

    pub(crate) fn height(&self, id: TermId) -> Binder {
        self.facts[id.index()].height
    }

    pub(crate) fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.known.get(&term) {
            return id;
        }
        let facts = self.facts_of(&term);
        let id = TermId::new(self.terms.len());
        self.known.insert(term.clone(), id);
        self.terms.push(term);
        self.facts.push(facts);
        id
    }

    fn facts_of(&mut self, term: &Term) -> Facts {
        match term {
            Term::True | Term::False | Term::Literal { .. } => {
                let none = self.no_variables.get_or_insert_with(|| Rc::from([]));
                Facts { free: none.clone(), height: 0 }
            }
            Term::Variable(binder) => Facts { free: Rc::from([*binder]), height: 0 },
            Term::Diamond(_, body) | Term::Box(_, body) => self.facts[body.index()].clone(),
            Term::And(parts) | Term::Or(parts) => self.facts_of_parts(parts),
            Term::Fixpoint(_, binder, body) => {
                let free: Vec<Binder> =
                    self.free(*body).iter().copied().filter(|own| own != binder).collect();
                debug_assert!(
                    self.height(*body) <= *binder,
                    "a binder has a greater number than those inside"
                );
                Facts { free: free.into(), height: binder + 1 }
            }
        }
    }

    fn facts_of_parts(&self, parts: &[TermId]) -> Facts {
        let height = parts.iter().map(|&part| self.height(part)).max().unwrap_or(0);
        let mut open = parts.iter().filter(|&&part| !self.free(part).is_empty());
        let (first, second) = (open.next(), open.next());
        let free = match (first, second) {
            (None, _) => self.facts[parts[0].index()].free.clone(),
            (Some(only), None) => self.facts[only.index()].free.clone(),
            _ => {
                let mut all: Vec<Binder> = parts.iter().flat_map(|&part| self.free(part)).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        };
        Facts { free, height }
    }

    /// The conjunction, or the disjunction if `reading` says that a conjunction is negated.
    pub(crate) fn conjunction(
        &mut self,
        reading: Reading,
        parts: impl IntoIterator<Item = TermId>,
    ) -> TermId {
        let (unit, zero) = match reading {
            Reading::AsIs => (self.add(Term::True), self.add(Term::False)),
            Reading::Negated => (self.add(Term::False), self.add(Term::True)),
        };
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for part in parts {
            if part == zero {
                return zero;
            }
            if part != unit && seen.insert(part) {
                kept.push(part);
            }
        }
        match (kept.as_slice(), reading) {
            ([], _) => unit,
            ([only], _) => *only,
            (_, Reading::AsIs) => self.add(Term::And(kept.into())),
            (_, Reading::Negated) => self.add(Term::Or(kept.into())),
        }
    }

    pub(crate) fn disjunction(
        &mut self,
        reading: Reading,
        parts: impl IntoIterator<Item = TermId>,
    ) -> TermId {
        self.conjunction(reading.flip(), parts)
    }

    /// One step: `quantifier` is that of the normal form. `<a>false` and its like are kept: they are false in ordinary
    /// systems, but at a state that contradicts itself they are not.
    pub(crate) fn step(
        &mut self,
        quantifier: PathQuantifier,
        actions: &ActionFormula,
        body: TermId,
    ) -> TermId {
        let index = self.action_index(actions);
        self.add(match quantifier {
            PathQuantifier::Some => Term::Diamond(index, body),
            PathQuantifier::All => Term::Box(index, body),
        })
    }

    fn action_index(&mut self, actions: &ActionFormula) -> usize {
        if let Some(&index) = self.known_actions.get(actions) {
            return index;
        }
        let index = self.actions.len();
        self.actions.push(actions.clone());
        self.known_actions.insert(actions.clone(), index);
        index
    }

    pub(crate) fn fixpoint(&mut self, sign: Sign, binder: Binder, body: TermId) -> TermId {
        if self.free(body).binary_search(&binder).is_err() {
            return body;
        }
        self.add(Term::Fixpoint(sign, binder, body))
    }

    /// The regular modality in normal form: `next` is what holds afterwards, already in normal form.
    pub(crate) fn regular(&mut self, quantifier: PathQuantifier, regular: &Regular, next: TermId) -> TermId {
        // `<…>` is a disjunction over sequences with least fixpoints, `[…]` the dual.
        let (join, sign) = match quantifier {
            PathQuantifier::Some => (Reading::AsIs, Sign::Least),
            PathQuantifier::All => (Reading::Negated, Sign::Greatest),
        };
        match regular {
            Regular::Step(actions) => self.step(quantifier, actions, next),
            Regular::Sequence(parts) => {
                parts.iter().rev().fold(next, |next, part| self.regular(quantifier, part, next))
            }
            Regular::Choice(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|part| self.regular(quantifier, part, next)).collect();
                self.disjunction(join, parts)
            }
            Regular::Star(body) => {
                // <R*>f = mu X. f || <R>X
                let binder = self.height(next).max(regular_height(body, 0));
                let variable = self.add(Term::Variable(binder));
                let again = self.regular(quantifier, body, variable);
                let unfolded = self.disjunction(join, [next, again]);
                self.fixpoint(sign, binder, unfolded)
            }
            Regular::Plus(body) => {
                // <R+>f = mu X. <R>(f || X), which is <R><R*>f without writing R twice
                let binder = regular_height(body, self.height(next));
                let variable = self.add(Term::Variable(binder));
                let after = self.disjunction(join, [next, variable]);
                let unfolded = self.regular(quantifier, body, after);
                self.fixpoint(sign, binder, unfolded)
            }
        }
    }
}

/// The height of `<R>f` where that of `f` is `next`.
pub(crate) fn regular_height(regular: &Regular, next: Binder) -> Binder {
    match regular {
        Regular::Step(_) => next,
        Regular::Sequence(parts) => parts.iter().rev().fold(next, |next, part| regular_height(part, next)),
        Regular::Choice(parts) => parts.iter().map(|part| regular_height(part, next)).max().unwrap_or(next),
        Regular::Star(body) => next.max(regular_height(body, 0)) + 1,
        Regular::Plus(body) => regular_height(body, next) + 1,
    }
}
