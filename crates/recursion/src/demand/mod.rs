//! Reachability and non-termination on demand: only those parts of summaries are computed whose outputs matter \[Wei09, §4.5\].
//!
//! The systems are solved on a [`PartialProgram`], a program with procedures over finitely many abstract states, on each
//! [`Side`] by itself. [`Reaching`] and [`Diverging`] are the solutions. They differ from the printed systems: the demand
//! also has what is needed to come to the exit of the *enclosing* procedure, without which nested calls are lost.

mod answer;
mod diverge;
mod forward;
mod graph;
mod pairs;
mod program;
mod reach;
mod strategy;

pub use answer::{Sides, Statistics, Summary, diverging, reaching};
pub use diverge::Diverging;
pub use forward::Activations;
pub use program::{
    Alternatives, Entering, FrameId, Goal, Move, PartialProgram, ResultId, Side, Site, SiteId, State, StateId,
};
pub use reach::Reaching;
pub use strategy::{Next, Passage, Path, PathStep, Position, Strategy, follow};
