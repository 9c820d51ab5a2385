//! For tests only: random models and formulas, the runner of random cases, golden tasks, shared work, what is skipped.
//!
//! No other crate may depend on this one except in its tests. Integration tests use it, not unit tests: a crate
//! under unit test is another crate than the one that this one is built on.

mod array_program;
mod blocks;
mod concrete;
mod domain;
mod formula;
mod gcl;
pub mod lattice;
mod ltl;
mod mutant;
mod program;
mod published;
mod random;
mod schema;
mod share;
mod skip;
mod smv;
pub mod system;
mod task;
mod terms;

pub use array_program::{random_array_program, random_array_truth};
pub use blocks::{BlockProgram, BlockProperty, BlockStart};
pub use concrete::{ConcreteSystem, concrete_system};
pub use domain::{DomainShape, random_consistent_system, random_domain_system};
pub use formula::{FormulaShape, random_formula};
pub use gcl::random_gcl;
pub use ltl::random_ltl;
pub use mutant::mutated;
pub use program::{ProgramShape, random_program};
pub use published::{REMOTE_AGENT, bakery_model, driver_model, ticket_model};
pub use random::{
    CasesRun, fuzz_cases, fuzz_cases_for, is_quick, long_random_batches, long_random_cases, random_cases,
    some_of,
};
pub use schema::check_schema;
pub use share::shared_work;
pub use skip::{nusmv_corpus, skipped};
pub use smv::{SmvModel, SmvShape, random_ctl_text, random_ltl_text, random_smv};
pub use system::{SystemShape, random_system};
pub use task::{Expected, ProgramProperty, Property, Task, find_tasks, parse_sidecar};
pub use terms::{random_atom, random_number, random_truth};
