//! Checking specifications on the explored states, by the definitions.
//!
//! This is the simple twin of the symbolic checker: sets of states, one by one, and no evidence. The rules for paths that
//! end, and for fairness:
//!
//! - Without justice constraints CTL is read by its fixpoint equations: a state without steps satisfies no `EX f`, every
//!   `AX f`, and no `EG f`.
//! - With justice, path quantifiers range over fair paths, which are infinite: `EX f` and `E[f U g]` end in states where a
//!   fair path starts. Compassion has no part in CTL.
//! - Linear properties are about infinite paths that satisfy justice and compassion.
//! - Invariants and lengths of paths are about all reachable states.

mod compute;
mod ctl;
mod linear;
mod streett;
mod tableau;

pub use compute::Length;

use crate::explore::{ExploreError, Explored};
use crate::interpret::Interpreter;
use crate::{Atom, Specification, SpecificationKind};
use ctl::Ctl;
use tertium_logic::{Formula, Ltl};
use tertium_support::Context;
use tertium_system::StateSet;

/// What a check by explicit states answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplicitAnswer {
    /// Whether the property holds.
    Truth(bool),
    /// The length that was asked for.
    Length(Length),
}

/// Checks one specification.
pub fn check_explicitly(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    specification: &Specification,
) -> Result<ExplicitAnswer, ExploreError> {
    let atoms = &specification.atoms;
    let states = |formula: &Formula| satisfying_states(context, interpreter, explored, atoms, formula);
    Ok(match &specification.kind {
        SpecificationKind::Ctl(formula) => {
            let satisfied = states(formula)?;
            ExplicitAnswer::Truth(explored.initial().all(|state| satisfied.contains(state)))
        }
        SpecificationKind::Invariant(formula) => {
            ExplicitAnswer::Truth(states(formula)?.count() == explored.n_states())
        }
        SpecificationKind::Ltl(formula) => {
            ExplicitAnswer::Truth(holds_on_all_paths(context, interpreter, explored, atoms, formula)?)
        }
        SpecificationKind::ComputeMinimum(f, g) | SpecificationKind::ComputeMaximum(f, g) => {
            let mut ctl = Ctl::new(context, interpreter, explored, atoms)?;
            let (f, g) = (ctl.states(f)?, ctl.states(g)?);
            let length = match specification.kind {
                SpecificationKind::ComputeMinimum(..) => compute::minimum(&mut ctl, &f, &g)?,
                _ => compute::maximum(&mut ctl, &f, &g)?,
            };
            ExplicitAnswer::Length(length)
        }
    })
}

/// The reachable states that satisfy a CTL formula.
pub fn satisfying_states(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    atoms: &[Atom],
    formula: &Formula,
) -> Result<StateSet, ExploreError> {
    Ctl::new(context, interpreter, explored, atoms)?.states(formula)
}

/// Whether a linear formula holds on every fair path from an initial state.
pub fn holds_on_all_paths(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    atoms: &[Atom],
    formula: &Ltl,
) -> Result<bool, ExploreError> {
    linear::holds_on_all_paths(context, interpreter, explored, atoms, formula)
}
