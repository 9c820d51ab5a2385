//! Collection of nodes that no handle reaches. It runs between operations only, so operations need not protect what they
//! have just made.

use crate::edge::TRUE;
use crate::seen::Bits;
use crate::store::{NO_VAR, NONE, Store};

impl Store {
    /// Collects if there are many nodes, and plans the next time.
    pub(crate) fn collect_if_full(&mut self) {
        if self.n_nodes() > self.collect_at {
            self.collect();
            // Nodes that nothing holds are often wanted again, so few collections are best while there is room.
            let nodes = self.n_nodes();
            self.collect_at = if nodes < 2 * Self::LOOSE { (4 * nodes).max(Self::LOOSE) } else { 2 * nodes };
        }
    }

    /// Frees every node that cannot be reached from a handle.
    ///
    /// One pass over the array, from the end: the free places are then taken again in the order of memory, which keeps nodes
    /// that are made together near each other.
    pub(crate) fn collect(&mut self) {
        self.note_peak();
        let alive = self.mark();
        for table in &mut self.tables {
            table.clear();
        }
        (self.free, self.n_free) = (NONE, 0);
        for index in (1..self.nodes.len()).rev() {
            if alive.contains(index) {
                self.link(index);
            } else {
                self.release(index);
            }
        }
        self.cache.retain(|_| true, |node| alive.contains(node));
    }

    /// Puts a node that no table holds on the free list.
    pub(crate) fn release(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        node.var = NO_VAR;
        node.low = TRUE;
        node.high = TRUE;
        node.next = self.free;
        self.free = index as u32;
        self.n_free += 1;
    }

    /// Which nodes handles reach.
    fn mark(&self) -> Bits {
        let mut alive = Bits::new(self.nodes.len());
        alive.insert(0);
        let mut stack: Vec<usize> = (1..self.nodes.len()).filter(|&node| self.external[node] > 0).collect();
        stack.retain(|&node| alive.insert(node));
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at];
            stack
                .extend([node.low.node(), node.high.node()].into_iter().filter(|&child| alive.insert(child)));
        }
        alive
    }
}
