//! Relations between the states of systems: simulation, refinement, bisimulation, and abstraction by a relation.
//!
//! | question | answer |
//! |---|---|
//! | is every run of one allowed by the other? | [`greatest_simulation`] |
//! | does one system refine the other, and if not, why? | [`refines()`], [`greatest_refinement`] |
//! | is *this* relation a refinement or a bisimulation? | [`check_refinement`], [`is_bisimulation`], [`refines_through_domain`] |
//! | which states can be merged? | [`minimise`], [`bisimulation()`] |
//! | what is the best abstraction along a relation? | [`abstract_by`] |
//! | the same system with labels but no actions, or the reverse? | [`labels_to_actions`], [`transitions_to_labels`] |
//!
//! The definitions stand in `docs/semantics/refinement.md`. Two systems are compared by the *names* of their actions
//! and propositions; an action that one side lacks has no transitions there, a proposition that one side lacks is
//! unknown there.

mod abstraction;
mod bisimulation;
mod check;
mod distinguish;
mod encoding;
mod intermediate;
mod joint;
mod matrix;
mod may_clause;
mod must_clause;
mod naive;
mod observation;
mod partition;
mod quotient;
mod refines;
mod rounds;
mod simulation;
mod worklist;

pub use abstraction::{NotTotal, abstract_by};
pub use bisimulation::{bisimulation, bisimulation_naive};
pub use check::{
    Clause, DomainViolation, Violation, check_refinement, is_bisimulation, refines_through_domain,
};
pub use encoding::Untranslatable;
pub use intermediate::{TransitionsAsLabels, transitions_to_labels};
pub use joint::LabelMatch;
pub use matrix::{Relation, Side};
pub use naive::{greatest_refinement_naive, greatest_simulation_naive};
pub use observation::{LabelsAsActions, labels_to_actions};
pub use partition::Partition;
pub use quotient::{Equivalence, Quotient, minimise};
pub use refines::{Refinement, refines};
pub use rounds::Rounds;
pub use simulation::{greatest_refinement, greatest_simulation};
