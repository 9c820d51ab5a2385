//! Z3 \[MB08\] behind our trait.
//!
//! How long it may work is measured in its own steps, never in seconds, so that the same question has the same answer on every
//! machine. The clock is the user's limit only, and an answer of its own. Each solver has a context of its own in Z3, so that its
//! answers are a function of what it was asked. Making one takes some milliseconds, when the first question comes.

mod backend;
mod horn;
mod horn_text;
mod linear;
mod own_context;
mod read_back;
mod translate;
mod values;

pub use horn::{HornAnswer, HornRelation, HornTold, HornWay, solve_horn};
pub use horn_text::answer_aside;
pub use linear::{Comparison, LinearAnswer, LinearSystem, Sign, Unknown};

use crate::{Answer, Model, Solver};
use backend::{Backend, Checked, Kind};
use own_context::OwnContext;
use std::time::Duration;
use tertium_expr::{Term, Terms};
use tertium_support::Context;
use translate::Translation;
use z3::SatResult;
use z3::ast::Bool;

/// So many assumptions with quotients or remainders stay known: Z3 looks for values of all that it knows in every
/// check, whether they are assumed or not.
const MOST_DIVIDING: usize = 12;

/// Units of work for a step of the solver, and for a question: what a unit is elsewhere takes some nanoseconds, a step of the solver
/// about a microsecond, and a question at least some tens of them.
pub const UNITS_PER_STEP: u64 = 256;
/// Units of work for a question, besides its steps.
pub const UNITS_PER_CALL: u64 = 1 << 14;

/// Z3 for the terms of one store.
pub struct Z3 {
    /// The most steps of one check.
    steps: u32,
    /// So many assumptions of earlier checks stay known, about.
    most_known: usize,
    /// Made when something is asserted or asked for the first time.
    own: Option<OwnContext>,
    translation: Translation,
    linear: Option<Backend>,
    products: Option<Backend>,
    /// What was asserted, by scope, and whether there are products in it.
    asserted: Vec<Vec<Bool>>,
    has_products: Vec<bool>,
    /// The kind and the assumptions of the last check.
    last: (Kind, Vec<(Term, Bool)>),
    model: Option<z3::Model>,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3 {
    /// The most of Z3's own steps that one check has: a second or so on today's machines.
    pub const STEPS: u32 = 3_000_000;

    /// Without assertions, with [`Z3::STEPS`] for each check.
    pub fn new() -> Self {
        Self::with_steps(Self::STEPS)
    }

    /// Without assertions, with at most so many of Z3's own steps for each check. What it answers within these, it answers within more.
    pub fn with_steps(steps: u32) -> Self {
        Self {
            steps,
            most_known: usize::MAX,
            own: None,
            translation: Translation::default(),
            linear: None,
            products: None,
            asserted: vec![Vec::new()],
            has_products: vec![false],
            last: (Kind::Linear, Vec::new()),
            model: None,
        }
    }

    /// The same that eliminates no quantified variable by itself: who tests elimination must not ask through it.
    #[must_use]
    pub fn as_written(mut self) -> Self {
        self.translation.keep_quantified();
        self
    }

    /// The same that forgets assumptions when more than so many are known: for many questions that have little to do with each other.
    #[must_use]
    pub fn forgetful(mut self, most_known: usize) -> Self {
        self.most_known = most_known;
        self
    }

    fn backends(&mut self) -> impl Iterator<Item = &mut Backend> {
        self.linear.iter_mut().chain(&mut self.products)
    }

    /// The solver for a kind of question, which knows all that was asserted.
    fn backend(&mut self, kind: Kind) -> (&mut Backend, &OwnContext) {
        let own = self.own.get_or_insert_with(OwnContext::new);
        let backend = if kind == Kind::Linear { &mut self.linear } else { &mut self.products };
        (backend.get_or_insert_with(|| Backend::new(own, kind, self.steps, &self.asserted)), own)
    }

    /// What Z3 knows a term by.
    fn translated(&mut self, terms: &Terms, term: Term) -> Bool {
        let own = self.own.get_or_insert_with(OwnContext::new);
        let plan = self.translation.plan(terms, term);
        if !plan.is_empty() {
            let translation = std::mem::take(&mut self.translation);
            self.translation = own.inside(translation, |translation| translation.follow(plan));
        }
        self.translation.truth(term)
    }

    /// Forgets the assumptions of earlier checks if they make this one slow.
    fn forget(&mut self, kind: Kind) {
        let is_plain = self.asserted.len() == 1 && self.asserted[0].is_empty();
        let most_known = self.most_known;
        let (backend, _) = self.backend(kind);
        if is_plain && (backend.n_dividing > MOST_DIVIDING || backend.n_known() > most_known) {
            backend.pop();
            backend.push();
            backend.n_dividing = 0;
        }
    }

    /// The constant that implies a term.
    fn name(&mut self, terms: &Terms, kind: Kind, term: Term) -> Bool {
        if let Some(name) = self.backend(kind).0.name(term) {
            return name;
        }
        let translated = self.translated(terms, term);
        let (backend, own) = self.backend(kind);
        let name = own.inside(None, |made| *made = Some(Bool::fresh_const("assumed")));
        let name = name.expect("it was made inside");
        backend.add_name(term, &translated, name.clone(), terms.has_division(term));
        name
    }

    fn kind(&self, terms: &Terms, assumptions: &[Term]) -> Kind {
        let products = self.has_products.contains(&true);
        let products = products || assumptions.iter().any(|&term| terms.is_nonlinear(term));
        if products { Kind::Products } else { Kind::Linear }
    }

    /// Asks until there is an answer or no time: the time for one check is a power of two, so that it hardly ever changes.
    fn ask(&mut self, context: &Context, kind: Kind, names: &[Bool]) -> Answer {
        loop {
            if let Err(reason) = context.poll() {
                return Answer::Stopped(reason);
            }
            let (backend, own) = self.backend(kind);
            backend.limit(own, context.time_left().map(power_of_two));
            match backend.check(names) {
                Checked { result: SatResult::Unsat, .. } => return Answer::Unsatisfiable,
                Checked { result: SatResult::Sat, .. } => return Answer::Satisfiable,
                Checked { timed_out: true, .. } => {}
                Checked { .. } => return context.poll().err().map_or(Answer::GaveUp, Answer::Stopped),
            }
        }
    }
}

/// The largest power of two of milliseconds that is not more, or one.
fn power_of_two(left: Duration) -> u32 {
    let milliseconds = u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1);
    1 << milliseconds.ilog2()
}

impl Solver for Z3 {
    fn push(&mut self) {
        self.backends().for_each(Backend::push);
        self.asserted.push(Vec::new());
        self.has_products.push(false);
    }

    fn pop(&mut self) {
        assert!(self.asserted.len() > 1, "only a scope that was opened is closed");
        self.backends().for_each(Backend::pop);
        self.asserted.pop();
        self.has_products.pop();
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let translated = self.translated(terms, term);
        self.backends().for_each(|backend| backend.assert(&translated));
        self.asserted.last_mut().expect("there is always a scope").push(translated);
        *self.has_products.last_mut().expect("there is always a scope") |= terms.is_nonlinear(term);
    }

    fn check(&mut self, context: &Context, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.model = None;
        let kind = self.kind(terms, assumptions);
        self.forget(kind);
        let assumed: Vec<(Term, Bool)> =
            assumptions.iter().map(|&term| (term, self.name(terms, kind, term))).collect();
        let names: Vec<Bool> = assumed.iter().map(|(_, name)| name.clone()).collect();
        self.last = (kind, assumed);
        let before = self.work();
        let answer = self.ask(context, kind, &names);
        // Whether that was too much is for the next look at the limits: the answer is there.
        let _ = context.spend((self.work() - before) * UNITS_PER_STEP + UNITS_PER_CALL);
        if answer == Answer::Satisfiable {
            self.model = self.backend(kind).0.model();
        }
        answer
    }

    fn model(&mut self, terms: &Terms) -> Option<Model> {
        self.translation.model(terms, self.model.as_ref()?)
    }

    fn core(&mut self) -> Vec<Term> {
        let core = self.backend(self.last.0).0.core();
        self.last.1.iter().filter(|(_, name)| core.contains(name)).map(|&(term, _)| term).collect()
    }

    fn work(&self) -> u64 {
        self.linear.iter().chain(&self.products).map(Backend::work).sum()
    }
}
