//! Programs as control-flow automata over typed variables: truth values, integers with and without bounds, bit-vectors, named values and
//! arrays.
//!
//! A [`Program`] has variables, an initial condition and [`Command`]s. A command is an action name with a [`Statement`]; taking it apart
//! gives [`Step`]s: a guard, inputs, and simultaneous assignments. Commands are edges between [`Locations`], which are values of control
//! variables. Abstractions look at steps and at [`Statement::pre`], the [`Interpreter`] runs them on concrete states.
//!
//! **Domains.** A variable only has values of its [`Domain`]. An assignment of another value blocks: the step is not enabled. Front ends
//! warn where that can happen.
//!
//! Programs with procedures are [`Icfg`]s; [`pl`] is a small language for them.

mod claim;
mod command;
mod defined_set;
mod domain;
mod icfg;
mod icfg_inline;
mod initial;
mod interpreter;
mod live;
mod location;
pub mod pl;
mod precision;
mod process;
mod program;
mod statement;
mod step;
mod step_taken;
mod term_system;

pub use claim::{Atoms, branching_claim, linear_claim, state_claim};
pub use command::Command;
pub use defined_set::DefinedSet;
pub use domain::Domain;
pub use icfg::{Action, Call, Cell, Edge, EdgeId, Icfg, Point, PointId, Procedure, ProcedureId};
pub use icfg_inline::{Inlined, NotPlain, inlined, inlined_showing};
pub use initial::{InitialStates, initial_states, state_of};
pub use interpreter::{Interpreter, State, Successor};
pub use live::LiveVariables;
pub use location::{Counter, LocId, Locations, pinned};
pub use precision::{Place, Precision, PredicateId};
pub use process::{Process, ProcessId, Template, TemplateId};
pub use program::{CommandId, Program, ProgramVariable, Role, VarId};
pub use statement::Statement;
pub use step::{Input, Step};
pub use step_taken::StepTaken;
pub use term_system::{Predicate, ProgramSystem, SystemVariable, TermSystem};
