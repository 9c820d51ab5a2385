//! Programs seen through predicates.
//!
//! Predicate abstraction \[GHJ01\]: an abstract state is a value for each control variable and a truth value for each
//! predicate that counts there (`Precision` in `program`); it stands for all concrete states with these. A step between
//! abstract states *may* exist if some concrete state has it, and *must* exist if all have it. So what is proved or
//! refuted of the abstract system holds of the program.
//!
//! **The one rule about the solver**: where it gives up, a formula counts as satisfiable. Then there can only be more
//! may steps and fewer must steps than exactly, and no verdict turns round.
//!
//! | file | holds |
//! |---|---|
//! | `state`, `describe` | what is seen of states, and how that is said |
//! | `feasible` | which truth values some terms can have together: the one question that is asked |
//! | `renamed_questions` | the same, of questions that differ in names only |
//! | `site`, `group`, `transfer` | commands at one control, taken apart into independent groups; what these say; may and must targets |
//! | `meaning` | where a program begins, which states stand for something, and what terms are there |
//! | `branches`, `precise` | vectors that several branches lead to together; the most precise vectors with a property, by asking |
//! | `left_out` | what was left out because there was too much of it |
//! | `sources` | the predicates at a location in independent components, with the values that each can have |
//! | `explore` | the abstract system of a program, as far as it can be reached |
//! | `cartesian` | the same with predicates that may be left open: states are vectors over 0, 1 and * |
//! | `ranks` | numbers that fall, piece by piece |
//! | `symbolic` | may and must as decision diagrams, without looking at single abstract states |
//! | `naive` | the same from the definition, one solver call for each pair of states: the oracle |

mod branches;
mod cartesian;
mod describe;
mod explore;
mod feasible;
mod group;
mod left_out;
mod meaning;
pub mod naive;
mod precise;
mod ranks;
mod renamed_questions;
mod site;
mod sources;
mod state;
mod symbolic;
mod transfer;

pub use cartesian::{
    CartesianAbstraction, CartesianSystem, Form, TriState, TriTargets, concretise, explore_cartesian,
};
pub use explore::{AbstractSystem, Musts, explore};
pub use left_out::{LeftOut, MostAsked};
pub use ranks::{Rank, RankPiece, Ranked};
pub use state::AbstractState;
pub use symbolic::{SymbolicAbstraction, explore_symbolic};
pub use transfer::{PredicateAbstraction, Targets};
