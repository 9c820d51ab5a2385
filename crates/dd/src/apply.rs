//! The Boolean operations: conjunction, exclusive disjunction, if-then-else.
//!
//! Each walks both diagrams at once, level by level, and remembers its results: at most one step for each pair of nodes
//! (triple for if-then-else) \[Bry86, BRB90\].

use crate::cache::Op;
use crate::edge::{Edge, FALSE, TRUE};
use crate::store::{Made, Store};

impl Store {
    pub(crate) fn and(&mut self, f: Edge, g: Edge) -> Made {
        if f == g || g == TRUE {
            return Ok(f);
        }
        if f == TRUE {
            return Ok(g);
        }
        if f == FALSE || g == FALSE || f == !g {
            return Ok(FALSE);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.cache.get(Op::And, f, g, TRUE) {
            return Ok(known);
        }
        self.step()?;
        let level = self.level(f).min(self.level(g));
        let ((f0, f1), (g0, g1)) = (self.cofactors(f, level), self.cofactors(g, level));
        let low = self.and(f0, g0)?;
        let high = self.and(f1, g1)?;
        let result = self.make(self.var_at[level as usize], low, high)?;
        self.cache.put(Op::And, f, g, TRUE, result);
        Ok(result)
    }

    pub(crate) fn or(&mut self, f: Edge, g: Edge) -> Made {
        Ok(!self.and(!f, !g)?)
    }

    pub(crate) fn xor(&mut self, f: Edge, g: Edge) -> Made {
        // Marks only change the mark of the result.
        let mark = f.is_complement() ^ g.is_complement();
        let (f, g) = (f.plain().min(g.plain()), f.plain().max(g.plain()));
        if f == g {
            return Ok(FALSE.complement_if(mark));
        }
        if f == TRUE {
            return Ok((!g).complement_if(mark));
        }
        if let Some(known) = self.cache.get(Op::Xor, f, g, TRUE) {
            return Ok(known.complement_if(mark));
        }
        self.step()?;
        let level = self.level(f).min(self.level(g));
        let ((f0, f1), (g0, g1)) = (self.cofactors(f, level), self.cofactors(g, level));
        let low = self.xor(f0, g0)?;
        let high = self.xor(f1, g1)?;
        let result = self.make(self.var_at[level as usize], low, high)?;
        self.cache.put(Op::Xor, f, g, TRUE, result);
        Ok(result.complement_if(mark))
    }

    /// `if f then g else h`.
    pub(crate) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Made {
        if f == TRUE || g == h {
            return Ok(g);
        }
        if f == FALSE {
            return Ok(h);
        }
        // The condition without a mark, then the first branch: one entry for all four forms.
        let (f, g, h) = if f.is_complement() { (!f, h, g) } else { (f, g, h) };
        if g == TRUE || g == f {
            return self.or(f, h);
        }
        if g == FALSE || g == !f {
            return self.and(!f, h);
        }
        if h == FALSE || h == f {
            return self.and(f, g);
        }
        if h == TRUE || h == !f {
            return self.or(!f, g);
        }
        if g == !h {
            return self.xor(f, h);
        }
        let mark = g.is_complement();
        let (g, h) = (g.complement_if(mark), h.complement_if(mark));
        if let Some(known) = self.cache.get(Op::Ite, f, g, h) {
            return Ok(known.complement_if(mark));
        }
        self.step()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let (h0, h1) = self.cofactors(h, level);
        let low = self.ite(f0, g0, h0)?;
        let high = self.ite(f1, g1, h1)?;
        let result = self.make(self.var_at[level as usize], low, high)?;
        self.cache.put(Op::Ite, f, g, h, result);
        Ok(result.complement_if(mark))
    }
}
