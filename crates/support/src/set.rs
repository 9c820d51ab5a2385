//! Sets of ids as bit vectors over a fixed universe `0..n`.
//!
//! A thin typed layer over `fixedbitset`: one bit per element, set operations word by word.

use crate::Id;
use fixedbitset::FixedBitSet;
use std::fmt;
use std::marker::PhantomData;

/// A set of ids out of a universe of known size. Binary operations expect both sets over the same universe.
pub struct IdSet<I> {
    bits: FixedBitSet,
    id: PhantomData<I>,
}

impl<I: Id> IdSet<I> {
    /// The empty set over a universe of `n` ids.
    pub fn empty(n: usize) -> Self {
        Self { bits: FixedBitSet::with_capacity(n), id: PhantomData }
    }

    /// The set of all `n` ids.
    pub fn full(n: usize) -> Self {
        let mut set = Self::empty(n);
        set.bits.insert_range(..);
        set
    }

    /// The set of the given ids, over a universe of `n`.
    pub fn of(n: usize, ids: impl IntoIterator<Item = I>) -> Self {
        let mut set = Self::empty(n);
        ids.into_iter().for_each(|id| {
            set.insert(id);
        });
        set
    }

    /// The ids below `n` that satisfy `member`.
    pub fn filter(n: usize, mut member: impl FnMut(I) -> bool) -> Self {
        Self::of(n, I::first(n).filter(|&id| member(id)))
    }

    /// The size of the universe.
    pub fn universe(&self) -> usize {
        self.bits.len()
    }

    /// Whether `id` is a member.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        self.bits.contains(id.index())
    }

    /// Adds `id`; gives whether it is new.
    #[inline]
    pub fn insert(&mut self, id: I) -> bool {
        !self.bits.put(id.index())
    }

    /// Removes `id`; gives whether it was a member.
    #[inline]
    pub fn remove(&mut self, id: I) -> bool {
        let was = self.bits.contains(id.index());
        self.bits.set(id.index(), false);
        was
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// Whether every member is one of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.bits.is_subset(&other.bits)
    }

    /// Whether the two share no member.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.bits.is_disjoint(&other.bits)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.bits.ones().map(I::new)
    }

    /// Adds all members of `other`.
    pub fn union_with(&mut self, other: &Self) {
        self.bits.union_with(&other.bits);
    }

    /// Keeps only members of `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.bits.intersect_with(&other.bits);
    }

    /// Removes all members of `other`.
    pub fn difference_with(&mut self, other: &Self) {
        self.bits.difference_with(&other.bits);
    }

    /// The ids of the universe that are not members.
    pub fn complement(&self) -> Self {
        let mut set = self.clone();
        set.bits.toggle_range(..);
        set
    }

    /// The union of two sets.
    pub fn union(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.union_with(other);
        set
    }

    /// The intersection of two sets.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.intersect_with(other);
        set
    }
}

impl<I> Clone for IdSet<I> {
    fn clone(&self) -> Self {
        Self { bits: self.bits.clone(), id: PhantomData }
    }
}

impl<I> PartialEq for IdSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<I> Eq for IdSet<I> {}

impl<I> std::hash::Hash for IdSet<I> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<I: Id> fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.bits.ones()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(
        /// An id for these tests.
        ThingId
    );

    #[test]
    fn complement_stays_inside_the_universe() {
        let set = IdSet::of(67, [ThingId::new(1), ThingId::new(66)]);
        let other = set.complement();
        assert_eq!(other.count(), 65);
        assert!(set.is_disjoint(&other));
        assert_eq!(set.union(&other), IdSet::full(67));
        assert_eq!(other.complement(), set);
    }

    #[test]
    fn insert_and_remove_say_whether_they_changed_anything() {
        let mut set = IdSet::empty(3);
        assert!(set.insert(ThingId::new(2)));
        assert!(!set.insert(ThingId::new(2)));
        assert!(set.remove(ThingId::new(2)));
        assert!(!set.remove(ThingId::new(2)));
        assert!(set.is_empty());
    }
}
