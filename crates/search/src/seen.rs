//! What a search saw of a proposition.
//!
//! States that a round visits are reachable, so what was seen once stays seen, also if a later round misses it
//! \[PPV07\]. All rounds are kept, so this is found when it is asked for.

use crate::Answer;
use tertium_explore::Run;
use tertium_expr::Term;

/// Where a truth value was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// How a state was reached where it holds.
    pub holds: Option<Run>,
    /// How one was reached where it fails.
    pub fails: Option<Run>,
}

impl Answer<'_> {
    /// Where a truth value was first seen to hold, and where to fail, in any round, also one that was stopped. Looks at
    /// so many visits at most, since this is asked when time may be up.
    pub fn seen(&self, term: Term, most: usize) -> Seen {
        let mut seen = Seen::default();
        let mut left = most;
        for round in &self.rounds {
            for visit in 0..round.n_visits() {
                let Some(less) = left.checked_sub(1) else { return seen };
                left = less;
                let found = match self.machine.interpreter().holds(&round.state(visit), term) {
                    true => &mut seen.holds,
                    false => &mut seen.fails,
                };
                found.get_or_insert_with(|| round.run_to(&self.machine, visit));
                if seen.holds.is_some() && seen.fails.is_some() {
                    return seen;
                }
            }
        }
        seen
    }
}
