//! The supervisor: starts the worker, prints what it says, and ends it where a limit does not hold otherwise.
//!
//! A worker that has not come back [`GRACE`] after it should have is ended. So is one whose memory goes [`beyond`] the
//! limit: it looks at its memory by itself, but not while it makes one large thing. Whatever ends the worker, all that it
//! said before counts, to the last whole frame.

use crate::answers::Event;
use crate::exit::Status;
use crate::failure::{Failure, bug_text};
use crate::frame::{Frame, Writing};
use crate::progress::Spinner;
use crate::run::Run;
use crate::supervise::Ended;
use std::io::{self, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;
use tertium_support::{StopReason, memory_of_process};
use tertium_truth::Cause;

/// How long a worker may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1200);
/// How often the supervisor looks at memory, clock and signals.
const LOOK: Duration = Duration::from_millis(4);
/// How long hearing the last words of a worker that was ended may take.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// So much of what a worker writes to its standard error is kept. It writes there only as it breaks down.
const MOST_KEPT: usize = 8 << 10;
/// The stack of a thread that reads a pipe.
const STACK: usize = 256 << 10;
/// The exit status of a worker that has no room to begin.
pub(crate) const NO_ROOM: i32 = 12;

/// What the allocators of Rust and C++ say when there is no memory, and what Rust says of a solver that throws for lack of it.
const SAID_WITHOUT_MEMORY: [&str; 4] =
    ["memory allocation of", "bad_alloc", "out of memory", "cannot catch foreign exceptions"];

/// Starts a worker and watches it to its end. What it says about the questions of the run is heard by `hear`.
pub(crate) fn watch<T>(run: &Run, mut hear: impl FnMut(Event)) -> Ended<T> {
    let mut worker = match Worker::start(run) {
        Ok(worker) => worker,
        Err(error) => {
            run.output.message(&format!("error: cannot start a process for the work: {error}\n"));
            return Ended::Overdue(StopReason::MemoryLimit);
        }
    };
    let mut watch = Watch {
        run,
        hear: &mut hear,
        spinner: Spinner::new(),
        doing: String::new(),
        unfinished: None,
        has_printed: false,
    };
    let end = watch.listen(&mut worker);
    let Watch { unfinished, has_printed, .. } = watch;
    match end {
        End::Said(status) => Ended::Elsewhere(status),
        End::Broken(how) => {
            if let Some(how) = how {
                run.output.message(&bug_text(&how));
            }
            if has_printed { Ended::Elsewhere(Status::Internal) } else { Ended::Panicked }
        }
        End::Stopped(reason) => {
            if let Some(writing) = unfinished {
                give_up_file(run, &writing, reason);
                hear(Event::Worse(Status::Input));
            }
            if !has_printed {
                return Ended::Overdue(reason);
            }
            // What is known is partly printed already.
            let failure = Failure::Stopped(reason);
            failure.tell(&run.output);
            Ended::Elsewhere(failure.status())
        }
    }
}

/// How a worker ended.
enum End {
    /// By itself, with this status.
    Said(Status),
    /// It broke down; how, unless it has said so.
    Broken(Option<String>),
    /// It had to be ended for this reason, or has no memory left.
    Stopped(StopReason),
}

/// A supervisor at work.
struct Watch<'w> {
    run: &'w Run,
    hear: &'w mut dyn FnMut(Event),
    spinner: Spinner,
    /// What the worker said that it is doing.
    doing: String,
    /// The file that it is writing.
    unfinished: Option<Writing>,
    /// Whether it printed results that are not answers to questions.
    has_printed: bool,
}

impl Watch<'_> {
    fn listen(&mut self, worker: &mut Worker) -> End {
        let context = &self.run.context;
        let mut stopping: Option<(StopReason, Duration)> = None;
        let mut looked = Duration::ZERO;
        loop {
            match worker.frames.recv_timeout(LOOK) {
                Ok(frame) => {
                    if let Some(status) = self.obey(frame) {
                        worker.end();
                        return End::Said(status);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return worker.breakdown(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = context.elapsed();
            if now < looked + LOOK {
                continue;
            }
            looked = now;
            self.spinner.show(context, &self.doing);
            if context.limits().memory.is_some_and(|limit| worker.memory() > beyond(limit)) {
                return self.stop(worker, StopReason::MemoryLimit);
            }
            match (context.poll(), stopping) {
                (Err(reason), None) => {
                    stopping = Some((reason, now));
                    if reason == StopReason::Interrupted {
                        worker.interrupt();
                    }
                }
                (_, Some((reason, since))) if now > since + GRACE => return self.stop(worker, reason),
                _ => {}
            }
        }
    }

    /// Ends the worker, and hears what it said before.
    fn stop(&mut self, worker: &mut Worker, reason: StopReason) -> End {
        worker.end();
        let until = self.run.context.elapsed() + LAST_WORDS;
        while let Ok(frame) = worker.frames.recv_timeout(LOOK) {
            if let Some(status) = self.obey(frame) {
                return End::Said(status);
            }
            if self.run.context.elapsed() > until {
                break;
            }
        }
        End::Stopped(reason)
    }

    /// Does what a frame says. The status, if it is the last one.
    fn obey(&mut self, frame: Frame) -> Option<Status> {
        if !matches!(frame, Frame::Progress(_)) {
            self.spinner.hide();
        }
        match frame {
            Frame::Result(text) => {
                self.has_printed = true;
                self.run.output.result_bytes(text);
            }
            Frame::Message(text) => self.run.output.message_bytes(text),
            Frame::Event(event) => (self.hear)(*event),
            Frame::Progress(doing) => self.doing = doing,
            Frame::Writing(writing) => self.unfinished = Some(writing),
            Frame::Written => self.unfinished = None,
            Frame::Ended(status) => return Some(status),
        }
        None
    }
}

/// The memory at which a worker is ended that does not stop by itself. Between two looks it can take some megabytes more.
fn beyond(limit: u64) -> u64 {
    limit.saturating_add((limit / 8).max(12 << 20))
}

/// Says that a file was not written, and removes what there is of it.
fn give_up_file(run: &Run, writing: &Writing, reason: StopReason) {
    if let Some(part) = &writing.part {
        // It may be gone already, or never have been made.
        let _ = std::fs::remove_file(part);
    }
    let why = tertium_report::cause_text(Cause::from(reason));
    run.output
        .message(&format!("error: cannot write {}: {why} before it was done\n", writing.target.display()));
    run.output.lose();
}

/// The process that does the work.
struct Worker {
    child: Child,
    frames: Receiver<Frame>,
    /// What it writes to its standard error.
    complaints: Option<JoinHandle<String>>,
}

impl Worker {
    /// The same program with the same arguments.
    fn start(run: &Run) -> io::Result<Self> {
        let (variable, terminal) = run.output.terminal().for_worker();
        let mut child = Command::new(std::env::current_exe()?)
            .args(std::env::args_os().skip(1))
            .env(variable, terminal)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdout.take(), child.stderr.take());
        let (Some(said), Some(complained)) = pipes else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let (sender, frames) = mpsc::channel();
        let mut said = BufReader::new(said);
        let thread = |name: &str| Builder::new().name(name.to_owned()).stack_size(STACK);
        let listening = thread("listen").spawn(move || {
            while let Ok(frame) = Frame::read(&mut said) {
                if sender.send(frame).is_err() {
                    return;
                }
            }
        });
        let complaints = listening.and_then(|_| thread("complaints").spawn(move || last_words(complained)));
        match complaints {
            Ok(complaints) => Ok(Self { child, frames, complaints: Some(complaints) }),
            Err(error) => {
                let _ = child.kill();
                Err(error)
            }
        }
    }

    /// The resident memory of both processes.
    fn memory(&self) -> u64 {
        let of = |id| memory_of_process(id).unwrap_or(0);
        of(self.child.id()) + of(std::process::id())
    }

    /// Lets the worker know that it should stop.
    fn interrupt(&self) {
        #[cfg(unix)]
        if let Ok(id) = self.child.id().try_into() {
            use nix::sys::signal::{Signal, kill};
            // It may have ended by itself.
            let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGTERM);
        }
    }

    /// Ends the worker at once.
    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Why a worker ended that did not say that it would.
    fn breakdown(&mut self) -> End {
        let status = self.child.wait();
        let said = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let code = status.as_ref().ok().and_then(std::process::ExitStatus::code);
        let without_memory = SAID_WITHOUT_MEMORY.iter().any(|words| said.contains(words));
        let died = code.is_none() && is_confined();
        if without_memory || died || code == Some(NO_ROOM) || status.as_ref().is_ok_and(was_killed) {
            return End::Stopped(StopReason::MemoryLimit);
        }
        if code == Some(Status::Internal.code().into()) {
            return End::Broken(None);
        }
        let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = if said.trim().is_empty() { String::new() } else { format!(": {}", said.trim()) };
        End::Broken(Some(format!("the process that did the work ended ({how}){said}")))
    }
}

/// Whether processes have less address space than the machine could give them. A solver without memory may die in any way then.
fn is_confined() -> bool {
    #[cfg(unix)]
    {
        use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
        getrlimit(Resource::RLIMIT_AS).is_ok_and(|(soft, _)| soft != RLIM_INFINITY)
    }
    #[cfg(not(unix))]
    false
}

/// Whether somebody killed a process. We do not, and the system does so for lack of memory.
fn was_killed(status: &std::process::ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(nix::sys::signal::Signal::SIGKILL as i32)
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

/// The last part of what is written to a pipe.
fn last_words(mut pipe: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut piece = [0; 1024];
    while let Ok(length @ 1..) = pipe.read(&mut piece) {
        kept.extend(&piece[..length]);
        let surplus = kept.len().saturating_sub(MOST_KEPT);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).into_owned()
}
