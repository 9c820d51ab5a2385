//! Z3 \[MB08\] behind our trait.
//!
//! How long it may work is measured in its own steps, not in seconds, so that the same question has the same answer on every
//! machine; time is only the last resort.

mod translate;
mod values;

use crate::{Answer, Model, Solver};
use rustc_hash::FxHashMap;
use tertium_expr::{Term, Terms};
use tertium_support::Context;
use translate::Translation;
use z3::ast::Bool;
use z3::{Params, SatResult};

/// Z3's own steps for one check: some seconds on today's machines.
const STEPS: u32 = 3_000_000;
/// However much time is left, one check does not take longer, in milliseconds.
const LONGEST: u128 = 60_000;
/// The same with products of variables, on which Z3 can work without counting its steps.
const LONGEST_NONLINEAR: u128 = 2_000;

/// Z3 for the terms of one store.
pub struct Z3 {
    solver: z3::Solver,
    translation: Translation,
    /// A Boolean constant for each assumption, which implies it; by scope.
    names: Vec<FxHashMap<Term, Bool>>,
    /// The assumptions of the last check.
    assumed: Vec<(Term, Bool)>,
    model: Option<z3::Model>,
    /// The milliseconds that the solver was last given. Giving them can cost more than an easy check.
    timeout: Option<u32>,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3 {
    /// Without assertions.
    pub fn new() -> Self {
        Self {
            solver: z3::Solver::new(),
            translation: Translation::default(),
            names: vec![FxHashMap::default()],
            assumed: Vec::new(),
            model: None,
            timeout: None,
        }
    }

    /// Bounds checks from now on to so many milliseconds, or up to half of that: few different bounds are few settings.
    fn bound(&mut self, milliseconds: u128) {
        let most = u32::try_from(milliseconds).expect("at most a minute");
        let timeout = 1 << most.max(1).ilog2();
        if self.timeout != Some(timeout) {
            let mut params = Params::new();
            // Else Z3 takes Ctrl-C for a wish to give up on this question only, and nobody else hears of it.
            params.set_bool("ctrl_c", false);
            params.set_u32("rlimit", STEPS);
            params.set_u32("timeout", timeout);
            self.solver.set_params(&params);
            self.timeout = Some(timeout);
        }
    }

    /// The constant that implies a term.
    fn name(&mut self, terms: &Terms, term: Term) -> Bool {
        if let Some(name) = self.names.iter().find_map(|scope| scope.get(&term)) {
            return name.clone();
        }
        let name = Bool::fresh_const("assumed");
        let translated = self.translation.truth(terms, term);
        self.solver.assert(name.implies(&translated));
        self.names.last_mut().expect("there is always a scope").insert(term, name.clone());
        name
    }
}

impl Solver for Z3 {
    fn push(&mut self) {
        self.solver.push();
        self.names.push(FxHashMap::default());
    }

    fn pop(&mut self) {
        assert!(self.names.len() > 1, "only a scope that was opened is closed");
        self.solver.pop(1);
        self.names.pop();
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let translated = self.translation.truth(terms, term);
        self.solver.assert(translated);
    }

    fn check(&mut self, context: &Context, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.model = None;
        let left = context.limits().time.map(|time| time.saturating_sub(context.elapsed()).as_millis());
        let nonlinear = assumptions.iter().any(|&term| terms.is_nonlinear(term));
        let longest = if nonlinear { LONGEST_NONLINEAR } else { LONGEST };
        let left = left.map_or(longest, |left| left.min(longest));
        if left == 0 || context.poll().is_err() {
            return Answer::GaveUp;
        }
        self.assumed = assumptions.iter().map(|&term| (term, self.name(terms, term))).collect();
        self.bound(left);
        let names: Vec<Bool> = self.assumed.iter().map(|(_, name)| name.clone()).collect();
        match self.solver.check_assumptions(&names) {
            SatResult::Unknown => Answer::GaveUp,
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => {
                self.model = self.solver.get_model();
                Answer::Satisfiable
            }
        }
    }

    fn model(&mut self, terms: &Terms) -> Option<Model> {
        self.translation.model(terms, self.model.as_ref()?)
    }

    fn core(&mut self) -> Vec<Term> {
        let core = self.solver.get_unsat_core();
        self.assumed.iter().filter(|(_, name)| core.contains(name)).map(|&(term, _)| term).collect()
    }
}
