//! This program once more, as the process that does work aside.

use crate::filter::{Unfiltered, filter};
use std::path::PathBuf;
use tertium_support::{Aside, Context, StopReason};

/// This program, started with one argument: it reads a text from its standard input and writes the answer to its standard output.
#[derive(Clone, Debug)]
pub struct OwnProgram {
    command: Vec<String>,
}

impl OwnProgram {
    /// The program at this place, with this argument; nothing if the place has a name that is no text.
    pub fn with(program: PathBuf, argument: &str) -> Option<Self> {
        let program = program.into_os_string().into_string().ok()?;
        Some(Self { command: vec![program, argument.to_owned()] })
    }
}

impl Aside for OwnProgram {
    fn ask(&self, context: &Context, question: &str) -> Result<Option<String>, StopReason> {
        match filter(context, std::slice::from_ref(&self.command), question.as_bytes()) {
            Ok(answer) => Ok(String::from_utf8(answer).ok()),
            Err(Unfiltered::Stopped(reason)) => Err(reason),
            // It broke down, or there is no room for it.
            Err(Unfiltered::Missing | Unfiltered::Refused(_)) => Ok(None),
        }
    }
}
