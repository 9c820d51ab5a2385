//! Evidence of an abstract system in concrete states, where that is a finite matter.
//!
//! The strategy is followed on states of the program; these are cut out of it as a system of their own, and the property is checked there anew. Its
//! answer has to be the same, and its evidence speaks of values instead of predicates.

use crate::commands::check::Trouble;
use tertium_abstraction::{AbstractSystem, TriState};
use tertium_check::{Evidence, Outcome, Prepared, Settings, check};
use tertium_explore::cut_around;
use tertium_expr::Term;
use tertium_logic::Formula;
use tertium_program::{Program, initial_states};
use tertium_refine::{From, has_boxes, unfold};
use tertium_support::Context;
use tertium_system::PartialSystem;

/// Evidence with more states says less than the abstract one.
const MOST_STATES: usize = 100;

/// The states of the program that show what an abstract outcome says, and the outcome on them. Nothing if it says something of all runs of a
/// program, or if too many states would be needed.
pub(super) fn concrete(
    context: &Context,
    program: &Program,
    formula: &Formula,
    propositions: &[(String, Term)],
    found: &AbstractSystem<TriState>,
    outcome: &Outcome,
) -> Result<Option<(PartialSystem, Outcome)>, Trouble> {
    let (strategy, from) = match &outcome.evidence {
        // What holds of all steps is better said of few abstract states than of many concrete ones.
        Some(Evidence::Proof(strategy)) if !has_boxes(strategy) => (strategy, From::All),
        Some(Evidence::Refutation(strategy)) => (strategy, From::One),
        _ => return Ok(None),
    };
    let unfolding = unfold(context, program, found, strategy, from, MOST_STATES).map_err(Trouble::Stopped)?;
    let Some(unfolding) = unfolding else { return Ok(None) };
    let all = from == From::All || initial_states(context, program, 1).complete;
    let cut = cut_around(context, program, &unfolding.states, unfolding.n_initial, all);
    let names = propositions.iter().map(|(name, term)| (name.as_str(), *term));
    let system = cut.map_err(Trouble::Stopped)?.to_system(program, names);
    let prepared = Prepared::new(context, &system).map_err(Trouble::Stopped)?;
    let again = check(context, &prepared, formula, &Settings::default());
    drop(prepared);
    Ok((again.verdict == outcome.verdict).then_some((system, again)))
}
