//! Why a command could not do what it was asked: the four kinds of failure, kept apart.

use crate::exit::Status;
use crate::output::Output;
use tertium_report::Message;
use tertium_support::{Diagnostics, Source, StopReason};
use tertium_truth::Cause;
use tertium_verify::Halt;

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that does not fit together.
    Usage(String),
    /// A file could not be read or written, or a system cannot be used this way.
    Input(String),
    /// The text of an input is wrong.
    Faulty(Box<Source>, Diagnostics),
    /// A limit was reached.
    Stopped(StopReason),
    /// A bug: evidence that does not stand up to its validator.
    Bug(String),
}

impl Failure {
    /// The status that this failure ends with.
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Usage(_) => Status::Usage,
            Failure::Input(_) | Failure::Faulty(..) => Status::Input,
            Failure::Stopped(_) => Status::Unknown,
            Failure::Bug(_) => Status::Internal,
        }
    }

    /// The limit that was reached, if it is one.
    pub(crate) fn cause(&self) -> Option<Cause> {
        if let Failure::Stopped(reason) = self { Some(Cause::from(*reason)) } else { None }
    }

    /// The failure as data for a report. A limit is no message: it becomes a verdict.
    pub(crate) fn messages(&self) -> Vec<Message> {
        match self {
            Failure::Stopped(_) => Vec::new(),
            Failure::Usage(text) | Failure::Input(text) => vec![Message::error(text)],
            Failure::Bug(what) => vec![Message::error(bug_text(what).trim_end())],
            Failure::Faulty(source, complaints) => {
                complaints.iter().map(|complaint| Message::located(source, complaint)).collect()
            }
        }
    }

    /// Tells the user.
    pub(crate) fn tell(&self, output: &Output) {
        match self {
            Failure::Usage(message) => {
                output.message(&format!("error: {message}\n\nFor more information, try '--help'.\n"));
            }
            Failure::Input(message) => output.message(&format!("error: {message}\n")),
            Failure::Faulty(source, complaints) => output.complaints(source, complaints),
            Failure::Stopped(reason) => {
                let cause = Cause::from(*reason);
                output.message(&format!(
                    "stopped: {}; see `tertium explain {}`\n",
                    tertium_report::cause_text(cause),
                    cause.code()
                ));
            }
            Failure::Bug(message) => output.message(&bug_text(message)),
        }
    }
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        Failure::Stopped(reason)
    }
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(reason) => Self::Stopped(reason),
            Halt::Faulty(source, complaints) => Self::Faulty(source, complaints),
            Halt::Usage(text) => Self::Usage(text),
            Halt::Refused(text) => Self::Input(text),
            Halt::Bug(text) => Self::Bug(text),
        }
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped(reason) => Self::Stopped(reason),
            Failure::Faulty(source, complaints) => Self::Faulty(source, complaints),
            Failure::Usage(text) => Self::Usage(text),
            Failure::Input(text) => Self::Refused(text),
            Failure::Bug(text) => Self::Bug(text),
        }
    }
}

/// What the user reads when we made a mistake.
pub(crate) fn bug_text(what: &str) -> String {
    format!(
        "internal error: {what}\n\
         This is a bug in Tertium {}, not in your input. Please report it with the command line and the input.\n",
        env!("CARGO_PKG_VERSION")
    )
}
