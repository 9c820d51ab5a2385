//! Predicate abstraction from outside: worked examples with their counts, solver calls, soundness, growth, diagrams.

mod blocks;
mod cartesian;
mod common;
mod examples;
mod growth;
mod next_sets;
mod predicates;
mod product;
mod product_laws;
mod symbolic;
mod target_sets;
mod ternary;
