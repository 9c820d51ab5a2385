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
use crate::reads::{NodeId, Reads};
use crate::{AssignTime, FlatModel, Outline, Query, Specification, VarId, VarKind};
use std::collections::BTreeSet;
use tertium_support::{ComponentSearch, Id};

/// The variables that decide a specification.
pub fn cone_of_influence(
    model: &FlatModel,
    outline: &Outline,
    specification: &Specification,
) -> BTreeSet<VarId> {
    outline.influence(model).walk().cone(specification).into_iter().collect()
}

/// The variables that decide a query: those that its formula reads and those that it is about, with all that they need.
pub fn cone_of_query(model: &FlatModel, query: &Query) -> BTreeSet<VarId> {
    let influence = Influence::new(model);
    let mut roots = influence.roots(&query.specification);
    roots.extend(query.variables.iter().map(|&id| NodeId::new(id.index())));
    influence.walk().close(roots).into_iter().collect()
}

/// Who reads whom, for the cones of many specifications. Takes time and memory linear in the size of the model.
#[derive(Debug)]
pub(crate) struct Influence {
    reads: Reads,
    /// By variable, then by definition: what its assignments or its body read.
    needs: Vec<Vec<NodeId>>,
    /// By variable, then by definition: one that stands for all that need each other.
    stands_for: Vec<NodeId>,
    /// In every cone, with all that they need, sorted.
    always: Vec<VarId>,
    /// By variable, then by definition: whether it is needed in every cone.
    is_always: Vec<bool>,
}

impl Influence {
    pub(crate) fn new(model: &FlatModel) -> Self {
        let reads = Reads::new(model);
        let mut needs: Vec<Vec<NodeId>> = vec![Vec::new(); model.variables.len()];
        for assign in &model.assigns {
            needs[assign.target.index()].extend(reads.direct(&assign.value));
        }
        needs.extend(model.defines.iter().map(|define| reads.direct(&define.body)));
        let mut roots: Vec<NodeId> = model.selector.into_iter().map(|id| NodeId::new(id.index())).collect();
        let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
        let constraints = model.init.iter().chain(&model.invar).chain(&model.trans);
        for expr in constraints.chain(&model.justice).chain(pairs) {
            roots.extend(reads.direct(expr));
        }
        let certainty = Certainty::new(model);
        let doubtful = model.assigns.iter().filter(|assign| !certainty.is_certain(assign));
        let doubtful = doubtful.map(|assign| assign.target);
        let kept = doubtful.chain(contradictory(model)).chain(circular(model, &reads));
        roots.extend(kept.map(|id| NodeId::new(id.index())));
        let stands_for = stands_for(&needs);
        let is_always = vec![false; needs.len()];
        let mut influence = Self { reads, needs, stands_for, always: Vec::new(), is_always };
        let mut walk = influence.walk();
        let always = walk.close(roots);
        let is_always = walk.seen.iter().map(|&round| round == walk.round).collect();
        (influence.always, influence.is_always) = (always, is_always);
        influence
    }

    /// What a specification reads that is not in every cone: the same for specifications whose cones are the same because what
    /// they read needs each other. Sorted.
    pub(super) fn roots(&self, specification: &Specification) -> Vec<NodeId> {
        let read = specification.atoms.iter().flat_map(|atom| self.reads.direct(&atom.expr));
        let read = read.filter(|id| !self.is_always[id.index()]);
        let mut roots: Vec<NodeId> = read.map(|id| self.stands_for[id.index()]).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// How many variables the model has.
    pub(super) fn n_variables(&self) -> usize {
        self.reads.n_variables()
    }

    /// For finding cones, one after the other.
    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { influence: self, seen: vec![0; self.needs.len()], round: 0 }
    }
}

/// Finds cones.
pub(super) struct Walk<'i> {
    influence: &'i Influence,
    /// By variable, then by definition: in which round it was last met.
    seen: Vec<u32>,
    round: u32,
}

impl Walk<'_> {
    /// The variables that decide a specification, sorted.
    pub(super) fn cone(&mut self, specification: &Specification) -> Vec<VarId> {
        let roots = self.influence.roots(specification);
        self.close(roots)
    }

    /// All variables that these need, with those that are in every cone, sorted. Costs what it gives back.
    pub(super) fn close(&mut self, mut roots: Vec<NodeId>) -> Vec<VarId> {
        self.round += 1;
        let influence = self.influence;
        let mut kept = influence.always.clone();
        while let Some(id) = roots.pop() {
            if influence.is_always[id.index()] || self.seen[id.index()] == self.round {
                continue;
            }
            self.seen[id.index()] = self.round;
            kept.extend(influence.reads.variable(id));
            roots.extend(&influence.needs[id.index()]);
        }
        kept.sort_unstable();
        debug_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]), "every variable is met once");
        kept
    }
}

/// By node: the first of those that need each other.
fn stands_for(needs: &[Vec<NodeId>]) -> Vec<NodeId> {
    let all: Vec<NodeId> = NodeId::first(needs.len()).collect();
    let components = ComponentSearch::new(needs.len()).components(&all, |id| &needs[id.index()], |_| true);
    let mut stands_for = all;
    for component in components {
        let first = component.iter().copied().min().expect("components are not empty");
        component.iter().for_each(|id| stands_for[id.index()] = first);
    }
    stands_for
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
fn circular(model: &FlatModel, reads: &Reads) -> Vec<VarId> {
    let n = model.variables.len();
    let mut needs: Vec<BTreeSet<NodeId>> = vec![BTreeSet::new(); n];
    for assign in &model.assigns {
        let at_once = match assign.time {
            AssignTime::Next => reads.direct_next(&assign.value),
            AssignTime::Init | AssignTime::Current => reads.direct(&assign.value),
        };
        needs[assign.target.index()].extend(at_once);
    }
    needs.extend(model.defines.iter().map(|define| reads.direct(&define.body).into_iter().collect()));
    // What needs nothing that is left can be given a value next; what is never reached stands on a circle or behind one.
    let mut users: Vec<Vec<NodeId>> = vec![Vec::new(); needs.len()];
    let mut missing: Vec<usize> = needs.iter().map(BTreeSet::len).collect();
    for id in NodeId::first(needs.len()) {
        needs[id.index()].iter().for_each(|need| users[need.index()].push(id));
    }
    let mut ready: Vec<NodeId> = NodeId::first(needs.len()).filter(|id| missing[id.index()] == 0).collect();
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
