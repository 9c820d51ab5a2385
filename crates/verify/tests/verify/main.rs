//! The middle from outside: formats, engines, scheduling.

mod asking;
mod orders;
mod reading;
mod toy;
