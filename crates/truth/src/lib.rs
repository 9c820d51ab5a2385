//! The answers: Kleene and Belnap values with their two orders kept apart, and the verdict of a run.
//!
//! No type here implements `Ord`: a truth value has a truth order (false below true) and an information order
//! (unknown below both), and a default order would silently pick one.

mod belnap;
mod kleene;
mod tri_vector;
mod verdict;

pub use belnap::Belnap;
pub use kleene::Kleene;
pub use tri_vector::{NotAComponent, TriVector};
pub use verdict::{Cause, Verdict};
