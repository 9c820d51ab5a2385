//! Solvers of Z3 that are used again.
//!
//! To make one, Z3 sets up all its tactics and parameters, which takes longer than hundreds of easy checks. So one that is no longer needed is kept for the next who
//! asks in the same thread. Whatever was asserted on top of it is gone by then: all of it is in scopes, which are closed.

use std::cell::RefCell;
use z3::{Params, Solver};

/// So many are kept in a thread.
const MOST_KEPT: usize = 4;
/// Z3's own steps for one check: some seconds on today's machines.
const STEPS: u32 = 3_000_000;

thread_local! {
    /// Solvers without scopes, and the time that they were last given for a check, in milliseconds.
    static KEPT: RefCell<Vec<(Solver, Option<u32>)>> = const { RefCell::new(Vec::new()) };
}

/// A solver with one scope at least.
pub(super) struct Lease {
    /// There until it is given back.
    solver: Option<Solver>,
    timeout: Option<u32>,
    n_scopes: u32,
}

impl Lease {
    /// One without assertions.
    pub(super) fn new() -> Self {
        let kept = KEPT.try_with(|kept| kept.borrow_mut().pop()).ok().flatten();
        let (solver, timeout) = kept.unwrap_or_else(|| (Solver::new(), None));
        solver.push();
        Self { solver: Some(solver), timeout, n_scopes: 1 }
    }

    /// The solver.
    pub(super) fn get(&self) -> &Solver {
        self.solver.as_ref().expect("it is there until it is given back")
    }

    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.get().push();
        self.n_scopes += 1;
    }

    /// Closes the last scope, with all that was asserted in it.
    pub(super) fn pop(&mut self) {
        self.get().pop(1);
        self.n_scopes -= 1;
    }

    /// Gives each check from here on so many milliseconds at most, and the same number of steps.
    pub(super) fn limit(&mut self, timeout: u32) {
        if self.timeout == Some(timeout) {
            return;
        }
        self.timeout = Some(timeout);
        let mut params = Params::new();
        // Else Z3 takes Ctrl-C for a wish to give up on this question only, and nobody else hears of it.
        params.set_bool("ctrl_c", false);
        params.set_u32("rlimit", STEPS);
        params.set_u32("timeout", timeout);
        self.get().set_params(&params);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(solver) = self.solver.take() else { return };
        solver.pop(self.n_scopes);
        // Where the thread ends, there is nobody left to keep it for.
        let _ = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() < MOST_KEPT {
                kept.push((solver, self.timeout));
            }
        });
    }
}
