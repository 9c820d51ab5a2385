//! What every crate needs and none of the theory: typed ids and sets of them, names, source positions and
//! diagnostics, limits and cancellation, statistics, seeded randomness, largest sets by asking.
//!
//! This crate knows nothing of truth values, logics or systems. It alone reads the clock and the memory in use.

mod aside;
mod beside;
mod complaints;
mod components;
mod cursor;
mod diagnostic;
mod id;
mod interner;
mod lexing;
mod limits;
pub mod maximal_sets;
mod plain;
mod progress;
mod quantity;
mod random;
mod reading;
mod set;
mod share;
mod source;
mod statistics;
mod suggest;
mod yaml;

pub use aside::Aside;
pub use beside::{Beside, beside};
pub use complaints::Complaints;
pub use components::ComponentSearch;
pub use cursor::Cursor;
pub use diagnostic::{Diagnostic, Diagnostics, Severity, render};
pub use id::Id;
pub use interner::Interner;
pub use lexing::{Lexer, Symbols, Token, run_length, skip_blanks};
pub use limits::{Cancel, Context, Limits, StopReason, Ticker, machine_memory, memory_of_process};
pub use plain::{is_unprintable, plain};
pub use progress::{Doing, Measure, Progress};
pub use quantity::{parse_count, parse_duration, parse_memory};
pub use random::Rng;
pub use reading::{ReadError, Watch};
pub use set::IdSet;
pub use share::Share;
pub use source::{Source, Span, without_marks};
pub use statistics::Statistics;
pub use suggest::nearest_names;
pub use yaml::{Yaml, YamlKind, read_yaml};
