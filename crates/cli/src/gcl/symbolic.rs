//! `tertium check --engine symbolic` on models of guarded commands: one predicate abstraction as decision diagrams, without refinement.
//!
//! There is no strategy that could be validated: a definite verdict rests on the relations as the solver gave them and on the fixpoints over
//! them, and a note with it says so.

use super::{Question, refining};
use crate::board::Entry;
use crate::commands::check::{Job, Trouble};
use crate::settings::Style;
use tertium_abstraction::{PredicateAbstraction, Predicates, explore_symbolic};
use tertium_check::Semantics;
use tertium_check::symbolic::MonomialChecker;
use tertium_dd::Manager;
use tertium_expr::Term;
use tertium_front_gcl::{Model, Resolved};
use tertium_refine::first_predicates;
use tertium_report::{Message, VariableAnswer, verdict_line};
use tertium_solve::{Prover, Z3};
use tertium_support::{Statistics, StopReason};
use tertium_truth::{Cause, Verdict};

/// Answers all questions about a model. The predicates of each are added to `found`.
pub(super) fn answer_all(
    job: &Job,
    file: &str,
    model: &Model,
    questions: &[Question],
    messages: &[Message],
    found: &mut Predicates,
) {
    for question in questions {
        match &question.meaning {
            Ok(meaning) => answer(job, file, model, question, meaning, messages, found),
            Err(trouble) => job.give_up(file, &question.property, Some(question.source.text()), trouble),
        }
    }
    if let Err(failure) = refining::save(job, &model.program, found) {
        failure.tell(&job.run.output);
        job.board.worsen(failure.status());
    }
}

/// What was found out.
struct Found {
    verdict: Verdict,
    statistics: Statistics,
    n_predicates: usize,
    /// Whether the model begins somewhere.
    begins: bool,
}

fn answer(
    job: &Job,
    file: &str,
    model: &Model,
    question: &Question,
    meaning: &Resolved,
    messages: &[Message],
    found: &mut Predicates,
) {
    let started = job.run.context.elapsed();
    let result = match decide(job, model, meaning, found) {
        Ok(result) => result,
        Err(reason) => {
            let trouble = Trouble::Stopped(reason);
            return job.give_up(file, &question.property, Some(question.source.text()), &trouble);
        }
    };
    let semantics = if job.settings.semantics == Semantics::Ris { "ris" } else { "sis" };
    let plural = if result.n_predicates == 1 { "" } else { "s" };
    let engine =
        format!("symbolic predicate abstraction, {semantics}, {} predicate{plural}", result.n_predicates);
    let shown = VariableAnswer {
        file,
        property: &question.property,
        formula: question.source.text().trim(),
        engine: &engine,
        verdict: result.verdict,
        value: None,
        states: None,
        evidence: None,
        assumptions: notes(&result, job.settings.semantics),
        statistics: result.statistics,
        validated: None,
        time: job.settings.statistics.then(|| job.run.context.elapsed() - started),
    };
    let mut lines = verdict_line(shown.verdict, shown.formula, &shown.summary());
    if let Style::Text(detail) = job.settings.style {
        lines.push_str(&shown.text(detail));
    }
    if job.settings.statistics {
        lines.push_str(&shown.statistics_text());
    }
    job.board.summarise(shown.formula.to_owned(), shown.verdict);
    job.board.record(&Entry::Verdict(shown.verdict), &lines, || shown.json(messages.to_vec()));
}

fn decide(job: &Job, model: &Model, meaning: &Resolved, found: &mut Predicates) -> Result<Found, StopReason> {
    let context = &job.run.context;
    let propositions: Vec<(String, Term)> =
        meaning.atoms.iter().map(|(name, &term)| (name.clone(), term)).collect();
    let asked = tertium_refine::Question {
        program: &model.program,
        formula: &meaning.formula,
        propositions: &propositions,
        predicates: found.clone(),
    };
    let mut prover = Prover::new(Z3::new());
    let predicates = first_predicates(context, &asked, true, &mut prover);
    for predicate in predicates.iter() {
        found.add(&model.program, predicate);
    }
    let n_predicates = predicates.len();
    let mut abstraction = PredicateAbstraction::new(&model.program, predicates, prover);
    let manager = Manager::new(context);
    if let Some(nodes) = job.settings.symbolic.nodes {
        manager.set_node_limit(nodes);
    }
    let abstracted = explore_symbolic(context, &mut abstraction, &propositions, &manager)?;
    let mut checker = MonomialChecker::new(context, &abstracted.system, job.settings.semantics)?;
    let outcome = checker.evaluate(&meaning.formula)?;
    let solver = abstraction.statistics();
    let mut statistics = Statistics::default();
    statistics.set("predicates", n_predicates);
    statistics.set("locations", abstracted.system.locations.len());
    statistics.set("fixpoint iterations", outcome.n_iterations);
    // A time is only for those who ask for times: all else is the same in every run.
    if job.settings.statistics {
        statistics.set("reduction ms", outcome.reducing.as_millis());
    }
    statistics.set("peak nodes", manager.peak_nodes());
    statistics.set("solver questions", solver.n_questions);
    statistics.set("solver calls", solver.n_calls);
    statistics.set("solver gave up", solver.n_gave_up);
    let verdict = match outcome.verdict {
        Verdict::Unknown(Cause::Imprecise) if solver.n_gave_up > 0 => Verdict::Unknown(Cause::Solver),
        other => other,
    };
    Ok(Found { verdict, statistics, n_predicates, begins: abstracted.begins })
}

/// What a verdict rests on, or what to do without one.
fn notes(result: &Found, semantics: Semantics) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if !result.begins {
        let note = "the model has no initial state, so everything holds at all of them";
        notes.push(("no-initial-state", note.to_owned()));
    }
    match result.verdict {
        Verdict::True | Verdict::False => notes.push((
            "not-validated",
            "the verdict rests on relations that were built with the solver once; no evidence was validated"
                .to_owned(),
        )),
        Verdict::Unknown(_) => {
            let ris = if semantics == Semantics::Ris { "" } else { "`--semantics ris` is more precise, " };
            let note = format!(
                "this engine does not refine: {ris}`--engine predicate` refines, and `--predicates` helps both"
            );
            notes.push(("no-refinement", note));
        }
    }
    notes
}
