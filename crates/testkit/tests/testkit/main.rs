//! The house rules.

mod does_not_know;
mod layers;
mod tidy;
mod tool_info;
