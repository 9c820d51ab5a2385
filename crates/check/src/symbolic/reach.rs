//! Reachable states, breadth first: layer k holds the states whose shortest path from an initial state has k steps.
//!
//! Only the newest layer is expanded, widened by old states where that makes its diagram smaller \[CM90\]. For relations with
//! several disjuncts there is an alternative without layers: each disjunct in turn is applied to all that is known and not yet
//! expanded by it, so that one round can take many steps (chaining \[RC95\]).
//!
//! Invariants: `states` is the union of the layers; when `complete`, it is closed under steps. A search that was stopped, by a
//! limit or because it met what it looked for, goes on where it was.

use super::universe::frontier_between;
use tertium_dd::Bdd;
use tertium_support::{Context, StopReason};
use tertium_system::SymbolicModel;

/// How to look for reachable states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Layer by layer.
    #[default]
    Layers,
    /// Disjunct by disjunct, as far as each leads at once; there are no layers then.
    Saturated,
}

/// The states that are known to be reachable.
#[derive(Clone, Debug)]
pub struct Reachable {
    /// All of them.
    pub states: Bdd,
    /// By distance from the initial states; empty if the search was chained.
    pub layers: Vec<Bdd>,
    /// The distance of the last layer, or how many rounds a chained search took.
    pub depth: usize,
    /// Whether there are no others.
    pub complete: bool,
    /// How many images were computed.
    pub images: u64,
    /// What is still to be expanded, for each disjunct of a chained search, else once.
    waiting: Vec<Bdd>,
}

impl Reachable {
    /// The initial states and nothing else yet.
    pub(crate) fn new(model: &SymbolicModel, search: Search) -> Self {
        let (layers, n_waiting) = match search {
            Search::Layers => (vec![model.init.clone()], 1),
            Search::Saturated => (Vec::new(), 1),
        };
        Self {
            states: model.init.clone(),
            layers,
            depth: 0,
            complete: false,
            images: 0,
            waiting: vec![model.init.clone(); n_waiting],
        }
    }

    /// Goes on until everything is reached, or some state of `bad`. Whether it is.
    pub(crate) fn search(
        &mut self,
        context: &Context,
        model: &SymbolicModel,
        bad: &Bdd,
    ) -> Result<bool, StopReason> {
        // At first in all states: those of an earlier search count too.
        let mut met = !self.states.is_disjoint(bad)?;
        while !met && !self.complete {
            context.poll()?;
            if self.layers.is_empty() {
                self.saturate(model)?
            } else {
                self.step(model)?
            }
            met = !self.layers.last().unwrap_or(&self.states).is_disjoint(bad)?;
        }
        Ok(met)
    }

    /// Adds a layer.
    fn step(&mut self, model: &SymbolicModel) -> Result<(), StopReason> {
        self.images += 1;
        let new = model.relation.image(&self.waiting[0])?.diff(&self.states)?;
        let frontier = frontier_between(&new, &self.states)?;
        let states = self.states.or(&new)?;
        // Nothing can fail from here on, so a stopped search is not left between two layers.
        if new.is_false() {
            self.complete = true;
        } else {
            self.depth += 1;
            self.layers.push(new);
        }
        self.waiting[0] = frontier;
        self.states = states;
        Ok(())
    }

    /// Takes all steps at once.
    fn saturate(&mut self, model: &SymbolicModel) -> Result<(), StopReason> {
        let (states, images) = model.relation.closure(&self.states)?;
        self.images += images;
        self.states = states;
        self.complete = true;
        Ok(())
    }
}
