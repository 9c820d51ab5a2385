//! Exchange of two neighbouring variables in place \[Rud93\].
//!
//! Only the nodes of the upper variable that have a child with the lower one are rewritten: such a node becomes a node of the
//! lower variable, over at most two new nodes of the upper one. Every node keeps its index and its function, so handles
//! and remembered results stay valid. A node that has lost its last parent is freed at once; counts of parents exist only
//! while the order is being changed. Cost: the nodes of the upper variable.

use crate::cache::Op;
use crate::edge::Edge;
use crate::store::{NO_VAR, NONE, Node, Store};

/// A store while its order changes.
///
/// Invariant: `refs[n]` is the number of parents of n, plus one if something else needs n.
#[derive(Debug)]
pub(crate) struct Exchange<'s> {
    pub(crate) store: &'s mut Store,
    refs: Vec<u32>,
    /// Nodes that were freed meanwhile, even if their place was taken again.
    freed: Vec<bool>,
    together: Together,
    /// Nodes looked at.
    pub(crate) work: usize,
}

impl<'s> Exchange<'s> {
    /// Starts with every node that is there now; what no handle reaches is kept too.
    pub(crate) fn new(store: &'s mut Store) -> Self {
        store.note_peak();
        let mut refs = vec![0; store.nodes.len()];
        // The terminal never goes.
        refs[0] = 1;
        for node in store.nodes.iter().filter(|node| node.var != NO_VAR) {
            refs[node.low.node()] += 1;
            refs[node.high.node()] += 1;
        }
        let together = Together::new(store, &refs);
        for (node, refs) in refs.iter_mut().enumerate() {
            *refs += u32::from(store.external[node] > 0 || *refs == 0);
        }
        for var in 0..store.tables.len() as u32 {
            store.shrink_table(var);
        }
        let freed = vec![false; store.nodes.len()];
        Self { store, refs, freed, together, work: 0 }
    }

    /// Drops remembered results that name freed nodes or that depend on the order.
    pub(crate) fn finish(self) {
        debug_assert!(
            self.store.var_at.iter().zip(0..).all(|(&var, level)| self.store.level_of[var as usize] == level),
            "the order is a permutation of the variables"
        );
        debug_assert_eq!(self.refs.len(), self.store.nodes.len(), "parents of every node are counted");
        let by_order = [Op::Constrain as u32, Op::Restrict as u32];
        self.store.cache.retain(|op| !by_order.contains(&op), |node| !self.freed[node]);
    }

    /// Whether it is known which variables have nothing to do with each other.
    pub(crate) fn knows_interactions(&self) -> bool {
        self.together.rows.is_some()
    }

    /// Whether some function may depend on both variables.
    pub(crate) fn interact(&self, x: u32, y: u32) -> bool {
        self.together.interact(x, y)
    }

    /// Exchanges the variables at `level` and below it.
    pub(crate) fn swap(&mut self, level: usize) {
        let (x, y) = (self.store.var_at[level], self.store.var_at[level + 1]);
        self.store.var_at.swap(level, level + 1);
        self.store.level_of[x as usize] = level as u32 + 1;
        self.store.level_of[y as usize] = level as u32;
        if !self.interact(x, y) {
            return;
        }
        for index in self.take_parents(x, y) {
            self.rewrite(index, x, y);
        }
        self.store.note_peak();
        self.store.shrink_table(x);
        self.store.shrink_table(y);
    }

    /// Takes the nodes of x that have a child with y out of their table.
    fn take_parents(&mut self, x: u32, y: u32) -> Vec<usize> {
        let store = &mut *self.store;
        let table = &mut store.tables[x as usize];
        self.work += table.heads.len() + table.count;
        let mut taken = Vec::new();
        for head in &mut table.heads {
            let mut at = std::mem::replace(head, NONE);
            while at != NONE {
                let index = at as usize;
                let Node { low, high, next, .. } = store.nodes[index];
                if store.nodes[low.node()].var == y || store.nodes[high.node()].var == y {
                    taken.push(index);
                } else {
                    store.nodes[index].next = *head;
                    *head = at;
                }
                at = next;
            }
        }
        table.count -= taken.len();
        taken
    }

    /// Makes a node of x into one of y with the same function.
    fn rewrite(&mut self, index: usize, x: u32, y: u32) {
        let Node { low, high, .. } = self.store.nodes[index];
        let ((low_low, low_high), (high_low, high_high)) = (self.halves(low, y), self.halves(high, y));
        let new_low = self.child(x, low_low, high_low);
        let new_high = self.child(x, low_high, high_high);
        debug_assert!(!new_high.is_complement(), "the high child of a high child carries no mark");
        debug_assert!(new_low != new_high, "the function depends on the lower variable");
        self.refs[new_low.node()] += 1;
        self.refs[new_high.node()] += 1;
        self.store.nodes[index] = Node { var: y, low: new_low, high: new_high, next: NONE };
        // No equal node is there: those that were there before do not depend on x.
        self.store.link(index);
        self.let_go(low);
        self.let_go(high);
    }

    fn halves(&self, edge: Edge, var: u32) -> (Edge, Edge) {
        if self.store.nodes[edge.node()].var == var { self.store.children(edge) } else { (edge, edge) }
    }

    /// The node with this variable and these children; does not look at limits, since a swap cannot be left half done.
    fn child(&mut self, var: u32, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        let mark = high.is_complement();
        let (low, high) = (low.complement_if(mark), high.complement_if(mark));
        if let Some(index) = self.store.find(var, low, high) {
            return Edge::to_node(index).complement_if(mark);
        }
        let index = self.store.place(Node { var, low, high, next: NONE });
        self.store.link(index);
        if index == self.refs.len() {
            self.refs.push(0);
            self.freed.push(false);
        } else {
            self.refs[index] = 0;
        }
        self.refs[low.node()] += 1;
        self.refs[high.node()] += 1;
        Edge::to_node(index).complement_if(mark)
    }

    /// One parent fewer.
    fn let_go(&mut self, edge: Edge) {
        if self.refs[edge.node()] > 1 {
            self.refs[edge.node()] -= 1;
            return;
        }
        let mut stack = vec![edge.node()];
        while let Some(index) = stack.pop() {
            self.refs[index] -= 1;
            if self.refs[index] == 0 {
                let Node { low, high, .. } = self.store.nodes[index];
                self.store.unlink(index);
                self.store.release(index);
                self.freed[index] = true;
                stack.extend([low.node(), high.node()]);
            }
        }
    }
}

/// Which variables occur together in some function: others can pass each other for nothing. Swaps change no function, so
/// this stays right.
#[derive(Debug)]
struct Together {
    /// One row of bits for each variable, or nothing if that would have been too costly to find out.
    rows: Option<Vec<Vec<u64>>>,
}

impl Together {
    /// Steps for each node that finding out may cost.
    const EFFORT: usize = 32;
    /// The most variables; the memory is quadratic in them.
    const VARIABLES: usize = 1 << 14;

    /// Looks at what the nodes without parents and those with handles depend on.
    fn new(store: &Store, parents: &[u32]) -> Self {
        let n_vars = store.tables.len();
        if n_vars > Self::VARIABLES {
            return Self { rows: None };
        }
        let words = n_vars.div_ceil(64);
        let mut rows = vec![vec![0u64; words]; n_vars];
        let mut seen = vec![u32::MAX; store.nodes.len()];
        let mut effort = Self::EFFORT * store.nodes.len();
        let mut stack = Vec::new();
        // A handle on a node with a parent adds nothing: the parent depends on as much.
        for root in (1..store.nodes.len()).filter(|&node| parents[node] == 0) {
            if store.nodes[root].var == NO_VAR {
                continue;
            }
            let mut support = vec![0u64; words];
            stack.push(root);
            while let Some(at) = stack.pop() {
                if at == 0 || seen[at] == root as u32 {
                    continue;
                }
                if effort == 0 {
                    return Self { rows: None };
                }
                effort -= 1;
                seen[at] = root as u32;
                let node = &store.nodes[at];
                support[node.var as usize / 64] |= 1 << (node.var % 64);
                stack.extend([node.low.node(), node.high.node()]);
            }
            for (var, row) in rows.iter_mut().enumerate() {
                if support[var / 64] >> (var % 64) & 1 == 1 {
                    row.iter_mut().zip(&support).for_each(|(row, support)| *row |= support);
                }
            }
        }
        Self { rows: Some(rows) }
    }

    fn interact(&self, x: u32, y: u32) -> bool {
        let row = self.rows.as_ref().map(|rows| &rows[x as usize]);
        row.is_none_or(|row| row[y as usize / 64] >> (y % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{FALSE, TRUE};
    use crate::store::Var;
    use tertium_support::{Context, Rng};

    /// The invariants of the store, and that counts are what they should be.
    fn check(exchange: &Exchange<'_>) {
        let store = &*exchange.store;
        let mut refs = vec![0; store.nodes.len()];
        let mut linked = 0;
        for (var, table) in store.tables.iter().enumerate() {
            let mut count = 0;
            for &head in &table.heads {
                let mut at = head;
                while at != NONE {
                    let node = store.nodes[at as usize];
                    assert_eq!(node.var, var as u32);
                    assert!(node.low != node.high && !node.high.is_complement());
                    let level = store.level_of[var];
                    assert!(level < store.level(node.low) && level < store.level(node.high));
                    assert_eq!(store.find(node.var, node.low, node.high), Some(at as usize));
                    refs[node.low.node()] += 1;
                    refs[node.high.node()] += 1;
                    count += 1;
                    at = node.next;
                }
            }
            assert_eq!(count, table.count);
            linked += count;
        }
        assert_eq!(linked + 1, store.n_nodes());
        for (node, &found) in
            refs.iter().enumerate().skip(1).filter(|&(node, _)| store.nodes[node].var != NO_VAR)
        {
            let held = exchange.refs[node] - found;
            assert!(held <= 1 && (held == 1 || store.external[node] == 0) && exchange.refs[node] > 0);
        }
    }

    #[test]
    fn swaps_keep_the_invariants_and_undo_each_other() {
        let rng = &mut Rng::seeded(5);
        for _ in 0..50 {
            let mut store = Store::new(Context::default());
            let n = rng.between(2, 7);
            for _ in 0..n {
                store.add_var();
            }
            let mut edges = vec![TRUE, FALSE];
            for _ in 0..40 {
                let var = Var(rng.below(n) as u32);
                let literal = store.literal(var).unwrap();
                let (g, h) = (*rng.pick(&edges), *rng.pick(&edges));
                let edge = store.ite(literal, g, h).unwrap();
                edges.push(edge);
            }
            for _ in 0..3 {
                store.external[rng.pick(&edges).node()] += 1;
            }
            store.collect();
            let before = store.n_nodes();
            let mut exchange = Exchange::new(&mut store);
            let levels: Vec<usize> = (0..30).map(|_| rng.below(n - 1)).collect();
            for &level in levels.iter().chain(levels.iter().rev()) {
                exchange.swap(level);
                check(&exchange);
            }
            exchange.finish();
            assert_eq!(store.n_nodes(), before);
            assert!(store.var_at.iter().zip(0..).all(|(&var, level)| var == level));
        }
    }
}
