//! The supervisor's loop: hears the worker, and ends it where a limit does not hold otherwise.
//!
//! A worker that has not come back [`GRACE`] after it should have is ended. So is one whose memory goes [`beyond`] the
//! limit: it looks at its memory by itself, but not while it makes one large thing. Whatever ends the worker, all that it
//! said before is heard, to the last whole frame.

use crate::frame::Frame;
use crate::worker::Worker;
use std::io;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use tertium_support::{Context, StopReason};

/// How long a worker may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1200);
/// How often the supervisor looks at memory, clock and signals.
const LOOK: Duration = Duration::from_millis(4);
/// How long hearing the last words of a worker that was ended may take.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How a worker ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit status.
    Said(u8),
    /// It broke down; how, unless it has said so.
    Broken(Option<String>),
    /// It had to be ended for this reason, or has no memory left.
    Stopped(StopReason),
}

/// Who hears a worker.
pub trait Listener {
    /// What it says; its last frame, [`Frame::Ended`], is not among it.
    fn hear(&mut self, frame: Frame);

    /// Time passes.
    fn wait(&mut self);
}

/// Starts a worker and watches it to its end, under the limits of `context`. A worker that breaks down exits with `broken` if it
/// has told its user why.
pub fn watch(
    context: &Context,
    command: &mut Command,
    broken: u8,
    listener: &mut dyn Listener,
) -> io::Result<End> {
    let mut worker = Worker::start(command)?;
    let mut stopping: Option<(StopReason, Duration)> = None;
    let mut looked = Duration::ZERO;
    loop {
        match worker.frames.recv_timeout(LOOK) {
            Ok(Frame::Ended(status)) => {
                worker.end();
                return Ok(End::Said(status));
            }
            Ok(frame) => listener.hear(frame),
            Err(RecvTimeoutError::Disconnected) => return Ok(worker.breakdown(broken)),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = context.elapsed();
        if now < looked + LOOK {
            continue;
        }
        looked = now;
        listener.wait();
        if context.limits().memory.is_some_and(|limit| worker.memory() > beyond(limit)) {
            return Ok(stop(context, &mut worker, StopReason::MemoryLimit, listener));
        }
        match (context.poll(), stopping) {
            (Err(reason), None) => {
                stopping = Some((reason, now));
                if reason == StopReason::Interrupted {
                    worker.interrupt();
                }
            }
            (_, Some((reason, since))) if now > since + GRACE => {
                return Ok(stop(context, &mut worker, reason, listener));
            }
            _ => {}
        }
    }
}

/// Ends the worker, and hears what it said before.
fn stop(context: &Context, worker: &mut Worker, reason: StopReason, listener: &mut dyn Listener) -> End {
    worker.end();
    let until = context.elapsed() + LAST_WORDS;
    while let Ok(frame) = worker.frames.recv_timeout(LOOK) {
        match frame {
            Frame::Ended(status) => return End::Said(status),
            frame => listener.hear(frame),
        }
        if context.elapsed() > until {
            break;
        }
    }
    End::Stopped(reason)
}

/// The memory at which a worker is ended that does not stop by itself. Between two looks it can take some megabytes more.
fn beyond(limit: u64) -> u64 {
    limit.saturating_add((limit / 8).max(12 << 20))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use tertium_support::{Cancel, Limits};

    #[derive(Default)]
    struct Heard(Vec<Frame>);

    impl Listener for Heard {
        fn hear(&mut self, frame: Frame) {
            self.0.push(frame);
        }

        fn wait(&mut self) {}
    }

    /// Watches a shell that does this, under this limit on time.
    fn shell(line: &str, time: Option<Duration>) -> (End, Vec<Frame>) {
        let context = Context::new(Limits { time, ..Limits::default() }, Cancel::default());
        let mut heard = Heard::default();
        let end = watch(&context, Command::new("sh").args(["-c", line]), 6, &mut heard);
        (end.expect("there is a shell"), heard.0)
    }

    /// A frame for standard output with the text `ok`, as `printf` writes it.
    const OK: &str = r"printf '\001\002\000\000\000\000\000\000\000ok'";

    #[test]
    fn what_was_said_counts_however_the_worker_ends() {
        let ok = vec![Frame::Result(b"ok".to_vec())];
        let ended = r"printf '\007\001\000\000\000\000\000\000\000\012'";
        assert_eq!(shell(&format!("{OK}; {ended}"), None), (End::Said(10), ok.clone()));
        assert_eq!(shell(&format!("{OK}; exit 6"), None), (End::Broken(None), ok.clone()));
        assert_eq!(
            shell(&format!("{OK}; exit 12"), None),
            (End::Stopped(StopReason::MemoryLimit), ok.clone())
        );
        let (end, heard) =
            shell(&format!("{OK}; echo memory allocation of 7 bytes failed >&2; exit 1"), None);
        assert_eq!((end, heard), (End::Stopped(StopReason::MemoryLimit), ok.clone()));
        let (end, heard) = shell(&format!("{OK}; echo what a pity >&2; exit 3"), None);
        assert!(matches!(end, End::Broken(Some(how)) if how.contains("what a pity")));
        assert_eq!(heard, ok);
    }

    #[test]
    fn a_worker_that_does_not_stop_is_ended() {
        let (end, heard) = shell(&format!("{OK}; exec sleep 60"), Some(Duration::from_millis(50)));
        assert_eq!(end, End::Stopped(StopReason::TimeLimit));
        assert_eq!(heard, vec![Frame::Result(b"ok".to_vec())]);
    }
}
