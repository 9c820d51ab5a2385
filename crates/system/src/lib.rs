//! Transition systems, ordinary and partial: one compact explicit structure for all families, its formats, and what
//! can be decided or computed about systems alone.
//!
//! | family | transitions | labels |
//! |--------|-------------|--------|
//! | BTS, LTS | may = must | definite |
//! | PKS (partial Kripke structure) | may = must | three-valued |
//! | KMTS, MTS | must ⊆ may | three-valued |
//! | MixTS | any may, any must | four-valued |
//! | GKMTS | must also into sets of states (hyper-must) | four-valued |
//!
//! A family is an invariant of the one structure, [`PartialSystem`], not a type of its own; `classify` finds the
//! families a system belongs to. This crate knows formulas only to return one as evidence; it does not check them.

mod builder;
mod domain;
mod family;
pub mod format;
mod hyper;
mod labels;
pub mod monomials;
mod names;
pub mod partial;
mod partial_system;
mod ranked;
pub mod relation;
mod settle;
mod state_graph;
mod state_space;
mod symbolic;
mod transitions;
mod words;

pub use builder::SystemBuilder;
pub use domain::{ConcreteId, Domain};
pub use family::Family;
pub use hyper::HyperMusts;
pub use labels::Labels;
pub use names::{ComputedNames, NameStates, StateNames};
pub use partial_system::{PartialSystem, SystemParts};
pub use ranked::{RankChange, RankedSteps, Step, ranks_of};
pub use settle::Choice;
pub use state_graph::{StateGraph, StepFairness, StepId, StepSet};
pub use state_space::{InitialWords, Next, StateSpace, StepLabel, Steps, Stop, StopOf};
pub use symbolic::{SymbolicModel, SymbolicVariable};
pub use transitions::{Edge, Modality, PackedLabel, Transitions};
pub use words::{NumberPlace, NumberRow, Numbers, WordPlace, WordPlaces};

use tertium_support::{IdSet, define_id};

define_id!(
    /// A state of a system.
    StateId
);
define_id!(
    /// An action of a system.
    ActionId
);
define_id!(
    /// A proposition of a system.
    PropId
);

/// A set of states.
pub type StateSet = IdSet<StateId>;

/// The name of the action of transitions that were given none: `s -> t` in a Kripke-style model.
pub const UNLABELLED: &str = "";
