//! Transitions in compressed rows: for each state a slice of packed labels and a slice of targets.
//!
//! Eight bytes per transition and four per state. A packed label is the action shifted left by two, with one bit for
//! *may* and one for *must*.
//!
//! Invariant: within a row, entries are sorted by (action, target) and no pair occurs twice.

use crate::{ActionId, StateId};
use tertium_support::Id;

/// Which of the two transition relations an edge belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modality {
    /// Possible, not guaranteed.
    May,
    /// Guaranteed, and (in a mixed system) not even declared possible.
    Must,
    /// Guaranteed and possible: an ordinary transition.
    Both,
}

impl Modality {
    /// Whether the edge is in the may relation.
    pub fn is_may(self) -> bool {
        self != Modality::Must
    }

    /// Whether the edge is in the must relation.
    pub fn is_must(self) -> bool {
        self != Modality::May
    }
}

/// An action with a modality, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedLabel(u32);

impl PackedLabel {
    const MAY: u32 = 1;
    const MUST: u32 = 2;
    /// How many distinct actions fit.
    pub const MAX_ACTIONS: usize = 1 << 30;

    /// Packs an action and a modality. Panics if there are 2³⁰ actions or more.
    #[inline]
    pub fn new(action: ActionId, modality: Modality) -> Self {
        assert!(action.index() < Self::MAX_ACTIONS, "at most 2^30 actions");
        let bits = match modality {
            Modality::May => Self::MAY,
            Modality::Must => Self::MUST,
            Modality::Both => Self::MAY | Self::MUST,
        };
        Self(action.raw() << 2 | bits)
    }

    /// The action.
    #[inline]
    pub fn action(self) -> ActionId {
        ActionId::from_raw(self.0 >> 2)
    }

    /// The modality.
    #[inline]
    pub fn modality(self) -> Modality {
        match self.0 & 3 {
            Self::MAY => Modality::May,
            Self::MUST => Modality::Must,
            _ => Modality::Both,
        }
    }

    /// Whether the edge is in the may relation.
    #[inline]
    pub fn is_may(self) -> bool {
        self.0 & Self::MAY != 0
    }

    /// Whether the edge is in the must relation.
    #[inline]
    pub fn is_must(self) -> bool {
        self.0 & Self::MUST != 0
    }

    /// The same action in the relations of both.
    fn union(self, other: Self) -> Self {
        debug_assert_eq!(self.action(), other.action(), "only modalities are joined");
        Self(self.0 | other.0)
    }
}

/// One transition, seen from its source: `other` is the state at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The action.
    pub action: ActionId,
    /// Which relations it belongs to.
    pub modality: Modality,
    /// The target.
    pub other: StateId,
}

/// The edges of all states, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transitions {
    offsets: Vec<u32>,
    labels: Vec<PackedLabel>,
    others: Vec<StateId>,
}

impl Transitions {
    /// Rows for `n_states` states from unsorted columns: `(sources[i], labels[i], targets[i])` is a transition.
    ///
    /// A counting sort by source, then a sort inside each row that is not sorted yet: linear but for the small rows.
    pub fn from_columns(
        n_states: usize,
        sources: &[StateId],
        labels: &[PackedLabel],
        targets: &[StateId],
    ) -> Self {
        assert!(u32::try_from(sources.len()).is_ok(), "fewer than 2^32 transitions");
        debug_assert!(
            sources.len() == labels.len() && labels.len() == targets.len(),
            "every transition has a source, a label and a target"
        );
        let mut offsets = vec![0u32; n_states + 1];
        for source in sources {
            offsets[source.index() + 1] += 1;
        }
        for state in 0..n_states {
            offsets[state + 1] += offsets[state];
        }
        let mut sorted_labels = vec![PackedLabel(0); sources.len()];
        let mut others = vec![StateId::from_raw(0); sources.len()];
        // `offsets[s]` walks to the end of row `s` while it is filled; shifting by one afterwards restores it.
        for ((source, &label), &target) in sources.iter().zip(labels).zip(targets) {
            let at = &mut offsets[source.index()];
            sorted_labels[*at as usize] = label;
            others[*at as usize] = target;
            *at += 1;
        }
        offsets.rotate_right(1);
        offsets[0] = 0;
        let mut transitions = Self { offsets, labels: sorted_labels, others };
        transitions.sort_rows();
        transitions
    }

    /// Rows that are given in the order of their states; with room for so many transitions.
    pub fn from_rows<R: IntoIterator<Item = (PackedLabel, StateId)>>(
        n_transitions: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut offsets = vec![0u32];
        let mut labels = Vec::with_capacity(n_transitions);
        let mut others = Vec::with_capacity(n_transitions);
        for row in rows {
            for (label, other) in row {
                labels.push(label);
                others.push(other);
            }
            offsets.push(u32::try_from(labels.len()).expect("fewer than 2^32 transitions"));
        }
        let n_states = offsets.len() - 1;
        assert!(others.iter().all(|other| other.index() < n_states), "states in range");
        let mut transitions = Self { offsets, labels, others };
        transitions.sort_rows();
        transitions
    }

    /// Sorts each row by (action, target) and merges entries that differ in modality only.
    fn sort_rows(&mut self) {
        let mut row: Vec<(PackedLabel, StateId)> = Vec::new();
        let mut write = 0usize;
        let mut start = 0usize;
        for state in 0..self.n_states() {
            let end = self.offsets[state + 1] as usize;
            let key =
                |labels: &[PackedLabel], others: &[StateId], at: usize| (labels[at].action(), others[at]);
            let strictly_sorted = (start + 1..end)
                .all(|at| key(&self.labels, &self.others, at - 1) < key(&self.labels, &self.others, at));
            self.offsets[state] = write as u32;
            if strictly_sorted {
                if write != start {
                    self.labels.copy_within(start..end, write);
                    self.others.copy_within(start..end, write);
                }
                write += end - start;
            } else {
                row.clear();
                row.extend((start..end).map(|at| (self.labels[at], self.others[at])));
                row.sort_unstable_by_key(|&(label, other)| (label.action(), other));
                row.dedup_by(|next, kept| {
                    let same = next.0.action() == kept.0.action() && next.1 == kept.1;
                    if same {
                        kept.0 = kept.0.union(next.0);
                    }
                    same
                });
                for &(label, other) in &row {
                    self.labels[write] = label;
                    self.others[write] = other;
                    write += 1;
                }
            }
            start = end;
        }
        let n = self.n_states();
        self.offsets[n] = write as u32;
        self.labels.truncate(write);
        self.others.truncate(write);
        debug_assert!(self.has_sorted_rows(), "rows are sorted by action and target, without repetition");
    }

    fn has_sorted_rows(&self) -> bool {
        StateId::first(self.n_states()).all(|state| {
            let (labels, others) = self.row(state);
            let keys = labels.iter().zip(others).map(|(label, &other)| (label.action(), other));
            keys.is_sorted_by(|one, other| one < other)
        })
    }

    /// How many states there are.
    #[inline]
    pub fn n_states(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many transitions there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.others.len()
    }

    /// Whether there is no transition.
    pub fn is_empty(&self) -> bool {
        self.others.is_empty()
    }

    /// The labels and far ends of the edges of one state.
    #[inline]
    pub fn row(&self, state: StateId) -> (&[PackedLabel], &[StateId]) {
        let range = self.range(state);
        (&self.labels[range.clone()], &self.others[range])
    }

    /// The positions of the edges of one state in the columns.
    #[inline]
    pub fn range(&self, state: StateId) -> std::ops::Range<usize> {
        self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize
    }

    /// The label at a position of the columns.
    #[inline]
    pub fn label_at(&self, position: usize) -> PackedLabel {
        self.labels[position]
    }

    /// The far end at a position, as a slice of one: a single must is a hyper-must into a singleton.
    #[inline]
    pub(crate) fn other_slice_at(&self, position: usize) -> &[StateId] {
        &self.others[position..=position]
    }

    /// The edges of one state.
    pub fn edges(&self, state: StateId) -> impl ExactSizeIterator<Item = Edge> + Clone + '_ {
        let (labels, others) = self.row(state);
        labels.iter().zip(others).map(|(label, &other)| Edge {
            action: label.action(),
            modality: label.modality(),
            other,
        })
    }

    /// The edge between two states with this action, if there is one.
    pub fn find(&self, source: StateId, action: ActionId, target: StateId) -> Option<Modality> {
        let (labels, others) = self.row(source);
        let mut low = 0;
        let mut high = labels.len();
        while low < high {
            let middle = (low + high) / 2;
            if (labels[middle].action(), others[middle]) < (action, target) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < labels.len() && labels[low].action() == action && others[low] == target)
            .then(|| labels[low].modality())
    }

    /// All labels, in the order of the columns.
    pub fn labels(&self) -> &[PackedLabel] {
        &self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(edges: &[(u32, u32, Modality, u32)]) -> (Vec<StateId>, Vec<PackedLabel>, Vec<StateId>) {
        let mut columns = (Vec::new(), Vec::new(), Vec::new());
        for &(source, action, modality, target) in edges {
            columns.0.push(StateId::from_raw(source));
            columns.1.push(PackedLabel::new(ActionId::from_raw(action), modality));
            columns.2.push(StateId::from_raw(target));
        }
        columns
    }

    #[test]
    fn rows_are_sorted_and_may_with_must_is_both() {
        let (s, l, t) = columns(&[
            (2, 0, Modality::Both, 0),
            (0, 1, Modality::May, 2),
            (0, 0, Modality::Both, 1),
            (0, 1, Modality::Must, 2),
            (2, 0, Modality::Both, 0),
        ]);
        let transitions = Transitions::from_columns(3, &s, &l, &t);
        assert_eq!(transitions.len(), 3);
        let row: Vec<_> = transitions.edges(StateId::from_raw(0)).collect();
        assert_eq!(row.iter().map(|e| (e.action.raw(), e.other.raw())).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!(row[1].modality, Modality::Both);
        assert_eq!(transitions.edges(StateId::from_raw(1)).len(), 0);
        let find =
            |s, a, t| transitions.find(StateId::from_raw(s), ActionId::from_raw(a), StateId::from_raw(t));
        assert_eq!(find(2, 0, 0), Some(Modality::Both));
        let rows = (0..3).map(|state| {
            let own = (0..s.len()).filter(|&at| s[at].index() == state);
            own.map(|at| (l[at], t[at])).collect::<Vec<_>>()
        });
        assert_eq!(Transitions::from_rows(5, rows), transitions);
        assert_eq!(find(2, 1, 0), None);
    }
}
