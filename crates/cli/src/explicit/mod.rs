//! Vacuity and queries on transition systems: `.pts` and `.aut` files.

mod query;
mod vacuity;

pub(crate) use query::{Reply, Shown, solve_query};
pub(crate) use vacuity::{Asked, answers, survey};

use crate::failure::Failure;
use tertium_check::unknown_names;
use tertium_logic::Formula;
use tertium_support::{Severity, Source};
use tertium_system::PartialSystem;

/// What to do where the system leaves an answer open.
pub(crate) const SETTLE: &str =
    "settle what is open; `tertium check` shows which step or label leaves a property open";

/// Complains about names that the system does not have, where they stand.
fn check_names(system: &PartialSystem, formula: &Formula, source: &Source) -> Result<(), Failure> {
    let complaints = unknown_names(system, formula, Severity::Error);
    if complaints.is_empty() { Ok(()) } else { Err(Failure::Faulty(Box::new(source.clone()), complaints)) }
}
