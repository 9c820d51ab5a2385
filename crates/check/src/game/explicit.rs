//! Parity games that store their edges: compressed rows in both directions, 8 bytes per edge and 13 per vertex.

use super::{Arena, Player, VertexId};
use tertium_support::Id;

/// An explicit parity game. Invariant: rows are sorted by construction order of the edges, and `pred` is the
/// transpose of `succ`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityGame {
    priority: Vec<u32>,
    owner: Vec<Player>,
    succ: Rows,
    pred: Rows,
    names: Option<Vec<Box<str>>>,
}

/// Lists of vertices, one per vertex, stored back to back. Row `v` is `items[start[v]..start[v + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows {
    start: Vec<u32>,
    items: Vec<VertexId>,
}

impl ParityGame {
    /// The game with these vertices (priority and owner each) and edges. Successors keep the order of `edges`.
    ///
    /// Panics if an edge leaves the vertices, or if there are 2³¹ vertices or 2³² edges or more.
    pub fn new(vertices: &[(u32, Player)], edges: &[(VertexId, VertexId)]) -> Self {
        let n = vertices.len();
        assert!(n < 1 << 31, "a game has fewer than 2^31 vertices");
        Self {
            priority: vertices.iter().map(|&(priority, _)| priority).collect(),
            owner: vertices.iter().map(|&(_, owner)| owner).collect(),
            succ: Rows::collect(n, || edges.iter().copied()),
            pred: Rows::collect(n, || edges.iter().map(|&(v, w)| (w, v))),
            names: None,
        }
    }

    /// The same game with a name for each vertex; an empty name stands for none.
    ///
    /// Panics if the number of names is not the number of vertices.
    pub fn with_names(mut self, names: Vec<Box<str>>) -> Self {
        assert_eq!(names.len(), self.n_vertices(), "one name per vertex");
        self.names = names.iter().any(|name| !name.is_empty()).then_some(names);
        self
    }

    /// How many edges there are, counting repeated ones.
    pub fn n_edges(&self) -> usize {
        self.succ.items.len()
    }

    /// How many different priorities there are.
    pub fn n_priorities(&self) -> usize {
        let mut seen = self.priority.clone();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }

    /// The successors of `v` as a slice.
    pub fn row(&self, v: VertexId) -> &[VertexId] {
        self.succ.row(v)
    }

    /// The name of `v`, if it has one.
    pub fn name(&self, v: VertexId) -> Option<&str> {
        let name = self.names.as_ref()?[v.index()].as_ref();
        (!name.is_empty()).then_some(name)
    }
}

impl Rows {
    /// The pairs as rows, by counting: `pairs` is walked twice.
    fn collect<I: Iterator<Item = (VertexId, VertexId)>>(n: usize, pairs: impl Fn() -> I) -> Self {
        let mut start = vec![0u32; n + 1];
        let mut total = 0usize;
        for (from, to) in pairs() {
            assert!(from.index() < n && to.index() < n, "an edge joins vertices of the game");
            start[from.index() + 1] += 1;
            total += 1;
        }
        assert!(u32::try_from(total).is_ok(), "a game has fewer than 2^32 edges");
        for v in 0..n {
            start[v + 1] += start[v];
        }
        let mut items = vec![VertexId::from_raw(0); total];
        // `start[v]` serves as the place of the next item and ends as the start of row `v + 1`: shift it back after.
        for (from, to) in pairs() {
            let place = &mut start[from.index()];
            items[*place as usize] = to;
            *place += 1;
        }
        debug_assert!(start.is_sorted() && start[n] as usize == total, "rows are full and lie back to back");
        start.copy_within(0..n, 1);
        start[0] = 0;
        Self { start, items }
    }

    #[inline]
    fn row(&self, v: VertexId) -> &[VertexId] {
        &self.items[self.start[v.index()] as usize..self.start[v.index() + 1] as usize]
    }
}

impl Arena for ParityGame {
    fn n_vertices(&self) -> usize {
        self.priority.len()
    }

    #[inline]
    fn owner(&self, v: VertexId) -> Player {
        self.owner[v.index()]
    }

    #[inline]
    fn priority(&self, v: VertexId) -> u32 {
        self.priority[v.index()]
    }

    #[inline]
    fn next_successor(&self, v: VertexId, cursor: u32) -> Option<(VertexId, u32)> {
        self.succ.row(v).get(cursor as usize).map(|&w| (w, cursor + 1))
    }

    #[inline]
    fn find_successor(
        &self,
        v: VertexId,
        cursor: u32,
        mut test: impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, u32)> {
        let row = self.succ.row(v);
        let at = cursor as usize + row.get(cursor as usize..)?.iter().position(|&w| test(w))?;
        Some((row[at], at as u32 + 1))
    }

    #[inline]
    fn predecessors(&self, v: VertexId, visit: impl FnMut(VertexId)) {
        self.pred.row(v).iter().copied().for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_of_edges_and_both_directions_agree() {
        let v = VertexId::from_raw;
        let game = ParityGame::new(
            &[(0, Player::Even), (3, Player::Odd), (1, Player::Even)],
            &[(v(0), v(2)), (v(2), v(2)), (v(0), v(1)), (v(2), v(0)), (v(0), v(2))],
        );
        assert_eq!(game.row(v(0)), [v(2), v(1), v(2)]);
        assert_eq!(game.successors(v(2)).collect::<Vec<_>>(), [v(2), v(0)]);
        assert_eq!(game.successors(v(1)).next(), None);
        let mut before = Vec::new();
        game.predecessors(v(2), |u| before.push(u));
        assert_eq!(before, [v(0), v(2), v(0)]);
        assert_eq!((game.n_edges(), game.n_priorities()), (5, 3));
    }
}
