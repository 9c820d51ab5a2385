//! A set of vertices to look at next, in little memory: a short list, and a bit set for what does not fit.
//!
//! A queue of an attraction can come to hold nearly all vertices, at four bytes each. Here the list holds at most one
//! vertex in [`SHARE`], and only then the bits are used, which must be swept to find their members. A sweep costs one
//! step per 64 vertices of the game and happens only for frontiers of more than a sixteenth of it: linear on the whole.

use super::VertexId;
use tertium_support::IdSet;

/// One vertex in so many may be on the list.
const SHARE: usize = 16;

/// A set of vertices; each is added once and taken out once.
pub(super) struct Frontier {
    list: Vec<VertexId>,
    capacity: usize,
    /// The members that did not fit on the list. Allocated while there are any.
    rest: IdSet<VertexId>,
    n_rest: usize,
    n_vertices: usize,
}

impl Frontier {
    /// The empty set, of vertices of a game of `n`.
    pub(super) fn new(n: usize) -> Self {
        let capacity = (n / SHARE).max(64);
        Self { list: Vec::new(), capacity, rest: IdSet::empty(0), n_rest: 0, n_vertices: n }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.n_rest == 0
    }

    /// Adds `v`, which is not a member.
    #[inline]
    pub(super) fn push(&mut self, v: VertexId) {
        if self.list.len() < self.capacity { self.list.push(v) } else { self.overflow(v) }
    }

    fn overflow(&mut self, v: VertexId) {
        if self.rest.universe() == 0 {
            self.rest = IdSet::empty(self.n_vertices);
        }
        let new = self.rest.insert(v);
        debug_assert!(new, "a vertex enters a frontier once");
        self.n_rest += 1;
    }

    /// Gives every member to `visit`, and leaves the set empty.
    pub(super) fn drain<E>(&mut self, mut visit: impl FnMut(VertexId) -> Result<(), E>) -> Result<(), E> {
        for v in self.list.drain(..) {
            visit(v)?;
        }
        if self.n_rest > 0 {
            self.n_rest = 0;
            let rest = std::mem::replace(&mut self.rest, IdSet::empty(0));
            rest.iter().try_for_each(visit)?;
        }
        Ok(())
    }
}
