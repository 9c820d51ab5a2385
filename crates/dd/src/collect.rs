//! Collection of nodes that no handle reaches. It runs between operations only, so operations need not protect what they
//! have just made.

use crate::edge::TRUE;
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
    pub(crate) fn collect(&mut self) {
        self.note_peak();
        let alive = self.mark();
        for var in 0..self.tables.len() {
            let mut heads = std::mem::take(&mut self.tables[var].heads);
            let mut count = 0;
            for head in &mut heads {
                let mut at = std::mem::replace(head, NONE);
                while at != NONE {
                    let index = at as usize;
                    at = self.nodes[index].next;
                    if alive[index] {
                        self.nodes[index].next = *head;
                        *head = index as u32;
                        count += 1;
                    } else {
                        self.release(index);
                    }
                }
            }
            self.tables[var].heads = heads;
            self.tables[var].count = count;
        }
        self.cache.retain(|_| true, |node| alive[node]);
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
    pub(crate) fn mark(&self) -> Vec<bool> {
        let mut alive = vec![false; self.nodes.len()];
        alive[0] = true;
        let mut stack: Vec<usize> = (1..self.nodes.len()).filter(|&node| self.external[node] > 0).collect();
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut alive[at], true) {
                let node = &self.nodes[at];
                stack.extend([node.low.node(), node.high.node()].into_iter().filter(|&child| !alive[child]));
            }
        }
        alive
    }
}
