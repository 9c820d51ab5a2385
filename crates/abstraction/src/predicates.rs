//! The predicates that states are seen through.

use indexmap::IndexSet;
use tertium_expr::{Term, TermKind, Terms};
use tertium_program::{Program, Role};
use tertium_support::{Id, define_id};

define_id!(
    /// A predicate.
    PredicateId
);

/// Truth values over the variables of a program, each once and none the negation of another.
#[derive(Clone, Debug, Default)]
pub struct Predicates(IndexSet<Term>);

impl Predicates {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a predicate, or its negation if it is one. Says whether it is new. Constants, and predicates about control variables only, are no
    /// news: control is seen anyway.
    pub fn add(&mut self, program: &Program, term: Term) -> bool {
        let terms = &program.terms;
        let plain = match terms.kind(term) {
            TermKind::Not(inner) => inner,
            _ => term,
        };
        let is_data = |variable| {
            program.id_of(variable).is_some_and(|id| program.variables()[id.index()].role == Role::Data)
        };
        terms.variables_of(plain).into_iter().any(is_data) && self.0.insert(plain)
    }

    /// Adds the atoms of a truth value.
    pub fn add_atoms(&mut self, program: &Program, term: Term) -> bool {
        let atoms = program.terms.atoms_of(term);
        atoms.into_iter().fold(false, |any, atom| self.add(program, atom) | any)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Term> + Clone + '_ {
        self.0.iter().copied()
    }

    /// The predicate with this id.
    pub fn get(&self, id: PredicateId) -> Term {
        self.0[id.index()]
    }

    /// The id of a predicate.
    pub fn find(&self, term: Term) -> Option<PredicateId> {
        self.0.get_index_of(&term).map(PredicateId::new)
    }

    /// The predicate that a term is or negates, and whether it is the predicate itself.
    pub fn find_literal(&self, terms: &Terms, term: Term) -> Option<(PredicateId, bool)> {
        match terms.kind(term) {
            TermKind::Not(inner) => Some((self.find(inner)?, false)),
            _ => Some((self.find(term)?, true)),
        }
    }
}
