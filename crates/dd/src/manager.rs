//! The manager: makes variables and constants, holds the limits.

use crate::bdd::Bdd;
use crate::edge::{Edge, FALSE, TRUE};
use crate::rename::Renamed;
use crate::store::{Halt, Made, Store, Var};
use std::cell::RefCell;
use std::rc::Rc;
use tertium_support::{Context, StopReason};

/// Owner of the nodes of many diagrams. Clones are the same manager.
#[derive(Clone, Debug)]
pub struct Manager(pub(crate) Rc<RefCell<Store>>);

/// A set of variables, to quantify over.
#[derive(Clone, Debug)]
pub struct VarSet(pub(crate) Bdd);

/// A map from variables to variables.
#[derive(Clone, Copy, Debug)]
pub struct Renaming(pub(crate) u32);

impl Manager {
    /// An empty manager whose operations end when the limits of `context` are reached.
    pub fn new(context: &Context) -> Self {
        Self(Rc::new(RefCell::new(Store::new(context.clone()))))
    }

    /// From now on at most this many nodes; reaching it is an error of the operation.
    pub fn set_node_limit(&self, nodes: usize) {
        let mut store = self.0.borrow_mut();
        store.node_limit = nodes.min(Store::MOST);
        store.set_alarm();
    }

    /// From now on the limits of this context.
    pub fn set_context(&self, context: &Context) {
        self.0.borrow_mut().context = context.clone();
    }

    /// A new variable, last in the order.
    pub fn add_var(&self) -> Var {
        self.0.borrow_mut().add_var()
    }

    /// New variables, before all others in the order. Nothing depends on them yet, so that costs nothing, and groups among the
    /// others stay together.
    pub fn add_first_vars(&self, n: usize) -> Result<Vec<Var>, StopReason> {
        let others = self.order();
        let new: Vec<Var> = (0..n).map(|_| self.add_var()).collect();
        self.set_order(&[new.as_slice(), &others].concat())?;
        Ok(new)
    }

    /// How many variables there are.
    pub fn n_vars(&self) -> usize {
        self.0.borrow().tables.len()
    }

    /// The variables, first in the order first.
    pub fn order(&self) -> Vec<Var> {
        self.0.borrow().var_at.iter().map(|&var| Var(var)).collect()
    }

    /// The place of a variable in the order.
    pub fn level(&self, var: Var) -> usize {
        self.0.borrow().level_of[var.index()] as usize
    }

    /// The function that is true, or false, everywhere.
    pub fn constant(&self, value: bool) -> Bdd {
        self.hold(if value { TRUE } else { FALSE })
    }

    /// True where the variable is.
    pub fn var(&self, var: Var) -> Result<Bdd, StopReason> {
        self.run(|store| store.literal(var))
    }

    /// The set of these variables.
    pub fn var_set(&self, vars: impl IntoIterator<Item = Var>) -> Result<VarSet, StopReason> {
        let mut vars: Vec<Var> = vars.into_iter().collect();
        let edge = self.run(|store| {
            vars.sort_by_key(|var| std::cmp::Reverse(store.level_of[var.index()]));
            vars.dedup();
            vars.iter().try_fold(TRUE, |below, var| store.make(var.0, FALSE, below))
        })?;
        Ok(VarSet(edge))
    }

    /// The map that takes each first variable to its second and leaves the others. No variable may stand first twice, and a
    /// diagram to be renamed must not already depend on a second variable unless that is renamed itself.
    pub fn renaming(&self, pairs: impl IntoIterator<Item = (Var, Var)>) -> Renaming {
        let renamed = Renamed::new(pairs.into_iter().map(|(old, new)| (old.0, new.0)));
        Renaming(self.0.borrow_mut().renamings.number(renamed))
    }

    /// The map that exchanges the variables of each pair.
    pub fn exchange(&self, pairs: impl IntoIterator<Item = (Var, Var)>) -> Renaming {
        self.renaming(pairs.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]))
    }

    /// Nodes in use, some of which may be unreachable until the next collection.
    pub fn n_nodes(&self) -> usize {
        self.0.borrow().n_nodes()
    }

    /// The most nodes there ever were at once.
    pub fn peak_nodes(&self) -> usize {
        self.0.borrow().peak()
    }

    /// How many steps operations have taken: what they cost, but the same in every run.
    pub fn n_steps(&self) -> u64 {
        self.0.borrow().steps
    }

    /// From now on operations may take about so many steps more, or any number. With such an allowance the order is not improved on
    /// the way; where it ends or the order should be improved, operations end as if there were too many nodes.
    pub fn allow_steps(&self, more: Option<u64>) {
        let mut store = self.0.borrow_mut();
        store.last_step = more.map(|more| store.steps.saturating_add(more));
    }

    /// Frees every node that no handle reaches.
    pub fn collect(&self) {
        self.0.borrow_mut().collect();
    }

    /// Keeps these variables, and all that are in groups with them already, next to each other in the order from now on. They
    /// are moved together if they are not; right after [`Manager::add_var`] this costs nothing.
    pub fn group(&self, vars: &[Var]) {
        self.0.borrow_mut().group(vars);
    }

    /// Looks for an order of the variables with fewer nodes. If a limit ends the search, the order is a valid one
    /// nevertheless, and all functions are as they were.
    pub fn reorder(&self) -> Result<(), StopReason> {
        self.0.borrow_mut().reorder()
    }

    /// From now on the order is improved whenever there are this many nodes, later four times as many as were left, at least this
    /// many; or never.
    pub fn set_reordering(&self, first: Option<usize>) {
        let mut store = self.0.borrow_mut();
        store.reorder_first = first;
        store.reorder_at = first;
        store.set_alarm();
    }

    /// Puts the variables into this order, first ones first; variables that are not listed follow in their present order. Groups
    /// that this tears apart are dissolved. If a limit ends it, part of the way has been gone.
    pub fn set_order(&self, order: &[Var]) -> Result<(), StopReason> {
        self.0.borrow_mut().set_order(order)
    }

    pub(crate) fn hold(&self, edge: Edge) -> Bdd {
        self.0.borrow_mut().external[edge.node()] += 1;
        Bdd { edge, manager: self.clone() }
    }

    /// Runs an operation on edges that handles hold.
    pub(crate) fn run(&self, mut operation: impl FnMut(&mut Store) -> Made) -> Result<Bdd, StopReason> {
        let mut store = self.0.borrow_mut();
        store.collect_if_full();
        let mut collected = false;
        let edge = loop {
            match operation(&mut store) {
                Ok(edge) => break edge,
                Err(Halt::Reorder) => {
                    // The bound is raised by each reordering, so this ends.
                    store.relieve(collected)?;
                    collected = true;
                }
                Err(Halt::Stopped(StopReason::NodeLimit | StopReason::MemoryLimit)) if !collected => {
                    // Perhaps the limit was only reached by what earlier operations left behind.
                    store.collect();
                    collected = true;
                }
                Err(Halt::Stopped(reason)) => return Err(reason),
                Err(Halt::Spent) => return Err(StopReason::NodeLimit),
            }
        };
        store.external[edge.node()] += 1;
        drop(store);
        Ok(Bdd { edge, manager: self.clone() })
    }
}
