//! Vacuity and queries on explicit systems, which may leave something open.
//!
//! The formulas are those of the mu-calculus with CTL and regular modalities, the values those of the standard semantics. All instances
//! of a formula, replacements of parts or values of the placeholder, are evaluated at once by `check_instances`; the naive
//! methods ask the ordinary checker once for each. Where the system leaves the value of an instance open, so is what
//! follows from it: findings are definite or open, solutions definite or possible.

mod combinations;
mod formulas;
mod general;
mod mutual;
mod naive;
mod question;
mod refine;
mod vacuity;

pub use general::{ExplicitExtremes, MOST_CLASSES};
pub use question::{Answer, Code, ExplicitQuestion, ExplicitSolutions};
pub use vacuity::{ExplicitFindings, ExplicitVacuity};

/// So many instances are asked for at once: as many as there are bits in a word.
const AT_ONCE: usize = 64;
