//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod game;
pub(crate) mod model;
pub(crate) mod query;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod tests;
pub(crate) mod vacuity;
