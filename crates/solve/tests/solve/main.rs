//! The solver from outside: answers, models, elimination.

mod eliminating;
mod solving;
