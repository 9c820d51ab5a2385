//! Decision diagrams: sets and relations over Boolean variables, shared and in normal form \[Bry86\].
//!
//! A [`Manager`] owns the nodes; a [`Bdd`] is a handle that keeps its nodes alive. Every operation that can make nodes
//! returns a `Result`: a limit that is reached is a value, and the diagrams that were there before stay as they were. The
//! operations are single-threaded and share one cache, unused nodes are collected between operations, and the order of
//! the variables can be changed at any time without touching handles.

mod apply;
mod bdd;
mod cache;
mod closure;
mod collect;
mod compose;
mod count;
mod cubes;
mod disjunct;
mod edge;
mod manager;
mod minimise;
mod pick;
mod quantify;
mod relation;
mod rename;
mod reorder;
mod schedule;
mod seen;
mod store;
mod swap;
mod table;

pub use bdd::Bdd;
pub use closure::Saturation;
pub use count::Count;
pub use cubes::{Cubes, Minterms};
pub use manager::{Manager, Renaming, VarSet};
pub use relation::{Change, Frame, Relation};
pub use store::Var;
