//! The result of a command, as it is wanted: text or one JSON object on standard output, or the object in a file and the text on
//! standard output.

use crate::args::ResultArgs;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::shown;
use crate::output::Output;
use crate::run::Run;
use crate::write::{clear_away, write_atomically};
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tertium_report::{cause_text, write_json};
use tertium_supervise::{Impatience, patiently};
use tertium_truth::{Cause, Verdict};

/// Tells a result. What stands behind `RESULT:` comes last, and only if all was written that was asked for.
pub(crate) fn tell(
    run: &Run,
    wanted: &ResultArgs,
    report: &impl Serialize,
    text: &str,
    result: &str,
) -> Result<(), Failure> {
    if !wanted.is_text() {
        print_json(&run.output, report);
        return Ok(());
    }
    run.output.result(text);
    if let Some(path) = &wanted.output {
        save_json(run, path, report)?;
    }
    run.output.result(&format!("RESULT: {result}\n"));
    Ok(())
}

/// The same at the end of a command: a file that cannot be written is told, and counts. A wrong command line has no result but for
/// programs.
pub(crate) fn tell_last(
    run: &Run,
    wanted: &ResultArgs,
    report: &impl Serialize,
    text: &str,
    (status, result): (Status, &str),
) -> Status {
    if status == Status::Usage && wanted.is_text() {
        return status;
    }
    match tell(run, wanted, report, text, result) {
        Ok(()) => status,
        Err(failure) => {
            failure.tell(&run.output);
            status.worst(failure.status())
        }
    }
}

/// Prints one JSON object.
pub(crate) fn print_json(output: &Output, object: &impl Serialize) {
    output.stream(|out| write_json(out, object));
}

/// Writes one JSON object into a file. Whoever watches a worker gives up what it cannot write; nobody watches a supervisor, which gives
/// up by itself soon after a limit or a signal.
pub(crate) fn save_json(run: &Run, path: &Path, object: &impl Serialize) -> Result<(), Failure> {
    let failed = |why: &dyn Display| Failure::Input(format!("cannot write {}: {why}", shown(path)));
    let mut text = Vec::new();
    write_json(&mut text, object).map_err(|error| failed(&error))?;
    if run.output.is_to_supervisor() {
        return write_atomically(&run.output, path, |out| out.write_all(&text));
    }
    let (output, target) = (Arc::clone(&run.output), path.to_owned());
    let write = move || write_atomically(&output, &target, |out| out.write_all(&text));
    match patiently(&run.context, write) {
        Ok(written) => written,
        Err(Impatience::NoThread(error)) => Err(failed(&error)),
        Err(Impatience::Stopped(reason)) => {
            clear_away(path);
            Err(failed(&format_args!("{} before it was done", cause_text(reason.into()))))
        }
    }
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
