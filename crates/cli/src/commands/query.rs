//! `tertium query`: what can stand for the placeholder of a formula.
//!
//! The verdict says whether there is a solution at all.

use crate::args::QueryArgs;
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{PropertySource, shown};
use crate::output::Output;
use crate::run::Run;
use crate::settings::limits;
use crate::supervise::{Ended, supervise};
use crate::tell::{result_word, tell_last};
use crate::write::{keep_apart, write_atomically};
use std::io::Write;
use std::sync::Arc;
use tertium_report::{Message, QueryReport, query_csv};
use tertium_support::Context;
use tertium_truth::{Cause, Verdict};
use tertium_verify::{Initial, QueryFound, QueryWanted, solve_query};

/// Runs the command.
pub(crate) fn run(args: &QueryArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let work = {
        let (args, context) = (args.clone(), run.context.clone());
        move || ask(&args, &context)
    };
    match supervise(&run, work, |_| {}) {
        Ended::Elsewhere(status) => status,
        Ended::Done((_, Ok(found))) => answered(args, &run, found),
        Ended::Done((report, Err(Failure::Stopped(reason)))) => stopped(args, &run, *report, reason.into()),
        Ended::Done((report, Err(failure))) => failed(args, &run, *report, &failure),
        Ended::Overdue(reason) => stopped(args, &run, asked(args), reason.into()),
        Ended::Panicked => conclude(args, &run, asked(args), "", Status::Internal, vec![Message::panicked()]),
    }
}

fn wanted(args: &QueryArgs, context: &Context) -> Result<QueryWanted, Failure> {
    let order = args.diagrams.order.as_deref();
    let query = PropertySource::new(&args.query);
    let inputs = [Some(args.file.as_path()), query.file(), order];
    let outputs = [("--csv", args.csv.as_deref()), ("--output", args.result.output.as_deref())];
    keep_apart(&outputs, inputs.into_iter().flatten())?;
    let source = query.read(context, 1)?;
    Ok(QueryWanted::new(source.text(), initial(args), args.method, args.max)?)
}

fn initial(args: &QueryArgs) -> Option<Initial> {
    match (args.per_initial, args.some_initial) {
        (true, _) => Some(Initial::Each),
        (_, true) => Some(Initial::Some),
        _ => None,
    }
}

/// What was asked, as far as it could be read, and what was found.
fn ask(args: &QueryArgs, context: &Context) -> (Box<QueryReport>, Result<QueryFound, Failure>) {
    let wanted = match wanted(args, context) {
        Ok(wanted) => wanted,
        Err(failure) => return (Box::new(asked(args)), Err(failure)),
    };
    let solve = || {
        let mut ask = Ask::new(context, &args.file, &args.reading)?;
        ask.diagrams(context, &args.diagrams)?;
        ask.options.states = args.states;
        Ok(solve_query(&ask.request(context), &wanted)?)
    };
    (Box::new(wanted.report(&shown(&args.file))), solve())
}

fn answered(args: &QueryArgs, run: &Run, found: QueryFound) -> Status {
    let verdict = found.verdict;
    if let Some((source, warnings)) = found.warnings.as_ref().filter(|_| args.result.is_text()) {
        run.output.complaints(source, warnings);
    }
    let report = found.report.settled(verdict, Status::from(verdict).code());
    let written = args.csv.as_ref().map_or(Ok(()), |path| {
        let table = query_csv(&report, &found.state_variables);
        write_atomically(&run.output, path, |out| out.write_all(table.as_bytes()))
    });
    let mut text = report.text(verdict);
    for (name, value) in report.statistics.iter().filter(|_| args.stats) {
        text.push_str(&format!("  {}: {value}\n", name.replace('_', " ")));
    }
    match written {
        Ok(()) => tell_last(run, &args.result, &report, &text, (verdict.into(), &report.result)),
        // The answer is known, but not all that was asked for was done.
        Err(failure) => {
            failure.tell(&run.output);
            conclude(args, run, report, &text, failure.status(), failure.messages())
        }
    }
}

fn stopped(args: &QueryArgs, run: &Run, report: QueryReport, cause: Cause) -> Status {
    let verdict = Verdict::Unknown(cause);
    let status = Status::from(verdict);
    let report = report.settled(verdict, status.code());
    tell_last(run, &args.result, &report, &report.text(verdict), (status, &report.result))
}

/// What was asked, as far as the arguments tell alone.
fn asked(args: &QueryArgs) -> QueryReport {
    QueryReport {
        method: args.method.word(),
        initial: initial(args).unwrap_or(Initial::All).word(),
        ..QueryReport::new(&shown(&args.file), &args.query)
    }
}

fn failed(args: &QueryArgs, run: &Run, report: QueryReport, failure: &Failure) -> Status {
    failure.tell(&run.output);
    conclude(args, run, report, "", failure.status(), failure.messages())
}

fn conclude(
    args: &QueryArgs,
    run: &Run,
    mut report: QueryReport,
    text: &str,
    status: Status,
    messages: Vec<Message>,
) -> Status {
    report.messages.extend(messages);
    report.result = result_word(status, None);
    report.exit_status = status.code();
    tell_last(run, &args.result, &report, text, (status, &report.result))
}
