//! Z3 \[MB08\] behind our trait.
//!
//! How long it may work is measured in its own steps, not in seconds, so that the same question has the same answer on every
//! machine; time is only the last resort.

mod lease;
mod translate;
mod values;

use crate::{Answer, Model, Solver};
use lease::Lease;
use rustc_hash::FxHashMap;
use tertium_expr::{Term, Terms};
use tertium_support::Context;
use translate::Translation;
use z3::SatResult;
use z3::ast::Bool;

/// However much time is left, one check does not take longer, in milliseconds.
const LONGEST: u128 = 60_000;
/// The same with products of variables, on which Z3 can work without counting its steps.
const LONGEST_NONLINEAR: u128 = 2_000;
/// So many assumptions with quotients or remainders stay known: Z3 looks for values of all that it knows in every check, whether they are assumed or not.
const MOST_DIVIDING: usize = 12;

/// Z3 for the terms of one store.
pub struct Z3 {
    solver: Lease,
    translation: Translation,
    /// A Boolean constant for each assumption, which implies it; by scope.
    names: Vec<FxHashMap<Term, Bool>>,
    /// How many of them have quotients or remainders.
    n_dividing: usize,
    /// Whether something was asserted.
    has_assertions: bool,
    /// The assumptions of the last check.
    assumed: Vec<(Term, Bool)>,
    model: Option<z3::Model>,
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
            solver: Lease::new(),
            translation: Translation::default(),
            names: vec![FxHashMap::default()],
            n_dividing: 0,
            has_assertions: false,
            assumed: Vec::new(),
            model: None,
        }
    }

    /// Gives each check from here on so much time at most. Z3 looks up all its parameters whenever one is set, which takes longer than an easy check, so
    /// time is counted in powers of two, and hardly ever changes.
    fn limit(&mut self, left: u128, longest: u128) {
        let power = 1 << left.ilog2();
        let timeout = u32::try_from(longest.min(power)).expect("at most a minute");
        self.solver.limit(timeout);
    }

    /// Forgets the assumptions of earlier checks if they make this one slow.
    fn forget(&mut self) {
        if self.n_dividing > MOST_DIVIDING && self.names.len() == 1 && !self.has_assertions {
            self.solver.pop();
            self.solver.push();
            self.names[0].clear();
            self.n_dividing = 0;
        }
    }

    /// The constant that implies a term.
    fn name(&mut self, terms: &Terms, term: Term) -> Bool {
        if let Some(name) = self.names.iter().find_map(|scope| scope.get(&term)) {
            return name.clone();
        }
        let name = Bool::fresh_const("assumed");
        let translated = self.translation.truth(terms, term);
        self.solver.get().assert(name.implies(&translated));
        self.n_dividing += usize::from(terms.has_division(term));
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
        self.solver.pop();
        self.names.pop();
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let translated = self.translation.truth(terms, term);
        self.solver.get().assert(translated);
        self.has_assertions = true;
    }

    fn check(&mut self, context: &Context, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.model = None;
        let left = context.limits().time.map(|time| time.saturating_sub(context.elapsed()).as_millis());
        let nonlinear = assumptions.iter().any(|&term| terms.is_nonlinear(term));
        let longest = if nonlinear { LONGEST_NONLINEAR } else { LONGEST };
        let left = left.unwrap_or(u128::MAX);
        if left == 0 || context.poll().is_err() {
            return Answer::GaveUp;
        }
        self.forget();
        self.assumed = assumptions.iter().map(|&term| (term, self.name(terms, term))).collect();
        self.limit(left, longest);
        let names: Vec<Bool> = self.assumed.iter().map(|(_, name)| name.clone()).collect();
        match self.solver.get().check_assumptions(&names) {
            SatResult::Unknown => Answer::GaveUp,
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => {
                self.model = self.solver.get().get_model();
                Answer::Satisfiable
            }
        }
    }

    fn model(&mut self, terms: &Terms) -> Option<Model> {
        self.translation.model(terms, self.model.as_ref()?)
    }

    fn core(&mut self) -> Vec<Term> {
        let core = self.solver.get().get_unsat_core();
        self.assumed.iter().filter(|(_, name)| core.contains(name)).map(|&(term, _)| term).collect()
    }
}
