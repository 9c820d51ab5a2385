//! Partial systems over an abstract domain: monotonicity, consistency, the conversions between families, and the set
//! of concrete systems that a partial one stands for.
//!
//! Setting, from \[Wei09\]: every state s stands for a set γ(s) of concrete states; s ⪯ t (t is at least as precise) iff
//! γ(s) ⊇ γ(t). A *valid* domain has no two states with equal γ, and for every concrete state c a most precise state
//! α(c) that stands for it. A system without a domain is read over the flat one, where every state stands for itself.
//! All transitions are treated action by action. Definitions and laws: `docs/semantics/partial-systems.md`.

mod classify;
mod concrete;
mod consistency;
mod covers;
mod dense;
mod gtom;
mod monotone;
mod mtok;
mod precision;
mod refinements;
mod refines;

pub use crate::Family;
pub use classify::{Classification, Counts, DomainKind, classify};
pub use concrete::{ConcreteBts, NotOverTheDomain};
pub use consistency::{Consistency, Contradiction, MustContradiction, consistency, is_consistent};
pub use gtom::gtom;
pub use monotone::{
    MonotoneClause, MonotoneViolation, destination_closure, monotone_closure, monotone_violation,
    source_closure,
};
pub use mtok::mtok;
pub use precision::{DomainFlaw, Precision, domain_flaws};
pub use refinements::{Refinements, TooManyFreeBits};
pub use refines::{RefinementClause, RefinementViolation, refinement_violation};

use crate::StateId;
use std::fmt;

/// Why something about a partial system could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartialError {
    /// The domain is not valid; at least one flaw, none of them about labels.
    Domain(Vec<DomainFlaw>),
    /// The hyper-musts of this state have too many least target sets to write them down.
    TooManyCovers {
        /// The source of the hyper-must.
        state: StateId,
        /// How many steps were spent on finding them.
        bound: usize,
    },
}

impl fmt::Display for PartialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartialError::Domain(flaws) => write!(f, "the abstract domain has {} flaws", flaws.len()),
            PartialError::TooManyCovers { bound, .. } => {
                write!(
                    f,
                    "a hyper-must has too many least target sets (more than {bound} steps to find them)"
                )
            }
        }
    }
}

impl std::error::Error for PartialError {}
