//! Checking: every question about a file, by one engine or by several in turn.
//!
//! With one engine, a session answers question after question. It is opened anew after a question that a limit ended, so that what
//! that question kept in memory is given back, unless later questions can use it. With several, [`crate::schedule`] takes over.

use crate::advice::{Prospects, advise, on_any_limit};
use crate::clauses::clauses;
use crate::engines::abstraction::read_given;
use crate::engines::depth::tell as tell_depth;
use crate::model::is_bounded;
use crate::schedule::Schedule;
use crate::vacuity::VacuityNotes;
use crate::{
    Admitted, Asked, Chosen, Engine, Engines, Format, Formats, Given, Halt, Input, Machine, Model, Opening,
    Options, Question, ReadOptions, Wanted, admit, questions,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tertium_check::Semantics;
use tertium_evidence::{Document, DocumentKind, PropertyName};
use tertium_support::{Context, Diagnostic, Id, Share, Source, StopReason};
use tertium_truth::{Cause, Verdict};

/// The two tables.
#[derive(Clone)]
pub struct Tables {
    /// How files become models.
    pub formats: Formats,
    /// Who answers questions about them.
    pub engines: Engines,
}

impl Default for Tables {
    fn default() -> Self {
        Self { formats: Formats::standard(), engines: Engines::standard() }
    }
}

/// What is asked about a file.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// Limits and progress.
    pub context: &'a Context,
    /// The name of the file.
    pub path: &'a Path,
    /// What is in it.
    pub input: &'a Input,
    /// How it is read.
    pub read: &'a ReadOptions,
    /// Properties besides those of the file.
    pub given: &'a [Given],
    /// Which of the file are meant.
    pub chosen: &'a Chosen,
    /// How questions are answered.
    pub options: &'a Options,
    /// How long each question may take, if its share of the time is not shorter.
    pub time_each: Option<Duration>,
    /// How much work each question may take.
    pub work_each: Option<u64>,
}

/// Who hears what is found.
pub trait Listener {
    /// Something is suspicious about a text.
    fn warnings(&mut self, source: &Source, warnings: &[Diagnostic]);
    /// These questions will be answered, in this order. What is wrong here ends it.
    fn questions(&mut self, questions: &[Question]) -> Result<(), Halt>;
    /// The next question in another form, before anybody tries to answer it.
    fn posed(&mut self, _document: &Document) {}
    /// The answer to the next question.
    fn answer(&mut self, admitted: Admitted);
    /// The next question has no answer.
    fn trouble(&mut self, name: &PropertyName, halt: Halt);
}

/// What a check leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// The predicates that were learnt, as text.
    pub predicates: String,
    /// The order of the variables, if that was wanted.
    pub order: Option<String>,
}

/// Answers every question about a file. An error is about all questions that the listener has not heard of.
pub fn check(request: &Request<'_>, listener: &mut dyn Listener) -> Result<Left, Halt> {
    expect_properties(request)?;
    let (mut model, warnings) = read(request)?;
    if !warnings.is_empty() {
        listener.warnings(model.source(), &warnings);
    }
    let mut asked = questions(model.as_mut(), request.given, request.chosen)?;
    for (source, warnings) in asked.iter().filter_map(|question| question.warnings.as_ref()) {
        listener.warnings(source, warnings);
    }
    let engines = chosen_engines(request, model.as_ref())?;
    let prospects = prospects(request, model.as_ref());
    for question in &mut asked {
        if let Ok(property) = question.property {
            question.advice = on_any_limit(request.options, &engines, &prospects[property.index()]);
        }
    }
    listener.questions(&asked)?;
    if let Some(offer) = model.program() {
        // What is wrong with predicates is said, whoever answers.
        read_given(request.options, offer)?;
    }
    if let (true, [question]) = (request.options.documents.contains(&DocumentKind::Clauses), asked.as_slice())
        && let Ok(property) = question.property
    {
        let clauses = clauses(request.context, model.as_ref(), property)?;
        let none =
            || Halt::Refused("only whether a place can be reached can be asked with Horn clauses".to_owned());
        listener.posed(&clauses.ok_or_else(none)?);
    }
    let mut notes = VacuityNotes::new(request.options.vacuity, model.comments());
    match engines.as_slice() {
        [one] => {
            let inline = Inline { request, model: model.as_ref(), engine: one, asked: &asked, prospects };
            inline.run(&mut notes, listener)
        }
        several => {
            // Every engine reads the model for itself.
            let properties = model.properties().to_vec();
            let is_bounded = is_bounded(model.as_ref());
            drop(model);
            Schedule { request, engines: several, is_bounded, asked: &asked, properties, prospects }
                .run(&mut notes, listener)
        }
    }
}

/// Whether some file could be refused because of these options.
pub fn may_refuse(options: &Options, read: &ReadOptions) -> bool {
    options.engine.is_some()
        || !options.used.is_empty()
        || options.semantics != Semantics::Sis
        || read.modal
        || read.machine != Machine::default()
}

/// Refuses what the options cannot mean for this file. Nothing is answered, so that of several files all can be refused before one
/// is answered.
pub fn refuse(request: &Request<'_>) -> Result<(), Halt> {
    expect_properties(request)?;
    let read_options = ReadOptions { warnings: false, ..request.read.clone() };
    let (model, _) = read(&Request { read: &read_options, ..*request })?;
    chosen_engines(request, model.as_ref()).map(|_| ())
}

/// Refuses to ask nothing: properties must be given where files of the format have none.
pub(crate) fn expect_properties(request: &Request<'_>) -> Result<(), Halt> {
    let format = request.tables.formats.find(request.path, &request.input.bytes)?;
    if request.given.is_empty() && !format.has_properties {
        return Err(Halt::Usage(NO_PROPERTY.to_owned()));
    }
    Ok(())
}

/// What is said about a file without properties if none is given.
pub const NO_PROPERTY: &str =
    "there is no property to check: give a formula with -p FORMULA, or a file with -p @FILE";

/// Reads the model.
pub fn read(request: &Request<'_>) -> Result<(Box<dyn Model>, Vec<Diagnostic>), Halt> {
    let format = request.tables.formats.find(request.path, &request.input.bytes)?;
    if request.read.modal && !format.modal {
        return Err(Halt::Usage(format!(
            "--modal is about labels of steps, and {} has none that carry modalities",
            request.input.name
        )));
    }
    if request.read.machine != Machine::default() && !format.on_machine {
        return Err(Halt::Usage(format!(
            "--data-model and --integers are about programs that run on a machine, and {} is none",
            request.input.name
        )));
    }
    refuse_parameters(request, format)?;
    (format.read)(request.context, request.input.clone(), request.read)
}

/// What could be tried on every property of a model.
pub(crate) fn prospects(request: &Request<'_>, model: &dyn Model) -> Vec<Prospects> {
    let all = crate::PropertyId::first(model.properties().len());
    all.map(|property| Prospects::of(&request.tables.engines, model, property)).collect()
}

/// Refuses parameters where a format has none, and two values for one.
fn refuse_parameters(request: &Request<'_>, format: &Format) -> Result<(), Halt> {
    let mut names = BTreeSet::new();
    for parameter in &request.read.parameters {
        if !format.has_parameters {
            let (file, written) = (&request.input.name, &parameter.written);
            return Err(Halt::Refused(format!(
                "{written} sets a parameter, and {file} has none: a .{} file is read as it is",
                format.name
            )));
        }
        if !names.insert(&parameter.name) {
            let (name, written) = (&parameter.name, &parameter.written);
            return Err(Halt::Refused(format!("{written}: `{name}` is set twice")));
        }
    }
    Ok(())
}

/// The engine that was asked for, or all that a scheduler tries.
pub(crate) fn chosen_engines(request: &Request<'_>, model: &dyn Model) -> Result<Vec<Engine>, Halt> {
    let engines = &request.tables.engines;
    let chosen: Vec<Engine> = match &request.options.engine {
        Some(name) => vec![*engines.named(name, model, request.options)?],
        None => engines.tried(model).into_iter().copied().collect(),
    };
    crate::refusal::refuse(engines, model, &chosen, request.options)?;
    let semantics = request.options.semantics;
    Ok(chosen.into_iter().filter(|engine| engine.semantics.contains(&semantics)).collect())
}

/// How long the next question may take: its share of what is left of the time, at most what each may take.
pub(crate) fn deadline(request: &Request<'_>, n_left: usize) -> Option<Duration> {
    let now = request.context.elapsed();
    let each = request.time_each.map(|each| now + each);
    let share = request.context.limits().time.map(|limit| {
        let left = limit.saturating_sub(now);
        now + left / u32::try_from(n_left.max(1)).unwrap_or(u32::MAX)
    });
    each.into_iter().chain(share).min()
}

/// The work of the first turn, where a question is tried with and without what others led to: about a second.
const FIRST_TURN: u64 = 1 << 28;

/// One engine for all questions.
struct Inline<'a> {
    request: &'a Request<'a>,
    model: &'a dyn Model,
    engine: &'a Engine,
    asked: &'a [Question],
    prospects: Vec<Prospects>,
}

impl Inline<'_> {
    fn run(&self, notes: &mut VacuityNotes, listener: &mut dyn Listener) -> Result<Left, Halt> {
        let (context, share, _cancel) = self.request.context.share();
        self.request.context.progress().follow(self.engine.name, context.progress());
        let properties: Vec<_> =
            self.asked.iter().filter_map(|question| question.property.clone().ok()).collect();
        let opening = Opening {
            context: &context,
            model: self.model,
            asked: &properties,
            options: self.request.options,
            growing: false,
        };
        let mut left = Left::default();
        let mut next = 0;
        while next < self.asked.len() {
            let before = next;
            let opened = (self.engine.open)(opening, &mut |session| {
                while next < self.asked.len() {
                    let goes_on = self.question(session, &share, &mut next, &mut left, notes, listener);
                    if !goes_on {
                        return;
                    }
                }
                left.order = session.order().and_then(Result::ok);
            });
            match opened {
                Ok(()) => {}
                // A limit while opening is about the question that is next.
                Err(Halt::Stopped(reason)) if next == before && next + 1 < self.asked.len() => {
                    listener.trouble(&self.asked[next].name, Halt::Stopped(reason));
                    next += 1;
                }
                Err(halt) => return Err(halt),
            }
        }
        Ok(left)
    }

    /// Answers the next question. Whether the session can go on.
    fn question(
        &self,
        session: &mut dyn crate::Session,
        share: &Share,
        next: &mut usize,
        left: &mut Left,
        notes: &mut VacuityNotes,
        listener: &mut dyn Listener,
    ) -> bool {
        let question = &self.asked[*next];
        self.request.context.progress().turn_to(*next + 1, self.asked.len());
        share.last_until(deadline(self.request, self.asked.len() - *next));
        share.limit_work(self.request.work_each);
        *next += 1;
        let property = match &question.property {
            Ok(property) => *property,
            Err(halt) => {
                listener.trouble(&question.name, halt.clone());
                return true;
            }
        };
        let before = share.spent();
        let admitted = self.attempt(session, share, property, &left.predicates);
        let work = share.spent() - before;
        notes.checked(work);
        match admitted {
            Ok(mut admitted) => {
                let Request { context, options, .. } = *self.request;
                tell_depth(context, self.model, options, property, &mut admitted);
                let most = self.request.work_each.map(|each| each.saturating_sub(work));
                self.note_vacuity(session, share, property, most, notes, &mut admitted);
                let stopped = is_limit(admitted.answer.outcome.verdict);
                learn(left, &admitted);
                listener.answer(admitted);
                !stopped || session.outlives_limits()
            }
            Err(halt) => {
                let goes_on = !matches!(halt, Halt::Stopped(_)) || session.outlives_limits();
                listener.trouble(&question.name, halt);
                goes_on
            }
        }
    }

    /// Looks for vacuity of a property that was answered, by the same session.
    fn note_vacuity(
        &self,
        session: &mut dyn crate::Session,
        share: &Share,
        property: crate::PropertyId,
        most: Option<u64>,
        notes: &mut VacuityNotes,
        admitted: &mut Admitted,
    ) {
        let own = &self.model.properties()[property.index()];
        let learnt = admitted.learnt.clone();
        let wanted = notes.wanted();
        notes.look(own, admitted, most, &mut |logic, work| {
            share.limit_work(work);
            let before = share.spent();
            let asked = Asked { property, logic, hints: learnt.as_deref(), wanted };
            let answer = self.ask(session, asked);
            (answer, share.spent() - before)
        });
    }

    /// Tries a question by itself and, if other questions led to predicates, also with these: in turns of growing budgets, its own
    /// attempt first.
    fn attempt(
        &self,
        session: &mut dyn crate::Session,
        share: &Share,
        property: crate::PropertyId,
        hints: &str,
    ) -> Result<Admitted, Halt> {
        let logic = &self.model.properties()[property.index()].logic;
        let asked = |hints| Asked { property, logic, hints, wanted: Wanted::Everything };
        if hints.is_empty() || !self.engine.takes.contains(&crate::Taken::Predicates) {
            return self.ask(session, asked(None));
        }
        let mut left = self.request.work_each.unwrap_or(u64::MAX);
        let mut budget = FIRST_TURN;
        let mut attempts = vec![None, Some(hints)];
        let mut own = None;
        loop {
            let mut cut = Vec::new();
            for attempt in attempts {
                share.limit_work(Some(budget.min(left)));
                let before = share.spent();
                let found = self.ask(session, asked(attempt));
                left = left.saturating_sub(share.spent() - before);
                if matches!(&found, Ok(found) if found.answer.outcome.is_definite()) {
                    return found;
                }
                if is_cut(&found) && left > 0 && self.request.context.poll().is_ok() {
                    cut.push(attempt);
                }
                if attempt.is_none() {
                    own = Some(found);
                }
            }
            if cut.is_empty() {
                return own.unwrap_or(Err(Halt::Stopped(StopReason::WorkLimit)));
            }
            attempts = cut;
            budget = budget.saturating_mul(4);
        }
    }

    fn ask(&self, session: &mut dyn crate::Session, asked: Asked<'_>) -> Result<Admitted, Halt> {
        let started = self.request.context.elapsed();
        let own = &self.model.properties()[asked.property.index()];
        let candidate = session.ask(asked)?.with_replays_for(asked.wanted);
        let time = self.request.context.elapsed() - started;
        let mut admitted = admit(self.request.context, self.request.options, own, candidate, time);
        let prospects = &self.prospects[asked.property.index()];
        advise(self.engine, std::slice::from_ref(self.engine), self.request, prospects, &mut admitted);
        Ok(admitted)
    }
}

/// Whether an attempt ended because of its budget.
fn is_cut(found: &Result<Admitted, Halt>) -> bool {
    match found {
        Ok(found) => found.answer.outcome.verdict == Verdict::Unknown(Cause::Work),
        Err(halt) => matches!(halt, Halt::Stopped(StopReason::WorkLimit)),
    }
}

/// Keeps the predicates of an answer, each once.
pub(crate) fn learn(left: &mut Left, admitted: &Admitted) {
    add_predicates(&mut left.predicates, admitted);
}

/// Adds the predicates of an answer to others, one on each line.
pub(crate) fn add_predicates(predicates: &mut String, admitted: &Admitted) {
    for line in admitted.learnt.iter().flat_map(|text| text.lines()) {
        if !predicates.lines().any(|known| known == line) {
            predicates.push_str(line);
            predicates.push('\n');
        }
    }
}

/// Whether a verdict was ended by a limit of the run.
pub(crate) fn is_limit(verdict: Verdict) -> bool {
    use tertium_truth::Cause::{Interrupted, Memory, Nodes, Time, Work};
    matches!(verdict, Verdict::Unknown(Time | Work | Memory | Nodes | Interrupted))
}
