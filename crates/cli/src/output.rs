//! Everything that is printed passes here: results to standard output, messages to standard error.
//!
//! A worker prints nothing: it sends frames to its supervisor. The supervisor prints results in a thread of its own, so
//! that a slow reader (a pager) keeps nobody from looking at limits and signals; it waits for the reader at the end. A
//! reader that goes away (`tertium … | head`) is no mistake: what comes after is dropped in silence, and the run ends
//! with the status it would have had.

use crate::answers::Event;
use crate::exit::Status;
use crate::supervise::leave;
use crate::terminal::Terminal;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;
use tertium_report::{fit, paint};
use tertium_supervise::{Frame, Writing};
use tertium_support::{Cancel, Diagnostic, Source, plain, render};

/// Where everything goes that is printed.
#[derive(Debug)]
pub(crate) struct Output {
    terminal: Terminal,
    way: Way,
    /// Raised by signals.
    interrupted: Cancel,
    /// A file that was asked for could not be written, and nobody else could count that.
    is_lost: AtomicBool,
    /// The user types commands, and a line about progress would be in the way.
    converses: AtomicBool,
}

#[derive(Debug)]
enum Way {
    /// To the two streams of this process.
    Streams { results: Option<Sender<Vec<u8>>>, printed: Arc<Printed> },
    /// To the supervisor, one frame at a time.
    Supervisor(Mutex<()>),
}

/// How far the results are printed.
#[derive(Debug, Default)]
struct Printed {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// So many texts wait to be printed.
    n_waiting: usize,
    /// The reader of standard output went away.
    closed: bool,
    /// Why standard output could not be written, for another reason.
    failure: Option<String>,
}

/// How often whoever waits for the reader looks whether to go on.
const LOOK: Duration = Duration::from_millis(20);
/// So often it looks after a signal.
const LOOKS_AFTER_SIGNAL: u32 = 15;
/// The stack of the thread that prints.
const STACK: usize = 256 << 10;

impl Output {
    /// The streams of this process.
    pub(crate) fn to_streams(terminal: Terminal) -> Self {
        let printed = Arc::new(Printed::default());
        let (results, waiting) = channel();
        let own = Arc::clone(&printed);
        let thread = Builder::new().name("print".to_owned()).stack_size(STACK);
        // Where there is no room for one more thread, this one prints.
        let results = thread.spawn(move || own.print_all(&waiting)).is_ok().then_some(results);
        Self::new(terminal, Way::Streams { results, printed })
    }

    /// Frames for the supervisor, on standard output.
    pub(crate) fn to_supervisor(terminal: Terminal) -> Self {
        Self::new(terminal, Way::Supervisor(Mutex::new(())))
    }

    fn new(terminal: Terminal, way: Way) -> Self {
        Self {
            terminal,
            way,
            interrupted: Cancel::default(),
            is_lost: AtomicBool::new(false),
            converses: AtomicBool::new(false),
        }
    }

    /// What signals raise.
    pub(crate) fn interrupted(&self) -> &Cancel {
        &self.interrupted
    }

    /// Notes that a file was not written.
    pub(crate) fn lose(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }

    /// Whether a file was not written.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// From now on the user types commands.
    pub(crate) fn converse(&self) {
        self.converses.store(true, Ordering::Relaxed);
        self.progress(String::new());
    }

    /// Whether the user talks with the command, and sees by that what is being done.
    pub(crate) fn converses(&self) -> bool {
        self.converses.load(Ordering::Relaxed)
    }

    /// Whether this process is a worker.
    pub(crate) fn is_to_supervisor(&self) -> bool {
        matches!(self.way, Way::Supervisor(_))
    }

    /// What the terminal of the user is like.
    pub(crate) fn terminal(&self) -> Terminal {
        self.terminal
    }

    /// Prints a text for people to standard output: no line is wider than the terminal, and verdicts are in colour there.
    pub(crate) fn result(&self, text: &str) {
        let text = text.split('\n').map(plain).collect::<Vec<_>>().join("\n");
        let text = fit(&text, self.terminal.width);
        let text = if self.terminal.results_in_colour { paint(&text) } else { text };
        self.result_bytes(text.into_bytes());
    }

    /// Lets `write` print to standard output: all of it or, should it fail, nothing.
    pub(crate) fn stream(&self, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) {
        let mut text = Vec::new();
        match write(&mut text) {
            Ok(()) => self.result_bytes(text),
            Err(error) => self.message(&format!("error: cannot print the result: {error}\n")),
        }
    }

    /// Prints bytes to standard output.
    pub(crate) fn result_bytes(&self, text: Vec<u8>) {
        match &self.way {
            Way::Supervisor(_) => self.say(&Frame::Result(text)),
            Way::Streams { results, printed } => {
                printed.lock().n_waiting += 1;
                let left = match results {
                    Some(results) => results.send(text).err().map(|unsent| unsent.0),
                    None => Some(text),
                };
                if let Some(text) = left {
                    printed.print(&text);
                }
            }
        }
    }

    /// Prints a message to standard error. If even that fails there is nobody left to tell.
    pub(crate) fn message(&self, text: &str) {
        self.message_bytes(text.as_bytes().to_vec());
    }

    /// Prints bytes to standard error.
    pub(crate) fn message_bytes(&self, text: Vec<u8>) {
        match &self.way {
            Way::Supervisor(_) => self.say(&Frame::Message(text)),
            Way::Streams { .. } => {
                let mut out = io::stderr().lock();
                let _ = out.write_all(&text).and_then(|()| out.flush());
            }
        }
    }

    /// Prints complaints about an input to standard error, in colour on a terminal.
    pub(crate) fn complaints(&self, source: &Source, complaints: &[Diagnostic]) {
        self.message(&render(source, complaints, self.terminal.messages_in_colour));
    }

    /// Tells the supervisor what happened to the questions.
    pub(crate) fn event(&self, event: &Event) {
        self.say(&Frame::Event(serde_json::to_vec(event).expect("keys are texts")));
    }

    /// Tells the supervisor what is being done.
    pub(crate) fn progress(&self, text: String) {
        self.say(&Frame::Progress(text));
    }

    /// Tells the supervisor which file is being written.
    pub(crate) fn writing(&self, writing: Option<Writing>) {
        self.say(&writing.map_or(Frame::Written, Frame::Writing));
    }

    /// Tells the supervisor that the command is done.
    pub(crate) fn ended(&self, status: Status) {
        self.say(&Frame::Ended(status.code()));
    }

    /// A supervisor has nobody to tell. A worker whose supervisor is gone has none either, and ends.
    fn say(&self, frame: &Frame) {
        let Way::Supervisor(turn) = &self.way else { return };
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if frame.write(&mut io::stdout().lock()).is_err() {
            leave(Status::Internal.code());
        }
    }

    /// Waits until all is printed, however slow the reader is, unless signals say otherwise.
    pub(crate) fn wait_for_reader(&self) {
        let Way::Streams { printed, .. } = &self.way else { return };
        let mut state = printed.lock();
        let mut looks_left = LOOKS_AFTER_SIGNAL;
        while state.n_waiting > 0 && looks_left > 0 {
            looks_left -= u32::from(self.interrupted.is_cancelled());
            let waited = printed.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Why standard output could not be written, if something else happened than that its reader went away.
    pub(crate) fn failure(&self) -> Option<String> {
        match &self.way {
            Way::Streams { printed, .. } => printed.lock().failure.clone(),
            Way::Supervisor(_) => None,
        }
    }
}

impl Printed {
    fn print_all(&self, waiting: &Receiver<Vec<u8>>) {
        while let Ok(text) = waiting.recv() {
            self.print(&text);
        }
    }

    fn print(&self, text: &[u8]) {
        let is_over = { self.lock().is_over() };
        let written = if is_over {
            Ok(())
        } else {
            let mut out = io::stdout().lock();
            out.write_all(text).and_then(|()| out.flush())
        };
        let mut state = self.lock();
        state.n_waiting -= 1;
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => state.closed = true,
            Err(error) => state.failure = Some(error.to_string()),
        }
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_over(&self) -> bool {
        self.closed || self.failure.is_some()
    }
}
