//! `tertium vacuity`: which parts of properties do not matter for their verdict.
//!
//! The verdict says whether every part of every property matters.

use crate::args::VacuityArgs;
use crate::ask::Ask;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{PropertySource, shown};
use crate::output::Output;
use crate::run::Run;
use crate::settings::{detail, limits};
use crate::supervise::{Ended, supervise};
use crate::tell::{result_word, tell_last};
use crate::write::keep_apart;
use std::sync::Arc;
use tertium_evidence::PropertyName;
use tertium_report::{Message, VacuityAnswer, VacuityReport, vacuity_text};
use tertium_support::{Context, StopReason};
use tertium_truth::Verdict;
use tertium_verify::{PropertyVacuity, VacuityAnswers, VacuityOptions, check_vacuity};

/// Runs the command.
pub(crate) fn run(args: &VacuityArgs, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let work = {
        let (args, context) = (args.clone(), run.context.clone());
        move || ask(&args, &context)
    };
    match supervise(&run, work, |_| {}) {
        Ended::Elsewhere(status) => status,
        Ended::Done(Ok(answers)) => answered(args, &run, answers),
        Ended::Done(Err(Failure::Stopped(reason))) | Ended::Overdue(reason) => {
            answered(args, &run, stopped(args, reason))
        }
        Ended::Done(Err(failure)) => {
            failure.tell(&run.output);
            failed(args, &run, failure.status(), failure.messages())
        }
        Ended::Panicked => failed(args, &run, Status::Internal, vec![Message::panicked()]),
    }
}

fn ask(args: &VacuityArgs, context: &Context) -> Result<VacuityAnswers, Failure> {
    let formulas: Vec<_> = args.properties.iter().map(|property| PropertySource::new(property)).collect();
    let formulas = formulas.iter().filter_map(PropertySource::file);
    let inputs = [args.file.as_path()].into_iter().chain(args.diagrams.order.as_deref()).chain(formulas);
    keep_apart(&[("--output", args.result.output.as_deref())], inputs)?;
    let mut ask = Ask::new(context, &args.file, &args.reading)?;
    ask.give(context, &args.properties);
    ask.diagrams(context, &args.diagrams)?;
    ask.options.states = args.states;
    let (evidence, detail) = (!args.no_evidence, detail(args.full));
    let options = VacuityOptions { method: args.method, all: args.all, evidence, detail };
    Ok(check_vacuity(&ask.request(context), &options)?)
}

/// Nothing was found out about any property.
fn stopped(args: &VacuityArgs, reason: StopReason) -> VacuityAnswers {
    let all = args.properties.is_empty().then(|| "all specifications".to_owned());
    let asked = args.properties.iter().cloned().chain(all);
    let answer = |property: String| PropertyVacuity {
        answer: VacuityAnswer::stopped(&PropertyName::of_text(property), reason.into()),
        all_matter: Ok(Verdict::Unknown(reason.into())),
    };
    VacuityAnswers { answers: asked.map(answer).collect(), ..VacuityAnswers::default() }
}

fn answered(args: &VacuityArgs, run: &Run, found: VacuityAnswers) -> Status {
    let messages = notes(args, run, &found);
    let mut status = Status::True;
    let mut cause = None;
    let mut answers = Vec::new();
    for PropertyVacuity { mut answer, all_matter } in found.answers {
        match all_matter {
            Ok(verdict) => {
                if let (None, Verdict::Unknown(open)) = (cause, verdict) {
                    cause = Some(open);
                }
                status = status.worst(verdict.into());
            }
            Err(halt) => {
                let failure = Failure::from(halt);
                failure.tell(&run.output);
                answer.messages = failure.messages();
                status = status.worst(failure.status());
            }
        }
        answers.push(answer);
    }
    let result = match status {
        Status::False => "false(vacuous)".to_owned(),
        status => result_word(status, cause),
    };
    let text: String = answers.iter().map(|answer| vacuity_text(answer, args.all)).collect();
    conclude(args, run, status, answers, messages, &text, result)
}

/// Tells what is suspicious, passed over or left out; what of that belongs into a report is given back.
fn notes(args: &VacuityArgs, run: &Run, answers: &VacuityAnswers) -> Vec<Message> {
    let mut messages = Vec::new();
    for (source, warnings) in &answers.warnings {
        messages.extend(warnings.iter().map(|warning| Message::located(source, warning)));
        if args.result.is_text() {
            run.output.complaints(source, warnings);
        }
    }
    for note in &answers.notes {
        run.output.message(&format!("note: {note}\n"));
    }
    for note in &answers.left_out {
        messages.push(Message { severity: "warning", ..Message::error(note) });
        if args.result.is_text() {
            run.output.message(&format!("note: {}: {note}\n", shown(&args.file)));
        }
    }
    messages
}

fn failed(args: &VacuityArgs, run: &Run, status: Status, messages: Vec<Message>) -> Status {
    conclude(args, run, status, Vec::new(), messages, "", result_word(status, None))
}

fn conclude(
    args: &VacuityArgs,
    run: &Run,
    status: Status,
    answers: Vec<VacuityAnswer>,
    messages: Vec<Message>,
    text: &str,
    result: String,
) -> Status {
    let (file, method) = (shown(&args.file), args.method.word());
    let report = VacuityReport::new(file, method, answers, messages, result, status.code());
    tell_last(run, &args.result, &report, text, (status, &report.result))
}
