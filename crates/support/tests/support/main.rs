//! The largest sets of families from outside.

mod maximal_sets;
