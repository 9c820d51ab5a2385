//! Where a command leads, as decision diagrams over the predicates \[GHJ01\].
//!
//! A set of bit vectors is a binary diagram: the sets that the source calls `H_may` and `H_must`. A set of vectors over
//! 0, 1 and * is a ternary diagram: `G_may` and `G_must`. Diagrams are canonical, so equal sets are equal; they count
//! and enumerate their members.
//!
//! Nothing is asked of the solver here. For may, a star among the targets is the union of 0 and 1, so `G_may` takes the 2^n answers of
//! `H_may` instead of 3^n; for must it can be more than that union, and `G_must` is everything weaker than the most precise targets.
//!
//! Targets can differ in their control, and each set is of those with one control. Component n of a vector is predicate
//! n, and so is variable n.

use crate::ternary::{Tdd, TddManager};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;
use tertium_abstraction::{AbstractState, Targets, TriState, TriTargets};
use tertium_dd::{Bdd, Manager, Var};
use tertium_expr::Value;
use tertium_support::StopReason;
use tertium_truth::{Kleene, TriVector};

/// The may targets with this control.
pub(crate) fn h_may(
    targets: &Targets,
    manager: &Manager,
    variables: &[Var],
    control: &[Value],
) -> Result<Bdd, StopReason> {
    bit_vectors(manager, variables, with_control(&targets.may, control), 0)
}

/// The must targets with this control.
pub(crate) fn h_must(
    targets: &Targets,
    manager: &Manager,
    variables: &[Var],
    control: &[Value],
) -> Result<Bdd, StopReason> {
    bit_vectors(manager, variables, with_control(&targets.must, control), 0)
}

/// The may targets with this control.
pub(crate) fn g_may(
    targets: &TriTargets,
    manager: &mut TddManager<bool>,
    control: &[Value],
) -> Result<Tdd, StopReason> {
    overlapping(manager, with_control(&targets.may, control), 0)
}

/// The must targets with this control.
pub(crate) fn g_must(
    targets: &TriTargets,
    manager: &mut TddManager<bool>,
    control: &[Value],
) -> Result<Tdd, StopReason> {
    let mut set = manager.constant(false);
    for TriState { vector, .. } in targets.must.iter().filter(|target| *target.control == *control) {
        let weaker = weaker(manager, vector)?;
        set = manager.union(set, weaker)?;
    }
    Ok(set)
}

fn with_control<'a>(states: &'a BTreeSet<AbstractState>, control: &[Value]) -> Vec<&'a FixedBitSet> {
    states.iter().filter(|state| *state.control == *control).map(|state| &state.bits).collect()
}

/// The set of these bit vectors, from variable `at` on.
fn bit_vectors(
    manager: &Manager,
    variables: &[Var],
    vectors: Vec<&FixedBitSet>,
    at: usize,
) -> Result<Bdd, StopReason> {
    if vectors.is_empty() || at == variables.len() {
        return Ok(manager.constant(!vectors.is_empty()));
    }
    let (with, without): (Vec<_>, Vec<_>) = vectors.into_iter().partition(|bits| bits.contains(at));
    let (with, without) =
        (bit_vectors(manager, variables, with, at + 1)?, bit_vectors(manager, variables, without, at + 1)?);
    manager.var(variables[at])?.ite(&with, &without)
}

/// The vectors that agree with one of these bit vectors from component `at` on.
fn overlapping(
    manager: &mut TddManager<bool>,
    vectors: Vec<&FixedBitSet>,
    at: usize,
) -> Result<Tdd, StopReason> {
    if vectors.is_empty() || at == manager.length() {
        return Ok(manager.constant(!vectors.is_empty()));
    }
    let (with, without): (Vec<_>, Vec<_>) = vectors.into_iter().partition(|bits| bits.contains(at));
    let (zero, one) = (overlapping(manager, without, at + 1)?, overlapping(manager, with, at + 1)?);
    let star = manager.union(zero, one)?;
    manager.node(at, zero, one, star)
}

/// A vector and all that leave more open.
fn weaker(manager: &mut TddManager<bool>, vector: &TriVector) -> Result<Tdd, StopReason> {
    let none = manager.constant(false);
    let mut set = manager.constant(true);
    for (at, component) in vector.components().iter().enumerate().rev() {
        let zero = if *component == Kleene::False { set } else { none };
        let one = if *component == Kleene::True { set } else { none };
        set = manager.node(at, zero, one, set)?;
    }
    Ok(set)
}
