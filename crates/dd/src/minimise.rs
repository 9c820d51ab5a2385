//! Don't-care minimisation: a function that agrees with `f` wherever `care` holds, and is hopefully smaller \[CM90\].
//!
//! `constrain` maps a point outside of `care` to the nearest one inside; it distributes over all Boolean operations.
//! `restrict` also forgets variables of `care` that `f` does not have, so it never adds a variable. The care set must not
//! be empty.

use crate::cache::Op;
use crate::edge::{Edge, FALSE, TRUE};
use crate::store::{Made, Store};

impl Store {
    pub(crate) fn constrain(&mut self, f: Edge, care: Edge) -> Made {
        debug_assert_ne!(care, FALSE, "something is cared for");
        if care == TRUE || f.is_terminal() {
            return Ok(f);
        }
        if f.plain() == care.plain() {
            return Ok(if f == care { TRUE } else { FALSE });
        }
        let mark = f.is_complement();
        let f = f.plain();
        if let Some(known) = self.cache.get(Op::Constrain, f, care, TRUE) {
            return Ok(known.complement_if(mark));
        }
        self.step()?;
        let level = self.level(f).min(self.level(care));
        let ((f0, f1), (c0, c1)) = (self.cofactors(f, level), self.cofactors(care, level));
        let result = if c0 == FALSE {
            self.constrain(f1, c1)?
        } else if c1 == FALSE {
            self.constrain(f0, c0)?
        } else {
            let low = self.constrain(f0, c0)?;
            let high = self.constrain(f1, c1)?;
            self.make(self.var_at[level as usize], low, high)?
        };
        self.cache.put(Op::Constrain, f, care, TRUE, result);
        Ok(result.complement_if(mark))
    }

    pub(crate) fn restrict(&mut self, f: Edge, care: Edge) -> Made {
        debug_assert_ne!(care, FALSE, "something is cared for");
        if care == TRUE || f.is_terminal() {
            return Ok(f);
        }
        if f.plain() == care.plain() {
            return Ok(if f == care { TRUE } else { FALSE });
        }
        let mark = f.is_complement();
        let f = f.plain();
        if let Some(known) = self.cache.get(Op::Restrict, f, care, TRUE) {
            return Ok(known.complement_if(mark));
        }
        self.step()?;
        let (level, care_level) = (self.level(f), self.level(care));
        let result = if care_level < level {
            let (c0, c1) = self.children(care);
            let either = self.or(c0, c1)?;
            self.restrict(f, either)?
        } else {
            let ((f0, f1), (c0, c1)) = (self.children(f), self.cofactors(care, level));
            if c0 == FALSE {
                self.restrict(f1, c1)?
            } else if c1 == FALSE {
                self.restrict(f0, c0)?
            } else {
                let low = self.restrict(f0, c0)?;
                let high = self.restrict(f1, c1)?;
                self.make(self.var_at[level as usize], low, high)?
            }
        };
        self.cache.put(Op::Restrict, f, care, TRUE, result);
        Ok(result.complement_if(mark))
    }
}
