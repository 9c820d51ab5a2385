//! What the values are, and why there may be none.

use tertium_support::StopReason;
use tertium_testkit::lattice::{DeMorgan, FiniteLattice};

type Negation<L> = fn(&L, &<L as FiniteLattice>::Element) -> <L as FiniteLattice>::Element;

/// A lattice to take values from, with or without its negation.
#[derive(Debug)]
pub(crate) struct Values<'l, L: FiniteLattice> {
    /// The lattice.
    pub(crate) lattice: &'l L,
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
    pub(crate) fn positive(lattice: &'l L) -> Self {
        Self { lattice, negation: None }
    }

    /// The values of a lattice, with its negation.
    pub(crate) fn with_negation(lattice: &'l L) -> Self
    where
        L: DeMorgan,
    {
        Self { lattice, negation: Some(L::negate) }
    }

    /// The negation, if formulas may have it.
    pub(crate) fn negation(&self) -> Option<impl Fn(&L::Element) -> L::Element + use<'l, L>> {
        let lattice = self.lattice;
        self.negation.map(|negate| move |value: &L::Element| negate(lattice, value))
    }
}

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LatticeError {
    /// A limit was reached.
    Stopped(StopReason),
    /// There is no such proposition.
    UnknownProposition(String),
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
