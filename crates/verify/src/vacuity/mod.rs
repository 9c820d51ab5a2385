//! Which parts of properties do not matter.

mod subject;

pub(crate) use subject::{Branching, Linear, Subject};

/// So many sets of parts that do not matter together are listed.
pub(crate) const MOST_SETS: usize = 1_000;

/// How vacuous parts are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacuityMethod {
    /// All parts at once.
    Vaquot,
    /// One after the other.
    Naive,
    /// All parts at once, and sets of them.
    Mutual,
    /// From large parts to small ones.
    Refine,
}
