//! What a search saw of a proposition.
//!
//! States that a round visits are reachable, so what was seen once stays seen, also if a later round misses it \[PPV07\]. All rounds are kept, so this is
//! found when it is asked for.

use crate::Answer;
use tertium_expr::Term;
use tertium_program::Run;
use tertium_support::{Context, StopReason};

/// Where a truth value was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// How a state was reached where it holds.
    pub holds: Option<Run>,
    /// How one was reached where it fails.
    pub fails: Option<Run>,
}

impl Answer<'_> {
    /// Where a truth value was first seen to hold, and where to fail, in any round, also one that was stopped. Costs one evaluation for each visit
    /// until both are found.
    pub fn seen(&self, context: &Context, term: Term) -> Result<Seen, StopReason> {
        let mut ticker = context.ticker("looking for labels");
        let mut seen = Seen::default();
        for round in &self.rounds {
            for visit in 0..round.n_visits() {
                ticker.tick(1)?;
                let found = match self.machine.interpreter().holds(&round.state(visit), term) {
                    true => &mut seen.holds,
                    false => &mut seen.fails,
                };
                found.get_or_insert_with(|| round.run_to(&self.machine, visit));
                if seen.holds.is_some() && seen.fails.is_some() {
                    return Ok(seen);
                }
            }
        }
        Ok(seen)
    }
}
