//! The answers: Kleene and Belnap values with their two orders kept apart, and the verdict of a run.
//!
//! No type here implements `Ord`: a truth value has a truth order (false below true) and an information order
//! (unknown below both), and a default order would silently pick one.

mod approximation;
mod belnap;
mod kleene;
mod lattice;
mod lattice_kinds;
#[cfg(test)]
mod lattice_laws;
mod tri_vector;
mod vacuity;
mod verdict;

pub use approximation::{Approximation, ApproximationFlaw};
pub use belnap::Belnap;
pub use kleene::Kleene;
pub use lattice::{BelnapTruth, DeMorgan, FiniteLattice, KleeneTruth, TwoValued};
pub use lattice_kinds::{Chain, ItemId, Powerset, Product, UpSets};
pub use tri_vector::{NotAComponent, TriVector};
pub use vacuity::VacuityLattice;
pub use verdict::{Cause, Verdict};
