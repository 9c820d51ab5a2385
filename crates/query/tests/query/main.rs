//! Vacuity and queries from outside: on models and systems, against their definitions.

mod common;
mod explicit;
mod graphs;
mod linear;
mod queries;
mod vacuity;
