//! The process that does the work, as its supervisor sees it.

use crate::frame::Frame;
use crate::watch::End;
use std::io::{self, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{Builder, JoinHandle};
use tertium_support::{StopReason, memory_of_process};

/// So much of what a worker writes to its standard error is kept. It writes there only as it breaks down.
const MOST_KEPT: usize = 8 << 10;
/// The stack of a thread that reads a pipe.
const STACK: usize = 256 << 10;
/// The exit status of a worker that has no room to begin.
pub const NO_ROOM: u8 = 12;

/// What the allocators of Rust and C++ say when there is no memory, and what Rust says of a solver that throws for lack
/// of it.
const SAID_WITHOUT_MEMORY: [&str; 4] =
    ["memory allocation of", "bad_alloc", "out of memory", "cannot catch foreign exceptions"];

/// Lets this process end when its supervisor does, however that ends.
pub fn end_with_supervisor() {
    #[cfg(target_os = "linux")]
    {
        // Where the system does not know this, the next thing that is said ends the worker.
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    }
}

/// A worker that was started.
pub(crate) struct Worker {
    child: Child,
    /// What it says.
    pub(crate) frames: Receiver<Frame>,
    /// What it writes to its standard error.
    complaints: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts a process that says frames on its standard output.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
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
                // It has nobody to talk to, and ends by itself if this fails.
                let _ = child.kill();
                Err(error)
            }
        }
    }

    /// The resident memory of both processes.
    pub(crate) fn memory(&self) -> u64 {
        let of = |id| memory_of_process(id).unwrap_or(0);
        of(self.child.id()) + of(std::process::id())
    }

    /// Lets the worker know that it should stop.
    pub(crate) fn interrupt(&self) {
        #[cfg(unix)]
        if let Ok(id) = self.child.id().try_into() {
            use nix::sys::signal::{Signal, kill};
            // It may have ended by itself.
            let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGTERM);
        }
    }

    /// Ends the worker at once.
    pub(crate) fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Why a worker ended that did not say that it would. It exits with `broken` if it has told its user why.
    pub(crate) fn breakdown(&mut self, broken: u8) -> End {
        let status = self.child.wait();
        let said = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        let without_memory = SAID_WITHOUT_MEMORY.iter().any(|words| said.contains(words));
        let died = code.is_none() && is_confined();
        if without_memory || died || code == Some(NO_ROOM.into()) || status.as_ref().is_ok_and(was_killed) {
            return End::Stopped(StopReason::MemoryLimit);
        }
        if code == Some(broken.into()) {
            return End::Broken(None);
        }
        let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = if said.trim().is_empty() { String::new() } else { format!(": {}", said.trim()) };
        End::Broken(Some(format!("the process that did the work ended ({how}){said}")))
    }
}

/// Whether processes have less address space than the machine could give them. A solver without memory may die in any way
/// then.
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
fn was_killed(status: &ExitStatus) -> bool {
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
