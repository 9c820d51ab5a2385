//! Text formats of systems: read, written, drawn.
//!
//! | format | what it carries | in | out |
//! |--------|-----------------|----|-----|
//! | `.pts` | everything a [`PartialSystem`](crate::PartialSystem) holds | [`read_pts`] | [`print_pts`] |
//! | `.aut` | numbered states, one initial state, actions; by an extension, may and must | [`read_aut`] | [`write_aut`] |
//! | DOT | pictures | – | [`print_dot`] |
//!
//! Readers never panic: they give a system, or several located complaints at once, or the limit that stopped them.
//! The formats are described for users in `docs/formats/`.

mod aut;
mod aut_label;
mod aut_line;
mod aut_write;
mod faults;

pub use aut::{AutMode, read_aut};
pub use aut_write::{AutError, write_aut};
pub use faults::{MAX_FAULTS, ReadError, source_of_bytes};
