//! Complaints about one text, as many as are worth telling.

use crate::{Diagnostic, Diagnostics};

/// Complaints in order of discovery, up to a bound: a text of another kind should not give one for each of its characters.
///
/// Invariant: there are never more than the bound.
#[derive(Clone, Debug)]
pub struct Complaints {
    list: Diagnostics,
    most: usize,
}

impl Complaints {
    /// No complaints, with room for `most`.
    pub fn at_most(most: usize) -> Self {
        Self { list: Vec::new(), most }
    }

    /// Adds a complaint, unless there are enough.
    #[cold]
    pub fn push(&mut self, complaint: Diagnostic) {
        if !self.is_full() {
            self.list.push(complaint);
        }
        debug_assert!(self.list.len() <= self.most, "the bound holds");
    }

    /// Whether further complaints would be dropped.
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.most
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The latest complaint.
    pub fn last(&self) -> Option<&Diagnostic> {
        self.list.last()
    }

    /// All of them.
    pub fn into_list(self) -> Diagnostics {
        self.list
    }
}
