//! The text format of PGSolver for parity games and their solutions; see docs/formats/pgsolver.md.

mod read;
mod write;

pub use read::{PgFile, read_pgsolver};
pub use write::{write_pgsolver, write_solution};
