//! The nodes of all diagrams of one manager, and the order of the variables.
//!
//! Invariants: no node has equal children; the high child carries no complement mark; no two live nodes are equal (one
//! hash table per variable, so that reordering can find the nodes of a level); children lie on deeper levels. A node is 16
//! bytes, with 4 more for the handles that hold it from outside.

use crate::cache::Cache;
use crate::edge::{Edge, FALSE, TRUE};
use crate::rename::Renamings;
use crate::seen::Seen;
use crate::table::Table;
use std::cell::RefCell;
use tertium_support::{Context, Measure, StopReason};

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

/// Why an operation broke off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// For good.
    Stopped(StopReason),
    /// There are so many nodes that the order should be improved before the operation is tried again.
    Reorder,
    /// The allowance of steps is used up.
    Spent,
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
    pub(crate) seen: RefCell<Seen>,
    pub(crate) context: Context,
    pub(crate) renamings: Renamings,
    /// More nodes than this are collected at the next operation.
    pub(crate) collect_at: usize,
    /// As many nodes as this ask for a better order, if that is wanted.
    pub(crate) reorder_at: Option<usize>,
    /// The least that `reorder_at` ever is.
    pub(crate) reorder_first: Option<usize>,
    /// Variables with the same number stay next to each other.
    pub(crate) group_of: Vec<u32>,
    pub(crate) node_limit: usize,
    /// As many nodes as this make the array grow.
    check_at: usize,
    /// The least of the bounds on nodes.
    alarm: usize,
    peak: usize,
    /// How many steps operations have taken.
    pub(crate) steps: u64,
    /// At this many steps operations end, and until then the order stays, if there is an allowance.
    pub(crate) last_step: Option<u64>,
}

impl Store {
    /// Steps between two looks at the clock and the memory.
    const POLL: u64 = 1 << 16;
    /// With fewer nodes than this, a collection would cost more in forgotten results than it frees.
    pub(crate) const LOOSE: usize = 1 << 20;
    /// With fewer nodes than this, memory does not matter.
    const FIRST_CHECK: usize = 1 << 14;
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
            seen: RefCell::default(),
            context,
            renamings: Renamings::default(),
            collect_at: Self::LOOSE,
            reorder_at: None,
            reorder_first: None,
            group_of: Vec::new(),
            node_limit: Self::MOST,
            check_at: Self::FIRST_CHECK,
            alarm: Self::FIRST_CHECK,
            peak: 1,
            steps: 0,
            last_step: None,
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
        debug_assert!(!edge.is_terminal(), "only inner nodes have children");
        let node = &self.nodes[edge.node()];
        let mark = edge.is_complement();
        (node.low.complement_if(mark), node.high.complement_if(mark))
    }

    /// Both cofactors by the variable at `level`, which is at or above the edge.
    #[inline]
    pub(crate) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        debug_assert!(level <= self.level(edge), "the level is at or above the edge");
        if self.level(edge) == level { self.children(edge) } else { (edge, edge) }
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
        debug_assert!(
            self.level_of[var as usize] < self.level(low).min(self.level(high)),
            "children lie on deeper levels"
        );
        debug_assert!(low != high && !high.is_complement(), "nodes are in normal form");
        if let Some(index) = self.find(var, low, high) {
            return Ok(Edge::to_node(index));
        }
        self.watch()?;
        let index = self.place(Node { var, low, high, next: NONE });
        self.link(index);
        Ok(Edge::to_node(index))
    }

    /// Looks at the limits before a node is added.
    #[inline]
    fn watch(&mut self) -> Result<(), Halt> {
        if self.n_nodes() >= self.alarm { self.react() } else { Ok(()) }
    }

    /// There are so many nodes that something has to be done.
    #[cold]
    fn react(&mut self) -> Result<(), Halt> {
        let nodes = self.n_nodes();
        if nodes >= self.node_limit {
            return Err(StopReason::NodeLimit.into());
        }
        if self.reorder_at.is_some_and(|bound| nodes >= bound) {
            return Err(if self.last_step.is_some() { Halt::Spent } else { Halt::Reorder });
        }
        // The array of nodes doubles at powers of two, and the cache follows it.
        self.context.reserve((size_of::<Node>() + size_of::<u32>()) as u64 * nodes as u64)?;
        self.cache.fit(nodes, &self.context);
        self.check_at = (nodes + 1).next_power_of_two();
        self.set_alarm();
        Ok(())
    }

    /// To be called when one of the bounds has changed.
    pub(crate) fn set_alarm(&mut self) {
        self.alarm = self.check_at.min(self.reorder_at.unwrap_or(usize::MAX)).min(self.node_limit);
    }

    /// Counts a step of an operation and looks at the clock now and then. Operations call it also where they make no node.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(Self::POLL) { self.look_up() } else { Ok(()) }
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Halt> {
        // A step takes several times as long as a unit of work elsewhere.
        self.context.spend(8 * Self::POLL)?;
        self.context.progress().count(Measure::Nodes, self.n_nodes());
        self.context.poll()?;
        self.cache.fit(self.n_nodes(), &self.context);
        if self.last_step.is_some_and(|last| self.steps >= last) { Err(Halt::Spent) } else { Ok(()) }
    }

    /// Puts a node into the array; the caller puts it into a table.
    pub(crate) fn place(&mut self, node: Node) -> usize {
        if self.free == NONE {
            self.nodes.push(node);
            self.external.push(0);
            self.nodes.len() - 1
        } else {
            let index = self.free as usize;
            debug_assert_eq!(self.nodes[index].var, NO_VAR, "what is free is no node");
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

    /// The function of one variable.
    pub(crate) fn literal(&mut self, var: Var) -> Made {
        self.make(var.0, FALSE, TRUE)
    }
}
