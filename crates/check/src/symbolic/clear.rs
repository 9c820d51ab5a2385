//! Within how many steps a claim about all reachable states is not violated, where the search for a violation was stopped.
//!
//! A search by layers tells by itself. Saturation has no layers: what it closed says nothing about short runs. So a search by layers
//! follows it, with a small budget of its own, counted in work and not in time.
//!
//! Invariant: what is known belongs to the search for a violation alone. Later searches for other states do not change it.

use super::checker::SymbolicChecker;
use super::reach::{Reachable, Search};
use tertium_dd::Bdd;
use tertium_support::StopReason;

/// The work of the search by layers: a fraction of a second.
const MOST_WORK: u64 = 1 << 20;

/// A search for a violation that was stopped.
#[derive(Debug)]
pub(crate) struct Cut {
    /// What it looked for.
    bad: Bdd,
    /// It met nothing within so many steps; nothing is known without layers.
    clear: Option<usize>,
}

impl SymbolicChecker<'_> {
    /// Whether a state of `bad`, where a claim is violated, can be reached.
    pub(crate) fn meets(&mut self, bad: &Bdd) -> Result<bool, StopReason> {
        self.cut = None;
        let met = self.reach.search(self.context, self.model, bad);
        if met.is_err() {
            self.cut = Some(Cut { bad: bad.clone(), clear: self.reach.clear });
        }
        met
    }

    /// Within how many steps the claim that was asked about last is not violated, where the search for a violation was stopped. It
    /// may be looked for now.
    pub fn clear_depth(&self) -> Option<usize> {
        let Cut { bad, clear } = self.cut.as_ref()?;
        if clear.is_some() || !self.reach.layers.is_empty() {
            return *clear;
        }
        let context = self.context.after_limit(MOST_WORK);
        self.model.manager.set_context(&context);
        let mut layered = Reachable::new(self.model, Search::Layers);
        let met = layered.search(&context, self.model, bad);
        self.model.manager.set_context(self.context);
        match met {
            // The last layer is the first one with a violation.
            Ok(true) => layered.depth.checked_sub(1),
            Ok(false) => Some(layered.depth),
            Err(_) => layered.clear,
        }
    }
}
