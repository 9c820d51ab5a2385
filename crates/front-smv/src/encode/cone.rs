//! The cone of influence: the variables that a specification can depend on.
//!
//! A variable is kept if the specification or a fairness constraint reads it, if INIT, INVAR or TRANS reads it, if it says
//! which process runs, if its own laws might leave it without a value, or if the assignment of a kept variable reads it. What is
//! left, D, is constrained by assignments alone. Why dropping D changes no answer about the kept variables K:
//!
//! - Laws about K read only K, so every full state and step, cut down to K, is one of the cut-down model.
//! - Conversely a state or step of the cut-down model extends to a full one, from any full state that it is cut from. The
//!   assignments to D can be satisfied one after the other, in an order in which each reads only values that are there
//!   already: variables whose values at one moment depend on each other in a circle are kept, and so are those with laws that could
//!   contradict each other (a frozen variable with a current assignment, a current beside another assignment). Each
//!   assignment allows a value of its variable in every state: where that is not plain from its form (see `certain`), the
//!   variable is kept.
//!
//! So cutting down to K is a bisimulation that is a function, it keeps inputs that are read, and it keeps which steps are
//! fair. Branching and linear properties of K are the same on both sides, and so are invariants, the lengths of shortest
//! and longest paths, which initial states have fair paths, and how far it is to a deadlock. A model without meaning in some
//! state is one on both sides: what can be without meaning is kept, and D excludes nothing. What differs is the number of
//! states, and that a loop of the cut-down model may have to be followed several times before D, too, is where it was.
//!
//! Unions of cones are cones.

use super::certain::Certainty;
use crate::interpret::parts;
use crate::{AssignTime, Expr, ExprKind, FlatModel, Query, Specification, VarId, VarKind};
use std::collections::BTreeSet;
use tertium_support::Id;

/// The variables that decide a specification.
pub fn cone_of_influence(model: &FlatModel, specification: &Specification) -> BTreeSet<VarId> {
    Influence::new(model).cone(specification)
}

/// The variables that decide a query: those that its formula reads and those that it is about, with all that they need.
pub fn cone_of_query(model: &FlatModel, query: &Query) -> BTreeSet<VarId> {
    let influence = Influence::new(model);
    let mut cone = influence.cone(&query.specification);
    cone.extend(influence.close(query.variables.clone()));
    cone
}

/// Who reads whom, for the cones of many specifications.
#[derive(Debug)]
pub(super) struct Influence<'m> {
    reads: Reads<'m>,
    /// By variable: what its assignments read.
    needs: Vec<Vec<VarId>>,
    /// In every cone, with all that they need.
    always: BTreeSet<VarId>,
}

impl<'m> Influence<'m> {
    pub(super) fn new(model: &'m FlatModel) -> Self {
        let reads = Reads::new(model);
        let mut needs: Vec<Vec<VarId>> = vec![Vec::new(); model.variables.len()];
        for assign in &model.assigns {
            needs[assign.target.index()].extend(reads.all(&assign.value));
        }
        let mut roots: Vec<VarId> = model.selector.into_iter().collect();
        let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
        let constraints = model.init.iter().chain(&model.invar).chain(&model.trans);
        for expr in constraints.chain(&model.justice).chain(pairs) {
            roots.extend(reads.all(expr));
        }
        let certainty = Certainty::new(model);
        let uncertain = model.assigns.iter().filter(|assign| !certainty.is_certain(assign));
        roots.extend(uncertain.map(|assign| assign.target));
        roots.extend(contradictory(model));
        roots.extend(circular(model, &reads));
        let mut influence = Self { reads, needs, always: BTreeSet::new() };
        influence.always = influence.close(roots);
        influence
    }

    /// The variables that decide a specification.
    pub(super) fn cone(&self, specification: &Specification) -> BTreeSet<VarId> {
        let read = specification.atoms.iter().flat_map(|atom| self.reads.all(&atom.expr));
        self.close(read.collect())
    }

    fn close(&self, mut roots: Vec<VarId>) -> BTreeSet<VarId> {
        let mut kept = self.always.clone();
        while let Some(id) = roots.pop() {
            if kept.insert(id) {
                roots.extend(&self.needs[id.index()]);
            }
        }
        kept
    }
}

/// Variables whose laws need not have a common solution.
fn contradictory(model: &FlatModel) -> Vec<VarId> {
    let mut times: Vec<[bool; 3]> = vec![[false; 3]; model.variables.len()];
    for assign in &model.assigns {
        times[assign.target.index()][assign.time as usize] = true;
    }
    let uncertain = |id: &VarId| {
        let [init, current, next] = times[id.index()];
        match model.variables[id.index()].kind {
            VarKind::State => current && (init || next),
            VarKind::Frozen => current || next,
            VarKind::Input => init || next,
        }
    };
    VarId::first(model.variables.len()).filter(uncertain).collect()
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
