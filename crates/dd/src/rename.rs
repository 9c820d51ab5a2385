//! Renaming of variables, such as next to current, all at once.
//!
//! Where the new variables stand in the same order as the old ones, this copies the diagram; otherwise it is a
//! composition, still right, and as costly as that can be.

use crate::cache::Op;
use crate::edge::{Edge, TRUE};
use crate::store::{Made, Store};

impl Store {
    /// Replaces each variable v by `renamings[number][v]`.
    pub(crate) fn rename(&mut self, f: Edge, number: u32) -> Made {
        if f.is_terminal() {
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
        let low = self.rename(f0, number)?;
        let high = self.rename(f1, number)?;
        let old = self.nodes[f.node()].var as usize;
        let new = self.renamings[number as usize].get(old).copied().unwrap_or(old as u32);
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
