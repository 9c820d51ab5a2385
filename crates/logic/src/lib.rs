//! The logics: one syntax tree for the modal mu-calculus over states and actions with CTL and regular modalities on
//! top of it, and the cyclic graph in positive normal form that checkers work on.
//!
//! This crate knows no system: propositions and actions are names here.

mod action;
mod formula;
mod graph;

pub use action::{ActionFormula, Regular};
pub use formula::{Formula, FormulaKind, PathOperator, PathQuantifier, Sign};
pub use graph::{FormulaGraph, Node, NodeId, PropositionId};
