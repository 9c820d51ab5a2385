//! Running a command under limits: the work in a thread of its own, watched from the main one.
//!
//! Work that looks at its context ends by itself when a limit is reached or the user interrupts. Not every step can
//! look often; work that has not come back [`GRACE`] after it should have is left behind, and the run ends with what
//! is known so far. A panic in the work is caught here and becomes a value.

use crate::progress::Spinner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tertium_support::{Cancel, Context, StopReason};

/// How long work may take to notice that it should stop.
pub(crate) const GRACE: Duration = Duration::from_millis(1500);
/// How often the watcher looks.
const LOOK: Duration = Duration::from_millis(100);
/// Formulas and texts nest: the work gets far more stack than parsers allow nesting for.
pub(crate) const STACK: usize = 64 << 20;

/// How work ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended<T> {
    /// With a result.
    Done(T),
    /// By a panic: a bug. The message was printed.
    Panicked,
    /// It did not come back in time after this limit was reached.
    Overdue(StopReason),
}

/// Runs `work` in a thread and watches it.
pub(crate) fn supervise<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    let (sender, receiver) = mpsc::channel();
    let guarded = move || {
        // What a broken run leaves behind is not looked at again, except for answers that were already given.
        let result = catch_unwind(AssertUnwindSafe(work));
        let _ = sender.send(result);
    };
    let worker = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
    let _worker = worker.spawn(guarded).expect("the system can start one thread");
    let mut spinner = Spinner::new();
    let mut stopped: Option<(StopReason, Duration)> = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(Ok(result)) => return Ended::Done(result),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Ended::Panicked,
            Err(RecvTimeoutError::Timeout) => {}
        }
        spinner.show(context);
        match (context.poll(), stopped) {
            (Err(reason), None) => stopped = Some((reason, context.elapsed())),
            (_, Some((reason, since))) if context.elapsed() > since + GRACE => return Ended::Overdue(reason),
            _ => {}
        }
    }
}

/// Lets Ctrl-C and the signals that ask a process to end raise `cancel`; the second one ends the process at once.
pub(crate) fn cancel_on_signals(cancel: &Cancel) {
    let cancel = cancel.clone();
    // If there is no way to handle signals here, they end the process as they always did.
    let _ = ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(i32::from(crate::exit::Status::Unknown.code()));
        }
        cancel.cancel();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Limits;

    #[test]
    fn a_result_comes_back_and_a_panic_is_a_value() {
        let context = Context::default();
        assert_eq!(supervise(&context, || 7), Ended::Done(7));
        assert_eq!(supervise(&context, || -> u32 { panic!("a bug, on purpose") }), Ended::Panicked);
    }

    #[test]
    fn work_that_never_looks_at_its_limits_is_left_behind() {
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let context = Context::new(limits, Cancel::default());
        let (_keep, forever) = mpsc::channel::<()>();
        let ended = supervise(&context, move || forever.recv().is_ok());
        assert_eq!(ended, Ended::Overdue(StopReason::TimeLimit));
    }
}
