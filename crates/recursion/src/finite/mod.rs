//! Programs with procedures whose variables have finitely many values: their semantics, written out.
//!
//! [`FiniteProgram`] is the base semantics: all states, and what each edge relates. On it stand three ways to reachability
//! and non-termination that share nothing else: the [three steps](ThreeSteps) by full summaries and the mixed
//! semantics, a [pushdown](Pushdown) reference for the operational semantics, and the systems on demand of
//! [`crate::demand`], for which [`FiniteProgram::exact`] fills a partial program. The first two are oracles: simple, and slow.

mod exact;
mod program;
mod pushdown;
mod three_steps;

pub use program::{FiniteProgram, NotFinite};
pub use pushdown::Pushdown;
pub use three_steps::ThreeSteps;
