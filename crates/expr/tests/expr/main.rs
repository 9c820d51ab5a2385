//! Terms from outside: values, simplification, elimination of variables.

mod eliminate;
mod terms;
