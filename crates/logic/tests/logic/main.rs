//! Formulas from outside: parsers, printers, meaning, fuzz.

mod atoms;
mod file;
mod fuzz;
mod linear;
mod parser;
mod round_trip;
mod semantics;
