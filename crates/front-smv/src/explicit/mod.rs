//! Checking specifications on the explored states, by the definitions.
//!
//! This is the simple twin of the symbolic checker: sets of states, one by one. Evidence has the same form as there, and invariants
//! and `AG` have shortest counterexamples. The rules for paths that end, and for fairness:
//!
//! - Without justice constraints CTL is read by its fixpoint equations: a state without steps satisfies no `EX f`, every
//!   `AX f`, and no `EG f`.
//! - With justice, path quantifiers range over fair paths, which are infinite: `EX f` and `E[f U g]` end in states where a
//!   fair path starts. Compassion has no part in CTL.
//! - Linear properties are about infinite paths that satisfy justice and compassion.
//! - Invariants and lengths of paths are about all reachable states.

mod compute;
mod ctl;
mod explain;
mod linear;
mod position;
mod streett;
mod tableau;
mod walk;

pub use compute::Length;

use crate::explore::{ExploreError, Explored};
use crate::interpret::Interpreter;
use crate::tree::Evidence;
use crate::{Atom, Specification, SpecificationKind};
use ctl::Ctl;
use explain::Explanation;
use tertium_logic::{Formula, Ltl, as_claim};
use tertium_support::Context;
use tertium_system::{StateId, StateSet};

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
            let mut ctl = Ctl::new(context, interpreter, explored, atoms)?;
            let satisfied = ctl.states(formula)?;
            let counts = |state: &StateId| ctl.fair().contains(*state);
            ExplicitAnswer::Truth(explored.initial().filter(counts).all(|state| satisfied.contains(state)))
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
    Ok(linear::counterexample(context, interpreter, explored, atoms, formula)?.is_none())
}

/// The answer to a specification that is true or false, with what supports it: why it fails, or the paths that it claims to
/// exist. A tree has at most `most_claims` claims; with 0 there is no evidence.
pub fn explain_explicitly(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    specification: &Specification,
    most_claims: usize,
) -> Result<(ExplicitAnswer, Option<Evidence>), ExploreError> {
    let atoms = &specification.atoms;
    let (holds, evidence) = match &specification.kind {
        SpecificationKind::Ctl(formula) => {
            let mut ctl = Ctl::new(context, interpreter, explored, atoms)?;
            let satisfied = ctl.states(formula)?;
            let counted = StateSet::of(explored.n_states(), explored.initial()).intersection(ctl.fair());
            let failing = counted.intersection(&satisfied.complement());
            let holds = failing.is_empty();
            let from = if holds { counted } else { failing };
            let mut evidence = None;
            if most_claims > 0 && !from.is_empty() {
                let mut explanation = Explanation::new(context, interpreter, explored, &mut ctl, most_claims);
                let tree = explanation.explain(&as_claim(formula, holds), &from)?;
                // Of a property that holds, only paths are worth showing.
                evidence = (!holds || tree.has_path()).then_some(Evidence::Tree(tree));
            }
            (holds, evidence)
        }
        SpecificationKind::Invariant(formula) => {
            let bad = satisfying_states(context, interpreter, explored, atoms, formula)?.complement();
            let everywhere = StateSet::full(explored.n_states());
            let trace = walk::shortest(explored, explored.initial(), &everywhere, &bad);
            (bad.is_empty(), trace.map(Evidence::Trace))
        }
        SpecificationKind::Ltl(formula) => {
            let trace = linear::counterexample(context, interpreter, explored, atoms, formula)?;
            (trace.is_none(), trace.map(Evidence::Trace))
        }
        SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) => {
            return Ok((check_explicitly(context, interpreter, explored, specification)?, None));
        }
    };
    Ok((ExplicitAnswer::Truth(holds), evidence.filter(|_| most_claims > 0)))
}

/// How many steps it is to the nearest state without steps, if one can be reached.
pub fn steps_to_deadlock(explored: &Explored) -> Option<usize> {
    let dead = StateSet::of(explored.n_states(), explored.deadlocks());
    let everywhere = StateSet::full(explored.n_states());
    let trace = walk::shortest(explored, explored.initial(), &everywhere, &dead)?;
    Some(trace.states.len() - 1)
}
