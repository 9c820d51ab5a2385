//! Commands: what a program does under one action name.

use crate::{ProcessId, Statement, Step};
use tertium_support::Span;

/// A command. Several can share an action.
#[derive(Clone, Debug)]
pub struct Command {
    /// Who takes it, if it stands in a process.
    pub process: Option<ProcessId>,
    /// The action name that formulas see.
    pub action: String,
    /// What it does, ranges of variables included.
    pub statement: Statement,
    /// The ways through the statement.
    pub steps: Vec<Step>,
    /// Where it stands in the source.
    pub span: Span,
}
