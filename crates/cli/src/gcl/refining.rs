//! `tertium check` on models of guarded commands by the engines that refine: predicate and cartesian abstraction, and concrete search.

use super::Question;
use super::shower::{Method, Shower};
use crate::commands::check::{Job, Readable};
use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::settings::{CheckSettings, Engine, SearchSettings};
use crate::write::write_atomically;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tertium_abstraction::{Form, Predicates};
use tertium_check::Semantics;
use tertium_expr::Term;
use tertium_front_gcl::{Model, Resolved};
use tertium_program::Program;
use tertium_refine::{Abstraction, Answer, Settings, decide, decide_by_search};
use tertium_report::Message;
use tertium_search::{LossSettings, Order, Start};
use tertium_solve::{Prover, Z3};
use tertium_support::Context;

/// So many states a round of a search follows beside abstraction.
const STATES_BESIDE: usize = 200_000;

/// One question about one model.
pub(super) struct Inquiry<'a> {
    pub(super) job: &'a Job,
    pub(super) file: &'a str,
    pub(super) model: &'a Model,
    pub(super) question: &'a Question,
    pub(super) meaning: &'a Resolved,
    pub(super) messages: &'a [Message],
}

impl Inquiry<'_> {
    /// Answers the question. The predicates at the end are added to `found`.
    pub(super) fn settle(&self, method: Method, found: &mut Predicates) {
        let started = self.job.run.context.elapsed();
        let answer = self.decide(&self.job.run.context, method, found);
        self.learn(&answer, found);
        self.show(method, answer, started);
    }

    /// What the question is asked about.
    fn propositions(&self) -> Vec<(String, Term)> {
        self.meaning.atoms.iter().map(|(name, &term)| (name.clone(), term)).collect()
    }

    pub(super) fn decide(&self, context: &Context, method: Method, found: &Predicates) -> Answer {
        let propositions = self.propositions();
        let asked = tertium_refine::Question {
            program: &self.model.program,
            formula: &self.meaning.formula,
            propositions: &propositions,
            predicates: found.clone(),
        };
        let prover = Prover::new(Z3::new());
        match method {
            Method::Predicate => {
                decide(context, &asked, &settings(&self.job.settings, Abstraction::default()), prover)
            }
            Method::Cartesian => {
                let vectors = Abstraction::Vectors { form: Form::default(), depth: self.job.settings.depth };
                decide(context, &asked, &settings(&self.job.settings, vectors), prover)
            }
            Method::Search => decide_by_search(context, &asked, &self.search_settings(), prover),
        }
    }

    /// Beside abstraction, a search must not take all the memory.
    fn search_settings(&self) -> tertium_search::Settings {
        let CheckSettings { engine, states, search, iterations, .. } = &*self.job.settings;
        let states = if *engine == Engine::Auto { Some(STATES_BESIDE) } else { *states };
        search_settings(search, states, *iterations)
    }

    /// Adds the predicates of an answer.
    pub(super) fn learn(&self, answer: &Answer, found: &mut Predicates) {
        answer.predicates.iter().for_each(|predicate| {
            found.add(&self.model.program, predicate);
        });
    }

    pub(super) fn show(&self, method: Method, answer: Answer, started: Duration) {
        let readable = Readable {
            file: self.file,
            property: &self.question.property,
            source: &self.question.source,
            formula: &self.meaning.formula,
            cut: false,
            model: true,
            messages: self.messages,
        };
        let time = self.job.settings.statistics.then(|| self.job.run.context.elapsed() - started);
        let (job, program) = (self.job, &self.model.program);
        Shower { job, program, readable, propositions: &self.propositions(), method, time }.show(answer);
    }
}

/// The predicates that the user gives.
pub(super) fn given(context: &Context, model: &Model, path: Option<&PathBuf>) -> Result<Predicates, Failure> {
    let mut predicates = Predicates::new();
    if let Some(path) = path {
        let source = text(path.display().to_string(), read_file(context, path)?)?;
        let terms = model.predicates(&source).map_err(|found| Failure::Faulty(Box::new(source), found))?;
        for term in terms {
            predicates.add_atoms(&model.program, term);
        }
    }
    Ok(predicates)
}

/// How the loop around an abstraction goes about it.
fn settings(settings: &CheckSettings, abstraction: Abstraction) -> Settings {
    // Thorough semantics is for small systems that are given.
    let semantics = match settings.semantics {
        Semantics::Thorough => Semantics::Sis,
        other => other,
    };
    let guards = settings.search.guards;
    Settings { abstraction, semantics, iterations: settings.iterations, guards }
}

/// How the search goes about it.
pub(super) fn search_settings(
    own: &SearchSettings,
    states: Option<usize>,
    iterations: usize,
) -> tertium_search::Settings {
    tertium_search::Settings {
        order: if own.depth_first { Order::Depth } else { Order::Breadth },
        losses: LossSettings { by_location: own.by_location, unasked: own.light },
        start: if own.guards { Start::Guards } else { Start::Goal },
        values_after: own.values_after,
        inputs: own.inputs,
        threads: own.threads,
        states: states.unwrap_or(usize::MAX),
        iterations,
        ..tertium_search::Settings::default()
    }
}

/// Predicates as `--predicates` reads them.
pub(super) fn written(program: &Program, predicates: &Predicates) -> String {
    predicates.iter().map(|term| format!("{};\n", program.terms.print(term))).collect()
}

/// Writes predicates to the file that the user wants them in.
pub(super) fn save(job: &Job, program: &Program, predicates: &Predicates) -> Result<(), Failure> {
    let Some(path) = &job.settings.save_predicates else { return Ok(()) };
    write_atomically(path, |out| out.write_all(written(program, predicates).as_bytes()))
}
