//! The middle from outside: formats, engines, scheduling.

mod advice;
mod asking;
mod bounded;
mod depth;
mod ends;
mod instances;
mod kept;
mod linear;
mod mutants;
mod orders;
mod plain_c;
mod reading;
mod specification;
mod toy;
mod unbounded;
