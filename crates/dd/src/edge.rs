//! Edges: a node and a complement mark.
//!
//! With complement marks a function and its negation share all nodes, and negation costs nothing \[BRB90\].

/// An edge to a node. The lowest bit says that the function is the negation of the node's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(u32);

/// The function that is true everywhere: the plain edge to the only terminal.
pub(crate) const TRUE: Edge = Edge(0);
/// The function that is false everywhere.
pub(crate) const FALSE: Edge = Edge(1);

impl Edge {
    /// How many bits an edge uses: the cache keeps operation codes in the others.
    pub(crate) const BITS: u32 = 29;

    pub(crate) fn to_node(node: usize) -> Self {
        Self((node as u32) << 1)
    }

    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn is_terminal(self) -> bool {
        self.0 <= 1
    }

    /// The same node without the mark.
    #[inline]
    pub(crate) fn plain(self) -> Self {
        Self(self.0 & !1)
    }

    /// The edge, complemented if `mark`.
    #[inline]
    pub(crate) fn complement_if(self, mark: bool) -> Self {
        Self(self.0 ^ u32::from(mark))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}
