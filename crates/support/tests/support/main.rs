//! The largest sets of families from outside.

mod border;
