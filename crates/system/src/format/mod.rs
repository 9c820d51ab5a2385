//! Text formats of systems: read, written, drawn.
//!
//! | format | what it carries | in | out |
//! |--------|-----------------|----|-----|
//! | `.pts` | everything a [`PartialSystem`](crate::PartialSystem) holds | [`read_pts`] | [`print_pts`] |
//! | `.aut` | numbered states, one initial state, actions; by an extension, may and must | [`read_aut`] | [`write_aut`] |
//! | DOT | pictures | – | [`print_dot`] |
//! | relations | pairs of a state of a system and an abstract state | [`read_relation`] | – |
//!
//! Readers never panic: they give a system, or several located complaints at once, or the limit that stopped them.
//! The formats are described for users in `docs/formats/`.

mod aut;
mod aut_label;
mod aut_line;
mod aut_write;
mod dot;
mod faults;
mod pts;
mod pts_draft;
mod pts_lexer;
mod pts_parser;
mod pts_print;
mod pts_promise;
mod pts_resolve;
mod relation;
mod step_lines;
mod validate;
mod write;

pub use crate::Family;
pub use aut::{AutMode, read_aut, read_aut_with_lines};
pub use aut_write::{AutError, write_aut};
pub use dot::{DotOptions, dot_string, print_dot};
pub use faults::{MAX_FAULTS, source_of_bytes};
pub use pts::{PtsFile, read_pts};
pub use pts_print::{PtsError, print_pts};
pub use relation::read_relation;
pub use step_lines::StepLines;
pub use tertium_support::ReadError;
pub use validate::{DomainFault, domain_faults};
pub use write::{SystemFormat, Unwritten};
