//! Binary decision diagrams: handles to Boolean functions.

use crate::edge::{Edge, FALSE, TRUE};
use crate::manager::{Manager, Renaming, VarSet};
use crate::store::Var;
use rustc_hash::FxHashSet;
use std::fmt;
use tertium_support::StopReason;

/// A Boolean function of the variables of its manager. Equal functions are equal handles.
///
/// All operands of an operation belong to the same manager.
pub struct Bdd {
    pub(crate) edge: Edge,
    pub(crate) manager: Manager,
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        self.manager.hold(self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.manager.0.borrow_mut().external[self.edge.node()] -= 1;
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl std::hash::Hash for Bdd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({})", self.edge.raw())
    }
}

impl Bdd {
    /// The manager that owns the nodes.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The variable on which it depends that is first in the order; `None` for a constant.
    pub fn top(&self) -> Option<Var> {
        let store = self.manager.0.borrow();
        (!self.edge.is_terminal()).then(|| Var(store.nodes[self.edge.node()].var))
    }

    /// What it is where its first variable is false, and where it is true; twice itself for a constant.
    pub fn halves(&self) -> (Bdd, Bdd) {
        if self.edge.is_terminal() {
            return (self.clone(), self.clone());
        }
        let (low, high) = self.manager.0.borrow().children(self.edge);
        (self.manager.hold(low), self.manager.hold(high))
    }

    /// A number that no other function of the manager has as long as this one is held.
    pub(crate) fn raw(&self) -> u32 {
        self.edge.raw()
    }

    /// Whether it holds everywhere.
    pub fn is_true(&self) -> bool {
        self.edge == TRUE
    }

    /// Whether it holds nowhere.
    pub fn is_false(&self) -> bool {
        self.edge == FALSE
    }

    /// Negation; costs nothing.
    #[must_use]
    pub fn not(&self) -> Bdd {
        self.manager.hold(!self.edge)
    }

    /// Conjunction.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.and(self.edge, other.edge))
    }

    /// Disjunction.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.or(self.edge, other.edge))
    }

    /// Holds here and not there.
    pub fn diff(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.and(self.edge, !other.edge))
    }

    /// Holds in exactly one of both.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.xor(self.edge, other.edge))
    }

    /// Holds in both or in none.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.xor(self.edge, !other.edge))
    }

    /// Implication.
    pub fn implies(&self, other: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.or(!self.edge, other.edge))
    }

    /// `if self then yes else no`.
    pub fn ite(&self, yes: &Bdd, no: &Bdd) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.ite(self.edge, yes.edge, no.edge))
    }

    /// Whether it holds only where the other does.
    pub fn is_subset(&self, other: &Bdd) -> Result<bool, StopReason> {
        Ok(self.diff(other)?.is_false())
    }

    /// Whether it holds nowhere together with the other.
    pub fn is_disjoint(&self, other: &Bdd) -> Result<bool, StopReason> {
        Ok(self.and(other)?.is_false())
    }

    /// Holds for some values of the variables of the set.
    pub fn exists(&self, set: &VarSet) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.exists(self.edge, set.0.edge))
    }

    /// Holds for all values of the variables of the set.
    pub fn forall(&self, set: &VarSet) -> Result<Bdd, StopReason> {
        self.manager.run(|store| Ok(!store.exists(!self.edge, set.0.edge)?))
    }

    /// Holds together with the other for some values of the variables of the set: the relational product.
    pub fn and_exists(&self, other: &Bdd, set: &VarSet) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.and_exists(self.edge, other.edge, set.0.edge))
    }

    /// The same function of other variables.
    pub fn rename(&self, renaming: Renaming) -> Result<Bdd, StopReason> {
        self.manager.run(|store| store.rename(self.edge, renaming.0))
    }

    /// Agrees with this function on `care`, which holds somewhere, and distributes over Boolean operations.
    pub fn constrain(&self, care: &Bdd) -> Result<Bdd, StopReason> {
        debug_assert!(!care.is_false(), "some point must matter");
        self.manager.run(|store| store.constrain(self.edge, care.edge))
    }

    /// Agrees with this function on `care`, which holds somewhere, and depends on no new variable.
    pub fn restrict(&self, care: &Bdd) -> Result<Bdd, StopReason> {
        debug_assert!(!care.is_false(), "some point must matter");
        self.manager.run(|store| store.restrict(self.edge, care.edge))
    }

    /// Whether it holds where the variables have these values.
    pub fn eval(&self, value: impl Fn(Var) -> bool) -> bool {
        let store = self.manager.0.borrow();
        let mut at = self.edge;
        while !at.is_terminal() {
            let (low, high) = store.children(at);
            at = if value(Var(store.nodes[at.node()].var)) { high } else { low };
        }
        at == TRUE
    }

    /// The variables that it depends on, in order.
    pub fn support(&self) -> Vec<Var> {
        // Most diagrams have far fewer variables than there are.
        let mut found = FxHashSet::default();
        self.visit(|var| {
            found.insert(var);
        });
        let store = self.manager.0.borrow();
        let mut support: Vec<Var> = found.into_iter().collect();
        support.sort_unstable_by_key(|var| store.level_of[var.index()]);
        support
    }

    /// How many nodes it has, the terminal not counted.
    pub fn n_nodes(&self) -> usize {
        let mut count = 0;
        self.visit(|_| count += 1);
        count
    }

    fn visit(&self, mut visit: impl FnMut(Var)) {
        let store = self.manager.0.borrow();
        let mut seen = store.seen.borrow_mut();
        seen.start(store.nodes.len());
        let mut stack = vec![self.edge.node()];
        while let Some(at) = stack.pop() {
            if at != 0 && seen.insert(at) {
                let node = &store.nodes[at];
                visit(Var(node.var));
                stack.extend([node.low.node(), node.high.node()]);
            }
        }
    }
}
