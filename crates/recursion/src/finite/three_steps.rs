//! The three steps \[Wei09, §4.4\]: full summaries, the mixed semantics, and a fixpoint on it.
//!
//! *Natural semantics*: for each procedure all pairs of a state at its entry and one at its exit such that it can run from
//! one to the other; the least solution for all procedures at once. *Mixed semantics*: a transition system without a stack.
//! A call goes into the callee and forgets the caller, or jumps over the callee by its summary; exits block. RS and NT are
//! its least and greatest fixpoints. Everything is found by plain iteration until nothing changes: this is the oracle.

use super::FiniteProgram;
use std::collections::BTreeSet;
use tertium_program::{Action, ProcedureId};
use tertium_support::Id;

/// Full summaries and the mixed semantics of a finite program.
#[derive(Debug)]
pub struct ThreeSteps {
    summaries: Vec<BTreeSet<(usize, usize)>>,
    mixed: Vec<Vec<usize>>,
}

impl ThreeSteps {
    /// The first two steps.
    pub fn new(program: &FiniteProgram<'_>) -> Self {
        let summaries = natural(program);
        let mixed = (0..program.n_states())
            .map(|state| {
                let mut next = over(program, &summaries, state);
                next.extend(program.calls(state).iter().flat_map(|(_, entries)| entries.iter().copied()));
                next.into_iter().collect()
            })
            .collect();
        Self { summaries, mixed }
    }

    /// What a procedure does: pairs of a state at its entry and a state at its exit.
    pub fn summary(&self, procedure: ProcedureId) -> &BTreeSet<(usize, usize)> {
        &self.summaries[procedure.index()]
    }

    /// Where the mixed semantics leads from a state.
    pub fn successors(&self, state: usize) -> &[usize] {
        &self.mixed[state]
    }

    /// The states from which the goal can be reached, by state.
    pub fn reaching(&self, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut inside: Vec<bool> = (0..self.mixed.len()).map(goal).collect();
        while self.sweep(&mut inside, |is_inside, leads| is_inside || leads) {}
        inside
    }

    /// The states from which there is an infinite run, by state.
    pub fn diverging(&self) -> Vec<bool> {
        let mut inside = vec![true; self.mixed.len()];
        while self.sweep(&mut inside, |is_inside, leads| is_inside && leads) {}
        inside
    }

    /// Replaces each value by one that depends on it, and on whether some successor is inside. Whether one changed.
    fn sweep(&self, inside: &mut [bool], new: impl Fn(bool, bool) -> bool) -> bool {
        let mut changed = false;
        for state in (0..inside.len()).rev() {
            let leads = self.mixed[state].iter().any(|&next| inside[next]);
            let value = new(inside[state], leads);
            changed |= value != inside[state];
            inside[state] = value;
        }
        changed
    }
}

/// Where a state leads inside of its procedure: by steps, and over calls by these summaries.
fn over(
    program: &FiniteProgram<'_>,
    summaries: &[BTreeSet<(usize, usize)>],
    state: usize,
) -> BTreeSet<usize> {
    let mut next: BTreeSet<usize> = program.steps(state).iter().map(|&(_, target)| target).collect();
    for (edge, entries) in program.calls(state) {
        let Action::Call(call) = &program.icfg().edge(*edge).action else {
            unreachable!("calls are along edges that call")
        };
        for &entry in entries {
            let exits = summaries[call.callee.index()].range((entry, 0)..=(entry, usize::MAX));
            next.extend(exits.filter_map(|&(_, exit)| program.after_return(state, *edge, exit)));
        }
    }
    next
}

/// The natural semantics of all procedures.
fn natural(program: &FiniteProgram<'_>) -> Vec<BTreeSet<(usize, usize)>> {
    let procedures = program.icfg().procedures();
    let mut summaries = vec![BTreeSet::new(); procedures.len()];
    loop {
        let mut changed = false;
        for (id, procedure) in procedures.iter().enumerate() {
            for entry in program.states_at(procedure.entry) {
                let (mut seen, mut queue) = (BTreeSet::from([entry]), vec![entry]);
                while let Some(state) = queue.pop() {
                    for next in over(program, &summaries, state) {
                        if seen.insert(next) {
                            queue.push(next);
                        }
                    }
                }
                let exits = program.states_at(procedure.exit);
                let new = seen.range(exits).map(|&exit| (entry, exit)).collect::<Vec<_>>();
                let before = summaries[id].len();
                summaries[id].extend(new);
                changed |= summaries[id].len() > before;
            }
        }
        if !changed {
            return summaries;
        }
    }
}
