//! Substitution of functions for variables, all at once.
//!
//! From the bottom up, each node becomes an if-then-else on the function of its variable. Cost: one if-then-else for each node
//! above the last replaced variable, which may grow like any if-then-else.

use crate::bdd::Bdd;
use crate::edge::Edge;
use crate::store::{Made, Store, Var};
use rustc_hash::FxHashMap;
use tertium_support::StopReason;

impl Bdd {
    /// The function with each listed variable replaced by the function beside it, simultaneously. Where a variable is listed
    /// twice, the last entry counts.
    pub fn compose(&self, by: &[(Var, &Bdd)]) -> Result<Bdd, StopReason> {
        self.manager.run(|store| {
            let mut map = vec![None; store.tables.len()];
            by.iter().for_each(|(var, function)| map[var.index()] = Some(function.edge));
            let last = by.iter().map(|(var, _)| store.level_of[var.index()]).max();
            match last {
                Some(last) => Substitution { map, last, known: FxHashMap::default() }.apply(store, self.edge),
                None => Ok(self.edge),
            }
        })
    }
}

struct Substitution {
    /// What each variable becomes.
    map: Vec<Option<Edge>>,
    /// The last level with a replaced variable.
    last: u32,
    /// Results for edges without marks.
    known: FxHashMap<Edge, Edge>,
}

impl Substitution {
    fn apply(&mut self, store: &mut Store, f: Edge) -> Made {
        if f.is_terminal() || store.level(f) > self.last {
            return Ok(f);
        }
        let mark = f.is_complement();
        let f = f.plain();
        if let Some(known) = self.known.get(&f) {
            return Ok(known.complement_if(mark));
        }
        let (low, high) = store.children(f);
        let low = self.apply(store, low)?;
        let high = self.apply(store, high)?;
        let var = store.nodes[f.node()].var;
        let condition = match self.map[var as usize] {
            Some(function) => function,
            None => store.literal(Var(var))?,
        };
        let result = store.ite(condition, high, low)?;
        self.known.insert(f, result);
        Ok(result.complement_if(mark))
    }
}
