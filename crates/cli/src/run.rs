//! What every supervised command has: limits that started to count, signals that stop it, and somewhere to print.

use crate::exit::Status;
use crate::failure::Failure;
use crate::output::Output;
use crate::supervise::{Ended, supervise};
use crate::tell::{print_json, result_word};
use std::io::{self, Write};
use std::sync::Arc;
use tertium_report::{FailureReport, Message};
use tertium_supervise::OwnProgram;
use tertium_support::{Aside, Context, Limits, machine_memory};

/// One run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Limits and progress.
    pub(crate) context: Context,
    /// Where results go.
    pub(crate) output: Arc<Output>,
}

impl Run {
    /// Starts the clock and listens to signals. Where no memory limit is given, nine tenths of the machine's memory are
    /// the limit: an answer that says so is better than being killed.
    pub(crate) fn start(mut limits: Limits, output: &Arc<Output>) -> Self {
        limits.memory = limits.memory.or_else(|| machine_memory().map(|bytes| bytes / 10 * 9));
        let cancel = output.interrupted().clone();
        let own = cancel.clone();
        // If there is no way to handle signals here, they end the process as they always did. A second one changes nothing: what
        // is known is being printed.
        let _ = ctrlc::set_handler(move || own.cancel());
        let aside = std::env::current_exe().ok().and_then(|own| OwnProgram::with(own, ASIDE));
        let aside = aside.map(|own| Arc::new(own) as Arc<dyn Aside>);
        Self { context: Context::new(limits, cancel).with_aside(aside), output: Arc::clone(output) }
    }
}

/// The argument with which this program does what may break down aside.
pub(crate) const ASIDE: &str = "--aside";

/// Answers the question on standard input.
pub(crate) fn answer_aside() -> Status {
    tertium_supervise::end_with_supervisor();
    let answer =
        io::read_to_string(io::stdin()).ok().and_then(|question| tertium_verify::answer_aside(&question));
    let is_told = answer.is_some_and(|answer| io::stdout().write_all(answer.as_bytes()).is_ok());
    if is_told { Status::True } else { Status::Internal }
}

/// Runs a command that has one result. `json` is its name if it prints one object.
pub(crate) fn answer<A: Clone + Send + 'static>(
    (args, limits): (&A, Limits),
    json: Option<&'static str>,
    output: &Arc<Output>,
    work: fn(&A, &Run) -> Result<Status, Failure>,
) -> Status {
    let run = Run::start(limits, output);
    let (args, job) = (args.clone(), run.clone());
    settle(&run, json, move || work(&args, &job))
}

/// Does the work of a command that has one result, and tells the user how it ended; where there should be an object, also as one.
pub(crate) fn settle(
    run: &Run,
    json: Option<&'static str>,
    work: impl FnOnce() -> Result<Status, Failure> + Send + 'static,
) -> Status {
    let failure = match supervise(run, work, |_| {}) {
        Ended::Done(Ok(status)) | Ended::Elsewhere(status) => return status,
        Ended::Done(Err(failure)) => Some(failure),
        Ended::Overdue(reason) => Some(Failure::Stopped(reason)),
        Ended::Panicked => None,
    };
    let status = failure.as_ref().map_or(Status::Internal, Failure::status);
    failure.iter().for_each(|failure| failure.tell(&run.output));
    if let Some(command) = json {
        let messages = failure.as_ref().map_or_else(|| vec![Message::panicked()], Failure::messages);
        let result = result_word(status, failure.as_ref().and_then(Failure::cause));
        print_json(&run.output, &FailureReport::new(command, messages, result, status.code()));
    }
    status
}
