//! What a hop does: conditions on the state before it and on what is chosen, and the new values of variables.

use std::collections::BTreeMap;
use tertium_expr::{Substitution, Term, Terms, Variable};
use tertium_program::Step;

/// A relation between the states before and after a hop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relation {
    /// What holds, over the variables before and what is chosen.
    pub given: Vec<Term>,
    /// The new values of the variables that change.
    pub updates: BTreeMap<Variable, Term>,
    /// What is chosen anew each time: inputs, and values of which only conditions are known.
    pub chosen: Vec<Variable>,
}

impl Relation {
    /// A step.
    pub fn of_step(step: &Step) -> Self {
        Self {
            given: vec![step.guard],
            updates: step.updates.clone(),
            chosen: step.inputs.iter().map(|input| input.variable).collect(),
        }
    }

    /// What a term over the state after the hop is, over the state before and what is chosen.
    pub fn after(&self, terms: &Terms, term: Term) -> Term {
        self.substitution().apply(terms, term)
    }

    /// The replacement of variables by their new values.
    pub fn substitution(&self) -> Substitution {
        Substitution::new(self.updates.iter().map(|(&variable, &term)| (variable, term)))
    }

    /// The same where this also holds before.
    #[must_use]
    pub fn from(mut self, condition: Term) -> Self {
        self.given.push(condition);
        self
    }

    /// The same where this also holds after.
    #[must_use]
    pub fn into(mut self, terms: &Terms, condition: Term) -> Self {
        let condition = self.after(terms, condition);
        self.given.push(condition);
        self
    }

    /// This hop and then another. What the other chooses gets names of its own, so that a hop can follow itself.
    #[must_use]
    pub fn then(&self, terms: &Terms, next: &Self) -> Self {
        let mut chosen = self.chosen.clone();
        let mut here = self.updates.clone();
        for &variable in &next.chosen {
            let fresh = terms.fresh(&terms.name(variable), &terms.sort_of(variable));
            chosen.push(fresh);
            here.insert(variable, terms.variable(fresh));
        }
        let mut now = Substitution::new(here);
        let given = next.given.iter().map(|&condition| now.apply(terms, condition));
        let given = self.given.iter().copied().chain(given).collect();
        let mut updates = self.updates.clone();
        for (&variable, &term) in &next.updates {
            updates.insert(variable, now.apply(terms, term));
        }
        Self { given, updates, chosen }
    }
}
