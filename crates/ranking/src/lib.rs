//! Ranks: numbers that show that something cannot go on for ever.
//!
//! A *rank* is a number for each state, an affine term at each node of a graph. On a hop between nodes it *falls* if it is not negative
//! before and smaller after, for every concrete step that the hop stands for, and it *may grow* unless it is at most what it was for
//! each of these. Along an infinite run some rank cannot fall infinitely often and grow only finitely often. So a graph of hops has no
//! infinite runs if, again and again, hops can be taken out of its strongly connected components on which a rank falls that grows on no
//! hop of the component, until no cycle is left.
//!
//! [`judge()`] says what a rank does on a hop. It asks a solver, and one that gives up means: may grow. [`rank()`] looks for ranks, by
//! Farkas' lemma over the rationals \[CS01\], component by component; what it finds was judged. It does not know programs: a hop is a
//! [`Relation`] of terms.
//!
//! | file | holds |
//! |---|---|
//! | `relation` | what a hop does |
//! | `judge` | what a rank does on a hop |
//! | `cases` | a hop as polyhedra |
//! | `template` | affine terms with unknown coefficients, and what is demanded of them |
//! | `synthesis` | ranks for a graph, one after the other |

mod cases;
mod judge;
mod relation;
mod synthesis;
mod template;

pub use judge::{Change, judge};
pub use relation::Relation;
pub use synthesis::{Hop, Rank, Ranking, Settings, rank};
