//! `tertium check`: every property on every file.
//!
//! A file or a formula that cannot be used costs the questions it takes part in, not the others. Each complaint is
//! printed once.

use crate::answers::{Answers, Entry, Event};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{PropertySource, input, read_text, shown};
use crate::output::Output;
use crate::run::Run;
use crate::settings::{CheckSettings, Style};
use crate::supervise::{Ended, supervise};
use crate::write::write_atomically;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tertium_evidence::{Answer, Assumption, Document, DocumentKind, PropertyName};
use tertium_report::{
    AnswerReport, Message, OpenQuestion, answer_document, answer_json, answer_text, answer_word,
    statistics_text, summaries_text, verdict_line, verdict_line_among_files, verdict_word,
};
use tertium_support::{Diagnostic, Source};
use tertium_truth::{Cause, Verdict};
use tertium_verify::specification::{is_task, task_asked};
use tertium_verify::{
    Admitted, Given, Halt, Left, Listener, Question, ReadOptions, Request, Tables, VacuityCheck, check,
    may_refuse, refuse,
};

/// Runs the command.
pub(crate) fn run(settings: CheckSettings, output: &Arc<Output>) -> Status {
    let run = Run::start(settings.limits.clone(), output);
    let answers = Arc::new(Answers::new(&settings, Arc::clone(output)));
    let settings = Arc::new(settings);
    let work = {
        let (settings, answers, run) = (Arc::clone(&settings), Arc::clone(&answers), run.clone());
        let job = Job { settings, answers, run, given: OnceLock::new() };
        move || job.answer_all()
    };
    match supervise(&run, work, |event| answers.hear(event)) {
        Ended::Done(status) => status,
        Ended::Elsewhere(status) => answers.conclude(&run, &settings, status),
        Ended::Overdue(reason) => answers.finish(&run, &settings, Some(reason.into())),
        Ended::Panicked => answers.finish(&run, &settings, None),
    }
}

/// What a worker needs.
struct Job {
    settings: Arc<CheckSettings>,
    answers: Arc<Answers>,
    run: Run,
    /// The properties, once they are read: standard input has them only once.
    given: OnceLock<Vec<Given>>,
}

impl Job {
    /// Answers everything, unless the command line is wrong: then that is the status. Else the supervisor knows better.
    fn answer_all(&self) -> Status {
        // Of several files, none is answered before all are known to fit.
        if let Some(failure) = self.refusal() {
            failure.tell(&self.run.output);
            return failure.status();
        }
        for path in &self.settings.files {
            let mut telling = Telling { file: shown(path), n_open: self.n_asked(), ..Telling::of(self) };
            match self.answer_file(path, &mut telling) {
                Ok(()) => {}
                Err(failure @ Failure::Usage(_)) => {
                    failure.tell(&self.run.output);
                    return failure.status();
                }
                Err(failure) => telling.give_up_rest(&failure),
            }
        }
        self.answers.tell(&Event::Complete);
        Status::True
    }

    /// How many questions there are on a file before it is read.
    fn n_asked(&self) -> usize {
        self.settings.properties.len().max(1)
    }

    fn answer_file(&self, path: &Path, telling: &mut Telling<'_>) -> Result<(), Failure> {
        let subject = self.subject(path)?;
        if let Some((source, warnings)) = &subject.warnings {
            telling.warnings(source, warnings);
        }
        telling.expected.clone_from(&subject.expected);
        let left = self.with_request(&subject, |request| check(request, telling))?;
        if let Err(failure) = self.save(&left) {
            failure.tell(&self.run.output);
            self.answers.tell(&Event::Worse(failure.status()));
        }
        Ok(())
    }

    /// What the command line cannot mean for one of several files. Other mistakes are found when their file is asked about. A pipe
    /// can be read only once, so nothing is known of it before.
    fn refusal(&self) -> Option<Failure> {
        let CheckSettings { files, options, read, .. } = self.settings.as_ref();
        if files.len() < 2 || !may_refuse(options, read) {
            return None;
        }
        let files = files.iter().filter(|path| path.is_file());
        let refusal = |path| self.subject(path).and_then(|subject| self.with_request(&subject, refuse));
        let mut refused = files.filter_map(|path| refusal(path).err());
        refused.find(|failure| matches!(failure, Failure::Usage(_)))
    }

    /// What a file asks: itself, or the program and the properties of a task.
    fn subject(&self, path: &Path) -> Result<Subject, Failure> {
        let (context, settings) = (&self.run.context, &self.settings);
        let read = |(index, property): (usize, &PropertySource)| property.given(context, index + 1);
        let given = self.given.get_or_init(|| settings.properties.iter().enumerate().map(read).collect());
        let mut subject = Subject {
            path: path.to_owned(),
            read: settings.read.clone(),
            given: given.clone(),
            ..Subject::default()
        };
        if is_task(path) {
            let source = read_text(context, path)?;
            let mut open = |path: &Path| path.exists().then(|| read_text(context, path).map_err(Halt::from));
            let asked = task_asked(path, &source, &mut open)?;
            subject.path = asked.program;
            subject.warnings = Some((source, asked.warnings)).filter(|(_, warnings)| !warnings.is_empty());
            let machine = &mut subject.read.machine;
            machine.data_model = machine.data_model.or(asked.data_model);
            if subject.given.is_empty() {
                (subject.given, subject.expected) = asked.properties.into_iter().unzip();
            }
        }
        Ok(subject)
    }

    /// Does something with what is asked about a file.
    fn with_request<T>(
        &self,
        subject: &Subject,
        work: impl FnOnce(&Request<'_>) -> Result<T, Halt>,
    ) -> Result<T, Failure> {
        let context = &self.run.context;
        let options = self.settings.read_options(context)?;
        let request = Request {
            tables: &Tables::default(),
            context,
            path: &subject.path,
            input: &input(context, &subject.path, &subject.read)?,
            read: &subject.read,
            given: &subject.given,
            chosen: &self.settings.chosen,
            options: &options,
            time_each: self.settings.time_each,
            work_each: self.settings.work_each,
        };
        Ok(work(&request)?)
    }

    /// Writes what is wanted besides the answers.
    fn save(&self, left: &Left) -> Result<(), Failure> {
        let write = |path: &Path, text: &str| {
            write_atomically(&self.run.output, path, |out| out.write_all(text.as_bytes()))
        };
        if let Some(path) = &self.settings.save_predicates {
            write(path, &left.predicates)?;
        }
        match (&self.settings.write_order, &left.order) {
            (Some(path), Some(order)) => write(path, order),
            _ => Ok(()),
        }
    }

    /// Writes the files that say the same as an answer. One that cannot be written costs no other.
    fn write_documents(&self, answer: &Answer) -> Result<(), Failure> {
        // The question was written before.
        let of_answer = self.settings.documents.iter().filter(|(kind, ..)| *kind != DocumentKind::Clauses);
        let written = of_answer.map(|(kind, flag, path)| {
            let text = answer_document(answer, *kind)
                .map_err(|why| Failure::Input(format!("{flag} {}: {why}", shown(path))))?;
            write_atomically(&self.run.output, path, |out| out.write_all(text.as_bytes()))
        });
        written.fold(Ok(()), Result::and)
    }
}

/// What is asked of one file of the command line.
#[derive(Default)]
struct Subject {
    path: PathBuf,
    read: ReadOptions,
    given: Vec<Given>,
    /// The verdicts that are right, as far as a task says them.
    expected: Vec<Option<bool>>,
    warnings: Option<(Source, Vec<Diagnostic>)>,
}

/// Tells what is found about one file.
struct Telling<'j> {
    job: &'j Job,
    file: String,
    /// What was said about the file.
    messages: Vec<Message>,
    /// How many questions about it are still open.
    n_open: usize,
    /// The verdicts that are right, as far as a task says them.
    expected: Vec<Option<bool>>,
    /// How many questions about it were answered.
    n_answered: usize,
}

impl Listener for Telling<'_> {
    fn warnings(&mut self, source: &Source, warnings: &[Diagnostic]) {
        if self.job.settings.style != Style::Quiet {
            self.job.run.output.complaints(source, warnings);
        }
        self.messages.extend(warnings.iter().map(|warning| Message::located(source, warning)));
    }

    fn questions(&mut self, questions: &[Question]) -> Result<(), Halt> {
        if let (Some((_, flag, _)), true) = (self.job.settings.documents.first(), questions.len() > 1) {
            return Err(Halt::Refused(format!(
                "{flag} is about one property, and {} has {}: choose one with --index, --name or -p",
                self.file,
                questions.len()
            )));
        }
        let open = questions.iter().map(|question| OpenQuestion::named(&question.name, &question.advice));
        self.job.answers.tell(&Event::Found(self.n_open, open.collect()));
        self.n_open = questions.len();
        Ok(())
    }

    fn posed(&mut self, document: &Document) {
        let wanted = self.job.settings.documents.iter().filter(|(kind, ..)| *kind == document.kind);
        for (_, flag, path) in wanted {
            let output = &self.job.run.output;
            let written = match &document.text {
                Ok(text) => write_atomically(output, path, |out| out.write_all(text.as_bytes())),
                Err(why) => Err(Failure::Input(format!("{flag} {}: {why}", shown(path)))),
            };
            if let Err(failure) = written {
                failure.tell(output);
                self.job.answers.tell(&Event::Worse(failure.status()));
            }
        }
    }

    fn answer(&mut self, admitted: Admitted) {
        self.n_open -= 1;
        self.n_answered += 1;
        if let Some(bug) = admitted.bug {
            Failure::Bug(bug).tell(&self.job.run.output);
            self.job.answers.tell(&Event::Worse(Status::Internal));
        }
        let mut answer = admitted.answer;
        answer.expected = self.expected.get(self.n_answered - 1).copied().flatten();
        let (settings, answers) = (&self.job.settings, &self.job.answers);
        let is_vacuous =
            answer.outcome.assumptions.iter().any(|assumption| matches!(assumption, Assumption::Vacuous(_)));
        if is_vacuous && settings.options.vacuity == VacuityCheck::Full {
            answers.tell(&Event::Vacuous);
        }
        // Files first: should one fail, its question is answered all the same, and the status says so.
        let drawn = self.job.write_documents(&answer);
        let among_files = settings.files.len() > 1;
        let mut text = if among_files { verdict_line_among_files(&answer) } else { verdict_line(&answer) };
        if let Style::Text(detail) = settings.style {
            text.push_str(&answer_text(&answer, detail));
        }
        if settings.summaries {
            text.push_str(&summaries_text(&answer));
        }
        if settings.statistics {
            text.push_str(&statistics_text(&answer));
        }
        let verdict = answer.outcome.verdict;
        let summary =
            (answer_word(&answer).to_owned(), answers.summary(&answer.property.title(), &self.file));
        answers.settle(Entry::Verdict(verdict), Some(summary), text, || {
            answer_json(&answer, self.messages.clone(), settings.style.detail(), settings.statistics)
        });
        if let Err(failure) = drawn {
            failure.tell(&self.job.run.output);
            answers.tell(&Event::Worse(failure.status()));
        }
    }

    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        let failure = Failure::from(halt);
        if !matches!(failure, Failure::Stopped(_)) {
            failure.tell(&self.job.run.output);
        }
        let question = self.job.answers.next_open().unwrap_or_else(|| OpenQuestion::named(name, &[]));
        self.unanswered(&question, &failure);
    }
}

impl<'j> Telling<'j> {
    fn of(job: &'j Job) -> Self {
        let (file, messages, expected) = (String::new(), Vec::new(), Vec::new());
        Self { job, file, messages, n_open: 0, expected, n_answered: 0 }
    }

    /// The file cannot be used any further: all questions about it that are left have the same answer.
    fn give_up_rest(&mut self, failure: &Failure) {
        if !matches!(failure, Failure::Stopped(_)) {
            failure.tell(&self.job.run.output);
        }
        while let Some(question) = self.job.answers.next_open().filter(|_| self.n_open > 0) {
            self.unanswered(&question, failure);
        }
    }

    /// Settles a question that could not be asked, or not to the end.
    fn unanswered(&mut self, question: &OpenQuestion, failure: &Failure) {
        self.n_open -= 1;
        self.n_answered += 1;
        let answers = &self.job.answers;
        if let Failure::Stopped(reason) = failure {
            let cause = Cause::from(*reason);
            let verdict = Verdict::Unknown(cause);
            let summary = (verdict_word(verdict).to_owned(), answers.summary(&question.title, &self.file));
            let lines = answers.stopped_text(question, cause);
            answers.settle(Entry::Verdict(verdict), Some(summary), lines, || question.stopped(cause));
        } else {
            answers.settle(Entry::Error(failure.status()), None, String::new(), || {
                let OpenQuestion { property, formula, .. } = question;
                AnswerReport::error(&self.file, property, formula.clone(), failure.messages())
            });
        }
    }
}
