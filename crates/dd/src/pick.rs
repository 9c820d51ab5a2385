//! Picking one point of a set.

use crate::bdd::Bdd;
use crate::edge::{FALSE, TRUE};
use crate::store::Var;
use std::cmp::Reverse;
use tertium_support::StopReason;

impl Bdd {
    /// One assignment to `vars` under which the function holds for some values of the other variables, or `None` if it holds
    /// nowhere. Variables that do not matter are false, and false is tried first, so the choice depends only on the function
    /// and the order.
    pub fn pick(&self, vars: &[Var]) -> Option<Vec<bool>> {
        if self.edge == FALSE {
            return None;
        }
        let store = self.manager.0.borrow();
        let mut chosen = vec![false; store.tables.len()];
        let mut at = self.edge;
        while !at.is_terminal() {
            let (low, high) = store.children(at);
            let take_high = low == FALSE;
            chosen[store.nodes[at.node()].var as usize] = take_high;
            at = if take_high { high } else { low };
        }
        Some(vars.iter().map(|var| chosen[var.index()]).collect())
    }

    /// The conjunction of literals that gives variables these values; false if one variable should have two.
    pub fn cube(
        manager: &crate::Manager,
        values: impl IntoIterator<Item = (Var, bool)>,
    ) -> Result<Bdd, StopReason> {
        let mut values: Vec<(Var, bool)> = values.into_iter().collect();
        manager.run(|store| {
            values.sort_by_key(|&(var, value)| (Reverse(store.level_of[var.index()]), value));
            values.dedup();
            if values.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Ok(FALSE);
            }
            values.iter().try_fold(TRUE, |below, &(var, value)| {
                let (low, high) = if value { (FALSE, below) } else { (below, FALSE) };
                store.make(var.0, low, high)
            })
        })
    }
}
