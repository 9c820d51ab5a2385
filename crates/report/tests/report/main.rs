//! Reports from outside: random outcomes are shown; witnesses and harnesses of C programs.

mod harness;
mod programs;
mod random_outcomes;
mod ranked;
mod witness;
