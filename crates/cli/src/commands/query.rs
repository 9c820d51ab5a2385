//! `tertium query`: what can stand for the placeholder of a formula.
//!
//! The verdict says whether there is a solution at all.

use crate::args::{QueryArgs, QueryMethod};
use crate::board::{print_json, result_word};
use crate::exit::Status;
use crate::explicit;
use crate::failure::Failure;
use crate::gcl;
use crate::input::{MODAL_MODEL, PropertySource};
use crate::output::Output;
use crate::run::Run;
use crate::settings::{STATES_ELSEWHERE, SymbolicSettings, is_gcl, is_smv, limits};
use crate::smv::query::{Found, Wanted, solve_query};
use crate::smv::shortcut::{Initial, Written, written};
use crate::supervise::{Ended, supervise};
use crate::write::{refuse_overwriting, write_atomically};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tertium_report::{Message, QueryReport, SolutionReport};
use tertium_support::Source;
use tertium_truth::{Cause, Verdict};

/// Runs the command.
pub(crate) fn run(args: &QueryArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let wanted = match wanted(args, &run) {
        Ok(wanted) => wanted,
        Err(failure) => return failed(args, &run, asked(args), &failure),
    };
    let work = {
        let (wanted, context) = (wanted.clone(), run.context.clone());
        move || {
            if is_smv(&wanted.file) {
                solve_query(&context, &wanted)
            } else if is_gcl(&wanted.file) {
                gcl::solve_query(&context, &wanted)
            } else {
                explicit::solve_query(&context, &wanted)
            }
        }
    };
    match supervise(&run.context, work) {
        Ended::Done(Ok(found)) => answered(args, &run, found),
        Ended::Done(Err(Failure::Stopped(reason))) | Ended::Overdue(reason) => {
            stopped(args, &run, &wanted, reason.into())
        }
        Ended::Done(Err(failure)) => failed(args, &run, wanted.report(), &failure),
        Ended::Panicked => {
            let failure = Message::error("an internal error ended the run");
            conclude(args, &run, wanted.report(), Status::Internal, vec![failure])
        }
    }
}

fn wanted(args: &QueryArgs, run: &Run) -> Result<Wanted, Failure> {
    let (smv, gcl) = (is_smv(&args.file), is_gcl(&args.file));
    if args.reading.modal && (smv || gcl) {
        return Err(Failure::Usage(MODAL_MODEL.to_owned()));
    }
    if args.states.is_some() && !gcl {
        return Err(Failure::Usage(STATES_ELSEWHERE.to_owned()));
    }
    if !smv {
        args.diagrams.refuse()?;
    }
    if let Some(path) = &args.csv {
        let inputs = [Some(args.file.as_path()), args.query.strip_prefix('@').map(Path::new)];
        refuse_overwriting("--csv", path, inputs.into_iter().flatten())?;
    }
    let source = PropertySource::new(&args.query).read(&run.context, 1)?;
    let mut written = written(source.text())?;
    if written.invariant && args.method == QueryMethod::General {
        // Formulas are what this method looks for: it can be asked for the strongest invariant itself.
        written = Written { text: written.text.replacen("EF", "AG", 1), initial: None, invariant: false };
    }
    let source = Source::new("<query>", written.text.as_str());
    let initial = match (args.per_initial, args.some_initial) {
        (true, _) if written.invariant => {
            return Err(Failure::Usage("an invariant is one of all initial states".to_owned()));
        }
        (true, _) => Initial::Each,
        (_, true) => Initial::Some,
        _ => written.initial.unwrap_or(Initial::All),
    };
    Ok(Wanted {
        file: args.file.clone(),
        source,
        written,
        initial,
        method: args.method,
        max: args.max,
        diagrams: SymbolicSettings::from(&args.diagrams),
        modal: args.reading.modal,
        states: args.states,
    })
}

fn answered(args: &QueryArgs, run: &Run, found: Found) -> Status {
    let verdict = found.verdict;
    if let Some((source, warnings)) = found.warnings.as_ref().filter(|_| !args.json) {
        run.output.complaints(source, warnings);
    }
    let written = args.csv.as_ref().map_or(Ok(()), |path| write_csv(path, &found));
    let mut report = found.report.settled(verdict, Status::from(verdict).code());
    if let (Some(cause), Verdict::Unknown(Cause::Imprecise)) = (&mut report.cause, verdict) {
        cause.next = explicit::SETTLE;
    }
    if !args.json {
        let mut text = report.text(verdict);
        if args.stats {
            for (name, value) in &report.statistics {
                text.push_str(&format!("  {}: {value}\n", name.replace('_', " ")));
            }
        }
        run.output.result(&text);
    }
    if let Err(failure) = written {
        // The answer is known, but not all that was asked for was done.
        return failed(args, run, report, &failure);
    }
    if args.json {
        print_json(&run.output, &report);
    } else {
        run.output.result(&format!("RESULT: {verdict}\n"));
    }
    Status::from(verdict)
}

fn stopped(args: &QueryArgs, run: &Run, wanted: &Wanted, cause: Cause) -> Status {
    let verdict = Verdict::Unknown(cause);
    let status = Status::from(verdict);
    let mut report = wanted.report().settled(verdict, status.code());
    if let (Some(own), Cause::Memory) = (&mut report.cause, cause) {
        own.next = "give more memory with `--memory`; fewer variables in braces behind `?` take less";
    }
    if args.json {
        print_json(&run.output, &report);
    } else {
        run.output.result(&format!("{}RESULT: {verdict}\n", report.text(verdict)));
    }
    status
}

/// What was asked, as far as the arguments tell alone.
fn asked(args: &QueryArgs) -> QueryReport {
    let initial = match (args.per_initial, args.some_initial) {
        (true, _) => Initial::Each,
        (_, true) => Initial::Some,
        _ => Initial::All,
    };
    QueryReport {
        method: args.method.word(),
        initial: initial.word(),
        ..QueryReport::new(&args.file.display().to_string(), &args.query)
    }
}

fn failed(args: &QueryArgs, run: &Run, report: QueryReport, failure: &Failure) -> Status {
    failure.tell(&run.output);
    conclude(args, run, report, failure.status(), failure.messages())
}

fn conclude(
    args: &QueryArgs,
    run: &Run,
    mut report: QueryReport,
    status: Status,
    messages: Vec<Message>,
) -> Status {
    report.messages.extend(messages);
    report.result = result_word(status, None);
    report.exit_status = status.code();
    if args.json {
        print_json(&run.output, &report);
    } else if status != Status::Usage {
        run.output.result(&format!("RESULT: {}\n", report.result));
    }
    status
}

/// One row for each cube that is shown; `*` is any value, several values have a blank between them. The first column numbers formulas
/// or groups of initial states, the second says whether a row is about initial states or solutions. A formula that no
/// combination makes true has a row with `-` for all its variables.
fn write_csv(path: &Path, found: &Found) -> Result<(), Failure> {
    let report = &found.report;
    let by_state = report.initial == "each";
    let names = if by_state { &found.state_variables } else { &report.variables };
    write_atomically(path, |out| {
        let header = ["group", "role"].into_iter().chain(names.iter().map(String::as_str));
        write_row(out, header)?;
        let mut rows = |group: usize, role: &str, own: &[String], solutions: &[SolutionReport]| {
            let cubes = solutions.iter().flat_map(|solution| match solution.cubes.as_slice() {
                [] => vec![None],
                cubes => cubes.iter().map(Some).collect(),
            });
            for cube in cubes {
                let cell =
                    |name: &String| match cube.map(|cube| cube.iter().find(|own| own.variable == *name)) {
                        Some(Some(values)) => values.values.join(" "),
                        _ if !own.contains(name) => String::new(),
                        Some(None) => "*".to_owned(),
                        None => "-".to_owned(),
                    };
                let cells: Vec<String> = names.iter().map(cell).collect();
                let group = group.to_string();
                let row = [group.as_str(), role].into_iter().chain(cells.iter().map(String::as_str));
                write_row(out, row)?;
            }
            Ok::<(), std::io::Error>(())
        };
        for (at, class) in report.classes.iter().enumerate() {
            rows(at + 1, "initial", &found.state_variables, &class.initial)?;
            rows(at + 1, "solution", &report.variables, &class.solutions)?;
            rows(at + 1, "possible", &report.variables, &class.possible)?;
        }
        for (at, solution) in report.solutions.iter().enumerate() {
            rows(at + 1, "solution", &report.variables, std::slice::from_ref(solution))?;
        }
        for (at, solution) in report.possible.iter().enumerate() {
            rows(at + 1, "possible", &report.variables, std::slice::from_ref(solution))?;
        }
        Ok::<(), std::io::Error>(())
    })
}

fn write_row<'a>(out: &mut impl Write, cells: impl Iterator<Item = &'a str>) -> std::io::Result<()> {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    });
    writeln!(out, "{}", quoted.collect::<Vec<_>>().join(","))
}
