//! Proofs by induction over transition systems of terms.
//!
//! A claim about all reachable states is proved by a set of states that the system begins in, that no step leaves, and in which the
//! claim holds. [`prove_as_written`] tries the claim itself as that set; [`check_inductive`] judges a set that somebody else found, and
//! [`validate()`] does so in a thread of its own, with a context of Z3 of its own and with copies of the terms. Over finite domains
//! [`judge_inductive`] and [`judge_claim`] do it by clauses, at a lower price.
//!
//! What the model demands of every state is known of every state, so a claim that is inductive relative to it only is proved, too. A
//! model may have states or steps without meaning; a proof includes that none is met inside the set.
//!
//! | file | holds |
//! |---|---|
//! | `obligation` | what has to be shown of a set, as questions to a solver |
//! | `patience` | how long a solver may work on one of them |
//! | `check` | the judge of a set |
//! | `finite` | the judge of a set over finite domains |
//! | `validate` | the same, apart from everything else |
//! | `prove` | claims that are inductive as they are written |

mod check;
mod finite;
mod obligation;
mod patience;
mod prove;
mod validate;

pub use check::{Finding, check_inductive};
pub use finite::{judge_claim, judge_inductive};
pub use obligation::Obligation;
pub use patience::Patience;
pub use prove::{Proof, prove_as_written};
pub use validate::validate;
