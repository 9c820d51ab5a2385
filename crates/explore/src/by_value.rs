//! Transitions by a value that their guards ask for.
//!
//! A guard that has `x = 3` as a conjunct holds only where x is 3. Of all values that a guard asks for, the one counts
//! that fewest others ask for as well. So at a state only those transitions are looked at that ask for a value which the
//! state has, and those that ask for none. For programs with many transitions these are few: the edges of a location,
//! the steps of a counter.
//!
//! Cost: one look into a table for each variable that is asked for, and the transitions that are found. Making it costs
//! the size of the guards.

use crate::packed::Layout;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tertium_expr::{Term, Terms};
use tertium_program::pinned;
use tertium_system::WordPlace;

/// The transitions that ask for values of one variable.
#[derive(Clone, Debug)]
struct Asking {
    place: WordPlace,
    /// By the bits of the value.
    ranges: FxHashMap<u64, Range<u32>>,
}

/// Transitions by what they ask for.
#[derive(Clone, Debug)]
pub(crate) struct ByValue {
    /// Those that ask for no value, in order.
    anywhere: Vec<u32>,
    asking: Vec<Asking>,
    /// Those that ask for a value, by variable and value, then in order.
    transitions: Vec<u32>,
}

impl ByValue {
    /// Of transitions with these guards, in order; without those that have none, which are never enabled. Also the
    /// conjunct of each guard that holds wherever its transition is found.
    pub(crate) fn new(
        terms: &Terms,
        layout: &Layout,
        guards: impl Iterator<Item = Option<Term>>,
    ) -> (Self, Vec<Option<Term>>) {
        let guards: Vec<Option<Term>> = guards.collect();
        let asked: Vec<Vec<(usize, u64, Term)>> = guards
            .iter()
            .map(|guard| guard.map_or(Vec::new(), |guard| asked(terms, layout, guard)))
            .collect();
        let mut times: FxHashMap<(usize, u64), u32> = FxHashMap::default();
        for &(variable, raw, _) in asked.iter().flatten() {
            *times.entry((variable, raw)).or_default() += 1;
        }
        let chosen = asked.iter().map(|asked| {
            asked.iter().copied().min_by_key(|&(variable, raw, _)| (times[&(variable, raw)], variable))
        });
        let chosen: Vec<Option<(usize, u64, Term)>> = chosen.collect();
        let mut anywhere = Vec::new();
        let mut found = Vec::new();
        for (n, (guard, chosen)) in (0u32..).zip(guards.iter().zip(&chosen)) {
            match chosen {
                Some((variable, raw, _)) => found.push((*variable, *raw, n)),
                None if guard.is_some() => anywhere.push(n),
                None => {}
            }
        }
        found.sort_unstable();
        let mut asking = Vec::new();
        let mut start = 0;
        for own in found.chunk_by(|one, other| one.0 == other.0) {
            let place = layout.place(own[0].0).expect("no array is asked for").place;
            let mut ranges = FxHashMap::default();
            for same in own.chunk_by(|one, other| one.1 == other.1) {
                let end = start + same.len() as u32;
                ranges.insert(same[0].1, start..end);
                start = end;
            }
            asking.push(Asking { place, ranges });
        }
        let transitions = found.into_iter().map(|(_, _, transition)| transition).collect();
        let known = chosen.into_iter().map(|chosen| chosen.map(|(_, _, part)| part)).collect();
        (Self { anywhere, asking, transitions }, known)
    }

    /// Lists the transitions that can be enabled at a state, in order.
    pub(crate) fn find(&self, words: &[u64], candidates: &mut Vec<u32>) {
        candidates.extend_from_slice(&self.anywhere);
        let mut n_lists = usize::from(!self.anywhere.is_empty());
        for own in &self.asking {
            if let Some(range) = own.ranges.get(&own.place.get(words)) {
                candidates.extend_from_slice(&self.transitions[range.start as usize..range.end as usize]);
                n_lists += 1;
            }
        }
        if n_lists > 1 {
            candidates.sort_unstable();
        }
        debug_assert!(candidates.is_sorted_by(|one, other| one < other), "each once, in order");
    }
}

/// The values that a guard asks for: variable, bits, and the conjunct that does.
fn asked(terms: &Terms, layout: &Layout, guard: Term) -> Vec<(usize, u64, Term)> {
    let asked = terms.conjuncts(guard).into_iter().filter_map(|part| {
        let (variable, value) = pinned(terms, part)?;
        let id = layout.id(variable)?;
        Some((id, layout.raw_of(id, &value)?, part))
    });
    asked.collect()
}
