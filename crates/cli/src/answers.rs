//! The answers of a run so far, printed as they come and summed up at the end.
//!
//! The answers are shared between the thread that works and the one that watches. Recording an answer and printing it
//! happen under one lock, so whoever ends the run knows exactly which questions are still open, also when the work was
//! left behind or broke.

use crate::exit::Status;
use crate::output::Output;
use crate::settings::{CheckSettings, Style};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tertium_evidence::PropertyName;
use tertium_report::{
    AnswerReport, Message, RunReport, SCHEMA, ToolInfo, cause_text, next_step, one_line, plain_verdict_line,
    verdict_word,
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
    answers: Vec<AnswerReport>,
    status: Status,
    /// The cause of the first unknown.
    cause: Option<Cause>,
    /// Something true is so vacuously, and that counts.
    vacuous: bool,
    /// One line per specification of a model, for the table at the end.
    summary: Vec<(String, Verdict)>,
    /// The run was ended; what work that was left behind still says is not heard.
    closed: bool,
}

/// A question without an answer.
#[derive(Clone, Debug)]
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
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// By a verdict.
    Verdict(Verdict),
    /// Not at all, for a reason that was printed.
    Error(Status),
}

impl Answers {
    /// All questions open: every property on every file.
    pub(crate) fn new(settings: &CheckSettings, output: Arc<Output>) -> Self {
        let questions = settings.files.iter().flat_map(|file| {
            let file = file.display().to_string();
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
            closed: false,
        };
        let among_files = settings.files.len() > 1;
        Self { style: settings.style, among_files, output, state: Mutex::new(state) }
    }

    /// The next question turns out to be these.
    pub(crate) fn expand(&self, questions: Vec<OpenQuestion>) {
        let mut state = self.lock();
        state.open.pop_front();
        questions.into_iter().rev().for_each(|question| state.open.push_front(question));
    }

    /// The next question that is still open, if there is one.
    pub(crate) fn next_open(&self) -> Option<OpenQuestion> {
        self.lock().open.front().cloned()
    }

    /// Settles the next question: prints `text`, or keeps `answer` for the object at the end.
    pub(crate) fn record(&self, entry: &Entry, text: &str, answer: impl FnOnce() -> AnswerReport) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        state.open.pop_front();
        state.note(entry);
        match self.style {
            Style::Json(_) => state.answers.push(answer()),
            Style::Text(_) | Style::Quiet => self.output.result(text),
        }
    }

    /// Adds a line to the table at the end.
    pub(crate) fn summarise(&self, property: String, verdict: Verdict) {
        self.lock().summary.push((property, verdict));
    }

    /// Makes the status of the run at least as bad as this.
    pub(crate) fn worsen(&self, status: Status) {
        let mut state = self.lock();
        state.status = state.status.worst(status);
    }

    /// Something is true vacuously, which makes the status at least as bad as if it were false.
    pub(crate) fn object_to_vacuity(&self) {
        let mut state = self.lock();
        // What is false already needs no further reason.
        state.vacuous |= state.status.worst(Status::False) != state.status;
        state.status = state.status.worst(Status::False);
    }

    /// Ends the run. Questions that are still open are unknown for this cause, or, without one, victims of a bug.
    pub(crate) fn finish(&self, settings: &CheckSettings, left: Option<Cause>) -> Status {
        let mut state = self.lock();
        while let Some(question) = state.open.pop_front() {
            let (entry, text, answer) = self.unanswered(&question, left);
            state.note(&entry);
            state.answers.push(answer);
            if !matches!(self.style, Style::Json(_)) {
                self.output.result(&text);
            }
        }
        state.closed = true;
        if left.is_none() {
            state.status = Status::Internal;
        }
        self.conclude(settings, &mut state)
    }

    /// Ends a run whose work came back.
    pub(crate) fn conclude_all(&self, settings: &CheckSettings) -> Status {
        let mut state = self.lock();
        debug_assert!(state.open.is_empty(), "work that comes back has settled every question");
        self.conclude(settings, &mut state)
    }

    fn unanswered(&self, question: &OpenQuestion, left: Option<Cause>) -> (Entry, String, AnswerReport) {
        let OpenQuestion { file, property, formula, .. } = question;
        match left {
            Some(cause) => {
                let verdict = Verdict::Unknown(cause);
                let text = self.stopped_text(question, cause);
                let answer = AnswerReport::stopped(file, property, formula.clone(), verdict);
                (Entry::Verdict(verdict), text, answer)
            }
            None => {
                let message = Message::error("an internal error ended the run");
                let answer = AnswerReport::error(file, property, formula.clone(), vec![message]);
                (Entry::Error(Status::Internal), String::new(), answer)
            }
        }
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

    fn conclude(&self, settings: &CheckSettings, state: &mut State) -> Status {
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
    fn note(&mut self, entry: &Entry) {
        let status = match *entry {
            Entry::Verdict(verdict) => verdict.into(),
            Entry::Error(status) => status,
        };
        self.status = self.status.worst(status);
        self.vacuous &= !matches!(entry, Entry::Verdict(Verdict::False));
        if let Entry::Verdict(Verdict::Unknown(cause)) = *entry {
            self.cause.get_or_insert(cause);
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
    output.stream(|mut out| {
        serde_json::to_writer_pretty(&mut out, object)?;
        out.write_all(b"\n")
    });
}
