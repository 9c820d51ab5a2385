//! Arrays: functions with all but finitely many values given at once.

use crate::{Sort, Term, TermKind, Terms};
use std::sync::Arc;

impl Terms {
    /// The array from this sort of indices that has one element everywhere.
    pub fn everywhere(&self, index: Arc<Sort>, element: Term) -> Term {
        let sort = Sort::Array(Arc::clone(&index), Arc::new(self.sort(element)));
        self.intern(TermKind::Everywhere(index, element), sort)
    }

    /// The element of an array at an index.
    pub fn select(&self, array: Term, index: Term) -> Term {
        let Sort::Array(indices, element) = self.sort(array) else { panic!("only arrays have elements") };
        debug_assert_eq!(*indices, self.sort(index), "the index has the sort of indices");
        match self.kind(array) {
            TermKind::Everywhere(_, element) => element,
            TermKind::Store(_, at, element) if at == index => element,
            TermKind::Store(inner, at, _) if self.differ(at, index) => self.select(inner, index),
            _ => self.intern(TermKind::Select(array, index), (*element).clone()),
        }
    }

    /// An array with another element at an index.
    pub fn store(&self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array);
        debug_assert!(
            matches!(&sort, Sort::Array(i, e) if **i == self.sort(index) && **e == self.sort(element)),
            "index and element have the sorts of the array"
        );
        match self.kind(array) {
            // Only the last of several at one place counts.
            TermKind::Store(inner, at, _) if at == index => self.store(inner, index, element),
            _ if self.kind(element) == TermKind::Select(array, index) => array,
            _ => self.intern(TermKind::Store(array, index, element), sort),
        }
    }

    /// Whether two terms are constants and not the same.
    fn differ(&self, left: Term, right: Term) -> bool {
        left != right && self.as_value(left).is_some() && self.as_value(right).is_some()
    }
}
