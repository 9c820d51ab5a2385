//! Decision diagrams from outside: every kind against explicit tables.

mod points;
mod random_operations;
mod relations;
mod reordering;
mod small_functions;
mod table;
