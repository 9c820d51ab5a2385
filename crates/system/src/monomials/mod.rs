//! Partial systems over predicates as decision diagrams: what symbolic predicate abstraction makes and checkers look at.
//!
//! A *minterm* gives each predicate a truth value, a *monomial* gives some of them one and leaves the others open; it
//! stands for all of its minterms \[Wei09\]. States are minterms, or monomials, at a location. Sets and relations are
//! kept per location, because control is what steps fix: a step is about one location, another one, and the few
//! predicates that it changes. The others stay as they are and need no variables, so that a pre-image costs what the
//! step costs, not what the system costs. [`RelationSizes`] has the whole relation in one diagram, with the bits of
//! control, to compare.
//!
//! | file | holds |
//! |---|---|
//! | `frame` | the variables: value and openness of each predicate, before and after a step |
//! | `reduce` | from sets of minterms to the monomials that lie within or touch them |
//! | `system` | locations with their labels and moves |
//! | `standard` | must steps from monomials, and labels of monomials |
//! | `whole` | relations as single diagrams, for their size |

mod frame;
mod reduce;
mod standard;
mod system;
mod whole;

pub use frame::{MonomialFrame, MonomialVariables};
pub use reduce::Reduction;
pub use standard::{expanded, monomial_must};
pub use system::{LocationId, MintermLabel, MonomialLocation, MonomialMove, MonomialSystem};
pub use whole::{RelationSize, RelationSizes};
