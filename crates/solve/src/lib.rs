//! Satisfiability of terms.
//!
//! [`Solver`] is what every solver can do: assert, check under assumptions, and tell a model or a core afterwards. That it gives up is
//! one of its answers, never an error; who asks decides what that means, and it must weaken the result: for abstractions,
//! satisfiable. [`Z3`] is the solver we use, [`GivesUp`] one that fails on purpose, for tests.
//!
//! [`Bits`] answers questions over finite domains as clauses for [`Sat`], a propositional solver. It is apart from all others: answers of
//! engines are validated with it.
//!
//! [`solve_horn`] asks Spacer about Horn clauses. Its answers are hints, which whoever uses them shows again.
//!
//! [`LinearSystem`] are linear inequalities over the rationals, for who looks for coefficients.
//!
//! [`Prover`] stands in front of a solver and asks it as little as possible: it remembers answers, tries the models and cores
//! it has seen, and counts.

mod bits;
mod faults;
mod model;
mod prover;
mod sat;
mod solver;
mod z3;

pub use bits::{Bits, FiniteQuestion};
pub use faults::GivesUp;
pub use model::Model;
pub use prover::{Prover, ProverStatistics};
pub use sat::{Literal, Sat};
pub use solver::{Answer, Solver};
pub use z3::{
    Comparison, HornAnswer, HornRelation, HornTold, HornWay, LinearAnswer, LinearSystem, Sign,
    UNITS_PER_CALL, UNITS_PER_STEP, Unknown, Z3, answer_aside, solve_horn,
};
