//! The sets of terms: CTL with justice, and the mu-calculus by iteration.
//!
//! Bottom-up; the set of every term without free variables is computed once for all questions. Paths are quantified over fair
//! ones by the equations of \[EL86\]; without justice the equations are the plain ones, on all systems, with or without
//! deadlocks. Inner fixpoints start anew in every round of outer ones, as the definition says: |S|^d rounds for nesting
//! depth d in the worst case.
//!
//! Different terms may have equal sets as operands: a formula and the same with a part replaced that did not matter there. So
//! fixpoints are also found by the sets that they were computed from. With further propositions and inside of fixpoints of the
//! mu-calculus, where sets come in great variety, these are not kept.

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
    /// What `E U` gave, by the sets of its operands.
    untils: FxHashMap<(Bdd, Bdd), Bdd>,
    /// What `EG` gave, by the set of its operand.
    hulls: FxHashMap<Bdd, Bdd>,
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
        self.untils.clear();
        self.hulls.clear();
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
            Term::Fair => self.hull(universe, universe.states.clone())?,
            Term::Proposition(name) => {
                let set = self.proposition(universe.model, name).expect("propositions are known to exist");
                set.and(&universe.states)?
            }
            Term::Variable(level) => self.variables[level].clone(),
            Term::Not(f) => universe.without(&self.evaluate(universe, terms, *f)?)?,
            Term::And(parts) => {
                let mut all: Option<Bdd> = None;
                for part in parts {
                    if all.as_ref().is_some_and(Bdd::is_false) {
                        break;
                    }
                    let set = self.evaluate(universe, terms, *part)?;
                    all = Some(match all {
                        Some(all) => all.and(&set)?,
                        None => set,
                    });
                }
                all.unwrap_or_else(|| universe.states.clone())
            }
            Term::Diamond(f) => universe.before(&self.evaluate(universe, terms, *f)?)?,
            Term::Until(f, g) => {
                let goal = self.evaluate(universe, terms, *g)?;
                if goal.is_false() {
                    goal
                } else {
                    let through = self.evaluate(universe, terms, *f)?;
                    self.until(universe, through, goal)?
                }
            }
            Term::Globally(f) => {
                let fair = terms.fair();
                let fair = self.evaluate(universe, terms, fair)?;
                let set = self.evaluate(universe, terms, *f)?;
                self.globally(universe, &set, &fair)?
            }
            Term::Fixpoint(sign, level, body) => self.fixpoint(universe, terms, *sign, *level, *body)?,
        };
        if terms.is_closed(id) {
            self.known.insert(id, set.clone());
        }
        Ok(set)
    }

    /// Whether sets that are computed now are those of the model itself.
    fn is_plain(&self) -> bool {
        self.further.is_empty() && self.variables.is_empty()
    }

    fn until(&mut self, universe: &Universe<'_>, through: Bdd, goal: Bdd) -> Result<Bdd, StopReason> {
        let operands = (through, goal);
        if let Some(known) = self.untils.get(&operands) {
            return Ok(known.clone());
        }
        let any_step = universe.model.manager.constant(true);
        let set = universe.until(&any_step, &operands.0, &operands.1)?;
        if self.is_plain() {
            self.untils.insert(operands, set.clone());
        }
        Ok(set)
    }

    fn globally(&mut self, universe: &Universe<'_>, set: &Bdd, fair: &Bdd) -> Result<Bdd, StopReason> {
        let within = set.and(fair)?;
        if is_closed(universe, &within, fair) { Ok(within) } else { self.hull(universe, within) }
    }

    fn hull(&mut self, universe: &Universe<'_>, within: Bdd) -> Result<Bdd, StopReason> {
        if let Some(known) = self.hulls.get(&within) {
            return Ok(known.clone());
        }
        let set = hull(universe, &within, Fairness::justice_of(universe.model))?.states;
        if self.is_plain() {
            self.hulls.insert(within, set.clone());
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
    if is_closed(universe, &within, fair) {
        return Ok(within);
    }
    Ok(hull(universe, &within, Fairness::justice_of(universe.model))?.states)
}

/// Whether a path stays in the set because it is where fair paths begin: a fair path never leaves these states.
fn is_closed(universe: &Universe<'_>, within: &Bdd, fair: &Bdd) -> bool {
    within == fair && !Fairness::justice_of(universe.model).justice.is_empty()
}
