//! `tertium vacuity`: which parts of properties do not matter for their verdict.
//!
//! The verdict says whether every part of every property matters.

use crate::args::VacuityArgs;
use crate::board::{Entry, print_json, result_word};
use crate::exit::Status;
use crate::explicit;
use crate::failure::Failure;
use crate::gcl;
use crate::input::MODAL_MODEL;
use crate::output::Output;
use crate::run::Run;
use crate::settings::{STATES_ELSEWHERE, is_gcl, is_smv, limits};
use crate::smv::vacuity::survey;
use crate::supervise::{Ended, supervise};
use crate::survey::{Surveyed, unanswered};
use std::sync::Arc;
use tertium_report::{Message, VacuityReport};
use tertium_truth::{Cause, Verdict};

/// Runs the command.
pub(crate) fn run(args: &VacuityArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let work = {
        let (args, job) = (args.clone(), run.clone());
        move || {
            if is_gcl(&args.file) {
                return gcl::survey(&job, &args);
            }
            if args.states.is_some() {
                return Err(Failure::Usage(STATES_ELSEWHERE.to_owned()));
            }
            if !is_smv(&args.file) {
                args.diagrams.refuse()?;
                let answers = explicit::survey(&job, &args)?;
                return Ok(Surveyed { answers, messages: Vec::new(), open: Cause::Imprecise });
            }
            if args.reading.modal {
                return Err(Failure::Usage(MODAL_MODEL.to_owned()));
            }
            survey(&job, &args)
        }
    };
    match supervise(&run.context, work) {
        Ended::Done(Ok(surveyed)) => answered(args, &run, surveyed),
        Ended::Done(Err(Failure::Stopped(reason))) | Ended::Overdue(reason) => {
            answered(args, &run, stopped(args, reason.into()))
        }
        Ended::Done(Err(failure)) => failed(args, &run, &failure),
        Ended::Panicked => {
            conclude(args, &run, Status::Internal, vec![Message::error("an internal error ended the run")])
        }
    }
}

/// Nothing was found out about any property.
fn stopped(args: &VacuityArgs, cause: Cause) -> Surveyed {
    let all = args.properties.is_empty().then(|| "all specifications".to_owned());
    let asked = args.properties.iter().cloned().chain(all);
    let answers = asked.map(|property| unanswered(property.clone(), property, cause)).collect();
    Surveyed { answers, messages: Vec::new(), open: cause }
}

fn answered(args: &VacuityArgs, run: &Run, surveyed: Surveyed) -> Status {
    let mut status = Status::True;
    let mut cause = None;
    for answered in &surveyed.answers {
        // A system can leave open whether a part matters though it decides the property.
        let (own, open) = match (answered.entry, answered.answer.extent) {
            (Entry::Error(error), _) => (error, None),
            (Entry::Verdict(Verdict::Unknown(open)), _) => (Status::Unknown, Some(open)),
            (Entry::Verdict(_), None) => (Status::Unknown, Some(surveyed.open)),
            (Entry::Verdict(_), Some("none")) => (Status::True, None),
            (Entry::Verdict(_), Some(_)) => (Status::False, None),
        };
        cause = cause.or(open);
        status = status.worst(own);
    }
    let result = match status {
        Status::False => "false(vacuous)".to_owned(),
        status => result_word(status, cause),
    };
    if args.json {
        let (file, method) = (args.file.display().to_string(), args.method.word());
        let results = surveyed.answers.into_iter().map(|answered| answered.answer).collect();
        let report = VacuityReport::new(file, method, results, surveyed.messages, result, status.code());
        print_json(&run.output, &report);
        return status;
    }
    surveyed.answers.iter().for_each(|answered| run.output.result(&answered.text));
    run.output.result(&format!("RESULT: {result}\n"));
    status
}

fn failed(args: &VacuityArgs, run: &Run, failure: &Failure) -> Status {
    failure.tell(&run.output);
    conclude(args, run, failure.status(), failure.messages())
}

fn conclude(args: &VacuityArgs, run: &Run, status: Status, messages: Vec<Message>) -> Status {
    let result = result_word(status, None);
    if args.json {
        let (file, method) = (args.file.display().to_string(), args.method.word());
        let report = VacuityReport::new(file, method, Vec::new(), messages, result, status.code());
        print_json(&run.output, &report);
    } else if status != Status::Usage {
        run.output.result(&format!("RESULT: {result}\n"));
    }
    status
}
