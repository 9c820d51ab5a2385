//! The sets of terms: CTL with justice, and the mu-calculus by iteration.
//!
//! Bottom-up; the set of every term without free variables is computed once for all questions. Paths are quantified over fair
//! ones by the equations of \[EL86\]; without justice the equations are the plain ones, on all systems, with or without
//! deadlocks. Inner fixpoints start anew in every round of outer ones, as the definition says: |S|^d rounds for nesting
//! depth d in the worst case.

use super::fair::{Fairness, hull};
use super::term::{Term, TermId, Terms};
use super::universe::Universe;
use rustc_hash::FxHashMap;
use tertium_dd::Bdd;
use tertium_logic::Sign;
use tertium_support::StopReason;
use tertium_system::SymbolicModel;

/// The sets that are known, and the values of variables.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    known: FxHashMap<TermId, Bdd>,
    variables: FxHashMap<u32, Bdd>,
    /// Propositions that the model does not have, or that mean something else for a while.
    further: FxHashMap<String, Bdd>,
}

impl Sets {
    /// Gives further propositions a meaning, and what is known without them. What is asked from now on may depend on them.
    pub(crate) fn assume(&mut self, further: &[(String, Bdd)]) -> FxHashMap<TermId, Bdd> {
        self.further = further.iter().cloned().collect();
        self.known.clone()
    }

    /// Takes the meaning of further propositions away again, and everything that was computed since.
    pub(crate) fn forget(&mut self, known: FxHashMap<TermId, Bdd>) {
        self.further.clear();
        self.known = known;
    }

    /// Takes away what is known of all terms but one.
    pub(crate) fn keep_only(&mut self, id: TermId) {
        self.known.retain(|&other, _| other == id);
    }

    /// A proposition as a function of current bits, and for further propositions of rigid ones.
    pub(crate) fn proposition<'a>(&'a self, model: &'a SymbolicModel, name: &str) -> Option<&'a Bdd> {
        self.further.get(name).or_else(|| model.propositions.get(name))
    }

    /// The states of the universe where the term holds. Propositions are known to exist.
    pub(crate) fn evaluate(
        &mut self,
        universe: &Universe<'_>,
        terms: &mut Terms,
        id: TermId,
    ) -> Result<Bdd, StopReason> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let term = terms.term(id).clone();
        let set = match &term {
            Term::True => universe.states.clone(),
            Term::Fair => hull(universe, &universe.states, Fairness::justice_of(universe.model))?.states,
            Term::Proposition(name) => {
                let set = self.proposition(universe.model, name).expect("propositions are known to exist");
                set.and(&universe.states)?
            }
            Term::Variable(level) => self.variables[level].clone(),
            Term::Not(f) => universe.without(&self.evaluate(universe, terms, *f)?)?,
            Term::And(parts) => {
                let mut all = universe.states.clone();
                for part in parts {
                    if all.is_false() {
                        break;
                    }
                    all = all.and(&self.evaluate(universe, terms, *part)?)?;
                }
                all
            }
            Term::Diamond(f) => universe.before(&self.evaluate(universe, terms, *f)?)?,
            Term::Until(f, g) => {
                let goal = self.evaluate(universe, terms, *g)?;
                if goal.is_false() {
                    goal
                } else {
                    let through = self.evaluate(universe, terms, *f)?;
                    universe.until(&universe.model.manager.constant(true), &through, &goal)?
                }
            }
            Term::Globally(f) => {
                let fair = terms.fair();
                let fair = self.evaluate(universe, terms, fair)?;
                globally(universe, &self.evaluate(universe, terms, *f)?, &fair)?
            }
            Term::Fixpoint(sign, level, body) => self.fixpoint(universe, terms, *sign, *level, *body)?,
        };
        if terms.is_closed(id) {
            self.known.insert(id, set.clone());
        }
        Ok(set)
    }

    fn fixpoint(
        &mut self,
        universe: &Universe<'_>,
        terms: &mut Terms,
        sign: Sign,
        level: u32,
        body: TermId,
    ) -> Result<Bdd, StopReason> {
        let shadowed = self.variables.remove(&level);
        let mut current = match sign {
            Sign::Least => universe.nothing(),
            Sign::Greatest => universe.states.clone(),
        };
        loop {
            universe.round()?;
            self.variables.insert(level, current.clone());
            let next = self.evaluate(universe, terms, body)?;
            if next == current {
                break;
            }
            current = next;
        }
        match shadowed {
            Some(outer) => self.variables.insert(level, outer),
            None => self.variables.remove(&level),
        };
        Ok(current)
    }
}

/// The states from which a path, fair if there is justice, stays in the set. `fair` is where fair paths begin.
pub(crate) fn globally(universe: &Universe<'_>, set: &Bdd, fair: &Bdd) -> Result<Bdd, StopReason> {
    let within = set.and(fair)?;
    let fairness = Fairness::justice_of(universe.model);
    if within == *fair && !fairness.justice.is_empty() {
        // A fair path never leaves the states where fair paths begin.
        return Ok(within);
    }
    Ok(hull(universe, &within, fairness)?.states)
}
