//! Strongly connected components of an arena, one at a time, targets before sources.
//!
//! Tarjan's search in the one-array form of [Pea16]: `mark[v]` is the least number reachable inside the open part,
//! starting from the number of `v` itself; a vertex whose mark never sank below its number is the root of its
//! component. A vertex lies either on the call stack (8 bytes) or, finished, on the component stack (4 bytes), so the
//! search needs at most 12 bytes per vertex with its mark, and no recursion. Linear time.

use super::{Arena, VertexId};
use tertium_support::{Id, StopReason, Ticker};

/// Marks of vertices in components that were handed out are at least this; below it marks belong to the search.
pub(super) const FINISHED: u32 = 1 << 31;
const UNSEEN: u32 = 0;
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
    next_number: u32,
    next_start: usize,
}

impl Components {
    /// A decomposition about to start. All marks must be 0.
    pub(super) fn new() -> Self {
        Self { calls: Vec::new(), finished: Vec::new(), next_number: 1, next_start: 0 }
    }

    /// Searches until the next component is complete, gives it to `take` and forgets it; `false` when none is left.
    /// `take` must leave every mark of the component at [`FINISHED`] or above, and all other marks alone.
    pub(super) fn next<A: Arena>(
        &mut self,
        arena: &A,
        mark: &mut [u32],
        ticker: &mut Ticker<'_>,
        take: impl FnOnce(&mut [u32], &mut [VertexId], &mut Ticker<'_>) -> Result<(), StopReason>,
    ) -> Result<bool, StopReason> {
        loop {
            if self.calls.is_empty() {
                while self.next_start < mark.len() && mark[self.next_start] != UNSEEN {
                    self.next_start += 1;
                }
                if self.next_start == mark.len() {
                    return Ok(false);
                }
                self.enter(VertexId::new(self.next_start), mark);
            }
            if let Some(root) = self.advance(arena, mark, ticker)? {
                let low = mark[root.index()];
                let first = self.finished.iter().rposition(|w| mark[w.index()] < low).map_or(0, |at| at + 1);
                self.finished.push(root);
                take(mark, &mut self.finished[first..], ticker)?;
                self.finished.truncate(first);
                return Ok(true);
            }
        }
    }

    /// Searches until some vertex turns out to be a root, or the call stack is empty.
    fn advance<A: Arena>(
        &mut self,
        arena: &A,
        mark: &mut [u32],
        ticker: &mut Ticker<'_>,
    ) -> Result<Option<VertexId>, StopReason> {
        while let Some(Call { vertex, cursor }) = self.calls.last().copied() {
            let v = VertexId::from_raw(vertex & !NOT_ROOT);
            let mut low = mark[v.index()];
            let mut at = cursor;
            let mut child = None;
            while let Some((w, after)) = arena.next_successor(v, at) {
                at = after;
                match mark[w.index()] {
                    UNSEEN => {
                        child = Some(w);
                        break;
                    }
                    other => low = low.min(other),
                }
            }
            ticker.tick((at - cursor) as usize + 1)?;
            self.lower(mark, v, low, at);
            if let Some(w) = child {
                self.enter(w, mark);
                continue;
            }
            let done = self.calls.pop().expect("the loop looked at it");
            // The parent walked on behind `v` already: the mark of `v` reaches it here.
            if let Some(&Call { vertex, cursor }) = self.calls.last() {
                let parent = VertexId::from_raw(vertex & !NOT_ROOT);
                if done.vertex & NOT_ROOT != 0 {
                    self.lower(mark, parent, mark[v.index()], cursor);
                }
            }
            if done.vertex & NOT_ROOT == 0 {
                return Ok(Some(v));
            }
            self.finished.push(v);
        }
        Ok(None)
    }

    fn enter(&mut self, v: VertexId, mark: &mut [u32]) {
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
