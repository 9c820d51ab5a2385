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
//! | `packed` | the values of variables in words |
//! | `code`, `bits`, `moves`, `edges`, `ranges` | terms as code on words, transitions as such code, by location, inputs of transitions |
//! | `initial`, `program_space` | where programs begin, and programs as state spaces |
//! | `reachable`, `system`, `names` | the reachable states of a program, the partial system that they make, and what they are called |

mod batches;
mod bits;
mod code;
mod edges;
mod explored;
mod explorer;
mod initial;
mod listing;
mod moves;
mod names;
mod packed;
mod part;
mod program_space;
mod ranges;
mod reachable;
mod rows;
mod store;
mod system;

pub use batches::BatchSizes;
pub use code::Code;
pub use explored::{Explored, KeptSteps, States};
pub use explorer::{Keep, Order, Settings, explore};
pub use listing::{Listing, list};
pub use moves::{Moves, Scratch, StepTerms, Tried};
pub use names::state_text;
pub use packed::{Field, Layout, Wide};
pub use program_space::{ProgramSpace, ProgramSteps};
pub use reachable::{Exploration, Gap, Taken, cut_around, reachable, reachable_within};
pub use rows::Target;
pub use system::{BEYOND, CodedBits};
