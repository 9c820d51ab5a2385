//! The middle from outside: formats, engines, scheduling.

mod asking;
mod bounded;
mod linear;
mod mutants;
mod orders;
mod reading;
mod toy;
mod unbounded;
