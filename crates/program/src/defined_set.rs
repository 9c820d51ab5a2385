//! Sets of states as terms with definitions.
//!
//! A term whose parts are shared a thousand times is small in memory and large as text, and constructors that flatten
//! conjunctions copy chains of them. A definition gives a part a name: a variable that stands for a truth value of the
//! state. Definitions are total, so a state has exactly one value for each, and "not in the set" is the negation of one
//! term under the same definitions.

use crate::TermSystem;
use std::collections::BTreeSet;
use tertium_expr::{Substitution, Term, Terms, Variable};

/// A set of states: those where `holds`, with the definitions in front of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedSet {
    /// Each variable stands for a truth value over the state and variables defined before it. No variable is defined
    /// twice, and none is one of the system.
    pub definitions: Vec<(Variable, Term)>,
    /// Over the state and the defined variables.
    pub holds: Term,
}

impl DefinedSet {
    /// A set without definitions.
    pub fn plain(holds: Term) -> Self {
        Self { definitions: Vec::new(), holds }
    }

    /// Whether definitions use only the state, inputs, and what is defined before, and define nothing of the system and nothing twice.
    pub fn is_well_formed(&self, terms: &Terms, system: &TermSystem) -> bool {
        let mut known: BTreeSet<Variable> = system.variables.iter().map(|own| own.current).collect();
        known.extend(&system.inputs);
        let next: BTreeSet<Variable> = system.variables.iter().map(|own| own.next).collect();
        for &(variable, term) in &self.definitions {
            let reads_known = terms.variables_of(term).is_subset(&known);
            if !reads_known || next.contains(&variable) || !known.insert(variable) {
                return false;
            }
        }
        terms.variables_of(self.holds).is_subset(&known)
    }

    /// The set of states for which `renaming` of the state is in this one. Defined variables get names of their own, made from theirs.
    pub fn renamed(&self, terms: &Terms, renaming: &Substitution, mark: &str) -> Self {
        let mut all = renaming.clone();
        let copies: Vec<Variable> = self
            .definitions
            .iter()
            .map(|&(variable, _)| {
                let name = format!("{}{mark}", terms.name(variable));
                let copy = terms.declare(&name, &terms.sort_of(variable));
                all.insert(variable, terms.variable(copy));
                copy
            })
            .collect();
        let bodies = self.definitions.iter().map(|&(_, term)| all.apply(terms, term)).collect::<Vec<_>>();
        let definitions = copies.into_iter().zip(bodies).collect();
        Self { definitions, holds: all.apply(terms, self.holds) }
    }

    /// The set as one term, definitions put in place of their variables.
    pub fn unfolded(&self, terms: &Terms) -> Term {
        let mut unfolding = Substitution::default();
        for &(variable, term) in &self.definitions {
            let term = unfolding.apply(terms, term);
            unfolding.insert(variable, term);
        }
        unfolding.apply(terms, self.holds)
    }
}
