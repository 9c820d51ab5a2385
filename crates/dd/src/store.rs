//! The nodes of all diagrams of one manager, and the order of the variables.
//!
//! Invariants: no node has equal children; the high child carries no complement mark; no two live nodes are equal (one
//! hash table per variable, so that reordering can find the nodes of a level); children lie on deeper levels. A node is 16
//! bytes, with 4 more for the handles that hold it from outside.

use crate::cache::Cache;
use crate::edge::{Edge, FALSE, TRUE};
use tertium_support::{Context, StopReason};

/// A variable. Its place in the order may change, its number does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub(crate) u32);

impl Var {
    /// Variables are numbered in the order in which they were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node: the end of a chain.
pub(crate) const NONE: u32 = u32::MAX;
/// The level of the terminal, below all variables.
pub(crate) const BOTTOM: u32 = u32::MAX;
/// The variable number of the terminal and of free nodes.
pub(crate) const NO_VAR: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) var: u32,
    pub(crate) low: Edge,
    pub(crate) high: Edge,
    /// The next node of the same hash chain, or of the free list.
    pub(crate) next: u32,
}

/// The nodes of one variable.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) heads: Vec<u32>,
    pub(crate) count: usize,
}

impl Table {
    const SMALLEST: usize = 16;

    fn new() -> Self {
        Self { heads: vec![NONE; Self::SMALLEST], count: 0 }
    }
}

/// Why an operation broke off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// For good.
    Stopped(StopReason),
    /// There are so many nodes that the order should be improved before the operation is tried again.
    Reorder,
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Halt::Stopped(reason)
    }
}

pub(crate) type Made = Result<Edge, Halt>;

#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) nodes: Vec<Node>,
    pub(crate) free: u32,
    pub(crate) n_free: usize,
    pub(crate) tables: Vec<Table>,
    pub(crate) level_of: Vec<u32>,
    pub(crate) var_at: Vec<u32>,
    /// How many handles hold each node.
    pub(crate) external: Vec<u32>,
    pub(crate) cache: Cache,
    pub(crate) context: Context,
    pub(crate) renamings: Vec<Vec<u32>>,
    /// More nodes than this are collected at the next operation.
    pub(crate) collect_at: usize,
    /// As many nodes as this ask for a better order, if that is wanted.
    pub(crate) reorder_at: Option<usize>,
    /// The least that `reorder_at` ever is.
    pub(crate) reorder_first: Option<usize>,
    /// Variables with the same number stay next to each other.
    pub(crate) group_of: Vec<u32>,
    pub(crate) node_limit: usize,
    peak: usize,
    steps: u32,
}

impl Store {
    /// Steps between two looks at the clock and the memory.
    const POLL: u32 = 1 << 16;
    /// What edges can address.
    pub(crate) const MOST: usize = 1 << (Edge::BITS - 1);

    pub(crate) fn new(context: Context) -> Self {
        let terminal = Node { var: NO_VAR, low: TRUE, high: TRUE, next: NONE };
        Self {
            nodes: vec![terminal],
            free: NONE,
            n_free: 0,
            tables: Vec::new(),
            level_of: Vec::new(),
            var_at: Vec::new(),
            external: vec![1],
            cache: Cache::new(),
            context,
            renamings: Vec::new(),
            collect_at: 1 << 16,
            reorder_at: None,
            reorder_first: None,
            group_of: Vec::new(),
            node_limit: Self::MOST,
            peak: 1,
            steps: 0,
        }
    }

    /// A new variable at the end of the order.
    pub(crate) fn add_var(&mut self) -> Var {
        let var = self.tables.len() as u32;
        self.tables.push(Table::new());
        self.level_of.push(self.var_at.len() as u32);
        self.var_at.push(var);
        self.group_of.push(var);
        Var(var)
    }

    /// Nodes in use, some of which may be unreachable until the next collection.
    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len() - self.n_free
    }

    #[inline]
    pub(crate) fn level(&self, edge: Edge) -> u32 {
        let var = self.nodes[edge.node()].var;
        if var == NO_VAR { BOTTOM } else { self.level_of[var as usize] }
    }

    /// Both cofactors by the variable of the node; the edge must not be terminal.
    #[inline]
    pub(crate) fn children(&self, edge: Edge) -> (Edge, Edge) {
        let node = &self.nodes[edge.node()];
        let mark = edge.is_complement();
        (node.low.complement_if(mark), node.high.complement_if(mark))
    }

    /// Both cofactors by the variable at `level`, which is at or above the edge.
    #[inline]
    pub(crate) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        if self.level(edge) == level { self.children(edge) } else { (edge, edge) }
    }

    pub(crate) fn hash(low: Edge, high: Edge) -> usize {
        let mixed = (u64::from(low.raw()) << 32 | u64::from(high.raw())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize
    }

    /// The function `if var then high else low`; both children lie below the variable.
    #[inline]
    pub(crate) fn make(&mut self, var: u32, low: Edge, high: Edge) -> Made {
        if low == high {
            return Ok(low);
        }
        let mark = high.is_complement();
        let made = self.find_or_add(var, low.complement_if(mark), high.complement_if(mark))?;
        Ok(made.complement_if(mark))
    }

    fn find_or_add(&mut self, var: u32, low: Edge, high: Edge) -> Made {
        if let Some(index) = self.find(var, low, high) {
            return Ok(Edge::to_node(index));
        }
        self.watch()?;
        let index = self.place(Node { var, low, high, next: NONE });
        self.link(index);
        Ok(Edge::to_node(index))
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
        if table.count > 2 * table.heads.len() {
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

    /// Looks at the limits before a node is added.
    #[inline]
    fn watch(&mut self) -> Result<(), Halt> {
        let nodes = self.n_nodes();
        if nodes >= self.node_limit {
            return Err(StopReason::NodeLimit.into());
        }
        if self.reorder_at.is_some_and(|bound| nodes >= bound) {
            return Err(Halt::Reorder);
        }
        if self.free == NONE && self.nodes.len() == self.nodes.capacity() && self.nodes.len() > 1 << 20 {
            self.context.reserve(20 * self.nodes.len() as u64)?;
        }
        Ok(())
    }

    /// Counts a step of an operation and looks at the clock now and then. Operations call it also where they make no node.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Halt> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(Self::POLL) {
            self.context.poll()?;
            self.cache.fit(self.n_nodes(), &self.context);
        }
        Ok(())
    }

    /// Puts a node into the array; the caller puts it into a table.
    pub(crate) fn place(&mut self, node: Node) -> usize {
        if self.free == NONE {
            self.nodes.push(node);
            self.external.push(0);
            self.nodes.len() - 1
        } else {
            let index = self.free as usize;
            self.free = self.nodes[index].next;
            self.n_free -= 1;
            self.nodes[index] = node;
            index
        }
    }

    /// The most nodes there ever were at once.
    pub(crate) fn peak(&self) -> usize {
        self.peak.max(self.n_nodes())
    }

    /// Remembers how many nodes there are, before some are freed.
    pub(crate) fn note_peak(&mut self) {
        self.peak = self.peak();
    }

    /// Gives the table of a variable room for its nodes.
    pub(crate) fn resize_table(&mut self, var: u32) {
        let table = &mut self.tables[var as usize];
        let room = (2 * table.count).next_power_of_two().max(Table::SMALLEST);
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

    /// The function of one variable.
    pub(crate) fn literal(&mut self, var: Var) -> Made {
        self.make(var.0, FALSE, TRUE)
    }
}
