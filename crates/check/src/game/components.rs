//! Strongly connected components, one at a time, targets before sources.
//!
//! Tarjan's search in the one-array form of \[Pea16\]: `mark[v]` is the least number reachable inside the open part,
//! starting from the number of `v` itself; a vertex whose mark never sank below its number is the root of its
//! component. A vertex lies either on the call stack (8 bytes) or, finished, on the component stack (4 bytes), so the
//! search needs at most 12 bytes per vertex with its mark, and no recursion. Linear time.
//!
//! The search shares its array of marks with the solver: which numbers mean "not seen" and "handed out" is the
//! caller's business, and the graph is whatever the caller's walk over successors shows.

use super::VertexId;
use tertium_support::{Id, StopReason, Ticker};

/// Set in [`Call::vertex`] once the vertex is known not to be a root.
const NOT_ROOT: u32 = 1 << 31;

/// A suspended walk over the successors of one vertex.
#[derive(Clone, Copy)]
struct Call {
    vertex: u32,
    cursor: u32,
}

/// A suspended decomposition.
pub(super) struct Components {
    calls: Vec<Call>,
    finished: Vec<VertexId>,
    unseen: u32,
    next_number: u32,
}

impl Components {
    /// A decomposition about to start. Vertices to search have the mark `unseen`; the numbers above it, as many as
    /// there are vertices, belong to the search, and marks still above those to vertices that were handed out.
    pub(super) fn new(unseen: u32) -> Self {
        Self { calls: Vec::new(), finished: Vec::new(), unseen, next_number: unseen + 1 }
    }

    /// Searches from `start`, if it was not seen, and gives each component found to `take`, which must leave every
    /// mark of the component above the numbers of the search, and all other marks alone. `next` walks over the
    /// successors that belong to the graph, by cursor.
    pub(super) fn search(
        &mut self,
        start: VertexId,
        mark: &mut [u32],
        ticker: &mut Ticker<'_>,
        next: impl Fn(&[u32], VertexId, u32) -> Option<(VertexId, u32)>,
        mut take: impl FnMut(&mut [u32], &mut [VertexId], &mut Ticker<'_>) -> Result<(), StopReason>,
    ) -> Result<(), StopReason> {
        if mark[start.index()] != self.unseen {
            return Ok(());
        }
        debug_assert!(
            self.calls.is_empty() && self.finished.is_empty(),
            "nothing is left of the search before"
        );
        self.enter(start, mark);
        while let Some(root) = self.advance(mark, ticker, &next)? {
            let low = mark[root.index()];
            let first = self.finished.iter().rposition(|w| mark[w.index()] < low).map_or(0, |at| at + 1);
            self.finished.push(root);
            take(mark, &mut self.finished[first..], ticker)?;
            debug_assert!(
                self.finished[first..].iter().all(|v| mark[v.index()] >= self.next_number),
                "marks of components that were handed out are above the numbers of the search"
            );
            self.finished.truncate(first);
        }
        Ok(())
    }

    /// Searches until some vertex turns out to be a root, or the call stack is empty.
    fn advance(
        &mut self,
        mark: &mut [u32],
        ticker: &mut Ticker<'_>,
        next: impl Fn(&[u32], VertexId, u32) -> Option<(VertexId, u32)>,
    ) -> Result<Option<VertexId>, StopReason> {
        while let Some(Call { vertex, cursor }) = self.calls.last().copied() {
            let v = VertexId::from_raw(vertex & !NOT_ROOT);
            let mut low = mark[v.index()];
            let mut at = cursor;
            let mut child = None;
            while let Some((w, after)) = next(mark, v, at) {
                at = after;
                let there = mark[w.index()];
                if there == self.unseen {
                    child = Some(w);
                    break;
                }
                low = low.min(there);
            }
            ticker.tick((at - cursor) as usize + 1)?;
            self.lower(mark, v, low, at);
            if let Some(w) = child {
                self.enter(w, mark);
                continue;
            }
            let done = self.calls.pop().expect("the loop looked at it");
            if done.vertex & NOT_ROOT == 0 {
                return Ok(Some(v));
            }
            self.finished.push(v);
            // The parent walked on behind `v` already: the mark of `v` reaches it here.
            let &Call { vertex, cursor } = self.calls.last().expect("only a root can be the first");
            self.lower(mark, VertexId::from_raw(vertex & !NOT_ROOT), mark[v.index()], cursor);
        }
        Ok(None)
    }

    fn enter(&mut self, v: VertexId, mark: &mut [u32]) {
        debug_assert_eq!(mark[v.index()], self.unseen, "a vertex is entered once");
        mark[v.index()] = self.next_number;
        self.next_number += 1;
        self.calls.push(Call { vertex: v.raw(), cursor: 0 });
    }

    /// Stores the walk of `v`, the last call, and lowers its mark to `low` if that is less.
    fn lower(&mut self, mark: &mut [u32], v: VertexId, low: u32, cursor: u32) {
        let call = self.calls.last_mut().expect("the vertex is on the call stack");
        call.cursor = cursor;
        if low < mark[v.index()] {
            mark[v.index()] = low;
            call.vertex |= NOT_ROOT;
        }
    }
}
