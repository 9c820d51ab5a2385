//! Asks a solver as little as possible.
//!
//! A question is a set of truth values: can they hold together? Before the solver is asked, in this order: the answer
//! may be remembered; one of the last models may satisfy all of them; a known core may be among them. All questions go
//! to one incremental solver as assumptions, so that what it learns from one helps with the next.

use crate::{Answer, Model, Solver};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tertium_expr::{Term, Terms};
use tertium_support::{Context, Statistics};

/// How many models are tried before the solver is asked.
const MODELS_KEPT: usize = 24;
/// How many cores are looked for, the last ones.
const CORES_KEPT: usize = 4096;

/// What was asked and how it was answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProverStatistics {
    /// Questions.
    pub n_questions: u64,
    /// Answered from memory.
    pub n_remembered: u64,
    /// Answered by a model seen before.
    pub n_by_model: u64,
    /// Answered by a core seen before.
    pub n_by_core: u64,
    /// Calls of the solver.
    pub n_calls: u64,
    /// Calls on which it gave up.
    pub n_gave_up: u64,
    /// The solver's steps in these calls, in units of work.
    pub work: u64,
}

impl ProverStatistics {
    /// What was asked after `earlier`, which was seen on the same prover.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            n_questions: self.n_questions - earlier.n_questions,
            n_remembered: self.n_remembered - earlier.n_remembered,
            n_by_model: self.n_by_model - earlier.n_by_model,
            n_by_core: self.n_by_core - earlier.n_by_core,
            n_calls: self.n_calls - earlier.n_calls,
            n_gave_up: self.n_gave_up - earlier.n_gave_up,
            work: self.work - earlier.work,
        }
    }

    /// How many questions did not reach the solver because of what had been asked before.
    pub fn n_hits(&self) -> u64 {
        self.n_remembered + self.n_by_model + self.n_by_core
    }

    /// Adds them up under the names of reports.
    pub fn report(&self, statistics: &mut Statistics) {
        statistics.add("solver questions", self.n_questions);
        statistics.add("solver remembered", self.n_hits());
        statistics.add("solver calls", self.n_calls);
        statistics.add("solver gave up", self.n_gave_up);
    }
}

impl std::ops::AddAssign for ProverStatistics {
    fn add_assign(&mut self, other: Self) {
        self.n_questions += other.n_questions;
        self.n_remembered += other.n_remembered;
        self.n_by_model += other.n_by_model;
        self.n_by_core += other.n_by_core;
        self.n_calls += other.n_calls;
        self.n_gave_up += other.n_gave_up;
        self.work += other.work;
    }
}

/// A solver with a memory. Nothing may be asserted in the solver behind it.
pub struct Prover<'s> {
    solver: Box<dyn Solver + 's>,
    answers: FxHashMap<Box<[Term]>, Answer>,
    models: VecDeque<Model>,
    cores: VecDeque<Box<[Term]>>,
    statistics: ProverStatistics,
    hard: BTreeMap<Term, u64>,
}

impl<'s> Prover<'s> {
    /// In front of a solver without assertions.
    pub fn new(solver: impl Solver + 's) -> Self {
        Self {
            solver: Box::new(solver),
            answers: FxHashMap::default(),
            models: VecDeque::new(),
            cores: VecDeque::new(),
            statistics: ProverStatistics::default(),
            hard: BTreeMap::new(),
        }
    }

    /// What was asked so far.
    pub fn statistics(&self) -> ProverStatistics {
        self.statistics
    }

    /// The atoms with products of variables in questions on which the solver gave up, with how often.
    pub fn hard(&self) -> &BTreeMap<Term, u64> {
        &self.hard
    }

    /// Says the atoms of [`Prover::hard`] in other words, where the questions were asked in other words than they are known by.
    pub fn reword_hard(&mut self, mut reword: impl FnMut(Term) -> Term) {
        for (atom, times) in std::mem::take(&mut self.hard) {
            *self.hard.entry(reword(atom)).or_default() += times;
        }
    }

    /// Whether these can hold together.
    pub fn check(
        &mut self,
        context: &Context,
        terms: &Terms,
        together: impl IntoIterator<Item = Term>,
    ) -> Answer {
        self.ask(context, terms, together).0
    }

    /// Whether these can hold together, and how, if that is known. The model can be missing also if they can.
    pub fn find(
        &mut self,
        context: &Context,
        terms: &Terms,
        together: impl IntoIterator<Item = Term>,
    ) -> (Answer, Option<Model>) {
        let question = normal(terms, together);
        let (answer, model) = self.ask(context, terms, question.iter().copied());
        if answer != Answer::Satisfiable || model.is_some() {
            return (answer, model);
        }
        // Remembered, and the model that showed it is gone.
        self.call(context, terms, &question)
    }

    /// After [`Answer::Unsatisfiable`]: some of `together` that cannot hold together either, as few as is known without further calls.
    pub fn core_of(&self, terms: &Terms, together: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let question = normal(terms, together);
        let inside = self.cores.iter().filter(|core| includes(&question, core));
        inside.min_by_key(|core| core.len()).map_or_else(|| question.to_vec(), |core| core.to_vec())
    }

    fn ask(
        &mut self,
        context: &Context,
        terms: &Terms,
        together: impl IntoIterator<Item = Term>,
    ) -> (Answer, Option<Model>) {
        self.statistics.n_questions += 1;
        let question = normal(terms, together);
        match question[..] {
            [] => return (Answer::Satisfiable, Some(Model::default())),
            [only] if terms.as_bool(only) == Some(false) => return (Answer::Unsatisfiable, None),
            _ => {}
        }
        if let Some(at) = self.models.iter().position(|model| satisfies_all(model, terms, &question)) {
            self.statistics.n_by_model += 1;
            // Recently useful models are tried first.
            let model = self.models.remove(at).expect("it was found there");
            self.models.push_front(model.clone());
            return (Answer::Satisfiable, Some(model));
        }
        if let Some(&answer) = self.answers.get(&question) {
            self.statistics.n_remembered += 1;
            return (answer, None);
        }
        if self.cores.iter().any(|core| includes(&question, core)) {
            self.statistics.n_by_core += 1;
            return (Answer::Unsatisfiable, None);
        }
        self.call(context, terms, &question)
    }

    fn call(&mut self, context: &Context, terms: &Terms, question: &[Term]) -> (Answer, Option<Model>) {
        self.statistics.n_calls += 1;
        let before = self.solver.work();
        let answer = self.solver.check(context, terms, question);
        self.statistics.work += self.solver.work() - before;
        if !matches!(answer, Answer::Stopped(_)) {
            self.answers.insert(question.into(), answer);
        }
        match answer {
            Answer::Stopped(_) => (answer, None),
            Answer::GaveUp => {
                self.statistics.n_gave_up += 1;
                let atoms: BTreeSet<Term> = question.iter().flat_map(|&part| terms.atoms_of(part)).collect();
                for atom in atoms.into_iter().filter(|&atom| terms.is_nonlinear(atom)) {
                    *self.hard.entry(atom).or_default() += 1;
                }
                (answer, None)
            }
            Answer::Unsatisfiable => {
                let mut core = self.solver.core();
                core.sort_unstable();
                if !self.cores.iter().any(|known| **known == *core) {
                    self.cores.push_front(core.into());
                    self.cores.truncate(CORES_KEPT);
                }
                (answer, None)
            }
            Answer::Satisfiable => {
                let model = self.solver.model(terms);
                if let Some(model) = &model {
                    // What our own evaluation cannot confirm may still be right, but what it refutes is not.
                    debug_assert!(
                        question.iter().all(|&part| model.satisfies(terms, part) != Some(false)),
                        "the model of the solver satisfies the question"
                    );
                    self.models.push_front(model.clone());
                    self.models.truncate(MODELS_KEPT);
                }
                (answer, model)
            }
        }
    }
}

fn satisfies_all(model: &Model, terms: &Terms, question: &[Term]) -> bool {
    question.iter().all(|&part| model.satisfies(terms, part) == Some(true))
}

/// The parts of the conjunction, in order; a single `false` if it is plainly false.
fn normal(terms: &Terms, together: impl IntoIterator<Item = Term>) -> Box<[Term]> {
    terms.conjuncts(terms.and(together)).into()
}

/// Whether all of `part` are in `whole`; both in order.
fn includes(whole: &[Term], part: &[Term]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|found| found == wanted))
}
