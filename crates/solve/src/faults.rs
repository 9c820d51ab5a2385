//! A solver that gives up now and then, to see that whoever asks stays right.

use crate::{Answer, Model, Solver};
use tertium_expr::{Term, Terms};
use tertium_support::Context;

/// Gives up on every n-th check, and asks another solver otherwise.
pub struct GivesUp<S> {
    solver: S,
    every: usize,
    n_checks: usize,
}

impl<S> GivesUp<S> {
    /// Gives up on every `every`-th check; on all of them if that is one.
    pub fn new(solver: S, every: usize) -> Self {
        assert!(every > 0, "the first check is number one");
        Self { solver, every, n_checks: 0 }
    }
}

impl<S: Solver> Solver for GivesUp<S> {
    fn push(&mut self) {
        self.solver.push();
    }
    fn pop(&mut self) {
        self.solver.pop();
    }
    fn assert(&mut self, terms: &Terms, term: Term) {
        self.solver.assert(terms, term);
    }
    fn check(&mut self, context: &Context, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.n_checks += 1;
        if self.n_checks.is_multiple_of(self.every) {
            return Answer::GaveUp;
        }
        self.solver.check(context, terms, assumptions)
    }
    fn model(&mut self, terms: &Terms) -> Option<Model> {
        self.solver.model(terms)
    }
    fn core(&mut self) -> Vec<Term> {
        self.solver.core()
    }
    fn work(&self) -> u64 {
        self.solver.work()
    }
}
