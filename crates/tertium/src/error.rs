//! Why there is no answer. Running out of time is no such reason: that is an answer, unknown with its cause.

use std::fmt;
use tertium_report::{Message, cause_text};
use tertium_support::render;
use tertium_truth::Cause;
use tertium_verify::Halt;

/// Why there is no answer.
///
/// ```
/// use tertium::{Error, Model};
///
/// let wrong = Model::read("broken.pts", "system broken : kmts;\nstate s").unwrap_err();
/// let Error::Faulty { messages, .. } = &wrong else { panic!("a text is wrong") };
/// assert_eq!(messages[0].line, Some(2));
/// // As text, with the line that is meant.
/// assert!(wrong.to_string().contains("broken.pts:2"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    File {
        /// Its name.
        name: String,
        /// What the system says.
        why: String,
    },
    /// A text is wrong.
    Faulty {
        /// What is wrong, and where.
        messages: Vec<Message>,
        /// All of it, with the lines that are meant.
        text: String,
    },
    /// It cannot be done with this model, or with these options; a sentence says why.
    Refused(String),
    /// A limit was reached where there is no verdict that could say so, such as while reading.
    Stopped(Cause),
    /// We made a mistake; a sentence says which.
    Bug(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, why } => write!(f, "cannot read {name}: {why}"),
            Self::Faulty { text, .. } => f.write_str(text.trim_end()),
            Self::Refused(why) => f.write_str(why),
            Self::Stopped(cause) => write!(f, "{} ({})", cause_text(*cause), cause.code()),
            Self::Bug(what) => write!(f, "a bug in Tertium: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Halt> for Error {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(reason) => Self::Stopped(reason.into()),
            Halt::Faulty(source, complaints) => Self::Faulty {
                messages: complaints.iter().map(|complaint| Message::located(&source, complaint)).collect(),
                text: render(&source, &complaints, false),
            },
            Halt::Usage(why) | Halt::Refused(why) => Self::Refused(why),
            Halt::Bug(what) => Self::Bug(what),
        }
    }
}
