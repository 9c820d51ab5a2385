//! The middle from outside: formats, engines, scheduling.

mod asking;
mod bounded;
mod instances;
mod linear;
mod orders;
mod reading;
mod toy;
mod unbounded;
