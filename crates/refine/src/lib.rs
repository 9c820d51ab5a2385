//! The loop: abstract, check, and on unknown find the reason and refine.
//!
//! [`refine()`] is the loop, for any abstraction that is [`Refinable`]. [`decide()`] goes round it with a program and
//! predicates: it starts from the atoms of the property and of the guards. While the answer is open it looks for a
//! concrete run, if one would decide the property (`diagnosis`), and for predicates that make the difference: the atoms
//! that exclude an abstract path without a run (`path`), or that split the states before a step which may but need not
//! exist (`split`). Every definite answer of the abstract system is one of the program \[GHJ01\], and is shown on
//! concrete states where that is a finite matter (`unfold`). The abstraction is one of bits or one of vectors
//! (`program_abstraction`). [`decide_symbolically()`] has it as decision diagrams, and does not refine.
//!
//! [`decide_by_search()`] answers the same questions without abstract steps: by a concrete search that matches states by predicates.

mod by_predicates;
mod by_search;
mod diagnosis;
mod goal;
mod hops;
mod lassos;
mod path;
mod predicates;
mod program_abstraction;
mod rank_steps;
mod recheck;
mod refinement;
mod split;
mod symbolic;
mod unfold;
mod visited;

pub use by_predicates::{Abstraction, Answer, DecidingRun, Question, Settings, decide};
pub use by_search::{cause_of, decide_by_search};
pub use recheck::{Unconfirmed, recheck, relied_on_ranks};
pub use refinement::{AllStates, Diagnosis, Learnt, Refinable, Refined, Round, Support, refine};
pub use symbolic::decide_symbolically;
pub use unfold::{From, Unfolding, has_boxes, unfold};
