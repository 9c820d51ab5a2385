//! What a solver can do.

use crate::Model;
use tertium_expr::{Term, Terms};
use tertium_support::{Context, StopReason};

/// What a solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// There is a model.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// Not known: out of its resources, or beyond what it decides.
    GaveUp,
    /// Not known either: a limit of the run ended the question, or the user did.
    Stopped(StopReason),
}

impl Answer {
    /// Whether a model cannot be excluded: how abstractions have to read an answer.
    pub fn may_be_satisfiable(self) -> bool {
        self != Self::Unsatisfiable
    }

    /// The answer, unless a limit of the run ended the question.
    pub fn unless_stopped(self) -> Result<Self, StopReason> {
        match self {
            Self::Stopped(reason) => Err(reason),
            answer => Ok(answer),
        }
    }
}

/// Something that decides the satisfiability of truth values of one store of terms.
pub trait Solver {
    /// Opens a scope: what is asserted from here on goes when it is closed.
    fn push(&mut self);
    /// Closes the innermost scope.
    fn pop(&mut self);
    /// Requires a term to hold.
    fn assert(&mut self, terms: &Terms, term: Term);
    /// Whether everything asserted can hold together with the assumptions.
    fn check(&mut self, context: &Context, terms: &Terms, assumptions: &[Term]) -> Answer;
    /// After `Satisfiable`: values for the variables that matter, as far as they can be told.
    fn model(&mut self, terms: &Terms) -> Option<Model>;
    /// After `Unsatisfiable`: assumptions that cannot hold together with what is asserted, not necessarily the fewest.
    fn core(&mut self) -> Vec<Term>;
    /// The steps of all checks so far, in units of work.
    fn work(&self) -> u64;
}
