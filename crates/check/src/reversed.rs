//! The transitions of a system seen from their targets.
//!
//! Label and source of a step lie side by side: rows are read in no particular order, and one place in memory is
//! cheaper to go to than two. Eight bytes per transition and four per state.

use tertium_support::Id;
use tertium_system::{PackedLabel, StateId, Transitions};

/// For each state the steps that lead to it.
#[derive(Debug)]
pub(crate) struct Reversed {
    offsets: Vec<u32>,
    steps: Vec<(PackedLabel, StateId)>,
}

impl Reversed {
    /// Turns all transitions around: a counting sort by target.
    pub(crate) fn new(transitions: &Transitions) -> Self {
        let n = transitions.n_states();
        let mut offsets = vec![0u32; n + 1];
        for state in StateId::first(n) {
            for target in transitions.row(state).1 {
                offsets[target.index() + 1] += 1;
            }
        }
        for state in 0..n {
            offsets[state + 1] += offsets[state];
        }
        let Some(&filler) = transitions.labels().first() else { return Self { offsets, steps: Vec::new() } };
        let mut steps = vec![(filler, StateId::from_raw(0)); transitions.len()];
        // `offsets[t]` walks to the end of row `t` while it is filled; shifting by one afterwards restores it.
        for state in StateId::first(n) {
            let (labels, targets) = transitions.row(state);
            for (&label, target) in labels.iter().zip(targets) {
                let at = &mut offsets[target.index()];
                steps[*at as usize] = (label, state);
                *at += 1;
            }
        }
        offsets.rotate_right(1);
        offsets[0] = 0;
        let reversed = Self { offsets, steps };
        debug_assert!(
            StateId::first(n).all(|state| reversed.row(state).is_sorted_by_key(|&(_, source)| source)),
            "rows are in order of the sources"
        );
        reversed
    }

    /// The labels and sources of the steps that lead to `state`, in order of the sources.
    #[inline]
    pub(crate) fn row(&self, state: StateId) -> &[(PackedLabel, StateId)] {
        &self.steps[self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_system::{Modality, SystemBuilder};

    #[test]
    fn every_step_is_found_from_its_target_in_order_of_the_sources() {
        let mut builder = SystemBuilder::numbered(3);
        let (a, b) = (builder.action("a"), builder.action("b"));
        let state = StateId::new;
        builder.initial(state(0));
        builder.edge(state(2), a, state(1), Modality::Must);
        builder.edge(state(0), b, state(1), Modality::May);
        builder.edge(state(1), a, state(1), Modality::Both);
        let reversed = Reversed::new(builder.build().transitions());
        let row: Vec<_> =
            reversed.row(state(1)).iter().map(|(label, source)| (label.action(), source.index())).collect();
        assert_eq!(row, [(b, 0), (a, 1), (a, 2)]);
        assert!(reversed.row(state(0)).is_empty() && reversed.row(state(2)).is_empty());
    }

    #[test]
    fn a_system_without_transitions_has_no_rows() {
        let mut builder = SystemBuilder::numbered(2);
        builder.initial(StateId::new(0));
        assert!(Reversed::new(builder.build().transitions()).row(StateId::new(1)).is_empty());
    }
}
