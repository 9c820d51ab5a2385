//! Concrete search with abstract matching: the published examples, other ways to search, open systems, and laws on random programs.

mod common;
mod figures;
mod laws;
mod modes;
mod musts;
mod open;
mod packed;
mod published;
