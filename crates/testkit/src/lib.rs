//! For tests only: random models and formulas, the runner of random cases, oracles.

pub mod formula;
pub mod random;
pub mod system;

pub use formula::{FormulaShape, random_formula};
pub use random::{fuzz_cases, random_cases};
pub use system::{SystemShape, random_system};
