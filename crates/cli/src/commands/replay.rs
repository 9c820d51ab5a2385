//! `tertium replay`: runs that `check` or `tests` wrote, on the same model or a changed one, and witnesses of programs.

use crate::args::ReplayArgs;
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{read_text, shown};
use crate::output::Output;
use crate::run::{self, Run};
use crate::settings::{detail, limits};
use crate::tell::tell;
use crate::write::keep_apart;
use std::sync::Arc;
use tertium_report::{Message, read_written};
use tertium_verify::{is_witness, read_witness_file, replay, replay_witnesses};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, output: &Arc<Output>) -> Status {
    run::answer((args, limits(&args.limits)), args.result.json_of("replay"), output, answer)
}

fn answer(args: &ReplayArgs, run: &Run) -> Result<Status, Failure> {
    let context = &run.context;
    keep_apart(&[("--output", args.result.output.as_deref())], [args.file.as_path(), args.run.as_path()])?;
    let name = shown(&args.run);
    let text = read_text(context, &args.run)?;
    let found = if is_witness(text.text()) {
        let (found, read) = read_witness_file(&text, &args.file, &args.reading.options())?;
        if args.result.is_text() && !found.warnings.is_empty() {
            run.output.complaints(&text, &found.warnings);
        }
        let ask = Ask::with(context, &args.file, read)?;
        let mut replayed = replay_witnesses(&ask.request(context), &name, &found.witnesses, &args.names)?;
        let located = found.warnings.iter().map(|warning| Message::located(&text, warning));
        replayed.report.messages.extend(located);
        replayed
    } else {
        let written = read_written(&name, text.text()).map_err(Failure::Input)?;
        let ask = Ask::new(context, &args.file, &args.reading)?;
        replay(&ask.request(context), &name, &written, &args.names)?
    };
    if let Some((source, warnings)) = found.warnings.as_ref().filter(|_| args.result.is_text()) {
        run.output.complaints(source, warnings);
    }
    let mut report = found.report;
    let status = match (report.is_as_before(), report.is_open()) {
        (true, _) => Status::True,
        (_, true) => Status::Unknown,
        _ => Status::False,
    };
    report.exit_status = status.code();
    tell(run, &args.result, &report, &report.text(detail(args.full)), &report.result)?;
    Ok(status)
}
