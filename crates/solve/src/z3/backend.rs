//! One of the two solvers of Z3 behind ours.
//!
//! Z3 has two procedures for integer arithmetic. The newer is the better one for linear questions. With products of variables it can
//! work for minutes without counting its steps (measured with version 4.8.12: 2,000 steps in a second, where linear questions take
//! five million), so no limit on steps holds. The older counts there as anywhere, and gives up sooner. So each kind of question has its own
//! solver, and both are limited by Z3's own count alone.

use super::own_context::OwnContext;
use rustc_hash::FxHashMap;
use tertium_expr::Term;
use z3::ast::Bool;
use z3::{Params, SatResult, Solver, StatisticsValue};

/// What Z3 takes for no limit.
const NO_TIMEOUT: u32 = u32::MAX;

/// Which questions a solver is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Those without products of variables.
    Linear,
    /// Those with them.
    Products,
}

/// A solver, and what it knows the assumptions by.
pub(super) struct Backend {
    solver: Solver,
    kind: Kind,
    /// The most steps of one check.
    steps: u32,
    timeout: u32,
    /// A Boolean constant for each assumption, which implies it; by scope.
    names: Vec<FxHashMap<Term, Bool>>,
    /// How many of them have quotients or remainders.
    pub(super) n_dividing: usize,
    work: u64,
}

/// How a check went.
pub(super) struct Checked {
    pub(super) result: SatResult,
    /// Whether it ended for lack of time.
    pub(super) timed_out: bool,
}

impl Backend {
    /// One that has been told `scopes`, each what was asserted in it, with at most so many steps for a check.
    pub(super) fn new(own: &OwnContext, kind: Kind, steps: u32, scopes: &[Vec<Bool>]) -> Self {
        let made = own.inside(None, |made| *made = Some(Solver::new()));
        let mut backend = Self {
            solver: made.expect("it was made inside"),
            kind,
            steps,
            timeout: NO_TIMEOUT,
            names: Vec::new(),
            n_dividing: 0,
            work: 0,
        };
        backend.configure(own);
        for scope in scopes {
            backend.push();
            scope.iter().for_each(|asserted| backend.assert(asserted));
        }
        backend
    }

    /// Z3 looks up all its parameters whenever one is set, which takes longer than hundreds of easy checks.
    fn configure(&mut self, own: &OwnContext) {
        let Self { kind, steps, timeout, .. } = *self;
        let params = own.inside(None, move |made| {
            let mut params = Params::new();
            // Else Z3 takes Ctrl-C for a wish to give up on this question only, and nobody else hears of it.
            params.set_bool("ctrl_c", false);
            params.set_u32("rlimit", steps);
            params.set_u32("timeout", timeout);
            if kind == Kind::Products {
                params.set_u32("arith.solver", 2);
            }
            *made = Some(params);
        });
        self.solver.set_params(&params.expect("they were made inside"));
    }

    /// Gives each check from here on so many milliseconds at most. Without, Z3 needs no clock, and easy checks are several times faster.
    pub(super) fn limit(&mut self, own: &OwnContext, timeout: Option<u32>) {
        let timeout = timeout.unwrap_or(NO_TIMEOUT);
        if self.timeout != timeout {
            self.timeout = timeout;
            self.configure(own);
        }
    }

    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.solver.push();
        self.names.push(FxHashMap::default());
    }

    /// Closes the last scope, with all that was asserted in it.
    pub(super) fn pop(&mut self) {
        self.solver.pop(1);
        self.names.pop();
    }

    pub(super) fn assert(&self, term: &Bool) {
        self.solver.assert(term);
    }

    /// The constant that implies a term, if there is one.
    pub(super) fn name(&self, term: Term) -> Option<Bool> {
        self.names.iter().find_map(|scope| scope.get(&term)).cloned()
    }

    /// How many terms have such a constant.
    pub(super) fn n_known(&self) -> usize {
        self.names.iter().map(FxHashMap::len).sum()
    }

    /// Gives a term a constant that implies it.
    pub(super) fn add_name(&mut self, term: Term, translated: &Bool, name: Bool, divides: bool) {
        self.solver.assert(name.implies(translated));
        self.n_dividing += usize::from(divides);
        self.names.last_mut().expect("there is always a scope").insert(term, name);
    }

    /// Whether everything asserted can hold together with these.
    pub(super) fn check(&mut self, names: &[Bool]) -> Checked {
        let before = self.n_steps();
        let result = self.solver.check_assumptions(names);
        let used = self.n_steps().saturating_sub(before);
        self.work += used;
        let timed_out = result == SatResult::Unknown && used < u64::from(self.steps) && self.was_cancelled();
        Checked { result, timed_out }
    }

    /// Whether the last check was ended from outside: Z3 says so for steps and time alike.
    fn was_cancelled(&self) -> bool {
        self.timeout != NO_TIMEOUT
            && self
                .solver
                .get_reason_unknown()
                .is_some_and(|why| why.contains("cancel") || why.contains("timeout"))
    }

    /// The steps of all checks.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn model(&self) -> Option<z3::Model> {
        self.solver.get_model()
    }

    pub(super) fn core(&self) -> Vec<Bool> {
        self.solver.get_unsat_core()
    }

    /// The steps in the context so far; those of the other backend are among them.
    fn n_steps(&self) -> u64 {
        match self.solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(count)) => u64::from(count),
            Some(StatisticsValue::Double(count)) => count as u64,
            None => 0,
        }
    }
}
