//! Work in a process of its own, watched from another.
//!
//! A supervisor starts a worker and hears what it says, as [`Frame`]s on a pipe. A limit that the worker does not keep by
//! itself is kept by [`watch()`], which ends it. What ended the worker is a value, [`End`]; all that it said before was
//! heard. A process of its own is for work that cannot look at its limits: a failed allocation ends a process, and so
//! does a stack that is used up.
//!
//! [`filter()`] sends a text through a program of the machine, and [`OwnProgram`] through this program itself, for code of others that may
//! end the process it is in.
//!
//! [`patiently`] does work that may block beside a run that has limits.
//!
//! This crate knows neither commands nor verdicts, and prints nothing: what a frame means is for whoever listens.

mod aside;
mod filter;
mod frame;
mod patience;
mod watch;
mod worker;

pub use aside::OwnProgram;
pub use filter::{Unfiltered, filter};
pub use frame::{Frame, Writing};
pub use patience::{Impatience, patiently};
pub use watch::{End, Listener, watch};
pub use worker::{NO_ROOM, end_with_supervisor};
