//! The binary as users meet it: commands, output, exit status, wrong inputs, golden tasks, what documents show.

mod attacks;
mod cartesian;
mod check;
mod corpus;
mod determinism;
mod documented;
mod explained;
mod explicit;
mod game;
mod gcl;
mod gcl_query;
mod gcl_symbolic;
mod gene_network;
mod inputs;
mod json;
mod limits;
mod model;
mod query;
mod readme;
mod search;
mod smv;
mod support;
mod tasks;
mod tests;
mod vacuity;
mod words;
