//! Programs in C, tested from outside.

mod c_expression;
mod differential;
mod execute;
mod fuzz;
mod interpreted;
mod language;
mod lower;
mod reading;
mod runs;
mod tasks;
mod twins;
mod unsupported;
