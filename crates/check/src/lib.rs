//! Checkers: formula and system in, verdict and evidence out.
//!
//! The naive evaluator (`evaluate`) is the oracle; `check` is the fast checker. Evidence is checked by
//! `check_strategy`, which shares no code with what made it. [`fair`] is the checker of fair paths on listed states,
//! [`symbolic`] the one on decision diagrams. This crate knows no programs and no abstraction: it sees
//! a partial system and a formula.

mod blocking;
mod check;
mod depth;
mod equations;
mod explain;
pub mod fair;
pub mod game;
mod instances;
mod naive;
mod names;
mod necessity;
mod product;
mod propagation;
mod question;
mod ranked;
mod reduced;
mod replay;
mod reversed;
mod settle;
mod strategy;
pub mod symbolic;
mod thorough;
mod validate;

pub use check::{Semantics, Settings, assumptions, check, check_naively, label};
pub use depth::clear_depth;
pub use instances::{Further, FurtherValues, Instances, Word, check_instances};
pub use naive::{Labelling, evaluate, evaluate_with};
pub use names::unknown_names;
pub use necessity::{Prepared, Record};
pub use question::Side;
pub use ranked::{OpenLasso, open_lasso};
pub use reduced::{
    evaluate_reduced, info_le, is_monotone_labelling, reduce, reduce_may, reduce_monotone, reduce_must,
    semantic_le,
};
pub use replay::{EnumerationFlaw, check_enumeration};
pub use settle::{MOST_SETTLED, Settled, open_parts, settle};
pub use thorough::{NotEnumerated, Thorough, evaluate_thorough};
pub use validate::{Flaw, Reliance, check_strategy, relied_on};
