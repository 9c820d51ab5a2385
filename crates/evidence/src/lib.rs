//! One outcome, one evidence, one way to name things: what every checker gives back, every validator reads and every report shows.
//!
//! | file | holds |
//! |---|---|
//! | `answer` | an outcome with all that is needed to show it |
//! | `outcome` | the answer to one question: verdict, evidence, assumptions, counters, how it was validated |
//! | `evidence` | the closed list of what can support an answer |
//! | `trace` | paths and lassos |
//! | `claim` | trees of claims, with the paths that show them |
//! | `strategy` | graphs of claims, for nested path quantifiers and fixpoints |
//! | `single_path` | strategies that are paths |
//! | `summaries` | what procedures do, and what holds at places |
//! | `blocking` | what leaves an answer open |
//! | `assumption` | what an answer relies on, each with a stable code |
//! | `advice` | what can be done about an unknown answer |
//! | `document` | files that say the same as an answer |
//! | `names` | states, values, steps, processes and places in the user's words |
//! | `replay` | paths and ways to what is open, replayed on the system |
//! | `replay_claim` | trees of claims, checked on a concrete model |
//! | `table` | states and steps with names, numbered as evidence mentions them |
//!
//! All of it is generic in the state and in what labels a step. Checkers speak of what they compute with (numbers of states, codes,
//! values); what leaves the library speaks of [`tertium_system::StateId`] and [`tertium_system::ActionId`] and comes with a [`Names`].
//!
//! This crate makes no evidence and knows no checker.

mod advice;
mod answer;
mod assumption;
mod blocking;
mod claim;
mod document;
mod evidence;
mod names;
mod outcome;
mod replay;
mod replay_claim;
mod single_path;
mod strategy;
mod summaries;
mod table;
mod trace;

pub use advice::{Advice, Change, OpenPart, Settling};
pub use answer::{AbstractionRound, Answer, Detail, Origin, PropertyName, SearchRound};
pub use assumption::Assumption;
pub use blocking::{Blocking, Culprit};
pub use claim::{Claim, Support};
pub use document::{Document, DocumentKind};
pub use evidence::Evidence;
pub use names::{NamedValue, Names, StepName};
pub use outcome::{Outcome, Unchecked, Validation};
pub use replay::{Covers, check_blocking, check_trace, is_step};
pub use replay_claim::{Concrete, check_claim, check_path, check_violation, value_of};
pub use single_path::{as_trace, claim_as_trace};
pub use strategy::{By, Move, Position, PositionId, Ranking, Stage, Strategy};
pub use summaries::{PlacedCondition, ProcedureSummary, Summaries};
pub use table::Table;
pub use trace::Trace;
