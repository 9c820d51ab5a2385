//! The answers of a run so far, printed as they come and summed up at the end.
//!
//! A worker tells its supervisor what happens to the questions, event by event. The supervisor keeps the answers and
//! prints them, so it knows exactly which questions are still open when the worker is ended or breaks down. Both have
//! this value; that of the worker keeps the open questions only.

use crate::exit::Status;
use crate::input::shown;
use crate::output::Output;
use crate::run::Run;
use crate::settings::{CheckSettings, Style};
use crate::tell::{print_json, result_word, save_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tertium_report::{
    AnswerReport, Message, OpenQuestion, RunReport, SCHEMA, ToolInfo, summary_table, verdict_word,
};
use tertium_truth::{Cause, Verdict};

/// The answers so far.
#[derive(Debug)]
pub(crate) struct Answers {
    style: Style,
    /// A file is written with all of them as objects.
    are_kept: bool,
    /// Several files are asked about.
    among_files: bool,
    output: Arc<Output>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: VecDeque<OpenQuestion>,
    answers: Vec<Value>,
    status: Status,
    /// The cause of the first unknown.
    cause: Option<Cause>,
    /// Something true is so vacuously, and that counts.
    vacuous: bool,
    /// One line per specification of a model, for the table at the end.
    summary: Vec<(String, String)>,
    /// Nothing is left to answer.
    is_complete: bool,
    /// What the worker was doing when it was ended.
    doing: Option<String>,
}

/// What happens to the questions of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Event {
    /// So many of the next questions turn out to be these.
    Found(usize, Vec<OpenQuestion>),
    /// The next question is settled.
    Settled(Settled),
    /// The status of the run is at least as bad as this.
    Worse(Status),
    /// Something is true vacuously, which makes the status at least as bad as if it were false.
    Vacuous,
    /// All questions are settled.
    Complete,
    /// The worker was ended, and said before that it was doing this.
    Ended(String),
}

/// A question that is settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settled {
    /// How.
    pub(crate) entry: Entry,
    /// The word and the property, in the table at the end.
    pub(crate) summary: Option<(String, String)>,
    /// What is printed.
    pub(crate) text: String,
    /// The entry of the object at the end, where that is what is printed.
    pub(crate) answer: Option<Value>,
}

/// How a question was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// By a verdict.
    #[serde(with = "tertium_report::verdict_text")]
    Verdict(Verdict),
    /// Not at all, for a reason that was printed.
    Error(Status),
}

impl Answers {
    /// All questions open: every property on every file.
    pub(crate) fn new(settings: &CheckSettings, output: Arc<Output>) -> Self {
        let questions = settings.files.iter().flat_map(|file| {
            let file = shown(file);
            let all = settings.properties.is_empty().then(|| "all specifications".to_owned());
            let written = settings.properties.iter().map(|property| property.written());
            let open = move |property| OpenQuestion::unread(file.clone(), property);
            written.chain(all).map(open).collect::<Vec<_>>()
        });
        let state = State { open: questions.collect(), ..State::default() };
        let among_files = settings.files.len() > 1;
        let are_kept = settings.output.is_some();
        Self { style: settings.style, are_kept, among_files, output, state: Mutex::new(state) }
    }

    /// The next question that is still open, if there is one.
    pub(crate) fn next_open(&self) -> Option<OpenQuestion> {
        self.lock().open.front().cloned()
    }

    /// Whether answers are kept as objects.
    fn are_objects(&self) -> bool {
        self.are_kept || matches!(self.style, Style::Json(_))
    }

    /// A worker's way to say what happened.
    pub(crate) fn tell(&self, event: &Event) {
        self.lock().follow(event);
        self.output.event(event);
    }

    /// Settles the next question: with `text`, or with `answer` for the object at the end.
    pub(crate) fn settle(
        &self,
        entry: Entry,
        summary: Option<(String, String)>,
        text: String,
        answer: impl FnOnce() -> AnswerReport,
    ) {
        let answer = self.are_objects().then(|| object(&answer()));
        self.tell(&Event::Settled(Settled { entry, summary, text, answer }));
    }

    /// A supervisor's way to hear what happened.
    pub(crate) fn hear(&self, event: Event) {
        let mut state = self.lock();
        state.follow(&event);
        match event {
            Event::Found(..) => {}
            Event::Settled(settled) => self.note(&mut state, settled),
            Event::Worse(status) => state.status = state.status.worst(status),
            Event::Vacuous => {
                // What is false already needs no further reason.
                state.vacuous |= state.status.worst(Status::False) != state.status;
                state.status = state.status.worst(Status::False);
            }
            Event::Complete => state.is_complete = true,
            Event::Ended(doing) => state.doing = Some(doing),
        }
    }

    /// Ends a run whose worker came to an end by itself, with this status.
    pub(crate) fn conclude(&self, run: &Run, settings: &CheckSettings, status: Status) -> Status {
        let mut state = self.lock();
        // Without all answers, the command line was wrong, and that was said.
        if state.is_complete { self.sum_up(run, settings, &mut state) } else { status }
    }

    /// Ends the run. Questions that are still open are unknown for this cause, or, without one, victims of a bug.
    pub(crate) fn finish(&self, run: &Run, settings: &CheckSettings, left: Option<Cause>) -> Status {
        let mut state = self.lock();
        while let Some(question) = state.open.pop_front() {
            let mut settled = self.unanswered(&question, left);
            if let Some(doing) = state.doing.take().filter(|_| settings.statistics) {
                let time = run.context.elapsed().as_secs_f64();
                settled.text += &format!("  {:<21}{time:.2} s\n  {:<21}{doing}\n", "time", "last seen");
            }
            self.note(&mut state, settled);
        }
        if left.is_none() {
            state.status = Status::Internal;
        }
        self.sum_up(run, settings, &mut state)
    }

    fn unanswered(&self, question: &OpenQuestion, left: Option<Cause>) -> Settled {
        let (entry, text, answer) = match left {
            Some(cause) => {
                let entry = Entry::Verdict(Verdict::Unknown(cause));
                (entry, self.stopped_text(question, cause), question.stopped(cause))
            }
            None => {
                let OpenQuestion { file, property, formula, .. } = question;
                let answer = AnswerReport::error(file, property, formula.clone(), vec![Message::panicked()]);
                (Entry::Error(Status::Internal), String::new(), answer)
            }
        };
        let word = |cause| verdict_word(Verdict::Unknown(cause)).to_owned();
        let summary = left.map(|cause| (word(cause), self.summary(&question.title, &question.file)));
        Settled { entry, summary, text, answer: self.are_objects().then(|| object(&answer)) }
    }

    /// The property in the table at the end.
    pub(crate) fn summary(&self, title: &str, file: &str) -> String {
        if self.among_files { format!("{title}    {file}") } else { title.to_owned() }
    }

    /// The text for a question that a limit left unknown before an engine could say more.
    pub(crate) fn stopped_text(&self, question: &OpenQuestion, cause: Cause) -> String {
        let line = question.stopped_line(cause, self.among_files);
        match self.style {
            Style::Text(_) => line + &question.stopped_text(cause),
            Style::Quiet | Style::Json(_) => line,
        }
    }

    /// Prints an answer, or keeps it for the object at the end, or both.
    fn note(&self, state: &mut State, settled: Settled) {
        let Settled { entry, summary, text, answer } = settled;
        let status = match entry {
            Entry::Verdict(verdict) => verdict.into(),
            Entry::Error(status) => status,
        };
        state.status = state.status.worst(status);
        state.vacuous &= !matches!(entry, Entry::Verdict(Verdict::False));
        if let Entry::Verdict(Verdict::Unknown(cause)) = entry {
            state.cause.get_or_insert(cause);
        }
        state.summary.extend(summary);
        state.answers.extend(answer);
        if !matches!(self.style, Style::Json(_)) {
            self.output.result(&text);
        }
    }

    fn sum_up(&self, run: &Run, settings: &CheckSettings, state: &mut State) -> Status {
        let word = |state: &State| match (state.status, state.vacuous) {
            (Status::False, true) => "false(vacuous)".to_owned(),
            _ => result_word(state.status, state.cause),
        };
        let report = RunReport {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "check",
            settings: settings.report(),
            results: std::mem::take(&mut state.answers),
            result: word(state),
            exit_status: state.status.code(),
        };
        if let Style::Json(_) = self.style {
            print_json(&self.output, &report);
            return state.status;
        }
        if let Some(Err(failure)) = settings.output.as_ref().map(|path| save_json(run, path, &report)) {
            failure.tell(&self.output);
            state.status = state.status.worst(failure.status());
        }
        let table = if self.style == Style::Quiet { String::new() } else { summary_table(&state.summary) };
        self.output.result(&format!("{table}RESULT: {}\n", word(state)));
        state.status
    }

    /// A panic in the thread that held the lock left at worst an answer that was not printed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Keeps the open questions true.
    fn follow(&mut self, event: &Event) {
        match event {
            Event::Found(n_unread, questions) => {
                drop(self.open.drain(..n_unread));
                questions.iter().rev().for_each(|question| self.open.push_front(question.clone()));
            }
            Event::Settled(_) => drop(self.open.pop_front()),
            Event::Complete => debug_assert!(self.open.is_empty(), "every question is settled"),
            Event::Worse(_) | Event::Vacuous | Event::Ended(_) => {}
        }
    }
}

/// An answer as data. A report has only keys that are texts, so nothing can fail.
fn object(answer: &AnswerReport) -> Value {
    serde_json::to_value(answer).unwrap_or_else(|error| json!({ "error": error.to_string() }))
}
