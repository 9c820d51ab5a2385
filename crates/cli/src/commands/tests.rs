//! `tertium tests`: runs that cover a model of guarded commands.

use crate::args::TestsArgs;
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::read_text;
use crate::output::Output;
use crate::run::{self, Run};
use crate::settings::{detail, limits};
use crate::tell::tell;
use crate::write::keep_apart;
use std::sync::Arc;
use tertium_verify::{SearchOptions, TestsOptions, find_tests};

/// Runs the command.
pub(crate) fn run(args: &TestsArgs, output: &Arc<Output>) -> Status {
    run::answer((args, limits(&args.limits)), args.result.json_of("tests"), output, answer)
}

fn answer(args: &TestsArgs, run: &Run) -> Result<Status, Failure> {
    let context = &run.context;
    let mut ask = Ask::new(context, &args.file, &args.reading)?;
    let inputs = [Some(&args.file), args.predicates.as_ref()];
    keep_apart(
        &[("--output", args.result.output.as_deref())],
        inputs.into_iter().flatten().map(AsRef::as_ref),
    )?;
    ask.options.states = args.states;
    ask.options.iterations = args.iterations;
    ask.options.guards = !args.search.no_guards;
    ask.options.predicates = args.predicates.as_ref().map(|path| read_text(context, path)).transpose()?;
    ask.options.search = SearchOptions {
        depth_first: args.search.depth_first,
        by_location: args.search.by_location,
        light: args.search.light,
        values_after: Some(args.search.values_after).filter(|&rounds| rounds > 0),
        inputs: args.search.inputs,
        threads: args.search.threads,
    };
    let found =
        find_tests(&ask.request(context), &TestsOptions { cover: args.cover, longest: args.longest })?;
    if let Some((source, warnings)) = &found.warnings {
        run.output.complaints(source, warnings);
    }
    let status = Status::from(found.verdict);
    let mut report = found.report;
    report.exit_status = status.code();
    let text = match &args.result.output {
        Some(_) => report.coverage_text(),
        None => report.text(detail(args.full)),
    };
    tell(run, &args.result, &report, &text, &report.result)?;
    Ok(status)
}
