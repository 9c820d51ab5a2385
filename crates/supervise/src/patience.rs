//! Work that may block for as long as it likes, such as writing to a pipe that nobody reads, without holding up a run whose time is over.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tertium_support::{Context, StopReason};

/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// So often after one was reached: what is nearly done may end.
const LOOKS_AFTER_LIMIT: u32 = 20;
/// The stack of the thread that does the work.
const STACK: usize = 256 << 10;

/// Why there is no result.
#[derive(Debug)]
pub enum Impatience {
    /// There is no room for a thread.
    NoThread(io::Error),
    /// A limit was reached, or a signal came.
    Stopped(StopReason),
}

/// Does the work in a thread of its own, and waits for it until soon after a limit is reached. Then nobody waits any more; the process
/// ends sooner or later and takes the thread with it.
pub fn patiently<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Impatience> {
    let (sender, receiver) = channel();
    let thread = std::thread::Builder::new().name("patient".to_owned()).stack_size(STACK);
    thread.spawn(move || sender.send(work())).map_err(Impatience::NoThread)?;
    let mut looks_left = LOOKS_AFTER_LIMIT;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) if looks_left > 0 => {
                looks_left -= u32::from(context.poll().is_err());
            }
            Err(_) => {
                let reason = context.poll().err().unwrap_or(StopReason::Interrupted);
                return Err(Impatience::Stopped(reason));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::{Cancel, Limits};

    #[test]
    fn work_that_ends_is_waited_for_and_other_work_is_left_when_the_time_is_over() {
        assert_eq!(patiently(&Context::default(), || 7).expect("it ends"), 7);
        let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
        let (sender, receiver) = channel::<()>();
        let left = patiently(&Context::new(limits, Cancel::default()), move || receiver.recv());
        assert!(matches!(left, Err(Impatience::Stopped(StopReason::TimeLimit))), "{left:?}");
        drop(sender);
    }
}
