//! Quantification over sets of variables, alone and together with conjunction: the relational product \[BCL94\].
//!
//! A set of variables is the conjunction of its variables. Doing both at once never builds the conjunction itself, which is
//! what makes images affordable.

use crate::cache::Op;
use crate::edge::{Edge, FALSE, TRUE};
use crate::store::{Made, Store};

impl Store {
    /// The variables of `set` at or below `level`.
    fn below(&self, mut set: Edge, level: u32) -> Edge {
        while set != TRUE && self.level(set) < level {
            set = self.children(set).1;
        }
        set
    }

    pub(crate) fn exists(&mut self, f: Edge, set: Edge) -> Made {
        if f.is_terminal() {
            return Ok(f);
        }
        let level = self.level(f);
        let set = self.below(set, level);
        if set == TRUE {
            return Ok(f);
        }
        if let Some(known) = self.cache.get(Op::Exists, f, set, TRUE) {
            return Ok(known);
        }
        self.step()?;
        let (f0, f1) = self.children(f);
        let result = if self.level(set) == level {
            let rest = self.children(set).1;
            let low = self.exists(f0, rest)?;
            if low == TRUE {
                TRUE
            } else {
                let high = self.exists(f1, rest)?;
                self.or(low, high)?
            }
        } else {
            let low = self.exists(f0, set)?;
            let high = self.exists(f1, set)?;
            self.make(self.var_at[level as usize], low, high)?
        };
        self.cache.put(Op::Exists, f, set, TRUE, result);
        Ok(result)
    }

    /// `exists set. f and g`.
    pub(crate) fn and_exists(&mut self, f: Edge, g: Edge, set: Edge) -> Made {
        if f == FALSE || g == FALSE || f == !g {
            return Ok(FALSE);
        }
        if f == TRUE || f == g {
            return self.exists(g, set);
        }
        if g == TRUE {
            return self.exists(f, set);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let level = self.level(f).min(self.level(g));
        let set = self.below(set, level);
        if set == TRUE {
            return self.and(f, g);
        }
        if let Some(known) = self.cache.get(Op::AndExists, f, g, set) {
            return Ok(known);
        }
        self.step()?;
        let ((f0, f1), (g0, g1)) = (self.cofactors(f, level), self.cofactors(g, level));
        let result = if self.level(set) == level {
            let rest = self.children(set).1;
            let low = self.and_exists(f0, g0, rest)?;
            // What the low half covers already needs no second look.
            if low == TRUE || low == f1 || low == g1 {
                low
            } else {
                let high = self.and_exists(f1, g1, rest)?;
                self.or(low, high)?
            }
        } else {
            let low = self.and_exists(f0, g0, set)?;
            let high = self.and_exists(f1, g1, set)?;
            self.make(self.var_at[level as usize], low, high)?
        };
        self.cache.put(Op::AndExists, f, g, set, result);
        Ok(result)
    }
}
