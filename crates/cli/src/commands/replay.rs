//! `tertium replay`: runs that `check` or `tests` wrote, on the same model or a changed one.

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
use tertium_report::read_written;
use tertium_verify::replay;

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, output: &Arc<Output>) -> Status {
    run::answer((args, limits(&args.limits)), args.result.json_of("replay"), output, answer)
}

fn answer(args: &ReplayArgs, run: &Run) -> Result<Status, Failure> {
    let context = &run.context;
    keep_apart(&[("--output", args.result.output.as_deref())], [args.file.as_path(), args.run.as_path()])?;
    let name = shown(&args.run);
    let written = read_written(&name, read_text(context, &args.run)?.text()).map_err(Failure::Input)?;
    let ask = Ask::new(context, &args.file, &args.reading)?;
    let found = replay(&ask.request(context), &name, &written, &args.names)?;
    if let Some((source, warnings)) = found.warnings.as_ref().filter(|_| args.result.is_text()) {
        run.output.complaints(source, warnings);
    }
    let mut report = found.report;
    let status = if report.is_as_before() { Status::True } else { Status::False };
    report.exit_status = status.code();
    tell(run, &args.result, &report, &report.text(detail(args.full)), &report.result)?;
    Ok(status)
}
