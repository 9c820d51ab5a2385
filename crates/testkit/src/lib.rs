//! For tests only: random models and formulas, the runner of random cases, oracles.

pub mod system;

pub use system::{SystemShape, random_system};
