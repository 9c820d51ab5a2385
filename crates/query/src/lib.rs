//! Two questions beyond true and false: does every part of a property matter, and what is true of a model?
//!
//! Both are temporal logic over a lattice of answers, on a symbolic model or on an explicit system \[Bob09\]. Vacuity:
//! which sub-formulas can be replaced by anything without changing the verdict. Queries: which propositional formulas
//! can stand for the placeholder `?`.

mod cubes;
mod explicit;
mod form;
mod general;
mod initial;
mod naive;
mod placeholder;
mod question;
mod refine;
mod tlq;
mod vacuity;

pub use cubes::{Column, Cube, Cubes, Intervals, cubes};
pub use explicit::{
    Answer, Code, ExplicitExtremes, ExplicitFindings, ExplicitQuestion, ExplicitSolutions, ExplicitVacuity,
    MOST_CLASSES,
};
pub use form::{Direction, direction, distributes_over_disjunction};
pub use general::{Extremes, MOST_COMBINATIONS, solve_generally};
pub use initial::{Class, Classes, classes};
pub use naive::{CandidateChecks, MOST_CANDIDATES, solve_naively, without_placeholder};
pub use placeholder::{Placeholder, RigidCopy};
pub use question::{QueryError, Question, Solutions};
pub use refine::{Refined, Stage, solve_by_refinement};
pub use tlq::solve;
pub use vacuity::{
    Extent, Findings, LargestParts, LinearVacuity, MutualFindings, Property, Rigid, VacuityChecker,
    challenge, changed_conjunct, largest_parts, strengthened,
};
