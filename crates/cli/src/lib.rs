//! The command line of Tertium. [`run()`] is the whole program but for its exit; [`command`] describes the command line.
//!
//! This is the only crate that prints, reads arguments or the environment, or ends the process. `args` holds the
//! arguments as they come, `settings` what commands use, `commands` the commands, and `exit` what numbers mean.

mod answers;
mod args;
mod ask;
mod choices;
mod commands;
mod exit;
mod failure;
mod input;
mod output;
mod progress;
mod question;
mod run;
mod settings;
mod supervise;
mod tell;
mod terminal;
mod watch;
mod write;

pub use exit::Status;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use failure::bug_text;
use output::Output;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use terminal::Terminal;
use tertium_report::{EXPLAIN, FORMATS, Manual};

/// The command line with all its options, for documentation and tests.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with these arguments, the first being its name: as the supervisor that a user starts, or as the worker
/// that a supervisor starts.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|own| own == run::ASIDE) {
        return run::answer_aside();
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(_) if arguments.iter().filter(|&own| own == "-" || own == "@-").count() > 1 => {
            let twice = "standard input, `-`, can be read only once\n";
            return answer_usage(&Cli::command().error(clap::error::ErrorKind::ArgumentConflict, twice));
        }
        Ok(cli) => cli,
        Err(answer) => return answer_usage(&answer),
    };
    let output = Arc::new(match Terminal::of_supervisor() {
        Some(terminal) => {
            tertium_supervise::end_with_supervisor();
            Output::to_supervisor(terminal)
        }
        None => Output::to_streams(Terminal::here(cli.color)),
    });
    report_panics_to(&output);
    let ended = catch_unwind(AssertUnwindSafe(|| dispatch(&cli.command, &output)));
    let status = ended.unwrap_or(Status::Internal);
    let status = if output.is_lost() { status.worst(Status::Input) } else { status };
    output.ended(status);
    output.wait_for_reader();
    match output.failure() {
        Some(reason) => {
            output.message(&format!("error: cannot write to standard output: {reason}\n"));
            status.worst(Status::Input)
        }
        None => status,
    }
}

fn dispatch(command: &Command, output: &Arc<Output>) -> Status {
    match command {
        Command::Check(args) => match settings::CheckSettings::try_from(args.as_ref()) {
            Ok(settings) => commands::check::run(settings, output),
            Err(failure) => {
                failure.tell(output);
                failure.status()
            }
        },
        Command::Vacuity(args) => commands::vacuity::run(args, output),
        Command::Query(args) => commands::query::run(args, output),
        Command::Tests(args) => commands::tests::run(args, output),
        Command::Simulate(args) => commands::simulate::run(args, output),
        Command::Replay(args) => commands::replay::run(args, output),
        Command::Model(command) => commands::model::run(command, output),
        Command::Game(command) => commands::game::run(command, output),
        Command::Explain { code } => show(&EXPLAIN, code.as_deref(), output),
        Command::Formats { name } => show(&FORMATS, name.as_deref(), output),
        Command::Schema => {
            output.result_bytes(tertium_report::JSON_SCHEMA.as_bytes().to_vec());
            Status::True
        }
        Command::Man { command } => commands::completions::manual(command, output),
        Command::Completions { shell } => commands::completions::run(*shell, output),
    }
}

/// Prints help, version, or what is wrong with the arguments.
fn answer_usage(answer: &clap::Error) -> Status {
    // If this cannot be printed there is nobody left to tell.
    let _ = answer.print();
    if answer.use_stderr() { Status::Usage } else { Status::True }
}

/// A panic is a bug of ours, wherever it happens: say so, and where.
fn report_panics_to(output: &Arc<Output>) {
    let output = Arc::clone(output);
    std::panic::set_hook(Box::new(move |panic| output.message(&bug_text(&panic.to_string()))));
}

/// Prints a page of a manual, or the list of all.
fn show(manual: &Manual, word: Option<&str>, output: &Output) -> Status {
    match manual.page(word) {
        Ok(text) => {
            output.result(&text);
            Status::True
        }
        Err(message) => {
            output.message(&message);
            Status::Usage
        }
    }
}
