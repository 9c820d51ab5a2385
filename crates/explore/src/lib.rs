//! One explorer of concrete states, for every state space.
//!
//! A [`StateSpace`](tertium_system::StateSpace) says what the steps of packed states are; [`explore()`] follows them,
//! breadth or depth first, by one thread or several, up to limits, and keeps parents and, if wanted, steps.
//! [`ProgramSpace`] is a program of guarded commands as such a space, and [`reachable()`] makes a partial system of what
//! is found of it.
//!
//! | file | holds |
//! |---|---|
//! | `store`, `rows` | states by number and by words; steps in compressed rows |
//! | `explorer`, `explored` | the search, and what it found |
//! | `listing` | all states that were found and all steps between them, for checkers |
//! | `batches`, `part` | the same by several threads |
//! | `packed` | the values of programs as numbers in words |
//! | `code`, `bits`, `moves`, `by_value`, `ranges` | terms as code on words, transitions as such code, by what they ask for, inputs of transitions |
//! | `program_space` | programs as state spaces |
//! | `run` | runs of programs, replayed by the interpreter |
//! | `propositions` | where terms hold among listed states |
//! | `reachable`, `system`, `names` | the reachable states of a program, the partial system that they make, and what they are called |

mod batches;
mod bits;
mod by_value;
mod code;
mod explored;
mod explorer;
mod listing;
mod moves;
mod names;
mod packed;
mod part;
mod program_space;
mod propositions;
mod ranges;
mod reachable;
mod rows;
mod run;
mod store;
mod system;

pub use batches::BatchSizes;
pub use code::Code;
pub use explored::{Explored, KeptSteps, States};
pub use explorer::{Keep, Order, Settings, explore};
pub use listing::{Listing, list};
pub use moves::{Moves, Scratch, StepTerms};
pub use names::state_text;
pub use packed::{Layout, Wide};
pub use program_space::{ProgramSpace, ProgramSteps};
pub use reachable::{Exploration, Gap, Taken, cut_around, reachable, reachable_within};
pub use rows::Target;
pub use run::{Run, check_run};
pub use system::{BEYOND, CodedBits};
