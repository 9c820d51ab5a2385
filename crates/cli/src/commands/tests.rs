//! `tertium tests`: runs that cover a model of guarded commands, and their replay.

use crate::answers::{print_json, result_word};
use crate::args::{CoverArg, TestsArgs};
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{read_text, shown};
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::{detail, limits};
use crate::write::{keep_apart, write_atomically};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use tertium_report::{SCHEMA, ToolInfo, WrittenTests, write_json};
use tertium_search::Cover;
use tertium_verify::{ReplayedTests, SearchOptions, TestsOptions, find_tests, replay_tests};

/// Runs the command.
pub(crate) fn run(args: &TestsArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let work = {
        let (args, run) = (args.clone(), run.clone());
        move || answer(&args, &run)
    };
    settle(&run, work)
}

fn answer(args: &TestsArgs, run: &Run) -> Result<Status, Failure> {
    let context = &run.context;
    let mut ask = Ask::new(context, &args.file, &args.reading)?;
    if let Some(path) = &args.replay {
        let replayed = replay_tests(&ask.request(context), &written(run, path)?)?;
        return Ok(tell_replayed(args, run, &replayed));
    }
    let inputs = [Some(&args.file), args.predicates.as_ref()];
    keep_apart(&[("--output", args.output.as_deref())], inputs.into_iter().flatten().map(AsRef::as_ref))?;
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
    let cover = match args.cover {
        CoverArg::Branches => Cover::Branches,
        CoverArg::States => Cover::States,
        CoverArg::Steps => Cover::Steps,
    };
    let found = find_tests(&ask.request(context), &TestsOptions { cover, longest: args.longest })?;
    if let Some((source, warnings)) = &found.warnings {
        run.output.complaints(source, warnings);
    }
    let status = Status::from(found.verdict);
    let mut report = found.report;
    report.exit_status = status.code();
    if let Some(path) = &args.output {
        write_atomically(&run.output, path, |out| write_json(out, &report))?;
    }
    if args.json {
        print_json(&run.output, &report);
    } else {
        let text = match &args.output {
            Some(_) => report.coverage_text(),
            None => report.text(detail(args.full)),
        };
        run.output.result(&format!("{text}RESULT: {}\n", report.result));
    }
    Ok(status)
}

/// Tests that were written earlier.
fn written(run: &Run, path: &Path) -> Result<WrittenTests, Failure> {
    let name = shown(&path);
    let read: WrittenTests = serde_json::from_str(read_text(&run.context, path)?.text())
        .map_err(|error| Failure::Input(format!("{name} is no file of tests: {error}")))?;
    if !read.is_ours() {
        return Err(Failure::Input(format!("{name} is no file of tests of this version")));
    }
    Ok(read)
}

fn tell_replayed(args: &TestsArgs, run: &Run, replayed: &ReplayedTests) -> Status {
    if let Some((source, warnings)) = &replayed.warnings {
        run.output.complaints(source, warnings);
    }
    let ReplayedTests { n_tests, failures, .. } = replayed;
    let status = if failures.is_empty() { Status::True } else { Status::False };
    let (n_passed, result) = (n_tests - failures.len(), result_word(status, None));
    if args.json {
        let failures: Vec<_> =
            failures.iter().map(|(test, why)| json!({ "test": test, "reason": why })).collect();
        let report = json!({
            "schema": SCHEMA,
            "tool": ToolInfo::default(),
            "command": "tests",
            "tests": n_tests,
            "passed": n_passed,
            "failures": failures,
            "result": result,
            "exit_status": status.code(),
        });
        print_json(&run.output, &report);
    } else {
        let lines: String = failures.iter().map(|(test, why)| format!("TEST {test}  {why}\n")).collect();
        run.output.result(&format!("{lines}REPLAY  {n_passed} of {n_tests} tests pass\nRESULT: {result}\n"));
    }
    status
}
