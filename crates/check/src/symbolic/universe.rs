//! The states that a question is about, and one step back inside them.
//!
//! The universe U is closed under steps: the reachable states, or all states. A set is kept as its part inside U, so equal
//! sets are equal diagrams and complement is relative to U. What a set is outside of U does not matter for steps that begin
//! in U; pre-images therefore start from whichever of the set and its restriction to U is smaller, and the relation itself
//! may be made smaller likewise \[CM90\]. (Conjoining U to the target instead was measured and can blow up.)

use std::borrow::Cow;
use std::cell::Cell;
use tertium_dd::{Bdd, Relation};
use tertium_support::{Context, StopReason};
use tertium_system::SymbolicModel;

/// The states of a question, with the steps between them.
#[derive(Debug)]
pub(crate) struct Universe<'a> {
    pub(crate) context: &'a Context,
    pub(crate) model: &'a SymbolicModel,
    /// Closed under steps.
    pub(crate) states: Bdd,
    /// That of the model, as far as steps from these states go.
    relation: Cow<'a, Relation>,
    images: Cell<u64>,
    iterations: Cell<u64>,
}

impl<'a> Universe<'a> {
    /// `states` must be closed under steps.
    pub(crate) fn new(context: &'a Context, model: &'a SymbolicModel, states: Bdd) -> Self {
        let relation = Cow::Borrowed(&model.relation);
        Self { context, model, states, relation, images: Cell::new(0), iterations: Cell::new(0) }
    }

    /// The same with a relation that is made smaller by what the states leave open; worth it for many questions.
    pub(crate) fn tight(
        context: &'a Context,
        model: &'a SymbolicModel,
        states: Bdd,
    ) -> Result<Self, StopReason> {
        if model.relation.n_parts().0 > 1 {
            // Disjuncts are small as they are; restricting each of many was measured to cost more than it saves.
            return Ok(Self::new(context, model, states));
        }
        let relation = Cow::Owned(model.relation.within(&states)?);
        Ok(Self { relation, ..Self::new(context, model, states) })
    }

    /// How many pre-images were computed, and how many rounds of fixpoints.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.images.get(), self.iterations.get())
    }

    /// Notes one round of a fixpoint and looks at the limits.
    pub(crate) fn round(&self) -> Result<(), StopReason> {
        self.iterations.set(self.iterations.get() + 1);
        self.context.poll()
    }

    /// The empty set.
    pub(crate) fn nothing(&self) -> Bdd {
        self.model.manager.constant(false)
    }

    /// The states that are not in the set.
    pub(crate) fn without(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        self.states.diff(set)
    }

    /// The states with a step into the set.
    pub(crate) fn before(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        if set.is_false() {
            return Ok(self.nothing());
        }
        self.images.set(self.images.get() + 1);
        self.relation.preimage(&self.small(set)?, &self.states)
    }

    /// The states with a step into the set that is one of `steps`, a function of current and input variables.
    pub(crate) fn before_by(&self, steps: &Bdd, set: &Bdd) -> Result<Bdd, StopReason> {
        if steps.is_true() {
            return self.before(set);
        }
        if set.is_false() || steps.is_false() {
            return Ok(self.nothing());
        }
        self.images.set(self.images.get() + 1);
        self.relation.preimage_by(steps, &self.small(set)?, &self.states)
    }

    /// The states from which `steps` lead through `through` to `goal`: the least Z with
    /// Z = goal ∪ (through ∩ before(Z)), from the outside of Z only.
    pub(crate) fn until(&self, steps: &Bdd, through: &Bdd, goal: &Bdd) -> Result<Bdd, StopReason> {
        let mut reached = goal.and(&self.states)?;
        let mut frontier = reached.clone();
        while !frontier.is_false() {
            self.round()?;
            let new = self.before_by(steps, &frontier)?.and(through)?.diff(&reached)?;
            frontier = frontier_between(&new, &reached)?;
            reached = reached.or(&new)?;
        }
        Ok(reached)
    }

    /// Agrees with the set inside the universe.
    fn small(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        if self.states.is_true() || self.states.is_false() {
            return Ok(set.clone());
        }
        let restricted = set.restrict(&self.states)?;
        Ok(if restricted.n_nodes() < set.n_nodes() { restricted } else { set.clone() })
    }
}

/// A small set that has all of `new` and otherwise only members of `old`, which is disjoint from `new`. Empty if `new` is.
pub(crate) fn frontier_between(new: &Bdd, old: &Bdd) -> Result<Bdd, StopReason> {
    if new.is_false() || old.is_false() {
        return Ok(new.clone());
    }
    let restricted = new.restrict(&old.not())?;
    Ok(if restricted.n_nodes() < new.n_nodes() { restricted } else { new.clone() })
}
