//! Statements and their weakest liberal preconditions \[GHJ01\].
//!
//! `pre(eta)` holds where all ends of a statement satisfy eta, so wherever it has no end; `post` is never computed, since
//! `post(psi) and eta` can be satisfied iff `psi and not pre(not eta)` can.

use crate::{Domain, Step};
use std::collections::BTreeSet;
use tertium_expr::{Substitution, Term, Terms, Variable};

/// A statement over variables of a store of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// Variables get values, all at once.
    Assign(Vec<(Variable, Term)>),
    /// Goes on only where this holds.
    Assume(Term),
    /// A variable gets any value of a domain.
    Havoc(Variable, Domain),
    /// One after the other.
    Sequence(Vec<Statement>),
    /// Any of them; none of nothing.
    Choice(Vec<Statement>),
    /// The first where the term holds, else the second.
    If(Term, Box<Statement>, Box<Statement>),
    /// One guarded simultaneous assignment, whose inputs no other statement has.
    Step(Step),
}

impl Statement {
    /// A statement that goes on only where the guard holds.
    pub fn guarded(guard: Term, statement: Statement) -> Self {
        Self::Sequence(vec![Self::Assume(guard), statement])
    }

    /// The variables that it may assign to.
    pub fn assigned(&self) -> BTreeSet<Variable> {
        let mut assigned = BTreeSet::new();
        let mut open = vec![self];
        while let Some(statement) = open.pop() {
            match statement {
                Self::Skip | Self::Assume(_) => {}
                Self::Assign(updates) => assigned.extend(updates.iter().map(|&(variable, _)| variable)),
                Self::Havoc(variable, _) => {
                    assigned.insert(*variable);
                }
                Self::Sequence(parts) | Self::Choice(parts) => open.extend(parts),
                Self::If(_, then, otherwise) => open.extend([&**then, &**otherwise]),
                Self::Step(step) => assigned.extend(step.updates.keys()),
            }
        }
        assigned
    }

    /// Where all ends of the statement satisfy `eta`. Free of quantifiers if `eta` is and every `Havoc` is of a domain with at most
    /// 64 values.
    pub fn pre(&self, terms: &Terms, eta: Term) -> Term {
        match self {
            Self::Skip => eta,
            Self::Assign(updates) => Substitution::new(updates.iter().copied()).apply(terms, eta),
            Self::Assume(guard) => terms.implies(*guard, eta),
            Self::Havoc(variable, domain) => for_all(terms, *variable, domain, eta),
            Self::Sequence(parts) => parts.iter().rev().fold(eta, |eta, part| part.pre(terms, eta)),
            Self::Choice(parts) => terms.and(parts.iter().map(|part| part.pre(terms, eta))),
            Self::If(condition, then, otherwise) => {
                terms.ite(*condition, then.pre(terms, eta), otherwise.pre(terms, eta))
            }
            Self::Step(step) => step.pre(terms, eta),
        }
    }
}

/// Quantification over so many values is written out.
const WRITTEN_OUT: usize = 64;

/// Whether `body` holds for all values of the domain.
pub(crate) fn for_all(terms: &Terms, variable: Variable, domain: &Domain, body: Term) -> Term {
    match domain.values(WRITTEN_OUT) {
        Some(values) => terms.and(
            values.iter().map(|value| Substitution::new([(variable, terms.value(value))]).apply(terms, body)),
        ),
        None => {
            let inside = domain.contains(terms, terms.variable(variable));
            terms.for_all([variable], terms.implies(inside, body))
        }
    }
}
