//! Relations between the states of two systems, as bit matrices: one row of right states for each left state.

use crate::{StateId, StateSet};
use tertium_support::Id;

/// A set of pairs (left state, right state).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    n_right: usize,
    /// For each left state, the right states related to it. All rows are sets over `n_right` states.
    rows: Vec<StateSet>,
}

/// One of the two ends of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first components: the refining, concrete system.
    Left,
    /// The second components: the refined, abstract system.
    Right,
}

impl Relation {
    /// The relation without pairs.
    pub fn empty(n_left: usize, n_right: usize) -> Self {
        Self { n_right, rows: vec![StateSet::empty(n_right); n_left] }
    }

    /// The relation of all pairs.
    pub fn full(n_left: usize, n_right: usize) -> Self {
        Self { n_right, rows: vec![StateSet::full(n_right); n_left] }
    }

    /// Equality on `n` states.
    pub fn identity(n: usize) -> Self {
        Self::from_pairs(n, n, StateId::first(n).map(|s| (s, s)))
    }

    /// The relation of these pairs. Panics if a state is out of range.
    pub fn from_pairs(
        n_left: usize,
        n_right: usize,
        pairs: impl IntoIterator<Item = (StateId, StateId)>,
    ) -> Self {
        let mut relation = Self::empty(n_left, n_right);
        pairs.into_iter().for_each(|(left, right)| {
            relation.insert(left, right);
        });
        relation
    }

    /// The graph of a function: each left state is related to its image only.
    pub fn from_function(images: &[StateId], n_right: usize) -> Self {
        debug_assert!(images.iter().all(|image| image.index() < n_right), "right states in range");
        Self { n_right, rows: images.iter().map(|&image| StateSet::of(n_right, [image])).collect() }
    }

    /// How many left states there are.
    pub fn n_left(&self) -> usize {
        self.rows.len()
    }

    /// How many right states there are.
    pub fn n_right(&self) -> usize {
        self.n_right
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.rows.iter().map(StateSet::count).sum()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(StateSet::is_empty)
    }

    /// Whether the pair is related.
    #[inline]
    pub fn contains(&self, left: StateId, right: StateId) -> bool {
        self.rows[left.index()].contains(right)
    }

    /// Relates a pair; gives whether it is new.
    #[inline]
    pub fn insert(&mut self, left: StateId, right: StateId) -> bool {
        assert!(right.index() < self.n_right, "a right state in range");
        self.rows[left.index()].insert(right)
    }

    /// Takes a pair out; gives whether it was related.
    #[inline]
    pub fn remove(&mut self, left: StateId, right: StateId) -> bool {
        self.rows[left.index()].remove(right)
    }

    /// The right states related to a left one.
    #[inline]
    pub fn image(&self, left: StateId) -> &StateSet {
        &self.rows[left.index()]
    }

    /// Keeps of one row only the right states in `allowed`.
    pub fn restrict(&mut self, left: StateId, allowed: &StateSet) {
        debug_assert_eq!(allowed.universe(), self.n_right, "a set of right states");
        self.rows[left.index()].intersect_with(allowed);
    }

    /// The pairs, ordered.
    pub fn pairs(&self) -> impl Iterator<Item = (StateId, StateId)> + '_ {
        StateId::first(self.n_left()).zip(&self.rows).flat_map(|(p, row)| row.iter().map(move |q| (p, q)))
    }

    /// The first state of one side that is related to nothing, if there is one.
    pub fn first_unrelated(&self, side: Side) -> Option<StateId> {
        match side {
            Side::Left => StateId::first(self.n_left()).find(|&left| self.image(left).is_empty()),
            Side::Right => {
                let mut related = StateSet::empty(self.n_right);
                self.rows.iter().for_each(|row| related.union_with(row));
                related.complement().iter().next()
            }
        }
    }

    /// Whether every state of one side is related to something.
    pub fn is_total(&self, side: Side) -> bool {
        self.first_unrelated(side).is_none()
    }

    /// The same pairs, turned around.
    #[must_use]
    pub fn converse(&self) -> Self {
        Self::from_pairs(self.n_right, self.n_left(), self.pairs().map(|(p, q)| (q, p)))
    }

    /// First this, then `other`: (p, r) such that some q has (p, q) here and (q, r) there. Panics if the states in
    /// the middle are not as many on both sides.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        assert_eq!(self.n_right, other.n_left(), "the relations share the states in the middle");
        let mut composed = Self::empty(self.n_left(), other.n_right);
        for (row, target) in self.rows.iter().zip(&mut composed.rows) {
            row.iter().for_each(|middle| target.union_with(other.image(middle)));
        }
        composed
    }

    /// The pairs of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        assert_eq!((self.n_left(), self.n_right), (other.n_left(), other.n_right), "the same states");
        let rows = self.rows.iter().zip(&other.rows).map(|(a, b)| a.intersection(b)).collect();
        Self { n_right: self.n_right, rows }
    }

    /// Whether every pair of this is one of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        debug_assert_eq!((self.n_left(), self.n_right), (other.n_left(), other.n_right), "the same states");
        self.rows.iter().zip(&other.rows).all(|(a, b)| a.is_subset(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(n_left: usize, n_right: usize, pairs: &[(u32, u32)]) -> Relation {
        let pairs = pairs.iter().map(|&(p, q)| (StateId::from_raw(p), StateId::from_raw(q)));
        Relation::from_pairs(n_left, n_right, pairs)
    }

    #[test]
    fn composition_goes_through_the_middle_and_identity_is_neutral() {
        let first = relation(2, 3, &[(0, 1), (1, 2)]);
        let second = relation(3, 2, &[(1, 0), (1, 1)]);
        assert_eq!(first.then(&second), relation(2, 2, &[(0, 0), (0, 1)]));
        assert_eq!(first.then(&Relation::identity(3)), first);
        assert_eq!(Relation::identity(2).then(&first), first);
        assert_eq!(first.then(&second).converse(), second.converse().then(&first.converse()));
    }

    #[test]
    fn totality_names_the_first_state_left_out() {
        let some = relation(2, 3, &[(0, 1), (0, 2)]);
        assert_eq!(some.first_unrelated(Side::Left), Some(StateId::from_raw(1)));
        assert_eq!(some.first_unrelated(Side::Right), Some(StateId::from_raw(0)));
        assert!(Relation::full(2, 3).is_total(Side::Left) && Relation::full(2, 3).is_total(Side::Right));
        assert!(Relation::empty(0, 0).is_total(Side::Left));
        assert!(some.is_subset(&Relation::full(2, 3)) && !Relation::full(2, 3).is_subset(&some));
        assert_eq!(some.converse().converse(), some);
    }
}
