//! The text formats from outside: laws on random systems, complaints about wrong files, endless ones, and fuzz.

mod aut;
mod dot;
mod examples;
mod fuzz;
mod odd;
mod pts;
