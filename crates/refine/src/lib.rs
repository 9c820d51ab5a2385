//! The loop: abstract a program by predicates, check the abstract system three-valued, and on unknown find the reason and refine.
//!
//! [`decide()`] starts from the atoms of the property and of the guards. While the answer is open it looks for a concrete run, if one would decide
//! the property ([`tertium_program::Run`]), and for predicates that make the difference: the atoms that exclude an abstract path without a run (`path`), or that
//! split the states before a step which may but need not exist (`split`). Every definite answer of the abstract system is one of the
//! program \[GHJ01\], and is shown on concrete states where that is a finite matter (`unfold`). The abstraction is one of bits or one of vectors
//! (`abstract_program`).
//!
//! [`decide_by_search()`] answers the same questions without abstract steps: by a concrete search that matches states by predicates.

mod abstract_program;
mod by_search;
mod decide;
mod goal;
mod path;
mod recheck;
mod split;
mod unfold;
mod visited;

pub use abstract_program::Abstraction;
pub use by_search::{cause_of, decide_by_search};
pub use decide::{Answer, Question, Round, Settings, Support, decide, first_predicates};
pub use recheck::{Unconfirmed, recheck};
pub use unfold::{From, Unfolding, has_boxes, unfold};
