//! A yes-or-no question about systems: asked under limits, answered with a verdict line and a `RESULT` line, or as JSON.

use crate::exit::Status;
use crate::failure::Failure;
use crate::run::Run;
use crate::supervise::{Ended, supervise};
use crate::tell::{print_json, result_word};
use tertium_report::{Message, ModelEvidence, ModelReport, cause_text, next_step, plain_verdict_line};
use tertium_truth::{Cause, Verdict};

/// The question.
#[derive(Debug)]
pub(crate) struct YesNo {
    /// The command, for the report.
    pub(crate) command: &'static str,
    /// The statement that is true or false.
    pub(crate) text: String,
    /// The files, as given.
    pub(crate) files: Vec<String>,
    /// Whether to answer in JSON.
    pub(crate) json: bool,
}

/// The answer. Its evidence was validated.
#[derive(Debug)]
pub(crate) struct Reply {
    /// Whether the statement is true.
    pub(crate) holds: bool,
    /// The lines below the verdict line.
    pub(crate) text: String,
    /// The evidence as data.
    pub(crate) evidence: ModelEvidence,
}

/// Asks, and tells the user the answer.
pub(crate) fn ask(
    run: &Run,
    question: YesNo,
    work: impl FnOnce() -> Result<Reply, Failure> + Send + 'static,
) -> Status {
    match supervise(run, work, |_| {}) {
        Ended::Elsewhere(status) => status,
        Ended::Done(Ok(reply)) => question.answered(run, reply),
        Ended::Done(Err(Failure::Stopped(reason))) | Ended::Overdue(reason) => {
            question.stopped(run, reason.into())
        }
        Ended::Done(Err(failure)) => {
            failure.tell(&run.output);
            question.failed(run, failure.status(), failure.messages())
        }
        Ended::Panicked => question.failed(run, Status::Internal, vec![Message::panicked()]),
    }
}

impl YesNo {
    fn answered(self, run: &Run, reply: Reply) -> Status {
        let verdict = if reply.holds { Verdict::True } else { Verdict::False };
        let status = Status::from(verdict);
        if self.json {
            let mut report = ModelReport::new(self.command, self.files, verdict, status.code());
            report.evidence = Some(reply.evidence);
            report.validated = Some(true);
            print_json(&run.output, &report);
        } else {
            let line = plain_verdict_line(verdict, &self.text, "");
            run.output.result(&format!("{line}{}RESULT: {verdict}\n", reply.text));
        }
        status
    }

    fn stopped(self, run: &Run, cause: Cause) -> Status {
        let verdict = Verdict::Unknown(cause);
        let status = Status::from(verdict);
        if self.json {
            print_json(&run.output, &ModelReport::new(self.command, self.files, verdict, status.code()));
        } else {
            run.output.result(&format!(
                "{}  open: {}\n  next: {}; see `tertium explain {}`\nRESULT: {verdict}\n",
                plain_verdict_line(verdict, &self.text, ""),
                cause_text(cause),
                next_step(cause),
                cause.code()
            ));
        }
        status
    }

    fn failed(self, run: &Run, status: Status, messages: Vec<Message>) -> Status {
        let result = result_word(status, None);
        if self.json {
            let report = ModelReport::error(self.command, self.files, messages, result, status.code());
            print_json(&run.output, &report);
        } else if status != Status::Usage {
            run.output.result(&format!("RESULT: {result}\n"));
        }
        status
    }
}
