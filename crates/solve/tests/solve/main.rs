//! The solver from outside: answers, models, elimination, and that answers do not depend on what went before.

mod eliminating;
mod same_answers;
mod solving;
