//! Proofs by induction from outside: on guarded commands and on SMV models, against enumeration.

mod gcl;
mod smv;
