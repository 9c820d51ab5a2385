//! Everything that is printed passes here: results to standard output, messages to standard error.
//!
//! A reader that goes away (`tertium … | head`) is no mistake: what comes after is dropped in silence, and the run
//! ends with the status it would have had.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use tertium_support::{Diagnostic, Source, render};

/// The two streams of a process.
#[derive(Debug, Default)]
pub(crate) struct Output {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The reader of standard output went away.
    closed: bool,
    /// Why standard output could not be written, for another reason.
    failure: Option<String>,
}

impl Output {
    /// Prints a text to standard output.
    pub(crate) fn result(&self, text: &str) {
        self.stream(|out| out.write_all(text.as_bytes()));
    }

    /// Lets `write` print to standard output, buffered.
    pub(crate) fn stream(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if state.closed || state.failure.is_some() {
            return;
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => state.closed = true,
            Err(error) => state.failure = Some(error.to_string()),
        }
        // What a failed write left in the buffer would be tried again when the buffer goes.
        drop(out.into_parts());
    }

    /// Why standard output could not be written, if something else happened than that its reader went away.
    pub(crate) fn failure(&self) -> Option<String> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).failure.clone()
    }

    /// Prints a message to standard error. If even that fails there is nobody left to tell.
    pub(crate) fn message(&self, text: &str) {
        let mut out = io::stderr().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// Prints complaints about an input to standard error, in colour on a terminal.
    pub(crate) fn complaints(&self, source: &Source, complaints: &[Diagnostic]) {
        self.message(&render(source, complaints, colours()));
    }
}

/// Whether messages are coloured: on a terminal, unless `NO_COLOR` says otherwise.
pub(crate) fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
