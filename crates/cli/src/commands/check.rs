//! `tertium check`: every property on every file.
//!
//! A file or a formula that cannot be used costs the questions it takes part in, not the others. Each complaint is
//! printed once.

use crate::board::{Board, Entry};
use crate::exit::Status;
use crate::failure::Failure;
use crate::gcl;
use crate::input::{ModelFile, parse_property};
use crate::output::Output;
use crate::run::Run;
use crate::settings::{CheckSettings, Engine, Style, UnknownNames, Validation, is_gcl, is_smv};
use crate::smv;
use crate::supervise::{Ended, supervise};
use crate::validate::validate;
use crate::write::write_atomically;
use std::cell::OnceCell;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tertium_check::{Prepared, Settings, check, check_naively, unknown_names};
use tertium_evidence::Outcome;
use tertium_logic::Formula;
use tertium_report::{
    Answer, Message, Origin, Question, answer_json, answer_text, evidence_dot, one_line, verdict_line,
    verdict_word,
};
use tertium_support::{Context, Severity, Source, StopReason};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// Runs the command.
pub(crate) fn run(settings: CheckSettings, output: &Arc<Output>) -> Status {
    let run = Run::start(settings.limits.clone(), output);
    let board = Arc::new(Board::new(&settings, Arc::clone(output)));
    let settings = Arc::new(settings);
    let work = {
        let job = Job { settings: Arc::clone(&settings), board: Arc::clone(&board), run: run.clone() };
        move || job.answer_all()
    };
    match supervise(&run.context, work) {
        Ended::Done(()) => board.conclude_all(&settings),
        Ended::Overdue(reason) => board.finish(&settings, Some(reason.into())),
        Ended::Panicked => board.finish(&settings, None),
    }
}

/// What the working thread needs.
pub(crate) struct Job {
    pub(crate) settings: Arc<CheckSettings>,
    pub(crate) board: Arc<Board>,
    pub(crate) run: Run,
}

/// A property that could be read, or what is wrong with it.
struct Property {
    written: String,
    parsed: Result<(Source, Formula), Trouble>,
}

/// Why questions have no answer. It was printed already.
#[derive(Clone)]
pub(crate) enum Trouble {
    Stopped(StopReason),
    Error(Status, Vec<Message>),
}

/// A question whose system and formula could be read.
#[derive(Clone, Copy)]
pub(crate) struct Readable<'a> {
    pub(crate) file: &'a str,
    pub(crate) property: &'a str,
    pub(crate) source: &'a Source,
    pub(crate) formula: &'a Formula,
    /// The system is what a bounded search found; what it leaves open lies beyond the bound.
    pub(crate) cut: bool,
    /// The question is about a model, whose answers are listed at the end.
    pub(crate) model: bool,
    /// What was said about the file.
    pub(crate) messages: &'a [Message],
}

impl Job {
    fn answer_all(&self) {
        // Properties of transition systems; models read theirs in the language of their file.
        let properties = OnceCell::new();
        for path in &self.settings.files {
            if is_smv(path) {
                smv::answer_file(self, path);
            } else if is_gcl(path) {
                gcl::answer_file(self, path);
            } else {
                self.answer_file(path, properties.get_or_init(|| self.properties()));
            }
        }
    }

    fn context(&self) -> &Context {
        &self.run.context
    }

    fn properties(&self) -> Vec<Property> {
        let read = |(index, property): (usize, &crate::input::PropertySource)| {
            let parsed = property.read(self.context(), index + 1).and_then(|source| {
                let formula = parse_property(&source)?;
                Ok((source, formula))
            });
            Property { written: property.written(), parsed: parsed.map_err(|failure| self.trouble(&failure)) }
        };
        self.settings.properties.iter().enumerate().map(read).collect()
    }

    fn answer_file(&self, path: &Path, properties: &[Property]) {
        let file = path.display().to_string();
        let system = ModelFile::new(path, self.settings.modal).and_then(|model| model.load(self.context()));
        let system = system.map_err(|failure| self.trouble(&failure));
        let prepared = match &system {
            Ok(system) => Prepared::new(self.context(), system).map_err(Trouble::Stopped),
            Err(trouble) => Err(trouble.clone()),
        };
        for property in properties {
            let text = property.parsed.as_ref().ok().map(|(source, _)| source.text());
            match (&property.parsed, &prepared) {
                (Ok((source, formula)), Ok(prepared)) => {
                    let question = Readable {
                        file: &file,
                        property: &property.written,
                        source,
                        formula,
                        cut: false,
                        model: false,
                        messages: &[],
                    };
                    self.answer(&question, prepared);
                }
                (Err(trouble), _) | (_, Err(trouble)) => {
                    self.give_up(&file, &property.written, text, trouble)
                }
            }
        }
    }

    pub(crate) fn answer(&self, question: &Readable<'_>, prepared: &Prepared<'_>) {
        let names = self.names(question, prepared.system());
        let answered = names.and_then(|messages| {
            let started = self.context().elapsed();
            let mut outcome = self.outcome(question.formula, prepared)?;
            let validated = self.validated(question, prepared.system(), &outcome)?;
            if question.cut && outcome.verdict == Verdict::Unknown(Cause::Imprecise) {
                // The model leaves nothing open, the bound does; what blocks is a state that is not there.
                outcome.verdict = Verdict::Unknown(Cause::Bound);
                outcome.evidence = None;
            }
            let messages = [question.messages.to_vec(), messages].concat();
            Ok((messages, outcome, validated, self.context().elapsed() - started))
        });
        let (messages, outcome, validated, time) = match answered {
            Ok(answered) => answered,
            Err(trouble) => {
                return self.give_up(
                    question.file,
                    question.property,
                    Some(question.source.text()),
                    &trouble,
                );
            }
        };
        let engine = self.settings.engine_text();
        let shown = Question {
            file: question.file,
            formula: question.source.text().trim(),
            engine: &engine,
            system: prepared.system(),
            origin: Origin::Given,
            outcome: &outcome,
            validated,
            time: self.settings.statistics.then_some(time),
        };
        self.record(question, &shown, messages, "");
    }

    /// Shows and records an answer. `more` is what text says besides.
    pub(crate) fn record(
        &self,
        question: &Readable<'_>,
        shown: &Question<'_>,
        messages: Vec<Message>,
        more: &str,
    ) {
        // The picture first: should it fail, its question is answered all the same, and the status says so.
        let drawn = self.draw(shown);
        let entry = Entry::Verdict(shown.outcome.verdict);
        if question.model {
            self.board.summarise(shown.formula.to_owned(), shown.outcome.verdict);
        }
        let detail = self.settings.style.detail();
        let answer = || answer_json(shown, question.property, messages, detail);
        self.board.record(&entry, &(self.text(shown) + more), answer);
        if let Err(failure) = drawn {
            failure.tell(&self.run.output);
            self.board.worsen(failure.status());
        }
    }

    fn outcome(&self, formula: &Formula, prepared: &Prepared<'_>) -> Result<Outcome, Trouble> {
        self.context().poll().map_err(Trouble::Stopped)?;
        let settings = Settings { semantics: self.settings.semantics, record: self.settings.record };
        Ok(match self.settings.engine {
            Engine::Naive => check_naively(prepared.system(), formula, self.settings.semantics),
            _ => check(self.context(), prepared, formula, &settings),
        })
    }

    /// Complains about names that the system does not have. What may pass is given back as messages.
    fn names(&self, question: &Readable<'_>, system: &PartialSystem) -> Result<Vec<Message>, Trouble> {
        let allowed = self.settings.unknown_names == UnknownNames::Allowed;
        let severity = if allowed { Severity::Warning } else { Severity::Error };
        let mut complaints = unknown_names(system, question.formula, severity);
        if complaints.is_empty() {
            return Ok(Vec::new());
        }
        if !allowed {
            let last = complaints.last_mut().expect("there is a complaint");
            last.notes.push("with --allow-unknown-names this is a warning".to_owned());
            let failure = Failure::Faulty(Box::new(question.source.clone()), complaints);
            return Err(self.trouble(&failure));
        }
        if self.settings.style != Style::Quiet {
            self.run.output.complaints(question.source, &complaints);
        }
        Ok(complaints.iter().map(|complaint| Message::located(question.source, complaint)).collect())
    }

    pub(crate) fn validated(
        &self,
        question: &Readable<'_>,
        system: &PartialSystem,
        outcome: &Outcome,
    ) -> Result<Option<bool>, Trouble> {
        if self.settings.validation == Validation::Off {
            return Ok(None);
        }
        match validate(self.context(), system, self.settings.semantics, question.formula, outcome) {
            Ok(validated) => Ok(validated.then_some(true)),
            Err(flaw) => {
                let what = format!(
                    "the evidence for {} {} does not stand up to its validator: {flaw}",
                    verdict_word(outcome.verdict),
                    one_line(question.source.text())
                );
                Err(self.trouble(&Failure::Bug(what)))
            }
        }
    }

    fn text(&self, question: &Question<'_>) -> String {
        let mut summary = question.summary();
        if self.settings.files.len() > 1 {
            summary.push_str(&format!(", {}", question.file));
        }
        let mut text = verdict_line(question.outcome.verdict, question.formula, &summary);
        if let Style::Text(detail) = self.settings.style {
            text.push_str(&answer_text(question, detail));
        }
        if self.settings.statistics {
            text.push_str(&question.statistics_text());
        }
        text
    }

    fn draw(&self, question: &Question<'_>) -> Result<(), Failure> {
        let Some(path) = &self.settings.dot else { return Ok(()) };
        let Some(evidence) = &question.outcome.evidence else {
            return Err(Failure::Input(format!("there is no evidence to draw into {}", path.display())));
        };
        let title = format!("{}  {}", verdict_word(question.outcome.verdict), one_line(question.formula));
        let picture = evidence_dot(question.system, evidence, &title);
        write_atomically(path, |out| out.write_all(picture.as_bytes()))
    }

    /// Settles a question that could not be asked, or not to the end.
    pub(crate) fn give_up(&self, file: &str, property: &str, formula: Option<&str>, trouble: &Trouble) {
        let formula_text = formula.map(|text| text.trim().to_owned());
        match trouble {
            Trouble::Stopped(reason) => {
                let cause = Cause::from(*reason);
                let verdict = Verdict::Unknown(cause);
                let text = self.board.stopped_text(formula.unwrap_or(property), cause);
                let answer = || Answer::stopped(file, property, formula_text, verdict);
                self.board.record(&Entry::Verdict(verdict), &text, answer);
            }
            Trouble::Error(status, messages) => {
                let answer = || Answer::error(file, property, formula_text, messages.clone());
                self.board.record(&Entry::Error(*status), "", answer);
            }
        }
    }

    /// Prints a failure, unless it is a limit, which becomes a verdict.
    pub(crate) fn trouble(&self, failure: &Failure) -> Trouble {
        if let Failure::Stopped(reason) = failure {
            return Trouble::Stopped(*reason);
        }
        failure.tell(&self.run.output);
        Trouble::Error(failure.status(), failure.messages())
    }
}
