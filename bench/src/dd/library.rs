//! The two libraries behind one interface.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager as _,
    ManagerRef, Subst,
};
use tertium_dd::{Bdd, Manager, Renaming, Var, VarSet};
use tertium_support::Context;

/// Room for nodes and for remembered results of OxiDD, which does not grow. More of either made it slower here.
const OXIDD_NODES: usize = 1 << 24;
const OXIDD_CACHE: usize = 1 << 21;

/// What the problems need of a library.
pub(crate) trait Library {
    type Function: Clone + PartialEq;
    type Set;
    type Renaming;

    fn new(n_vars: usize) -> Self;
    fn constant(&self, value: bool) -> Self::Function;
    fn var(&self, var: usize) -> Self::Function;
    fn not(&self, f: &Self::Function) -> Self::Function;
    fn and(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn or(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn xor(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn set(&self, vars: &[usize]) -> Self::Set;
    fn exists(&self, f: &Self::Function, set: &Self::Set) -> Self::Function;
    fn and_exists(&self, f: &Self::Function, g: &Self::Function, set: &Self::Set) -> Self::Function;
    fn renaming(&self, pairs: &[(usize, usize)]) -> Self::Renaming;
    fn rename(&self, f: &Self::Function, renaming: &Self::Renaming) -> Self::Function;
    /// The nodes of a function, without terminals.
    fn size(&self, f: &Self::Function) -> usize;
}

pub(crate) struct Ours {
    pub(crate) manager: Manager,
    pub(crate) vars: Vec<Var>,
}

impl Library for Ours {
    type Function = Bdd;
    type Set = VarSet;
    type Renaming = Renaming;

    fn new(n_vars: usize) -> Self {
        let manager = Manager::new(&Context::default());
        let vars = (0..n_vars).map(|_| manager.add_var()).collect();
        Self { manager, vars }
    }

    fn constant(&self, value: bool) -> Bdd {
        self.manager.constant(value)
    }

    fn var(&self, var: usize) -> Bdd {
        self.manager.var(self.vars[var]).expect("no limit")
    }

    fn not(&self, f: &Bdd) -> Bdd {
        f.not()
    }

    fn and(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.and(g).expect("no limit")
    }

    fn or(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.or(g).expect("no limit")
    }

    fn xor(&self, f: &Bdd, g: &Bdd) -> Bdd {
        f.xor(g).expect("no limit")
    }

    fn set(&self, vars: &[usize]) -> VarSet {
        self.manager.var_set(vars.iter().map(|&var| self.vars[var])).expect("no limit")
    }

    fn exists(&self, f: &Bdd, set: &VarSet) -> Bdd {
        f.exists(set).expect("no limit")
    }

    fn and_exists(&self, f: &Bdd, g: &Bdd, set: &VarSet) -> Bdd {
        f.and_exists(g, set).expect("no limit")
    }

    fn renaming(&self, pairs: &[(usize, usize)]) -> Renaming {
        self.manager.renaming(pairs.iter().map(|&(old, new)| (self.vars[old], self.vars[new])))
    }

    fn rename(&self, f: &Bdd, renaming: &Renaming) -> Bdd {
        f.rename(*renaming).expect("no limit")
    }

    fn size(&self, f: &Bdd) -> usize {
        f.n_nodes()
    }
}

pub(crate) struct OxiDd {
    vars: Vec<BCDDFunction>,
    manager: BCDDManagerRef,
}

impl Library for OxiDd {
    type Function = BCDDFunction;
    type Set = BCDDFunction;
    type Renaming = Subst<BCDDFunction, Vec<u32>, Vec<BCDDFunction>>;

    fn new(n_vars: usize) -> Self {
        let manager = oxidd::bcdd::new_manager(OXIDD_NODES, OXIDD_CACHE, 1);
        let vars = manager.with_manager_exclusive(|manager| {
            let vars = manager.add_vars(n_vars as u32);
            vars.map(|var| BCDDFunction::var(manager, var).expect("room")).collect()
        });
        Self { vars, manager }
    }

    fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| {
            if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) }
        })
    }

    fn var(&self, var: usize) -> BCDDFunction {
        self.vars[var].clone()
    }

    fn not(&self, f: &BCDDFunction) -> BCDDFunction {
        f.not().expect("room")
    }

    fn and(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.and(g).expect("room")
    }

    fn or(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.or(g).expect("room")
    }

    fn xor(&self, f: &BCDDFunction, g: &BCDDFunction) -> BCDDFunction {
        f.xor(g).expect("room")
    }

    fn set(&self, vars: &[usize]) -> BCDDFunction {
        vars.iter().fold(self.constant(true), |set, &var| set.and(&self.vars[var]).expect("room"))
    }

    fn exists(&self, f: &BCDDFunction, set: &BCDDFunction) -> BCDDFunction {
        f.exists(set).expect("room")
    }

    fn and_exists(&self, f: &BCDDFunction, g: &BCDDFunction, set: &BCDDFunction) -> BCDDFunction {
        f.apply_exists(BooleanOperator::And, g, set).expect("room")
    }

    fn renaming(&self, pairs: &[(usize, usize)]) -> Self::Renaming {
        let vars = pairs.iter().map(|&(old, _)| old as u32).collect();
        Subst::new(vars, pairs.iter().map(|&(_, new)| self.var(new)).collect())
    }

    fn rename(&self, f: &BCDDFunction, renaming: &Self::Renaming) -> BCDDFunction {
        f.substitute(renaming).expect("room")
    }

    fn size(&self, f: &BCDDFunction) -> usize {
        f.node_count() - 1
    }
}
