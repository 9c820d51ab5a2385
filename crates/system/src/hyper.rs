//! Must hyper-transitions: from a state, with an action, into a *set* of states, one of which is guaranteed.
//!
//! Most systems have none, and then nothing is stored. The empty target set is allowed in the theory (it makes its
//! source inconsistent with everything) but refused by the text formats.

use crate::{ActionId, StateId};
use tertium_support::Id;

/// The hyper-musts of all states, in rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HyperMusts {
    /// Row of each state in `actions`; empty if there is no hyper-must at all.
    offsets: Vec<u32>,
    actions: Vec<ActionId>,
    /// Row of each hyper-must in `targets`.
    target_offsets: Vec<u32>,
    targets: Vec<StateId>,
}

impl HyperMusts {
    /// Rows from a list of (source, action, targets). Targets are sorted and made unique; equal entries are merged.
    pub fn from_list(n_states: usize, mut list: Vec<(StateId, ActionId, Vec<StateId>)>) -> Self {
        if list.is_empty() {
            return Self::default();
        }
        for (_, _, targets) in &mut list {
            targets.sort_unstable();
            targets.dedup();
        }
        list.sort();
        list.dedup();
        let mut rows = Self { offsets: vec![0; n_states + 1], target_offsets: vec![0], ..Self::default() };
        for (source, action, targets) in list {
            rows.offsets[source.index() + 1] += 1;
            rows.actions.push(action);
            rows.targets.extend(targets);
            rows.target_offsets
                .push(u32::try_from(rows.targets.len()).expect("fewer than 2^32 hyper-targets"));
        }
        for state in 0..n_states {
            rows.offsets[state + 1] += rows.offsets[state];
        }
        debug_assert_eq!(rows.offsets[n_states] as usize, rows.actions.len(), "every hyper-must is in a row");
        debug_assert_eq!(rows.target_offsets.len(), rows.actions.len() + 1, "every hyper-must has targets");
        rows
    }

    /// How many hyper-musts there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The positions of the hyper-musts of one state.
    #[inline]
    pub fn range(&self, state: StateId) -> std::ops::Range<usize> {
        if self.offsets.is_empty() {
            return 0..0;
        }
        self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize
    }

    /// The hyper-must at a position: its action and its targets.
    #[inline]
    pub fn at(&self, position: usize) -> (ActionId, &[StateId]) {
        let range = self.target_offsets[position] as usize..self.target_offsets[position + 1] as usize;
        (self.actions[position], &self.targets[range])
    }

    /// The hyper-musts of one state.
    pub fn of(&self, state: StateId) -> impl ExactSizeIterator<Item = (ActionId, &[StateId])> + Clone {
        self.range(state).map(|position| self.at(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_sorted_unique_targets() {
        let s = StateId::from_raw;
        let a = ActionId::from_raw(0);
        let list = vec![(s(1), a, vec![s(2), s(0), s(2)]), (s(1), a, vec![s(0), s(2)]), (s(0), a, vec![])];
        let rows = HyperMusts::from_list(3, list);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows.of(s(1)).collect::<Vec<_>>(), [(a, &[s(0), s(2)][..])]);
        assert_eq!(rows.of(s(0)).collect::<Vec<_>>(), [(a, &[][..])]);
        assert_eq!(rows.of(s(2)).len(), 0);
    }
}
