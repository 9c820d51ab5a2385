//! The systems as the thesis prints them: what is demanded of a procedure comes from RS (or NT) at return points only. That is
//! wrong for nested calls; it is kept here so that a test shows it.

use std::collections::BTreeSet;
use tertium_program::Action;
use tertium_recursion::finite::FiniteProgram;
use tertium_support::Id;

type Summaries = Vec<BTreeSet<(usize, usize)>>;

/// Where a state leads without call edges.
fn over(program: &FiniteProgram<'_>, summaries: &Summaries, state: usize) -> BTreeSet<usize> {
    let mut next: BTreeSet<usize> = program.steps(state).iter().map(|&(_, target)| target).collect();
    for (edge, entries) in program.calls(state) {
        let Action::Call(call) = &program.icfg().edge(*edge).action else { continue };
        for &(entry, exit) in &summaries[call.callee.index()] {
            if entries.contains(&entry) {
                next.extend(program.after_return(state, *edge, exit));
            }
        }
    }
    next
}

fn pre(program: &FiniteProgram<'_>, summaries: &Summaries, inside: &[bool], state: usize) -> bool {
    let mut calls = program.calls(state).iter().flat_map(|(_, entries)| entries);
    over(program, summaries, state).iter().any(|&next| inside[next]) || calls.any(|&next| inside[next])
}

/// Adds to summaries what the printed equation says for this set, once. Whether something was new.
fn extend(program: &FiniteProgram<'_>, summaries: &mut Summaries, inside: &[bool]) -> bool {
    let mut demanded = BTreeSet::new();
    for state in 0..program.n_states() {
        for (edge, _) in program.calls(state) {
            let Action::Call(call) = &program.icfg().edge(*edge).action else { continue };
            let exits = program.states_at(program.icfg().procedure(call.callee).exit);
            let is_back =
                |&exit: &usize| program.after_return(state, *edge, exit).is_some_and(|after| inside[after]);
            demanded.extend(exits.filter(is_back));
        }
    }
    let mut changed = false;
    for (index, procedure) in program.icfg().procedures().iter().enumerate() {
        for entry in program.states_at(procedure.entry) {
            let (mut seen, mut queue) = (BTreeSet::from([entry]), vec![entry]);
            while let Some(state) = queue.pop() {
                let next = over(program, summaries, state);
                queue.extend(next.into_iter().filter(|&next| seen.insert(next)));
            }
            let exits = program.states_at(procedure.exit).filter(|exit| demanded.contains(exit));
            for exit in exits.filter(|exit| seen.contains(exit)) {
                changed |= summaries[index].insert((entry, exit));
            }
        }
    }
    changed
}

/// RS of the printed system.
pub(crate) fn reaching(program: &FiniteProgram<'_>, goal: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut inside: Vec<bool> = (0..program.n_states()).map(goal).collect();
    let mut summaries = vec![BTreeSet::new(); program.icfg().procedures().len()];
    loop {
        let mut changed = extend(program, &mut summaries, &inside);
        for state in 0..program.n_states() {
            if !inside[state] && pre(program, &summaries, &inside, state) {
                (inside[state], changed) = (true, true);
            }
        }
        if !changed {
            return inside;
        }
    }
}

/// NT of the printed system, with summaries that are least for the current NT.
pub(crate) fn diverging(program: &FiniteProgram<'_>) -> Vec<bool> {
    let mut inside = vec![true; program.n_states()];
    loop {
        let mut summaries = vec![BTreeSet::new(); program.icfg().procedures().len()];
        while extend(program, &mut summaries, &inside) {}
        let next: Vec<bool> = (0..inside.len())
            .map(|state| inside[state] && pre(program, &summaries, &inside, state))
            .collect();
        if next == inside {
            return inside;
        }
        inside = next;
    }
}
