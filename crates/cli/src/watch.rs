//! What the supervisor does with what its worker says: prints it, and knows what is lost if the worker has to be ended.

use crate::answers::Event;
use crate::exit::Status;
use crate::failure::{Failure, bug_text};
use crate::input::shown;
use crate::progress::Spinner;
use crate::run::Run;
use crate::supervise::Ended;
use std::io;
use std::process::Command;
use tertium_supervise::{End, Frame, Listener, Writing, watch as watch_worker};
use tertium_support::StopReason;
use tertium_truth::Cause;

/// Starts a worker and watches it to its end. What it says about the questions of the run is heard by `hear`.
pub(crate) fn watch<T>(run: &Run, mut hear: impl FnMut(Event)) -> Ended<T> {
    let mut desk = Desk {
        run,
        hear: &mut hear,
        spinner: Spinner::new(),
        doing: String::new(),
        unfinished: None,
        has_printed: false,
    };
    let end = worker(run)
        .and_then(|mut worker| watch_worker(&run.context, &mut worker, Status::Internal.code(), &mut desk));
    let Desk { unfinished, has_printed, doing, .. } = desk;
    match end {
        Err(error) => {
            run.output.message(&format!("error: cannot start a process for the work: {error}\n"));
            Ended::Overdue(StopReason::MemoryLimit)
        }
        Ok(End::Said(code)) => Ended::Elsewhere(Status::from_code(code).unwrap_or(Status::Internal)),
        Ok(End::Broken(how)) => {
            if let Some(how) = how {
                run.output.message(&bug_text(&how));
            }
            if has_printed { Ended::Elsewhere(Status::Internal) } else { Ended::Panicked }
        }
        Ok(End::Stopped(reason)) => {
            if let Some(writing) = unfinished {
                give_up_file(run, &writing, reason);
                hear(Event::Worse(Status::Input));
            }
            if !has_printed {
                hear(Event::Ended(if doing.is_empty() { "at the beginning".to_owned() } else { doing }));
                return Ended::Overdue(reason);
            }
            // What is known is partly printed already.
            let failure = Failure::Stopped(reason);
            failure.tell(&run.output);
            Ended::Elsewhere(failure.status())
        }
    }
}

/// The same program with the same arguments.
fn worker(run: &Run) -> io::Result<Command> {
    let (variable, terminal) = run.output.terminal().for_worker();
    let mut command = Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).env(variable, terminal);
    Ok(command)
}

struct Desk<'w> {
    run: &'w Run,
    hear: &'w mut dyn FnMut(Event),
    spinner: Spinner,
    /// What the worker said that it is doing.
    doing: String,
    /// The file that it is writing.
    unfinished: Option<Writing>,
    /// Whether it printed results that are not answers to questions.
    has_printed: bool,
}

impl Listener for Desk<'_> {
    fn hear(&mut self, frame: Frame) {
        if !matches!(frame, Frame::Progress(_)) {
            self.spinner.hide();
        }
        match frame {
            Frame::Result(text) => {
                self.has_printed = true;
                self.run.output.result_bytes(text);
            }
            Frame::Message(text) => self.run.output.message_bytes(text),
            Frame::Event(event) => {
                let event = serde_json::from_slice(&event).expect("both processes are one program");
                (self.hear)(event);
            }
            Frame::Progress(doing) => self.doing = doing,
            Frame::Writing(writing) => self.unfinished = Some(writing),
            Frame::Written => self.unfinished = None,
            Frame::Ended(_) => {}
        }
    }

    fn wait(&mut self) {
        self.spinner.show(&self.run.context, &self.doing);
    }
}

/// Says that a file was not written, and removes what there is of it.
fn give_up_file(run: &Run, writing: &Writing, reason: StopReason) {
    if let Some(part) = &writing.part {
        // It may be gone already, or never have been made.
        let _ = std::fs::remove_file(part);
    }
    let why = tertium_report::cause_text(Cause::from(reason));
    run.output
        .message(&format!("error: cannot write {}: {why} before it was done\n", shown(&writing.target)));
    run.output.lose();
}
