//! The house rules.

mod layers;
mod tidy;
