//! Why a question has no answer.

use tertium_support::{Diagnostics, ReadError, Source, StopReason};

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Halt {
    /// A limit was reached. This becomes an unknown verdict.
    Stopped(StopReason),
    /// The text of an input is wrong, at these places.
    Faulty(Box<Source>, Diagnostics),
    /// The options do not fit together, or not with the input; a sentence says why.
    Usage(String),
    /// The input cannot be used this way; a sentence says why.
    Refused(String),
    /// We made a mistake; a sentence says which.
    Bug(String),
}

impl Halt {
    /// What is wrong with a text.
    pub fn faulty(source: &Source, complaints: Diagnostics) -> Self {
        Self::Faulty(Box::new(source.clone()), complaints)
    }

    /// Why a text was not read.
    pub fn unread(error: ReadError, source: &Source) -> Self {
        match error {
            ReadError::Stopped(reason) => Self::Stopped(reason),
            ReadError::Faulty(complaints) => Self::faulty(source, complaints),
        }
    }
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
