//! Models in the guarded-command language: `tertium check` on the states that a search finds, and `tertium model show`.
//!
//! Programs without bounds are abstracted by predicates and searched by matching states (`refining`), both at once if nothing else is said
//! (`beside`), unless a short search through all states settles the question before. That one is cut at a bound. What lies beyond it is open, so
//! definite verdicts hold for the whole model, and what stays open is unknown because of the bound.

mod beside;
mod concrete;
mod query;
mod refining;
mod show;
mod shower;
mod symbolic;
mod tests;
mod vacuity;
mod values;

pub(crate) use query::solve_query;
pub(crate) use show::show;
pub(crate) use tests::{find_tests, replay_tests};
pub(crate) use vacuity::survey;

use self::refining::Inquiry;
use self::shower::Method;
use crate::board::OpenQuestion;
use crate::choice::choose;
use crate::commands::check::{Job, Readable, Trouble};
use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::output::Output;
use crate::settings::{Engine, Style};
use std::path::Path;
use tertium_check::{Prepared, Record, Settings, check};
use tertium_explore::{Exploration, Gap, reachable};
use tertium_expr::Term;
use tertium_front_gcl::{Model, Resolved, read};
use tertium_logic::Formula;
use tertium_report::Message;
use tertium_support::{Context, Id, Source};
use tertium_system::PartialSystem;
use tertium_truth::Verdict;

/// So many states are looked at if nothing is said.
pub(crate) const MOST_STATES: usize = 50_000;
/// And so many if abstraction comes next.
const FIRST_STATES: usize = 2_000;

/// Where a property stands.
#[derive(Clone, Copy)]
enum Place {
    /// In the file, with this index.
    File(usize),
    /// On the command line.
    Given,
}

/// A question about a model: the property as given, its text, and what it means, if anything.
struct Question {
    property: String,
    source: Source,
    place: Place,
    meaning: Result<Resolved, Trouble>,
}

/// Answers every question about one file.
pub(crate) fn answer_file(job: &Job, path: &Path) {
    let file = path.display().to_string();
    let loaded = load(&job.run.context, path).and_then(|(source, model, warnings)| {
        if job.settings.style != Style::Quiet && !warnings.is_empty() {
            job.run.output.complaints(&source, &warnings);
        }
        let messages: Vec<Message> =
            warnings.iter().map(|warning| Message::located(&source, warning)).collect();
        let questions = questions(job, &file, &model)?;
        let predicates = refining::given(&job.run.context, &model, job.settings.predicates.as_ref())?;
        Ok((source, model, messages, questions, predicates))
    });
    let (source, model, messages, questions, mut predicates) = match loaded {
        Ok(loaded) => loaded,
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
            formula: Some(question.source.text().to_owned()),
        };
        job.board.expand(questions.iter().map(open).collect());
    }
    if job.settings.engine == Engine::Symbolic {
        return symbolic::answer_all(job, &file, &model, &questions, &messages, &mut predicates);
    }
    let left = match job.settings.engine {
        Engine::Predicate | Engine::Cartesian | Engine::Search => questions.iter().collect(),
        engine => search(job, &file, &model, &questions, &messages, engine == Engine::Auto),
    };
    for question in left {
        let meaning = match &question.meaning {
            Ok(meaning) => meaning,
            Err(trouble) => {
                job.give_up(&file, &question.property, Some(question.source.text()), trouble);
                continue;
            }
        };
        let inquiry = Inquiry { job, file: &file, model: &model, question, meaning, messages: &messages };
        match job.settings.engine {
            Engine::Cartesian => inquiry.settle(Method::Cartesian, &mut predicates),
            Engine::Search => inquiry.settle(Method::Search, &mut predicates),
            Engine::Predicate => inquiry.settle(Method::Predicate, &mut predicates),
            _ => beside::answer(&inquiry, &source, &mut predicates),
        }
    }
    if let Err(failure) = refining::save(job, &model.program, &predicates) {
        failure.tell(&job.run.output);
        job.board.worsen(failure.status());
    }
}

/// Answers questions on the states that a search finds. If it is only the first try, those that the search leaves open are given back, with all after
/// them, so that answers stay in order.
fn search<'q>(
    job: &Job,
    file: &str,
    model: &Model,
    questions: &'q [Question],
    messages: &[Message],
    first: bool,
) -> Vec<&'q Question> {
    let usual = if first { FIRST_STATES } else { MOST_STATES };
    let found = reachable(&job.run.context, &model.program, job.settings.states.unwrap_or(usual));
    let found = found.map_err(Trouble::Stopped);
    if let Ok(found) = &found
        && !first
        && job.settings.style != Style::Quiet
    {
        tell_gaps(&job.run.output, file, model, found);
    }
    let system = found.map(|found| {
        let meanings = questions.iter().filter_map(|question| question.meaning.as_ref().ok());
        let atoms = meanings.flat_map(|meaning| &meaning.atoms).map(|(name, &term)| (name.as_str(), term));
        (found.to_system(&model.program, atoms), found.is_complete())
    });
    let prepared = match &system {
        Ok((system, complete)) => {
            let prepared = Prepared::new(&job.run.context, system).map_err(Trouble::Stopped);
            prepared.map(|prepared| (prepared, *complete))
        }
        Err(trouble) => Err(trouble.clone()),
    };
    for (at, question) in questions.iter().enumerate() {
        match (&question.meaning, &prepared) {
            (Ok(meaning), Ok((prepared, complete))) => {
                if first && !complete && !is_settled(job, prepared, &meaning.formula) {
                    return questions[at..].iter().collect();
                }
                let readable = Readable {
                    file,
                    property: &question.property,
                    source: &question.source,
                    formula: &meaning.formula,
                    cut: !complete,
                    model: true,
                    messages,
                };
                job.answer(&readable, prepared);
            }
            (Err(trouble), _) | (_, Err(trouble)) => {
                job.give_up(file, &question.property, Some(question.source.text()), trouble);
            }
        }
    }
    Vec::new()
}

/// Whether a system decides a formula.
fn is_settled(job: &Job, prepared: &Prepared<'_>, formula: &Formula) -> bool {
    let settings = Settings { semantics: job.settings.semantics, record: Record::Values };
    let outcome = check(&job.run.context, prepared, formula, &settings);
    !matches!(outcome.verdict, Verdict::Unknown(_))
}

/// The properties that were given, or the chosen ones of the file.
fn questions(job: &Job, file: &str, model: &Model) -> Result<Vec<Question>, Failure> {
    if !job.settings.properties.is_empty() {
        let given = job.settings.properties.iter().enumerate();
        return Ok(given
            .map(|(index, property)| {
                let read = property.read(&job.run.context, index + 1);
                let source = read.as_ref().map_or_else(|_| Source::new("", ""), Source::clone);
                let meaning = read.and_then(|source| {
                    let meaning = model.formula(&source);
                    meaning.map_err(|complaints| Failure::Faulty(Box::new(source), complaints))
                });
                let meaning = meaning.map_err(|failure| job.trouble(&failure));
                Question { property: property.written(), source, place: Place::Given, meaning }
            })
            .collect());
    }
    let labels: Vec<Option<&str>> =
        model.properties.iter().map(|property| property.label.as_deref()).collect();
    let chosen = choose(&job.settings.chosen, file, &labels)?;
    Ok(chosen
        .into_iter()
        .map(|index| {
            let property = &model.properties[index];
            let number = (index + 1).to_string();
            let name = property.label.clone().unwrap_or(number);
            let source = Source::new(format!("<property {name}>"), property.formula_text());
            Question {
                property: name,
                source,
                place: Place::File(index),
                meaning: Ok(property.meaning.clone()),
            }
        })
        .collect())
}

type Loaded = (Source, Model, tertium_support::Diagnostics);

fn load(context: &Context, path: &Path) -> Result<Loaded, Failure> {
    let source = text(path.display().to_string(), read_file(context, path)?)?;
    load_text(context, source)
}

fn load_text(context: &Context, source: Source) -> Result<Loaded, Failure> {
    match read(context, &source) {
        Ok((model, warnings)) => Ok((source, model, warnings)),
        Err(complaints) => Err(Failure::Faulty(Box::new(source), complaints)),
    }
}

/// The states that are found within the usual bound, as a system with the named propositions.
pub(crate) fn reachable_system(context: &Context, source: Source) -> Result<PartialSystem, Failure> {
    let name = source.name().to_owned();
    let (_, model, _) = load_text(context, source)?;
    let found = explore_some(context, &name, &model, None)?;
    Ok(named_system(&model, &found))
}

/// The states up to a bound, at least one.
fn explore_some(
    context: &Context,
    file: &str,
    model: &Model,
    most: Option<usize>,
) -> Result<Exploration, Failure> {
    let found = reachable(context, &model.program, most.unwrap_or(MOST_STATES))?;
    if found.n_states() == 0 && found.is_complete() {
        return Err(Failure::Input(format!("{file} has no initial state")));
    }
    Ok(found)
}

fn named_system(model: &Model, found: &Exploration) -> PartialSystem {
    let propositions = model.program.propositions.iter();
    found.to_system(&model.program, propositions.map(|(name, &term): (&String, &Term)| (name.as_str(), term)))
}

/// What the search left out, in a sentence each.
fn gap_texts(model: &Model, found: &Exploration) -> Vec<String> {
    let text = |gap: &Gap| match gap {
        Gap::Initial => "there are more initial states".to_owned(),
        Gap::Bound => "there are more states".to_owned(),
        Gap::Stopped(_) => "the search was stopped".to_owned(),
        Gap::Input(command) => {
            let written = model.command_text(&model.commands[command.index()]);
            format!("an input without bounds is not followed, in `{written}`")
        }
    };
    found.gaps.iter().map(text).collect()
}

fn tell_gaps(output: &Output, file: &str, model: &Model, found: &Exploration) {
    for note in gap_notes(model, found) {
        output.message(&format!("note: {file}: {note}\n"));
    }
}

/// How many states were looked at, and what was left out.
fn gap_notes(model: &Model, found: &Exploration) -> Vec<String> {
    let n = found.n_states();
    let states = if n == 1 { "1 state was".to_owned() } else { format!("{n} states were") };
    gap_texts(model, found).iter().map(|gap| format!("{states} looked at; {gap}")).collect()
}

/// The file cannot be used: all questions about it have the same answer.
fn give_up_all(job: &Job, file: &str, trouble: &Trouble) {
    let given: Vec<String> = job.settings.properties.iter().map(|property| property.written()).collect();
    let questions = if given.is_empty() { vec!["all specifications".to_owned()] } else { given };
    questions.iter().for_each(|property| job.give_up(file, property, None, trouble));
}
