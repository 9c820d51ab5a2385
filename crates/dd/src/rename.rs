//! Renaming of variables, such as next to current, all at once.
//!
//! Where the new variables stand in the same order as the old ones, this copies the diagram; otherwise it is a
//! composition, still right, and as costly as that can be. What lies below all variables that change stays as it is and is not looked at.

use crate::cache::Op;
use crate::edge::{Edge, TRUE};
use crate::store::{Made, Store};
use rustc_hash::FxHashMap;

/// What becomes of variables. Invariant: sorted pairs of a variable and another that it becomes, each variable once as the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Renamed(Box<[(u32, u32)]>);

impl Renamed {
    pub(crate) fn new(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|(old, new)| old != new).collect();
        pairs.sort_unstable();
        debug_assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0), "a variable becomes one variable");
        Self(pairs.into())
    }
}

/// Renamings, each once. A table by variable makes looking up cheap; where few variables change, far from each other, it would be
/// mostly empty, and the pairs themselves are searched.
#[derive(Debug, Default)]
pub(crate) struct Renamings {
    numbers: FxHashMap<Renamed, u32>,
    all: Vec<Lookup>,
}

#[derive(Debug)]
struct Lookup {
    renamed: Renamed,
    /// What becomes of the variables from the first that changes to the last.
    table: Option<Vec<u32>>,
}

/// A table has at most so many entries for each variable that changes.
const SPARSE: usize = 32;

impl Renamings {
    /// The number of a renaming.
    pub(crate) fn number(&mut self, renamed: Renamed) -> u32 {
        if let Some(&known) = self.numbers.get(&renamed) {
            return known;
        }
        debug_assert_eq!(self.numbers.len(), self.all.len(), "every renaming has one number");
        let number = self.all.len() as u32;
        self.numbers.insert(renamed.clone(), number);
        let (first, last) = match &*renamed.0 {
            [] => (0, 0),
            [(first, _), ..] => (*first, renamed.0[renamed.0.len() - 1].0),
        };
        let table = ((last - first) as usize <= SPARSE * renamed.0.len()).then(|| {
            let mut table: Vec<u32> = (first..=last).collect();
            renamed.0.iter().for_each(|&(old, new)| table[(old - first) as usize] = new);
            table
        });
        self.all.push(Lookup { renamed, table });
        number
    }

    /// The variables that the renaming with this number changes.
    fn changed(&self, number: u32) -> impl Iterator<Item = u32> {
        self.all[number as usize].renamed.0.iter().map(|(old, _)| *old)
    }

    /// What it makes of a variable.
    fn new_of(&self, number: u32, old: u32) -> u32 {
        let Lookup { renamed: Renamed(pairs), table } = &self.all[number as usize];
        let Some(&(first, _)) = pairs.first() else { return old };
        match table {
            Some(table) => {
                let at = old.checked_sub(first).and_then(|at| table.get(at as usize));
                at.copied().unwrap_or(old)
            }
            None => pairs.binary_search_by_key(&old, |pair| pair.0).map_or(old, |at| pairs[at].1),
        }
    }
}

impl Store {
    /// Replaces each variable by what the renaming with this number makes of it.
    pub(crate) fn rename(&mut self, f: Edge, number: u32) -> Made {
        let deepest = self.renamings.changed(number).map(|old| self.level_of[old as usize]).max();
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
        let new = self.renamings.new_of(number, self.nodes[f.node()].var);
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
