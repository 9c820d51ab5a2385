//! The refinement loop from outside: definite answers against enumeration, open answers, evidence.

mod by_search;
mod domain;
mod r#loop;
mod open;
mod ranks;
mod unfold;
