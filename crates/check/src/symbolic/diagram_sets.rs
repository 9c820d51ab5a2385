//! Sets of states as decision diagrams, for the builder of evidence.

use super::ctl::Sets;
use super::fair::{Fairness, Hull, lasso};
use super::outcome::{Codes, SymbolicTrace};
use super::path::{Walk, holds_at};
use super::term::Terms;
use super::universe::Universe;
use crate::explain::StateSets;
use tertium_dd::Bdd;
use tertium_logic::Formula;
use tertium_support::StopReason;

/// The sets of one model.
pub(crate) struct DiagramSets<'a, 'm> {
    pub(crate) universe: &'a Universe<'m>,
    pub(crate) terms: &'a mut Terms,
    pub(crate) sets: &'a mut Sets,
}

impl StateSets for DiagramSets<'_, '_> {
    type State = Codes;
    type Step = Codes;
    type Set = Bdd;
    type Error = StopReason;

    fn tick(&mut self) -> Result<(), StopReason> {
        self.universe.context.poll()
    }

    fn holds(&mut self, formula: &Formula) -> Result<Bdd, StopReason> {
        let id = self.terms.add(formula).expect("parts of a good formula are good");
        self.sets.evaluate(self.universe, self.terms, id)
    }

    fn holds_fairly(&mut self, formula: &Formula) -> Result<Bdd, StopReason> {
        let holds = self.holds(formula)?;
        let fair = self.terms.fair();
        holds.and(&self.sets.evaluate(self.universe, self.terms, fair)?)
    }

    fn both(&self, one: &Bdd, other: &Bdd) -> Result<Bdd, StopReason> {
        one.and(other)
    }

    fn only(&self, state: &Codes) -> Result<Bdd, StopReason> {
        self.universe.model.state(state)
    }

    fn pick(&self, set: &Bdd) -> Option<Codes> {
        self.universe.model.pick_state(set)
    }

    fn contains(&self, set: &Bdd, state: &Codes) -> bool {
        holds_at(self.universe.model, set, state, &[])
    }

    fn step(&mut self, from: &Codes, goal: &Bdd) -> Result<SymbolicTrace, StopReason> {
        let model = self.universe.model;
        let mut walk = Walk::at(from.clone());
        walk.step(model, &model.manager.constant(true), goal)?;
        Ok(walk.into_trace(model))
    }

    fn shortest(&mut self, from: &Bdd, through: &Bdd, goal: &Bdd) -> Result<SymbolicTrace, StopReason> {
        let model = self.universe.model;
        let anywhere = model.manager.constant(true);
        let walk = Walk::shortest(self.universe, from, &anywhere, through, goal)?;
        Ok(walk.expect("the claim holds").into_trace(model))
    }

    fn lasso(&mut self, from: &Bdd, inside: &Bdd) -> Result<SymbolicTrace, StopReason> {
        let model = self.universe.model;
        let hull = Hull { states: inside.clone(), steps: model.manager.constant(true) };
        let found = lasso(self.universe, &hull, from, &hull.states, Fairness::justice_of(model))?;
        Ok(found.expect("the claim holds"))
    }

    fn has_justice(&self) -> bool {
        !self.universe.model.justice.is_empty()
    }
}
