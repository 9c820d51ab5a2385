//! `tertium tests`: runs that cover a model of guarded commands, and their replay.

use crate::args::TestsArgs;
use crate::board::print_json;
use crate::exit::Status;
use crate::failure::Failure;
use crate::gcl;
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::{detail, is_gcl, limits};
use crate::write::{refuse_overwriting, write_atomically};
use std::io::Write;
use std::sync::Arc;

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
    if !is_gcl(&args.file) {
        return Err(Failure::Usage("tests are made of .gcl models".to_owned()));
    }
    if let Some(path) = &args.replay {
        return gcl::replay_tests(run, &args.file, path, args.json);
    }
    let inputs = [Some(&args.file), args.predicates.as_ref()];
    if let Some(path) = &args.output {
        refuse_overwriting("--output", path, inputs.into_iter().flatten().map(AsRef::as_ref))?;
    }
    let (report, status) = gcl::find_tests(run, args)?;
    if let Some(path) = &args.output {
        write_atomically(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &report).map_err(std::io::Error::from)?;
            out.write_all(b"\n")
        })?;
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
