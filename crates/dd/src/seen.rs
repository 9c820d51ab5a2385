//! A set of nodes for walks over diagrams.

/// A set of nodes that is emptied by counting up, kept so that walks over diagrams need not make one.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    stamps: Vec<u32>,
    now: u32,
}

impl Seen {
    /// Empties the set and makes room for this many nodes.
    pub(crate) fn start(&mut self, nodes: usize) {
        if self.now == u32::MAX {
            self.stamps.clear();
            self.now = 0;
        }
        self.now += 1;
        if self.stamps.len() < nodes {
            self.stamps.resize(nodes, 0);
        }
    }

    /// Whether the node is new.
    #[inline]
    pub(crate) fn insert(&mut self, node: usize) -> bool {
        std::mem::replace(&mut self.stamps[node], self.now) != self.now
    }
}
