//! The cone of influence: the variables that a specification can depend on.
//!
//! A variable is kept if the specification or a fairness constraint reads it, if INIT, INVAR or TRANS reads it, if it says
//! which process runs, or if the assignment of a kept variable reads it. What is left, D, is constrained by assignments alone.
//! Why dropping D is sound for every property of the kept variables K (branching and linear, deadlocks included):
//!
//! - Laws about K read only K, so every full state and step, cut down to K, is one of the cut-down model.
//! - Conversely a state or step of the cut-down model extends to a full one. The assignments to D can be satisfied one after the
//!   other, in an order in which each reads only values that are there already: a variable of D whose values at one moment depend on
//!   each other in a circle is kept, and so is one with laws that could contradict each other (a frozen variable with a
//!   current assignment, a current beside another assignment). Each assignment allows some value, unless it gives one
//!   outside the type of its variable or none at all; that is a fault of the model.
//!
//! So cutting down to K is a functional bisimulation. A fault in an assignment to D is not seen; encoding
//! the whole model finds it.

use crate::interpret::parts;
use crate::{AssignTime, Expr, ExprKind, FlatModel, Specification, VarId, VarKind};
use std::collections::BTreeSet;
use tertium_support::Id;

/// The variables that decide a specification.
pub fn cone_of_influence(model: &FlatModel, specification: &Specification) -> BTreeSet<VarId> {
    let reads = Reads::new(model);
    let n = model.variables.len();
    let mut needs: Vec<Vec<VarId>> = vec![Vec::new(); n];
    for assign in &model.assigns {
        needs[assign.target.index()].extend(reads.all(&assign.value));
    }
    let mut roots: Vec<VarId> = model.selector.into_iter().collect();
    let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
    let constraints = model.init.iter().chain(&model.invar).chain(&model.trans);
    let atoms = specification.atoms.iter().map(|atom| &atom.expr);
    for expr in constraints.chain(&model.justice).chain(pairs).chain(atoms) {
        roots.extend(reads.all(expr));
    }
    roots.extend(contradictory(model));
    roots.extend(circular(model, &reads));
    let mut kept = BTreeSet::new();
    while let Some(id) = roots.pop() {
        if kept.insert(id) {
            roots.extend(&needs[id.index()]);
        }
    }
    kept
}

/// Variables whose laws need not have a common solution.
fn contradictory(model: &FlatModel) -> Vec<VarId> {
    let mut times: Vec<[bool; 3]> = vec![[false; 3]; model.variables.len()];
    for assign in &model.assigns {
        times[assign.target.index()][assign.time as usize] = true;
    }
    let doubtful = |id: &VarId| {
        let [init, current, next] = times[id.index()];
        match model.variables[id.index()].kind {
            VarKind::State => current && (init || next),
            VarKind::Frozen => current || next,
            VarKind::Input => init || next,
        }
    };
    VarId::first(model.variables.len()).filter(doubtful).collect()
}

/// Variables whose values at one moment depend on each other in a circle.
fn circular(model: &FlatModel, reads: &Reads<'_>) -> Vec<VarId> {
    let n = model.variables.len();
    let mut needs: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); n];
    for assign in &model.assigns {
        let at_once = match assign.time {
            AssignTime::Next => reads.next(&assign.value),
            AssignTime::Init | AssignTime::Current => reads.all(&assign.value),
        };
        needs[assign.target.index()].extend(at_once);
    }
    // What needs nothing that is left can be given a value next; what is never reached stands on a circle or behind one.
    let mut users: Vec<Vec<VarId>> = vec![Vec::new(); n];
    let mut missing: Vec<usize> = needs.iter().map(BTreeSet::len).collect();
    for id in VarId::first(n) {
        needs[id.index()].iter().for_each(|need| users[need.index()].push(id));
    }
    let mut ready: Vec<VarId> = VarId::first(n).filter(|id| missing[id.index()] == 0).collect();
    while let Some(id) = ready.pop() {
        for user in &users[id.index()] {
            missing[user.index()] -= 1;
            if missing[user.index()] == 0 {
                ready.push(*user);
            }
        }
    }
    VarId::first(n).filter(|id| missing[id.index()] > 0).collect()
}

/// Which variables expressions read, through definitions.
#[derive(Debug)]
pub(crate) struct Reads<'m> {
    defines: Vec<Vec<VarId>>,
    model: &'m FlatModel,
}

impl<'m> Reads<'m> {
    pub(crate) fn new(model: &'m FlatModel) -> Self {
        let mut reads = Self { defines: Vec::with_capacity(model.defines.len()), model };
        for define in &reads.model.defines {
            let of_body = reads.all(&define.body);
            reads.defines.push(of_body);
        }
        reads
    }

    /// The variables that an expression reads, before or after the step, sorted.
    pub(crate) fn all(&self, expr: &Expr) -> Vec<VarId> {
        self.collect(expr, true)
    }

    /// Those that it reads after the step.
    fn next(&self, expr: &Expr) -> Vec<VarId> {
        self.collect(expr, false)
    }

    fn collect(&self, expr: &Expr, now_too: bool) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut waiting = vec![(expr, now_too)];
        while let Some((expr, wanted)) = waiting.pop() {
            match &expr.kind {
                ExprKind::Variable(id) if wanted => found.push(*id),
                ExprKind::Define(id) if wanted => found.extend(&self.defines[id.index()]),
                ExprKind::Next(operand) => waiting.push((operand, true)),
                _ => waiting.extend(parts(expr).into_iter().map(|part| (part, wanted))),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
