//! The solver from outside: answers, models, elimination, that answers do not depend on what went before,
//! and terms as clauses.

mod bits;
mod bits_of_arrays;
mod eliminating;
mod same_answers;
mod solving;
