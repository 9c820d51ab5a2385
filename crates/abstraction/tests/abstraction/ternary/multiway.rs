//! Diagrams with any number K of branches at each node and terminals of any type, shared and in normal form.
//!
//! The order of the levels is fixed. A node whose K children are all
//! the same is left out, so a level that is skipped means "whatever the value". Nodes stay until [`Multiway::collect`] copies
//! what is still needed. Operations take closures, so their results are remembered only while they run.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::Hash;
use tertium_support::{Context, StopReason};

/// A node or a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ref(u32);

impl Ref {
    /// References from here on are terminals.
    const TERMINALS: u32 = 1 << 31;

    fn terminal(index: usize) -> Self {
        Self(Self::TERMINALS | index as u32)
    }

    /// The number of the terminal, if it is one.
    fn as_terminal(self) -> Option<usize> {
        (self.0 >= Self::TERMINALS).then_some((self.0 & !Self::TERMINALS) as usize)
    }
}

/// A branching. Invariant: not all children are the same, and all lie on deeper levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node<const K: usize> {
    level: u32,
    children: [Ref; K],
}

pub(crate) type Made = Result<Ref, StopReason>;
/// Results of one operation on pairs.
pub(crate) type Pairs = FxHashMap<(Ref, Ref), Ref>;

#[derive(Debug)]
pub(crate) struct Multiway<T, const K: usize> {
    nodes: IndexSet<Node<K>, FxBuildHasher>,
    terminals: IndexSet<T, FxBuildHasher>,
    context: Context,
    node_limit: usize,
    steps: u32,
}

impl<T: Eq + Hash, const K: usize> Multiway<T, K> {
    /// Steps between two looks at the clock.
    const POLL: u32 = 1 << 14;

    pub(crate) fn new(context: &Context) -> Self {
        Self {
            nodes: IndexSet::default(),
            terminals: IndexSet::default(),
            context: context.clone(),
            node_limit: Ref::TERMINALS as usize,
            steps: 0,
        }
    }

    pub(crate) fn set_node_limit(&mut self, nodes: usize) {
        self.node_limit = nodes.min(Ref::TERMINALS as usize);
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn terminal(&mut self, value: T) -> Ref {
        Ref::terminal(self.terminals.insert_full(value).0)
    }

    /// The value of a terminal.
    pub(crate) fn value(&self, f: Ref) -> Option<&T> {
        f.as_terminal().map(|index| &self.terminals[index])
    }

    /// The level of a node, and beyond all levels for a terminal.
    pub(crate) fn level(&self, f: Ref) -> u32 {
        if f.as_terminal().is_some() { u32::MAX } else { self.nodes[f.0 as usize].level }
    }

    /// What remains of f for each value at `level`, which is at or above it.
    pub(crate) fn branches(&self, f: Ref, level: u32) -> [Ref; K] {
        if self.level(f) == level { self.nodes[f.0 as usize].children } else { [f; K] }
    }

    /// The function that branches at `level`, above all children.
    pub(crate) fn make(&mut self, level: u32, children: [Ref; K]) -> Made {
        debug_assert!(children.iter().all(|&child| level < self.level(child)), "children lie deeper");
        if children.iter().all(|&child| child == children[0]) {
            return Ok(children[0]);
        }
        let node = Node { level, children };
        if let Some(index) = self.nodes.get_index_of(&node) {
            return Ok(Ref(index as u32));
        }
        if self.nodes.len() >= self.node_limit {
            return Err(StopReason::NodeLimit);
        }
        Ok(Ref(self.nodes.insert_full(node).0 as u32))
    }

    /// Counts a step of an operation and looks at the clock now and then.
    pub(crate) fn step(&mut self) -> Result<(), StopReason> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(Self::POLL) { self.context.poll() } else { Ok(()) }
    }

    /// The value at the point with these branches.
    pub(crate) fn eval(&self, mut f: Ref, branch: impl Fn(u32) -> usize) -> &T {
        loop {
            match self.value(f) {
                Some(value) => return value,
                None => f = self.nodes[f.0 as usize].children[branch(self.level(f))],
            }
        }
    }

    /// Every value through `op`.
    pub(crate) fn map(
        &mut self,
        f: Ref,
        op: &mut impl FnMut(&T) -> T,
        known: &mut FxHashMap<Ref, Ref>,
    ) -> Made {
        if let Some(&known) = known.get(&f) {
            return Ok(known);
        }
        let result = if let Some(value) = self.value(f) {
            let value = op(value);
            self.terminal(value)
        } else {
            self.step()?;
            let level = self.level(f);
            let mut children = self.branches(f, level);
            for child in &mut children {
                *child = self.map(*child, op, known)?;
            }
            self.make(level, children)?
        };
        known.insert(f, result);
        Ok(result)
    }

    /// Both values through `op`, at every point.
    pub(crate) fn apply(
        &mut self,
        f: Ref,
        g: Ref,
        op: &mut impl FnMut(&T, &T) -> T,
        known: &mut Pairs,
    ) -> Made {
        if let Some(&known) = known.get(&(f, g)) {
            return Ok(known);
        }
        let result = if let (Some(x), Some(y)) = (self.value(f), self.value(g)) {
            let value = op(x, y);
            self.terminal(value)
        } else {
            self.step()?;
            let level = self.level(f).min(self.level(g));
            let (mut children, others) = (self.branches(f, level), self.branches(g, level));
            for (child, other) in children.iter_mut().zip(others) {
                *child = self.apply(*child, other, op, known)?;
            }
            self.make(level, children)?
        };
        known.insert((f, g), result);
        Ok(result)
    }

    /// Calls `visit` once for every node and terminal of f.
    pub(crate) fn visit(&self, f: Ref, mut visit: impl FnMut(Ref)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![f];
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                visit(at);
                if at.as_terminal().is_none() {
                    stack.extend(self.nodes[at.0 as usize].children);
                }
            }
        }
    }

    /// Keeps only what these diagrams reach, and renames them.
    pub(crate) fn collect<'r>(&mut self, keep: impl IntoIterator<Item = &'r mut Ref>) {
        let keep: Vec<&mut Ref> = keep.into_iter().collect();
        let mut needed = vec![false; self.nodes.len()];
        let mut stack: Vec<Ref> = keep.iter().map(|f| **f).collect();
        while let Some(at) = stack.pop() {
            if at.as_terminal().is_none() && !std::mem::replace(&mut needed[at.0 as usize], true) {
                stack.extend(self.nodes[at.0 as usize].children);
            }
        }
        // Children are made before their parents, so one pass in the order of numbers is enough.
        let old = std::mem::take(&mut self.nodes);
        let mut new: Vec<Ref> = Vec::with_capacity(old.len());
        let renamed = |new: &[Ref], f: Ref| if f.as_terminal().is_some() { f } else { new[f.0 as usize] };
        for (node, needed) in old.into_iter().zip(needed) {
            let children = node.children.map(|child| renamed(&new, child));
            let index = if needed { self.nodes.insert_full(Node { children, ..node }).0 } else { 0 };
            new.push(Ref(index as u32));
        }
        keep.into_iter().for_each(|f| *f = renamed(&new, *f));
    }
}
