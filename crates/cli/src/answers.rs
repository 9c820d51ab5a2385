//! The answers of a run so far, printed as they come and summed up at the end.
//!
//! A worker tells its supervisor what happens to the questions, event by event. The supervisor keeps the answers and
//! prints them, so it knows exactly which questions are still open when the worker is ended or breaks down. Both have
//! this value; that of the worker keeps the open questions only.

use crate::exit::Status;
use crate::input::shown;
use crate::output::Output;
use crate::settings::{CheckSettings, Style};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tertium_evidence::PropertyName;
use tertium_report::{
    AnswerReport, Message, RunReport, SCHEMA, ToolInfo, cause_text, next_step, one_line, plain_verdict_line,
    verdict_word, write_json,
};
use tertium_truth::{Cause, Verdict};

/// The answers so far.
#[derive(Debug)]
pub(crate) struct Answers {
    style: Style,
    /// Several files are asked about.
    among_files: bool,
    output: Arc<Output>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    open: VecDeque<OpenQuestion>,
    answers: Vec<Value>,
    status: Status,
    /// The cause of the first unknown.
    cause: Option<Cause>,
    /// Something true is so vacuously, and that counts.
    vacuous: bool,
    /// One line per specification of a model, for the table at the end.
    summary: Vec<(String, Verdict)>,
    /// Nothing is left to answer.
    is_complete: bool,
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
}

/// A question that is settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settled {
    /// How.
    pub(crate) entry: Entry,
    /// The property, in the table at the end.
    pub(crate) summary: Option<String>,
    /// What is printed.
    pub(crate) text: String,
    /// The entry of the object at the end, where that is what is printed.
    pub(crate) answer: Option<Value>,
}

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenQuestion {
    /// The file.
    pub(crate) file: String,
    /// The property as given.
    pub(crate) property: String,
    /// The formula, where that is known and says more.
    pub(crate) formula: Option<String>,
    /// The property as a verdict line has it.
    pub(crate) title: String,
    /// Where it stands.
    pub(crate) place: String,
}

impl OpenQuestion {
    /// A property that nobody has read yet.
    fn unread(file: String, property: String) -> Self {
        Self { file, title: property.clone(), property, formula: None, place: String::new() }
    }

    /// A property that was found.
    pub(crate) fn named(name: &PropertyName) -> Self {
        Self {
            file: name.file.clone(),
            property: name.given.clone(),
            formula: Some(name.text.trim().to_owned()),
            title: title(name),
            place: name.line.map(|line| format!("{}:{line}", name.file)).unwrap_or_default(),
        }
    }
}

/// A property with its name.
pub(crate) fn title(name: &PropertyName) -> String {
    let label = name.label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
    format!("{label}{}", name.text)
}

/// How a question was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// By a verdict.
    #[serde(with = "verdict_text")]
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
        let state = State {
            open: questions.collect(),
            answers: Vec::new(),
            status: Status::True,
            cause: None,
            vacuous: false,
            summary: Vec::new(),
            is_complete: false,
        };
        let among_files = settings.files.len() > 1;
        Self { style: settings.style, among_files, output, state: Mutex::new(state) }
    }

    /// The next question that is still open, if there is one.
    pub(crate) fn next_open(&self) -> Option<OpenQuestion> {
        self.lock().open.front().cloned()
    }

    /// Whether answers are objects.
    pub(crate) fn are_objects(&self) -> bool {
        matches!(self.style, Style::Json(_))
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
        summary: Option<String>,
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
            Event::Settled(settled) => state.note(settled, &self.output),
            Event::Worse(status) => state.status = state.status.worst(status),
            Event::Vacuous => {
                // What is false already needs no further reason.
                state.vacuous |= state.status.worst(Status::False) != state.status;
                state.status = state.status.worst(Status::False);
            }
            Event::Complete => state.is_complete = true,
        }
    }

    /// Ends a run whose worker came to an end by itself, with this status.
    pub(crate) fn conclude(&self, settings: &CheckSettings, status: Status) -> Status {
        let mut state = self.lock();
        // Without all answers, the command line was wrong, and that was said.
        if state.is_complete { self.sum_up(settings, &mut state) } else { status }
    }

    /// Ends the run. Questions that are still open are unknown for this cause, or, without one, victims of a bug.
    pub(crate) fn finish(&self, settings: &CheckSettings, left: Option<Cause>) -> Status {
        let mut state = self.lock();
        while let Some(question) = state.open.pop_front() {
            let settled = self.unanswered(&question, left);
            state.note(settled, &self.output);
        }
        if left.is_none() {
            state.status = Status::Internal;
        }
        self.sum_up(settings, &mut state)
    }

    fn unanswered(&self, question: &OpenQuestion, left: Option<Cause>) -> Settled {
        let OpenQuestion { file, property, formula, title, .. } = question;
        let (entry, text, answer) = match left {
            Some(cause) => {
                let verdict = Verdict::Unknown(cause);
                let answer = AnswerReport::stopped(file, property, formula.clone(), verdict);
                (Entry::Verdict(verdict), self.stopped_text(question, cause), answer)
            }
            None => {
                let message = Message::error("an internal error ended the run");
                let answer = AnswerReport::error(file, property, formula.clone(), vec![message]);
                (Entry::Error(Status::Internal), String::new(), answer)
            }
        };
        let summary = left.map(|_| self.summary(title, file));
        Settled { entry, summary, text, answer: self.are_objects().then(|| object(&answer)) }
    }

    /// The property in the table at the end.
    pub(crate) fn summary(&self, title: &str, file: &str) -> String {
        if self.among_files { format!("{title}    {file}") } else { title.to_owned() }
    }

    /// The text for a question that a limit left unknown before an engine could say more.
    pub(crate) fn stopped_text(&self, question: &OpenQuestion, cause: Cause) -> String {
        let place = match question.place.as_str() {
            "" if self.among_files => &question.file,
            place => place,
        };
        let line = plain_verdict_line(Verdict::Unknown(cause), &question.title, place);
        match self.style {
            Style::Text(_) => format!(
                "{line}  open: {}\n  next: {}; see `tertium explain {}`\n",
                cause_text(cause),
                next_step(cause),
                cause.code()
            ),
            Style::Quiet | Style::Json(_) => line,
        }
    }

    fn sum_up(&self, settings: &CheckSettings, state: &mut State) -> Status {
        let result = match (state.status, state.vacuous) {
            (Status::False, true) => "false(vacuous)".to_owned(),
            _ => result_word(state.status, state.cause),
        };
        match self.style {
            Style::Text(_) => {
                let table = summary_table(&state.summary);
                self.output.result(&format!("{table}RESULT: {result}\n"));
            }
            Style::Quiet => self.output.result(&format!("RESULT: {result}\n")),
            Style::Json(_) => {
                let report = RunReport {
                    schema: SCHEMA,
                    tool: ToolInfo::default(),
                    command: "check",
                    settings: settings.report(),
                    results: std::mem::take(&mut state.answers),
                    result,
                    exit_status: state.status.code(),
                };
                print_json(&self.output, &report);
            }
        }
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
            Event::Worse(_) | Event::Vacuous => {}
        }
    }

    /// Prints an answer, or keeps it for the object at the end.
    fn note(&mut self, settled: Settled, output: &Output) {
        let Settled { entry, summary, text, answer } = settled;
        let status = match entry {
            Entry::Verdict(verdict) => verdict.into(),
            Entry::Error(status) => status,
        };
        self.status = self.status.worst(status);
        self.vacuous &= !matches!(entry, Entry::Verdict(Verdict::False));
        if let Entry::Verdict(Verdict::Unknown(cause)) = entry {
            self.cause.get_or_insert(cause);
        }
        if let (Some(summary), Entry::Verdict(verdict)) = (summary, entry) {
            self.summary.push((summary, verdict));
        }
        match answer {
            Some(answer) => self.answers.push(answer),
            None => output.result(&text),
        }
    }
}

/// An answer as data. A report has only keys that are texts, so nothing can fail.
fn object(answer: &AnswerReport) -> Value {
    serde_json::to_value(answer).unwrap_or_else(|error| json!({ "error": error.to_string() }))
}

/// A verdict as one word on the wire.
mod verdict_text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use tertium_truth::{Cause, Verdict};

    pub(super) fn serialize<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match verdict {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown(cause) => cause.code(),
        })
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Verdict, D::Error> {
        match String::deserialize(from)?.as_str() {
            "true" => Ok(Verdict::True),
            "false" => Ok(Verdict::False),
            code => {
                let cause = Cause::ALL.into_iter().find(|cause| cause.code() == code);
                cause.map(Verdict::Unknown).ok_or_else(|| de::Error::custom("no verdict"))
            }
        }
    }
}

/// All verdicts below each other, if there are several.
fn summary_table(lines: &[(String, Verdict)]) -> String {
    if lines.len() < 2 {
        return String::new();
    }
    let count = |wanted: &str| lines.iter().filter(|(_, verdict)| verdict_word(*verdict) == wanted).count();
    let mut table =
        format!("SUMMARY  {} true, {} false, {} unknown\n", count("TRUE"), count("FALSE"), count("UNKNOWN"));
    for (property, verdict) in lines {
        table.push_str(&format!("  {:<8} {}\n", verdict_word(*verdict), one_line(property)));
    }
    table
}

/// What stands behind `RESULT:`.
pub(crate) fn result_word(status: Status, cause: Option<Cause>) -> String {
    match (status, cause) {
        (Status::True, _) => "true".to_owned(),
        (Status::False, _) => "false".to_owned(),
        (Status::Unknown, Some(cause)) => Verdict::Unknown(cause).to_string(),
        (Status::Unknown, None) => "unknown".to_owned(),
        (Status::Input, _) => "error(input)".to_owned(),
        (Status::Usage, _) => "error(usage)".to_owned(),
        (Status::Internal, _) => "error(internal)".to_owned(),
    }
}

/// Prints one JSON object.
pub(crate) fn print_json(output: &Output, object: &impl serde::Serialize) {
    output.stream(|out| write_json(out, object));
}
