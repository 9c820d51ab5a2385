//! The engines that Tertium has: one file for each, and the validators of what they give.

pub(crate) mod abstraction;
pub(crate) mod certificate;
pub(crate) mod confirm;
pub(crate) mod depth;
pub(crate) mod execution;
pub(crate) mod explicit;
mod induction;
mod listed;
mod monomials;
mod paths;
pub(crate) mod recursion;
pub(crate) mod symbolic;

use crate::Engine;

/// All of them.
pub(crate) const ALL: [Engine; 13] = [
    execution::EXECUTION,
    paths::PATHS,
    recursion::RECURSION,
    explicit::EXPLICIT,
    listed::LISTED,
    symbolic::SYMBOLIC,
    symbolic::ON_PROGRAMS,
    induction::INDUCTION,
    abstraction::PREDICATE,
    abstraction::SEARCH,
    abstraction::CARTESIAN,
    monomials::MONOMIALS,
    explicit::NAIVE,
];

/// `1 round`, `2 rounds`.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
