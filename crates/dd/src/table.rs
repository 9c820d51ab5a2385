//! One hash table of nodes for each variable, so that reordering finds the nodes of a level.
//!
//! Chains run through the nodes themselves. There are at least as many chains as nodes, so finding a node takes one look into
//! the table and about one at a node.

use crate::edge::Edge;
use crate::store::{NONE, Store};

/// The nodes of one variable.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) heads: Vec<u32>,
    pub(crate) count: usize,
}

impl Table {
    const SMALLEST: usize = 16;

    pub(crate) fn new() -> Self {
        Self { heads: vec![NONE; Self::SMALLEST], count: 0 }
    }

    /// Forgets all nodes but keeps the room for them.
    pub(crate) fn clear(&mut self) {
        self.heads.fill(NONE);
        self.count = 0;
    }
}

impl Store {
    /// Neighbours as low children give neighbouring slots: nodes made one after the other are often near each other, and so are
    /// then their slots in memory. The high child spreads them.
    #[inline]
    pub(crate) fn hash(low: Edge, high: Edge) -> usize {
        // The high child has no mark, so there is room for that of the low one.
        let key = u64::from(high.raw() | low.raw() & 1);
        low.node() + (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
    }

    /// The node with this variable and these children.
    #[inline]
    pub(crate) fn find(&self, var: u32, low: Edge, high: Edge) -> Option<usize> {
        let table = &self.tables[var as usize];
        let mut at = table.heads[Self::hash(low, high) & (table.heads.len() - 1)];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.low == low && node.high == high {
                return Some(at as usize);
            }
            at = node.next;
        }
        None
    }

    /// Puts a node into the table of its variable, where no equal one is.
    #[inline]
    pub(crate) fn link(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let var = node.var;
        let table = &mut self.tables[var as usize];
        let slot = Self::hash(node.low, node.high) & (table.heads.len() - 1);
        node.next = std::mem::replace(&mut table.heads[slot], index as u32);
        table.count += 1;
        if table.count > table.heads.len() {
            self.resize_table(var);
        }
    }

    /// Takes a node out of the table of its variable.
    pub(crate) fn unlink(&mut self, index: usize) {
        let node = self.nodes[index];
        let table = &mut self.tables[node.var as usize];
        let slot = Self::hash(node.low, node.high) & (table.heads.len() - 1);
        table.count -= 1;
        if table.heads[slot] == index as u32 {
            table.heads[slot] = node.next;
            return;
        }
        let mut at = table.heads[slot] as usize;
        while self.nodes[at].next != index as u32 {
            at = self.nodes[at].next as usize;
        }
        self.nodes[at].next = node.next;
    }

    /// Gives the table of a variable room for its nodes.
    pub(crate) fn resize_table(&mut self, var: u32) {
        let table = &mut self.tables[var as usize];
        let room = table.count.next_power_of_two().max(Table::SMALLEST);
        let old = std::mem::replace(&mut table.heads, vec![NONE; room]);
        for mut at in old {
            while at != NONE {
                let node = self.nodes[at as usize];
                let slot = Self::hash(node.low, node.high) & (room - 1);
                self.nodes[at as usize].next = table.heads[slot];
                table.heads[slot] = at;
                at = node.next;
            }
        }
    }

    /// Gives back the room of a table that has become much too large.
    pub(crate) fn shrink_table(&mut self, var: u32) {
        let table = &self.tables[var as usize];
        if table.heads.len() > Table::SMALLEST && table.heads.len() > 8 * table.count {
            self.resize_table(var);
        }
    }
}
