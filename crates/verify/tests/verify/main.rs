//! The middle from outside: formats, engines, scheduling.

mod asking;
mod linear;
mod orders;
mod toy;
