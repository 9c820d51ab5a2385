//! Renaming of variables, such as next to current, all at once.
//!
//! Where the new variables stand in the same order as the old ones, this copies the diagram; otherwise it is a
//! composition, still right, and as costly as that can be. What lies below all variables that change stays as it is and is not looked at.

use crate::cache::Op;
use crate::edge::{Edge, TRUE};
use crate::store::{Made, Store};

/// What becomes of variables.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    /// By variable.
    map: Vec<u32>,
    /// The variables that do not stay themselves.
    changed: Vec<u32>,
}

impl Renamed {
    pub(crate) fn new(map: Vec<u32>) -> Self {
        let changed = map.iter().enumerate().filter(|&(old, &new)| new as usize != old);
        let changed = changed.map(|(old, _)| old as u32).collect();
        Self { map, changed }
    }
}

impl Store {
    /// Replaces each variable by what the renaming with this number makes of it.
    pub(crate) fn rename(&mut self, f: Edge, number: u32) -> Made {
        let changed = self.renamings[number as usize].changed.iter();
        let deepest = changed.map(|&old| self.level_of[old as usize]).max();
        deepest.map_or(Ok(f), |deepest| self.rename_down_to(f, number, deepest))
    }

    /// The same where no variable below this level changes.
    fn rename_down_to(&mut self, f: Edge, number: u32, deepest: u32) -> Made {
        if f.is_terminal() || self.level(f) > deepest {
            return Ok(f);
        }
        let mark = f.is_complement();
        let f = f.plain();
        // Not an edge: the number only serves as a key.
        let key = Edge::from_raw(number);
        if let Some(known) = self.cache.get(Op::Rename, f, key, TRUE) {
            return Ok(known.complement_if(mark));
        }
        self.step()?;
        let (f0, f1) = self.children(f);
        let low = self.rename_down_to(f0, number, deepest)?;
        let high = self.rename_down_to(f1, number, deepest)?;
        let old = self.nodes[f.node()].var as usize;
        let new = self.renamings[number as usize].map.get(old).copied().unwrap_or(old as u32);
        let level = self.level_of[new as usize];
        let result = if level < self.level(low) && level < self.level(high) {
            self.make(new, low, high)?
        } else {
            let condition = self.literal(crate::store::Var(new))?;
            self.ite(condition, high, low)?
        };
        self.cache.put(Op::Rename, f, key, TRUE, result);
        Ok(result.complement_if(mark))
    }
}
