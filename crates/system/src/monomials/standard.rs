//! Steps from monomials, for standard semantics.
//!
//! A monomial has a must step into another iff all its inhabited minterms have one into something at least as precise, and a may step into
//! a minterm iff one of its inhabited minterms has. Predicates that a step keeps are left open after it iff they were before.

use super::{MonomialLocation, MonomialMove, MonomialSystem, Reduction};
use tertium_dd::Bdd;
use tertium_support::StopReason;

/// The must steps of a move, from monomials: over all four sorts of variables.
pub fn monomial_must(
    system: &MonomialSystem,
    location: &MonomialLocation,
    step: &MonomialMove,
) -> Result<Bdd, StopReason> {
    let frame = &system.frame;
    let manager = frame.manager();
    let mut weaker = step.relation.clone();
    for &predicate in &step.changed {
        let variables = frame.get(predicate);
        let any = weaker.exists(&manager.var_set([variables.next_open, variables.next_value])?)?;
        weaker = manager.var(variables.next_open)?.ite(&any, &weaker)?;
    }
    let vacuous = location.inhabited_around(&step.relation)?.not();
    Reduction::of_all(frame).within(&weaker.or(&vacuous)?)
}

/// The may steps of a move from monomials, into minterms: over current values and openness, and next values.
pub fn expanded(
    system: &MonomialSystem,
    location: &MonomialLocation,
    step: &MonomialMove,
) -> Result<Bdd, StopReason> {
    let inside = location.inhabited_around(&step.relation)?.and(&step.relation)?;
    Reduction::of_all(&system.frame).touching(&inside)
}
