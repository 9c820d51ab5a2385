//! Reachability and non-termination of programs with procedures, without a call stack \[Wei09\].
//!
//! | file | holds |
//! |---|---|
//! | `invariants` | conditions at points, relative to the beginning of an activation; summaries |
//! | `obligations`, `validate` | what makes them a proof; the judge of proofs |
//! | `horn`, `hints` | unreachability as Horn clauses; what Spacer suggests |
//! | `run`, `search` | runs with a stack, and their replay; a search for runs |
//! | [`demand`] | reachability and non-termination over finitely many abstract states, on demand |
//! | [`finite`] | semantics on finite domains, as oracles |
//! | `abstraction` | predicate abstraction, with summaries |
//! | `refinement` | the loop from no predicates to an answer |

pub mod demand;
pub mod finite;

mod abstraction;
mod hints;
mod horn;
mod invariants;
mod obligations;
mod refinement;
mod run;
mod search;
mod validate;

pub use hints::{Hints, Suggestion, Try, candidate_invariants, candidates_for, candidates_for_copies};
pub use horn::{Application, Clause, Horn, Relation, Special};
pub use invariants::{Entries, Invariants, Summary};
pub use obligations::Obligation;
pub use refinement::{
    Answer, Evidence, Obstacle, Question, Settings, abstract_values, decide, prover, reach_in_turns,
};
pub use run::{Activation, Configuration, IcfgRun, Mismatch, Move, RunStep, Values};
pub use search::{Progress, Refutation, Search, SearchStatistics};
pub use validate::{Judgement, validate};
