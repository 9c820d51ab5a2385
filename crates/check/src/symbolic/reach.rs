//! Reachable states, breadth first: layer k holds the states whose shortest path from an initial state has k steps.
//!
//! Only the newest layer is expanded, widened by old states where that makes its diagram smaller \[CM90\]. For relations with
//! several disjuncts there is an alternative without layers: saturation, see [`Saturation`]. It closes the set under the last
//! few groups of disjuncts, then under a few more, and so on, and looks in between whether it has met what it looks for.
//!
//! Invariants: `states` is the union of the layers; when `complete`, it is closed under steps. A search that was stopped, by a
//! limit or because it met what it looked for, goes on where it was.

use super::universe::frontier_between;
use tertium_dd::{Bdd, Saturation};
use tertium_support::{Context, StopReason};
use tertium_system::SymbolicModel;

/// How often saturation looks whether it has met something bad.
const LOOKS: usize = 8;

/// How to look for reachable states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Saturation for relations with several disjuncts, layers for those in one piece.
    #[default]
    Suited,
    /// Layer by layer.
    Layers,
    /// By saturation; there are no layers then.
    Saturated,
}

/// The states that are known to be reachable.
#[derive(Clone, Debug)]
pub struct Reachable {
    /// All of them.
    pub states: Bdd,
    /// By distance from the initial states; empty if the search is by saturation.
    pub layers: Vec<Bdd>,
    /// The distance of the last layer; 0 if there are none.
    pub depth: usize,
    /// Whether there are no others.
    pub complete: bool,
    /// How many images were computed.
    pub images: u64,
    /// The last search met nothing within so many steps; nothing is known without layers.
    pub(crate) clear: Option<usize>,
    /// What the next layer comes from.
    waiting: Bdd,
}

impl Reachable {
    /// The initial states and nothing else yet.
    pub(crate) fn new(model: &SymbolicModel, search: Search) -> Self {
        let saturates = match search {
            Search::Suited => model.relation.n_parts().0 > 1,
            Search::Layers => false,
            Search::Saturated => true,
        };
        let layers = if saturates { Vec::new() } else { vec![model.init.clone()] };
        Self {
            states: model.init.clone(),
            layers,
            depth: 0,
            complete: false,
            images: 0,
            clear: None,
            waiting: model.init.clone(),
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
        self.clear = None;
        let mut met = !self.states.is_disjoint(bad)?;
        while !met && !self.complete {
            if self.layers.is_empty() {
                context.poll()?;
                return self.saturate(model, bad);
            }
            self.clear = Some(self.depth);
            context.poll()?;
            self.step(model)?;
            met = !self.layers.last().unwrap_or(&self.states).is_disjoint(bad)?;
        }
        Ok(met)
    }

    /// Adds a layer.
    fn step(&mut self, model: &SymbolicModel) -> Result<(), StopReason> {
        debug_assert_eq!(self.layers.len(), self.depth + 1, "there is a layer for every distance");
        self.images += 1;
        let new = model.relation.image(&self.waiting)?.diff(&self.states)?;
        let frontier = frontier_between(&new, &self.states)?;
        let states = self.states.or(&new)?;
        // Nothing can fail from here on, so a stopped search is not left between two layers.
        if new.is_false() {
            self.complete = true;
        } else {
            self.depth += 1;
            self.layers.push(new);
        }
        self.waiting = frontier;
        self.states = states;
        Ok(())
    }

    /// Closes the states under all steps, or until they meet `bad`. Whether they do.
    fn saturate(&mut self, model: &SymbolicModel, bad: &Bdd) -> Result<bool, StopReason> {
        debug_assert!(self.layers.is_empty() && self.depth == 0, "saturation has no layers");
        let mut saturation = Saturation::new(&model.relation);
        let n_groups = saturation.n_groups();
        let before = self.images;
        let mut from = n_groups;
        while from > 0 {
            from -= n_groups.div_ceil(LOOKS).min(from);
            let closed = saturation.close(&self.states, from);
            self.images = before + saturation.n_images();
            self.states = closed?;
            if !self.states.is_disjoint(bad)? {
                return Ok(true);
            }
        }
        self.complete = true;
        Ok(false)
    }
}
