//! Running a command under limits: the work in a process of its own, watched from this one.
//!
//! The program that the user starts is the supervisor. It starts itself once more, as the worker, with the same
//! arguments, and both come to [`supervise`]. In the worker it does the work, and what the command prints goes to the
//! supervisor. In the supervisor it watches ([`crate::watch`]): if the worker comes to its end, all is printed. If a
//! limit has to be enforced or the worker breaks down, the supervisor tells what is known.
//!
//! Work that looks at its context ends by itself when a limit is reached or the user interrupts, and says more than the
//! supervisor could. A process of its own is for work that cannot look: a failed allocation ends a process, and so does
//! a stack that is used up.

use crate::answers::Event;
use crate::exit::Status;
use crate::progress::describe;
use crate::run::Run;
use crate::watch::watch;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tertium_supervise::NO_ROOM;
use tertium_support::StopReason;

/// How often a worker says what it is doing.
const SAY: Duration = Duration::from_millis(200);
/// Formulas and texts nest: the work gets far more stack than parsers allow nesting for.
const STACK: usize = 64 << 20;

/// How work ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended<T> {
    /// With a result.
    Done(T),
    /// In the worker, which told everything. This is its status.
    Elsewhere(Status),
    /// By a bug. The message was printed.
    Panicked,
    /// It was ended, since this limit was reached.
    Overdue(StopReason),
}

/// Does `work`, or watches the worker that does it. A supervisor hears what the worker says about its questions.
pub(crate) fn supervise<T: Send + 'static>(
    run: &Run,
    work: impl FnOnce() -> T + Send + 'static,
    hear: impl FnMut(Event),
) -> Ended<T> {
    if !run.output.is_to_supervisor() {
        return watch(run, hear);
    }
    let (sender, receiver) = mpsc::channel();
    let guarded = move || {
        // What a broken run leaves behind is not looked at again, except for answers that were already given.
        let result = catch_unwind(AssertUnwindSafe(work));
        let _ = sender.send(result);
    };
    let worker = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
    if worker.spawn(guarded).is_err() {
        leave(NO_ROOM);
    }
    loop {
        match receiver.recv_timeout(SAY) {
            Ok(Ok(result)) => return Ended::Done(result),
            // The message was printed; what is known is told by the supervisor.
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                leave(Status::Internal.code());
            }
            Err(RecvTimeoutError::Timeout) if run.output.converses() => {}
            Err(RecvTimeoutError::Timeout) => run.output.progress(describe(&run.context)),
        }
    }
}

/// Ends a worker that can say nothing more.
pub(crate) fn leave(status: u8) -> ! {
    std::process::exit(status.into())
}
