//! The answers of a solver are a function of what it was asked, whatever happened before in the same thread, or beside it.

use std::time::Duration;
use tertium_expr::{Sort, Term, Terms, Variable};
use tertium_solve::{Answer, Model, Prover, ProverStatistics, Solver, UNITS_PER_CALL, UNITS_PER_STEP, Z3};
use tertium_support::{Cancel, Context, Limits, Rng, StopReason};
use tertium_testkit::{random_cases, random_truth};

/// What was said to one question: the answer, the model and the core.
type Told = (Answer, Option<Model>, Vec<Term>);

/// A store with some questions about it, the same for the same seed.
struct Questions {
    terms: Terms,
    all: Vec<Vec<Term>>,
}

impl Questions {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::seeded(seed);
        let terms = Terms::new();
        let sorts = [("x", Sort::Int), ("y", Sort::Int), ("z", Sort::Int), ("p", Sort::Bool)];
        let variables: Vec<Variable> = sorts.iter().map(|(name, sort)| terms.declare(name, sort)).collect();
        let all = (0..12)
            .map(|_| (0..rng.between(1, 6)).map(|_| random_truth(&mut rng, &terms, &variables, 3)).collect())
            .collect();
        Self { terms, all }
    }

    /// Everything that can be seen of a solver that is asked them in turn.
    fn ask(&self) -> (Vec<Told>, u64) {
        let context = Context::default();
        let mut solver = Z3::new();
        let answers = self.all.iter().map(|question| self.ask_one(&context, &mut solver, question)).collect();
        let expected = solver.work() * UNITS_PER_STEP + self.all.len() as u64 * UNITS_PER_CALL;
        assert_eq!(context.spent(), expected);
        (answers, solver.work())
    }

    fn ask_one(
        &self,
        context: &Context,
        solver: &mut Z3,
        question: &[Term],
    ) -> (Answer, Option<Model>, Vec<Term>) {
        let answer = solver.check(context, &self.terms, question);
        let model = (answer == Answer::Satisfiable).then(|| solver.model(&self.terms)).flatten();
        let core = if answer == Answer::Unsatisfiable { solver.core() } else { Vec::new() };
        (answer, model, core)
    }

    fn prove(&self) -> (Vec<(Answer, Option<Model>)>, ProverStatistics) {
        let mut prover = Prover::new(Z3::new());
        let context = Context::default();
        let answers = self.all.iter().chain(&self.all);
        let answers =
            answers.map(|question| prover.find(&context, &self.terms, question.iter().copied())).collect();
        (answers, prover.statistics())
    }
}

#[test]
fn history_does_not_matter() {
    random_cases(30, |rng| {
        let seed = rng.bits();
        let first = std::thread::spawn(move || {
            let questions = Questions::new(seed);
            (questions.ask(), questions.prove())
        });
        let first = first.join().expect("no panic");
        for _ in 0..rng.between(0, 4) {
            Questions::new(rng.bits()).ask();
        }
        let questions = Questions::new(seed);
        assert_eq!((questions.ask(), questions.prove()), first);
    });
}

#[test]
fn solvers_used_in_turn_do_not_see_each_other() {
    random_cases(20, |rng| {
        let context = Context::default();
        let (one, other) = (Questions::new(rng.bits()), Questions::new(rng.bits()));
        let (mut first, mut second) = (Z3::new(), Z3::new());
        let mut together = Vec::new();
        for (mine, theirs) in one.all.iter().zip(&other.all) {
            together.push(one.ask_one(&context, &mut first, mine));
            other.ask_one(&context, &mut second, theirs);
        }
        assert_eq!((together, first.work()), one.ask());
    });
}

/// Three cubes and their sum: with 114 nobody knows.
fn beyond_everybody(terms: &Terms) -> Term {
    let cube = |name: &str| {
        let x = terms.variable(terms.declare(name, &Sort::Int));
        terms.product(x, terms.product(x, x))
    };
    terms.equal(terms.sum(["x", "y", "z"].map(cube)), terms.integer(114))
}

#[test]
fn products_end_by_steps_and_not_by_the_clock() {
    let terms = Terms::new();
    let question = beyond_everybody(&terms);
    let work: Vec<u64> = (0..3)
        .map(|_| {
            let mut solver = Z3::new();
            assert_eq!(solver.check(&Context::default(), &terms, &[question]), Answer::GaveUp);
            solver.work()
        })
        .collect();
    assert!(work[0] > 0 && work.iter().all(|&other| other == work[0]), "{work:?}");
}

#[test]
fn a_limit_of_the_run_is_called_so_and_not_remembered() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let question = terms.less(terms.integer(0), x);
    let mut prover = Prover::new(Z3::new());
    let late = Context::new(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Cancel::default());
    assert_eq!(prover.check(&late, &terms, [question]), Answer::Stopped(StopReason::TimeLimit));
    let tired = Context::new(Limits { work: Some(1), ..Limits::default() }, Cancel::default());
    assert_eq!(tired.spend(1), Err(StopReason::WorkLimit));
    assert_eq!(prover.check(&tired, &terms, [question]), Answer::Stopped(StopReason::WorkLimit));
    assert_eq!(prover.statistics().n_gave_up, 0);
    assert_eq!(prover.check(&Context::default(), &terms, [question]), Answer::Satisfiable);
}
