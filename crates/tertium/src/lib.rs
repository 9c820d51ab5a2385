//! The library for other programs.
#![doc = include_str!("../README.md")]

mod answer;
mod check;
mod claim;
mod collected;
mod error;
mod further;
mod model;
mod path;
mod stack;
mod strategy;

pub use answer::{Answer, Open};
pub use check::{Check, check};
pub use claim::ClaimAt;
pub use error::Error;
pub use further::{Query, Vacuity};
pub use model::{Model, Property};
pub use path::{Path, State, Step};
pub use strategy::{ClaimGraph, Position, Reason};

pub use tertium_check::Semantics;
/// Outcomes and evidence in numbers of states and steps, for those who want all of it.
pub use tertium_evidence as evidence;
pub use tertium_evidence::{Evidence, NamedValue, Names, Outcome, PropertyName, StepName, Validation};
/// Answers as text and as records that become JSON.
pub use tertium_report as report;
pub use tertium_report::Message;
pub use tertium_support::Cancel;
pub use tertium_truth::{Belnap, Cause, Verdict};
pub use tertium_verify::{Parameter, ReadOptions, VacuityCheck};
