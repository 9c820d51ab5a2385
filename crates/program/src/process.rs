//! Processes: who takes commands, and which of them are copies of one template.
//!
//! A template is a process that is there once for each number of a range. All its instances have the same variables and commands, in
//! the same order: the n-th of one instance is the copy of the n-th of every other. So whoever looks for symmetry finds here what is
//! to be swapped with what. To all others, instances are processes like any.

use crate::{CommandId, VarId};
use tertium_expr::BigInt;
use tertium_support::{Span, define_id};

define_id!(
    /// A process of a program.
    ProcessId
);

define_id!(
    /// A template of processes.
    TemplateId
);

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// As it is shown: `user`, or `worker[2]`.
    pub name: String,
    /// The template that it is a copy of, and for which number.
    pub instance: Option<(TemplateId, BigInt)>,
    /// Its own variables, in order.
    pub variables: Vec<VarId>,
    /// Its commands, in order.
    pub commands: Vec<CommandId>,
}

/// A process that is there once for each number of a range.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name that all instances share.
    pub name: String,
    /// What the number is called inside.
    pub index: String,
    /// The lowest number.
    pub low: BigInt,
    /// The highest number, which is not below the lowest.
    pub high: BigInt,
    /// Its instances, by ascending number.
    pub instances: Vec<ProcessId>,
    /// Where it is declared.
    pub span: Span,
}
