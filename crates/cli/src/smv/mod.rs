//! `tertium check` on models in the SMV language: every specification of the file, or the properties that were given.
//!
//! The text becomes a flat model, and that becomes decision diagrams (or, with `--engine explicit`, a list of states).
//! Evidence is turned back into the user's names and values and replayed on the flat model by its interpreter, which knows
//! nothing of decision diagrams.

mod decode;
mod engine;
mod evidence;
mod explicit;
mod inquiry;
mod notes;
mod parts;
mod symbolic;

use crate::board::{Entry, OpenQuestion};
use crate::choice::choose;
use crate::commands::check::{Job, Trouble};
use crate::failure::Failure;
use crate::input::{model_text, read_file};
use crate::settings::{Engine, Style, VacuityWarnings};
use crate::write::write_atomically;
use engine::Answerer;
use std::io::Write;
use std::path::Path;
use tertium_front_smv::{ExploreLimits, FlatModel, Interpreter, Specification, explore, read, read_property};
use tertium_report::{Message, VariableAnswer, one_line, variable_evidence_dot, verdict_line, verdict_word};
use tertium_support::{Context, Source};
use tertium_system::PartialSystem;

/// A question about a model: the property as given, and what it means, if anything.
struct Question {
    property: String,
    /// Where it is written, and what it means.
    specification: Result<(Source, Specification), Trouble>,
}

impl Question {
    /// The property as it is shown, if it could be read.
    fn formula(&self) -> Option<String> {
        self.specification.as_ref().ok().map(|(_, specification)| shown(specification))
    }
}

/// Answers every question about one file.
pub(crate) fn answer_file(job: &Job, path: &Path) {
    let file = path.display().to_string();
    let (model, messages) = match load(job, path) {
        Ok(loaded) => loaded,
        Err(failure) => return give_up_all(job, &file, &job.trouble(&failure)),
    };
    let questions = match questions(job, &file, &model) {
        Ok(questions) => questions,
        Err(failure) => return give_up_all(job, &file, &job.trouble(&failure)),
    };
    if job.settings.dot.is_some() && questions.len() > 1 {
        let failure = Failure::Input(format!(
            "--dot draws the evidence of one property, and {file} has {}: choose one with --index, --name or -p",
            questions.len()
        ));
        return give_up_all(job, &file, &job.trouble(&failure));
    }
    if job.settings.properties.is_empty() {
        let open = |question: &Question| OpenQuestion {
            file: file.clone(),
            property: question.property.clone(),
            formula: question.formula(),
        };
        job.board.expand(questions.iter().map(open).collect());
    }
    let specifications: Vec<&Specification> =
        questions.iter().filter_map(|question| Some(&question.specification.as_ref().ok()?.1)).collect();
    let mut answered = false;
    let mut work = |answerer: &mut dyn Answerer| {
        answered = true;
        answer_questions(job, &file, &questions, &messages, answerer);
    };
    let ended = match job.settings.engine {
        Engine::Explicit => explicit::with_states(job, &model, work),
        _ => symbolic::with_encoded(job, &model, &specifications, &mut work),
    };
    match ended {
        Ok(()) => {}
        // Everything was answered; only what comes afterwards failed.
        Err(failure) if answered => {
            failure.tell(&job.run.output);
            job.board.worsen(failure.status());
        }
        Err(failure) => {
            let trouble = job.trouble(&failure);
            for question in &questions {
                job.give_up(&file, &question.property, question.formula().as_deref(), &trouble);
            }
        }
    }
}

fn answer_questions(
    job: &Job,
    file: &str,
    questions: &[Question],
    messages: &[Message],
    answerer: &mut dyn Answerer,
) {
    let mut asked = 0;
    for question in questions {
        let reply = match &question.specification {
            Ok((source, specification)) => {
                let started = job.run.context.elapsed();
                let reply =
                    answerer.answer(asked, specification, source).map_err(|failure| job.trouble(&failure));
                asked += 1;
                reply.map(|reply| (specification, reply, job.run.context.elapsed() - started))
            }
            Err(trouble) => Err(trouble.clone()),
        };
        match reply {
            Ok((specification, reply, time)) => {
                if reply.vacuous && job.settings.vacuity == VacuityWarnings::Strict {
                    job.board.object_to_vacuity();
                }
                let answer = VariableAnswer {
                    file,
                    property: &question.property,
                    formula: &shown(specification),
                    engine: answerer.name(),
                    verdict: reply.verdict,
                    value: reply.value,
                    states: reply.states,
                    evidence: reply.evidence,
                    assumptions: reply.assumptions,
                    statistics: reply.statistics,
                    validated: reply.validated,
                    time: job.settings.statistics.then_some(time),
                };
                record(job, &answer, messages);
            }
            Err(trouble) => {
                job.give_up(file, &question.property, question.formula().as_deref(), &trouble);
            }
        }
    }
}

fn record(job: &Job, answer: &VariableAnswer<'_>, messages: &[Message]) {
    let mut summary = answer.summary();
    if job.settings.files.len() > 1 {
        summary.push_str(&format!(", {}", answer.file));
    }
    let mut text = verdict_line(answer.verdict, answer.formula, &summary);
    if let Style::Text(detail) = job.settings.style {
        text.push_str(&answer.text(detail));
    }
    if job.settings.statistics {
        text.push_str(&answer.statistics_text());
    }
    // The picture first: should it fail, its question is answered all the same, and the status says so.
    let drawn = draw(job, answer);
    job.board.summarise(answer.formula.to_owned(), answer.verdict);
    job.board.record(&Entry::Verdict(answer.verdict), &text, || answer.json(messages.to_vec()));
    if let Err(failure) = drawn {
        failure.tell(&job.run.output);
        job.board.worsen(failure.status());
    }
}

pub(crate) fn draw(job: &Job, answer: &VariableAnswer<'_>) -> Result<(), Failure> {
    let Some(path) = &job.settings.dot else { return Ok(()) };
    let Some(evidence) = &answer.evidence else {
        return Err(Failure::Input(format!("there is no evidence to draw into {}", path.display())));
    };
    let title = format!("{}  {}", verdict_word(answer.verdict), one_line(answer.formula));
    let picture = variable_evidence_dot(evidence, answer.verdict, &title);
    write_atomically(path, |out| out.write_all(picture.as_bytes()))
}

/// The property as it is shown: with its name and its instance, if it has them.
fn shown(specification: &Specification) -> String {
    let name = specification.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let place = if specification.instance.is_empty() {
        String::new()
    } else {
        format!("  IN {}", specification.instance)
    };
    format!("{name}{}{place}", specification.text)
}

/// Reads a model; warnings are printed and given back as messages.
fn load(job: &Job, path: &Path) -> Result<(FlatModel, Vec<Message>), Failure> {
    let source = model_text(path.display().to_string(), read_file(&job.run.context, path)?);
    let (model, warnings) =
        read(source.clone()).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
    if job.settings.style != Style::Quiet && !warnings.is_empty() {
        job.run.output.complaints(&source, &warnings);
    }
    let messages = warnings.iter().map(|warning| Message::located(&source, warning)).collect();
    Ok((model, messages))
}

/// The properties that were given, or the chosen specifications of the file.
fn questions(job: &Job, file: &str, model: &FlatModel) -> Result<Vec<Question>, Failure> {
    if !job.settings.properties.is_empty() {
        let given = job.settings.properties.iter().enumerate();
        return Ok(given
            .map(|(index, property)| {
                let read = property.read(&job.run.context, index + 1).and_then(|source| {
                    let specification = read_property(model, &source)
                        .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
                    Ok((source, specification))
                });
                Question {
                    property: property.written(),
                    specification: read.map_err(|failure| job.trouble(&failure)),
                }
            })
            .collect());
    }
    let all = &model.specifications;
    let names: Vec<Option<&str>> = all.iter().map(|specification| specification.name.as_deref()).collect();
    let chosen = choose(&job.settings.chosen, file, &names)?;
    Ok(chosen
        .into_iter()
        .map(|index| Question {
            property: all[index].name.clone().unwrap_or_else(|| (index + 1).to_string()),
            specification: Ok((model.source.clone(), all[index].clone())),
        })
        .collect())
}

/// More reachable states than this are not listed.
const MOST_LISTED: usize = 100_000;

/// The reachable states of a small model as an ordinary system.
pub(crate) fn reachable_system(context: &Context, source: Source) -> Result<PartialSystem, Failure> {
    let (model, _) =
        read(source.clone()).map_err(|complaints| Failure::Faulty(Box::new(source), complaints))?;
    let interpreter = Interpreter::new(&model);
    let limits = ExploreLimits { n_states: Some(MOST_LISTED), n_edges: None };
    let explored =
        explore(context, &interpreter, limits).map_err(|error| explicit::failure(error, &model))?;
    if explored.initial().next().is_none() {
        return Err(Failure::Input(format!("{} has no initial state", model.source.name())));
    }
    let system = explored.to_system(&interpreter, &[]);
    system.map_err(|fault| explicit::failure(fault.into(), &model))
}

/// The file cannot be used: all questions about it have the same answer.
fn give_up_all(job: &Job, file: &str, trouble: &Trouble) {
    let given: Vec<String> = job.settings.properties.iter().map(|property| property.written()).collect();
    let questions = if given.is_empty() { vec!["all specifications".to_owned()] } else { given };
    questions.iter().for_each(|property| job.give_up(file, property, None, trouble));
}
