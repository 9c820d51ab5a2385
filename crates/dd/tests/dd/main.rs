//! Decision diagrams from outside: every kind against explicit tables.

mod multi_terminal;
mod points;
mod random_operations;
mod relations;
mod reordering;
mod small_functions;
mod table;
mod ternary;
