//! `tertium vacuity`: which parts of properties do not matter for their verdict.

use crate::args::VacuityArgs;
use crate::exit::Status;
use crate::failure::Failure;
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
            return Err(Failure::Usage("vacuity is found in properties of .smv models".to_owned()));
        }
        smv::vacuity(&job, &args)
    })
}
