//! The logics: one syntax tree for the modal mu-calculus over states and actions with CTL and regular modalities on
//! top of it, and the cyclic graph in positive normal form that checkers work on; and linear temporal logic with past.
//!
//! This crate knows no system: propositions and actions are names here.

mod action;
mod build;
mod claim;
mod display;
mod dual;
mod expand;
mod fold;
mod formula;
mod graph;
mod ltl;
mod normal_form;
mod occurrence;
mod parse;
mod priority;
mod staying;
mod syntax;
mod term;
mod token;
mod translate;
mod wellformed;
mod written;

pub use action::{ActionFormula, Regular, has_structure};
pub use claim::{as_claim, is_boolean, is_universal};
pub use fold::fold_constants;
pub use formula::{Formula, FormulaKind, PathOperator, PathQuantifier, Sign};
pub use graph::{FormulaGraph, Node, NodeId, PropositionId};
pub use ltl::{Ltl, LtlBinary, LtlKind, LtlUnary, holds_on_lasso};
pub use normal_form::to_formula;
pub use occurrence::{Occurrence, OccurrenceId, Polarity, occurrences};
pub use parse::{
    Atoms, FiledFormula, Query, formulas_of, parse, parse_ltl, parse_ltl_with_atoms, parse_query,
    parse_query_with_atoms, parse_with_atoms,
};
pub use staying::{Staying, staying_at_ends};
pub use syntax::Syntax;
pub use wellformed::check_well_formed;
pub use written::{Part, PartId, Written};
