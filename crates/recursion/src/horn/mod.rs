//! Unreachability as constrained Horn clauses.
//!
//! Every point has a relation: which values of ghosts and variables there can be. A step says how one follows from another; a call, that
//! the callee is entered; a return has two relations in front of it, that of the call's source and that of the callee's exit, which is
//! its summary. Targets have no states. The clauses have a solution exactly if no target is reached, as far as the graph says
//! only what happens.
//!
//! Relations speak only of what [matters](relevant). Points that are no loop heads, ends of procedures, or sources of calls or inputs
//! are taken out where that does not make more clauses of what goes in and out: large blocks. What a solution says of
//! them follows backwards from the rest, see [`Horn::completed`].
//!
//! [`Horn::special`] has copies of relations for constants, which unrolls loops with known bounds.

mod blocks;
mod clauses;
mod complete;
mod relevant;
mod smt;
mod special;
mod text;

use crate::Entries;
pub use special::Special;
use std::collections::BTreeMap;
use tertium_expr::{Term, Variable};
use tertium_program::{Icfg, PointId};

/// The states of a point.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Unique, and readable.
    pub name: String,
    /// Where.
    pub point: PointId,
    /// Over what: ghosts, then variables.
    pub arguments: Vec<Variable>,
    /// Which arguments are their own ghosts, because they have not changed since the beginning of the activation.
    pub unchanged: Vec<Variable>,
}

/// A relation, by number, holds of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Which relation.
    pub relation: usize,
    /// For each of its arguments.
    pub values: Vec<Term>,
}

/// If the condition and all of the body hold, so does the head, for all values of variables. Without a head, that cannot be.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What holds, besides the condition.
    pub body: Vec<Application>,
    /// What holds of the values.
    pub condition: Term,
    /// What follows.
    pub head: Option<Application>,
    /// What happens along the way, for people.
    pub note: String,
}

/// Clauses.
#[derive(Clone, Debug)]
pub struct Horn {
    /// The relations. One that no clause mentions is empty.
    pub relations: Vec<Relation>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// The relation of a point, by number, where it has one.
    pub of_point: BTreeMap<PointId, usize>,
    /// By procedure: globals that it never changes, and that are their own ghosts in some relation, of it or of others. Callers rely on
    /// getting them back as they were, also where they matter no more.
    pub kept: Vec<Vec<Variable>>,
    /// The points whose states follow from those of others.
    pub inside: Vec<PointId>,
    /// What must not be reached.
    pub targets: Vec<PointId>,
}

impl Horn {
    /// That targets are not reached, in large blocks.
    pub fn new(icfg: &Icfg, entries: &Entries, targets: &[PointId]) -> Self {
        let mut horn = Self::small(icfg, entries, targets);
        horn.enlarge(icfg);
        horn
    }

    /// The same with a relation for each point.
    pub fn small(icfg: &Icfg, entries: &Entries, targets: &[PointId]) -> Self {
        clauses::clauses(icfg, entries, targets)
    }
}
