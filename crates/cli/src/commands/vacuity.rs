//! `tertium vacuity`: which parts of properties do not matter for their verdict.

use crate::args::VacuityArgs;
use crate::exit::Status;
use crate::explicit;
use crate::failure::Failure;
use crate::input::MODAL_MODEL;
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::{is_smv, limits};
use crate::smv;
use std::sync::Arc;

/// Runs the command.
pub(crate) fn run(args: &VacuityArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let (args, job) = (args.clone(), run.clone());
    settle(&run, move || {
        if !is_smv(&args.file) {
            let answers = explicit::survey(&job, &args)?;
            return Ok(smv::show(&job, &args, args.file.display().to_string(), answers));
        }
        if args.reading.modal {
            return Err(Failure::Usage(MODAL_MODEL.to_owned()));
        }
        smv::vacuity(&job, &args)
    })
}
