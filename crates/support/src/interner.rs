//! Names to ids and back. Each distinct name is stored once; looking up allocates nothing.

use crate::Id;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::marker::PhantomData;

/// A bijection between the names seen so far and the first ids of one kind, in order of first appearance.
#[derive(Clone, Debug)]
pub struct Interner<I> {
    names: IndexSet<Box<str>, FxBuildHasher>,
    id: PhantomData<I>,
}

impl<I> Default for Interner<I> {
    fn default() -> Self {
        Self { names: IndexSet::default(), id: PhantomData }
    }
}

impl<I> PartialEq for Interner<I> {
    fn eq(&self, other: &Self) -> bool {
        self.names.iter().eq(other.names.iter())
    }
}

impl<I> Eq for Interner<I> {}

impl<I: Id> Interner<I> {
    /// The id of `name`, new if it was not seen before.
    pub fn intern(&mut self, name: &str) -> I {
        match self.names.get_index_of(name) {
            Some(index) => I::new(index),
            None => I::new(self.names.insert_full(name.into()).0),
        }
    }

    /// The id of `name`, if it was seen before.
    pub fn get(&self, name: &str) -> Option<I> {
        self.names.get_index_of(name).map(I::new)
    }

    /// The name behind `id`.
    pub fn name(&self, id: I) -> &str {
        &self.names[id.index()]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name was seen.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I> {
        I::first(self.names.len())
    }

    /// The names, in order of their ids.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.names.iter().map(AsRef::as_ref)
    }
}

impl<I: Id, N: AsRef<str>> FromIterator<N> for Interner<I> {
    fn from_iter<T: IntoIterator<Item = N>>(names: T) -> Self {
        let mut interner = Self::default();
        names.into_iter().for_each(|name| {
            interner.intern(name.as_ref());
        });
        interner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(
        /// An id for this test.
        NameId
    );

    #[test]
    fn the_same_name_gets_the_same_id() {
        let mut interner: Interner<NameId> = ["a", "b", "a"].into_iter().collect();
        assert_eq!(interner.len(), 2);
        assert_eq!(interner.intern("b"), NameId::new(1));
        assert_eq!(interner.name(NameId::new(0)), "a");
        assert_eq!(interner.get("c"), None);
    }
}
