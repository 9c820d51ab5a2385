//! Sets of nodes: one for walks over diagrams, one of bits for collections.

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

/// A set of nodes, one bit each: small enough to stay near while the whole cache is looked through.
#[derive(Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(nodes: usize) -> Self {
        Self(vec![0; nodes.div_ceil(64)])
    }

    #[inline]
    pub(crate) fn contains(&self, node: usize) -> bool {
        self.0[node / 64] >> (node % 64) & 1 == 1
    }

    /// Whether the node is new.
    #[inline]
    pub(crate) fn insert(&mut self, node: usize) -> bool {
        let word = &mut self.0[node / 64];
        let old = *word;
        *word |= 1 << (node % 64);
        *word != old
    }
}
