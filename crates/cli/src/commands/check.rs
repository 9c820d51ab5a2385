//! `tertium check`: every property on every file.
//!
//! A file or a formula that cannot be used costs the questions it takes part in, not the others. Each complaint is
//! printed once.

use crate::answers::{Answers, Entry, Event, OpenQuestion};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{PropertySource, input, shown};
use crate::output::Output;
use crate::run::Run;
use crate::settings::{CheckSettings, Style};
use crate::supervise::{Ended, supervise};
use crate::write::write_atomically;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tertium_evidence::{Answer, Assumption, PropertyName};
use tertium_report::{
    AnswerReport, Message, answer_dot, answer_json, answer_text, answer_word, one_line, statistics_text,
    verdict_line, verdict_line_among_files, verdict_word,
};
use tertium_support::{Diagnostic, Source};
use tertium_truth::{Cause, Verdict};
use tertium_verify::{
    Admitted, Given, Halt, Left, Listener, Question, Request, Tables, VacuityCheck, check, may_refuse, refuse,
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
            let mut telling =
                Telling { job: self, file: shown(path), messages: Vec::new(), n_open: self.n_asked() };
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
        let left = self.with_request(path, |request| check(request, telling))?;
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
        let mut refused = files.filter_map(|path| self.with_request(path, refuse).err());
        refused.find(|failure| matches!(failure, Failure::Usage(_)))
    }

    /// Does something with what is asked about a file.
    fn with_request<T>(
        &self,
        path: &Path,
        work: impl FnOnce(&Request<'_>) -> Result<T, Halt>,
    ) -> Result<T, Failure> {
        let context = &self.run.context;
        let options = self.settings.read_options(context)?;
        let read = |(index, property): (usize, &PropertySource)| property.given(context, index + 1);
        let given =
            self.given.get_or_init(|| self.settings.properties.iter().enumerate().map(read).collect());
        let request = Request {
            tables: &Tables::default(),
            context,
            path,
            input: &input(context, path)?,
            read: &self.settings.read,
            given,
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

    fn draw(&self, answer: &Answer) -> Result<(), Failure> {
        let Some(path) = &self.settings.dot else { return Ok(()) };
        let verdict = verdict_word(answer.outcome.verdict);
        let title = format!("{verdict}  {}", one_line(&answer.property.text));
        let Some(picture) = answer_dot(answer, &title) else {
            return Err(Failure::Input(format!("there is no evidence to draw into {}", shown(path))));
        };
        write_atomically(&self.run.output, path, |out| out.write_all(picture.as_bytes()))
    }
}

/// Tells what is found about one file.
struct Telling<'j> {
    job: &'j Job,
    file: String,
    /// What was said about the file.
    messages: Vec<Message>,
    /// How many questions about it are still open.
    n_open: usize,
}

impl Listener for Telling<'_> {
    fn warnings(&mut self, source: &Source, warnings: &[Diagnostic]) {
        if self.job.settings.style != Style::Quiet {
            self.job.run.output.complaints(source, warnings);
        }
        self.messages.extend(warnings.iter().map(|warning| Message::located(source, warning)));
    }

    fn questions(&mut self, questions: &[Question]) -> Result<(), Halt> {
        if self.job.settings.dot.is_some() && questions.len() > 1 {
            return Err(Halt::Refused(format!(
                "--dot draws the evidence of one property, and {} has {}: choose one with --index, --name or -p",
                self.file,
                questions.len()
            )));
        }
        let open = questions.iter().map(|question| OpenQuestion::named(&question.name, &question.advice));
        self.job.answers.tell(&Event::Found(self.n_open, open.collect()));
        self.n_open = questions.len();
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        self.n_open -= 1;
        if let Some(bug) = admitted.bug {
            Failure::Bug(bug).tell(&self.job.run.output);
            self.job.answers.tell(&Event::Worse(Status::Internal));
        }
        let answer = admitted.answer;
        let (settings, answers) = (&self.job.settings, &self.job.answers);
        let is_vacuous =
            answer.outcome.assumptions.iter().any(|assumption| matches!(assumption, Assumption::Vacuous(_)));
        if is_vacuous && settings.options.vacuity == VacuityCheck::Full {
            answers.tell(&Event::Vacuous);
        }
        // The picture first: should it fail, its question is answered all the same, and the status says so.
        let drawn = self.job.draw(&answer);
        let among_files = settings.files.len() > 1;
        let mut text = if among_files { verdict_line_among_files(&answer) } else { verdict_line(&answer) };
        if let Style::Text(detail) = settings.style {
            text.push_str(&answer_text(&answer, detail));
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

impl Telling<'_> {
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
        let answers = &self.job.answers;
        let OpenQuestion { property, formula, advice, .. } = question;
        if let Failure::Stopped(reason) = failure {
            let cause = Cause::from(*reason);
            let verdict = Verdict::Unknown(cause);
            let summary = (verdict_word(verdict).to_owned(), answers.summary(&question.title, &self.file));
            let lines = answers.stopped_text(question, cause);
            answers.settle(Entry::Verdict(verdict), Some(summary), lines, || {
                AnswerReport::stopped(&self.file, property, formula.clone(), verdict, advice)
            });
        } else {
            answers.settle(Entry::Error(failure.status()), None, String::new(), || {
                AnswerReport::error(&self.file, property, formula.clone(), failure.messages())
            });
        }
    }
}
