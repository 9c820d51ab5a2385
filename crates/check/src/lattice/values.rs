//! What the values are, how sets of states get them, and why there may be no answer.

use crate::symbolic::{Refusal, SymbolicError};
use std::fmt;
use tertium_dd::Bdd;
use tertium_support::StopReason;
use tertium_truth::{DeMorgan, FiniteLattice};

type Negation<L> = fn(&L, &<L as FiniteLattice>::Element) -> <L as FiniteLattice>::Element;

/// A lattice to take values from, with or without its negation.
#[derive(Debug)]
pub struct Values<'l, L: FiniteLattice> {
    /// The lattice.
    pub lattice: &'l L,
    negation: Option<Negation<L>>,
}

impl<L: FiniteLattice> Clone for Values<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: FiniteLattice> Copy for Values<'_, L> {}

impl<'l, L: FiniteLattice> Values<'l, L> {
    /// The values of a lattice, for formulas without negation.
    pub fn positive(lattice: &'l L) -> Self {
        Self { lattice, negation: None }
    }

    /// The values of a lattice, with its negation.
    pub fn with_negation(lattice: &'l L) -> Self
    where
        L: DeMorgan,
    {
        Self { lattice, negation: Some(L::negate) }
    }

    /// The negation, if formulas may have it.
    pub fn negation(&self) -> Option<impl Fn(&L::Element) -> L::Element + use<'l, L>> {
        let lattice = self.lattice;
        self.negation.map(|negate| move |value: &L::Element| negate(lattice, value))
    }
}

/// A function from states to values: at each state the join of the values of the sets that have it.
#[derive(Clone, Debug)]
pub struct Valuation<E> {
    /// Sets, as functions of current bits, with their values.
    pub parts: Vec<(Bdd, E)>,
}

impl<E> Valuation<E> {
    /// One value on a set, and bottom elsewhere.
    pub fn on(set: Bdd, value: E) -> Self {
        Self { parts: vec![(set, value)] }
    }
}

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LatticeError {
    /// A limit was reached.
    Stopped(StopReason),
    /// There is no such proposition.
    UnknownProposition(String),
    /// This proposition is about steps; a formula of branching time speaks of states.
    ReadsInput(String),
    /// The formula has a negation, an implication or an equivalence, and the values have no negation.
    NoNegation,
    /// The formula has fixpoints, or modalities of more than one step or of named actions.
    NotCtl,
}

impl From<StopReason> for LatticeError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<SymbolicError> for LatticeError {
    fn from(error: SymbolicError) -> Self {
        match error {
            SymbolicError::Stopped(reason) => Self::Stopped(reason),
            SymbolicError::Refused(Refusal::UnknownProposition(name)) => Self::UnknownProposition(name),
            SymbolicError::Refused(Refusal::ReadsInput(name)) => Self::ReadsInput(name),
            SymbolicError::Refused(Refusal::IllFormed | Refusal::NamedAction(_)) => Self::NotCtl,
        }
    }
}

impl fmt::Display for LatticeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(reason) => write!(f, "stopped: {reason:?}"),
            Self::UnknownProposition(name) => write!(f, "there is no proposition `{name}`"),
            Self::ReadsInput(name) => {
                write!(f, "`{name}` depends on inputs, and a formula of branching time speaks of states only")
            }
            Self::NoNegation => f.write_str("the formula has a negation, and the lattice has none"),
            Self::NotCtl => f.write_str("the formula is not one of CTL"),
        }
    }
}
