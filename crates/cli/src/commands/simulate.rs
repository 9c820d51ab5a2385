//! `tertium simulate`: a run of a model, at random or by commands on standard input.

use crate::args::SimulateArgs;
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::STANDARD_INPUT;
use crate::output::Output;
use crate::run::{self, Run};
use crate::settings::{detail, limits};
use crate::tell::tell;
use crate::write::keep_apart;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tertium_verify::{Halt, Simulation, read};

/// How often whoever waits for a command looks at limits and signals.
const LOOK: Duration = Duration::from_millis(20);

/// Runs the command.
pub(crate) fn run(args: &SimulateArgs, output: &Arc<Output>) -> Status {
    run::answer((args, limits(&args.limits)), args.result.json_of("simulate"), output, answer)
}

fn answer(args: &SimulateArgs, run: &Run) -> Result<Status, Failure> {
    keep_apart(&[("--output", args.result.output.as_deref())], [args.file.as_path()])?;
    if args.interactive && args.file == Path::new(STANDARD_INPUT) {
        return Err(
            Halt::Usage("standard input has the commands: give the model as a file".to_owned()).into()
        );
    }
    let ask = Ask::new(&run.context, &args.file, &args.reading)?;
    let request = ask.request(&run.context);
    let (model, warnings) = read(&request)?;
    if args.result.is_text() && !warnings.is_empty() {
        run.output.complaints(model.source(), &warnings);
    }
    let detail = detail(args.full);
    let mut simulation = Simulation::new(&request, (model.as_ref(), &warnings), args.seed, detail)?;
    let ended = if args.interactive { converse(&mut simulation, run) } else { simulation.random(args.steps) };
    let (mut report, verdict) = simulation.report(ended)?;
    let status = Status::from(verdict);
    report.exit_status = status.code();
    tell(run, &args.result, &report, &report.text(detail), &report.result)?;
    Ok(status)
}

/// Does what the lines of standard input say, until they end.
fn converse(simulation: &mut Simulation<'_>, run: &Run) -> Result<(), Halt> {
    run.output.converse();
    run.output.result(&simulation.show()?);
    let (sender, lines) = channel();
    // It waits for a line for ever, and ends with the process.
    std::thread::spawn(move || {
        std::io::stdin().lock().split(b'\n').map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => match simulation.obey(&String::from_utf8_lossy(&line))? {
                Some(text) => run.output.result(&text),
                None => return Ok(()),
            },
            Err(RecvTimeoutError::Timeout) => run.context.poll()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
