//! Which propositions were seen to hold somewhere, and which to fail.
//!
//! States that a round visits are reachable, so what was seen once stays seen, also if a later round misses it \[PPV07\]. Each sighting keeps its run.

use crate::{Machine, Round};
use tertium_expr::Term;
use tertium_program::{Program, Run};

/// A proposition of the program with where it was seen.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// What it says.
    pub term: Term,
    /// How a state was reached where it holds.
    pub holds: Option<Run>,
    /// How one was reached where it fails.
    pub fails: Option<Run>,
}

/// The propositions of a program, not seen yet.
pub(crate) fn unseen(program: &Program) -> Vec<Label> {
    let label =
        |(name, &term): (&String, &Term)| Label { name: name.clone(), term, holds: None, fails: None };
    program.propositions.iter().map(label).collect()
}

/// Looks at all visits of a round for what was not seen before it.
pub(crate) fn look(labels: &mut [Label], machine: &Machine<'_>, round: &Round) {
    for label in labels {
        let mut visits = 0..round.n_visits();
        while label.holds.is_none() || label.fails.is_none() {
            let Some(at) = visits.next() else { break };
            let seen = match machine.interpreter().holds(&round.state(at), label.term) {
                true => &mut label.holds,
                false => &mut label.fails,
            };
            seen.get_or_insert_with(|| round.run_to(machine, at));
        }
    }
}
