//! Abstraction and refinement, from no predicates on \[Wei09\].
//!
//! | file | holds |
//! |---|---|
//! | `settings` | questions, settings and answers |
//! | `symbolic` | paths with calls, executed symbolically |
//! | `explain` | predicates that exclude a path |
//! | `suggest` | predicates from invariants of the part around a path |
//! | `refiner` | rounds, and what becomes of a path |
//! | `reach` | the loop for reachability |
//! | `turns` | the same in turns with suggestions of whole proofs |
//! | `lasso`, `play`, `diverge` | the loop for non-termination: where to look, and runs that go on |
//! | `decide` | what is asked from outside |

mod decide;
mod diverge;
mod explain;
mod lasso;
mod play;
mod reach;
mod refiner;
mod settings;
mod suggest;
mod symbolic;
mod turns;

pub use decide::{abstract_values, decide, prover};
pub use settings::{Answer, Evidence, Obstacle, Question, Settings};
pub use turns::reach_in_turns;
