//! The explorer against the same search from its definition.

mod against_naive;
mod limits;
mod naive;
