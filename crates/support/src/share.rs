//! A share of a run: how long one part of it may take, and how much work it may do before it has to wait.
//!
//! A scheduler gives each attempt a share and hands out work in rounds. An attempt that has used up what it was granted
//! waits inside [`Share::spend`] until it is granted more or the share is closed. Who runs when is thus decided by work
//! alone, not by the clock: the same grants give the same pauses in every run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A share; clones are the same one.
#[derive(Clone, Debug)]
pub struct Share(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Microseconds since the start of the run; `u64::MAX` for none.
    deadline: AtomicU64,
    ledger: Mutex<Ledger>,
    changed: Condvar,
}

#[derive(Debug)]
struct Ledger {
    spent: u64,
    granted: u64,
    /// How much may be spent at all.
    limit: u64,
    state: State,
}

/// What whoever works on a share is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Working,
    /// It used up what it was granted.
    Waiting,
    /// It has nothing to do.
    Idle,
    /// Nobody waits any more: the share was closed.
    Closed,
}

impl Default for Share {
    fn default() -> Self {
        let ledger = Ledger { spent: 0, granted: u64::MAX, limit: u64::MAX, state: State::Working };
        let deadline = AtomicU64::new(u64::MAX);
        Self(Arc::new(Inner { deadline, ledger: Mutex::new(ledger), changed: Condvar::new() }))
    }
}

impl Share {
    /// Lets the share last until this time after the start of the run, or as long as the run.
    pub fn last_until(&self, deadline: Option<Duration>) {
        let micros = deadline.map_or(u64::MAX, |time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        self.0.deadline.store(micros, Ordering::Relaxed);
    }

    /// Whether the time of the share is over, so many microseconds after the start of the run.
    pub(crate) fn is_over(&self, now: u64) -> bool {
        now >= self.0.deadline.load(Ordering::Relaxed)
    }

    /// Notes work that was done; waits if that was all that was granted.
    pub fn spend(&self, work: u64) {
        let mut ledger = self.lock();
        ledger.spent = ledger.spent.saturating_add(work);
        while ledger.spent >= ledger.granted && ledger.state != State::Closed {
            ledger.state = State::Waiting;
            self.0.changed.notify_all();
            ledger = self.0.changed.wait(ledger).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets so much work be done from here on, and no more.
    pub fn limit_work(&self, work: Option<u64>) {
        let mut ledger = self.lock();
        ledger.limit = work.map_or(u64::MAX, |work| ledger.spent.saturating_add(work));
    }

    /// Whether all was done that may be.
    pub fn is_used_up(&self) -> bool {
        let ledger = self.lock();
        ledger.spent >= ledger.limit
    }

    /// How much work was done so far.
    pub fn spent(&self) -> u64 {
        self.lock().spent
    }

    /// Grants so much work beyond what was done so far, and lets whoever waits go on.
    pub fn grant(&self, work: u64) {
        let mut ledger = self.lock();
        ledger.granted = ledger.spent.saturating_add(work);
        if ledger.state != State::Closed {
            ledger.state = State::Working;
        }
        self.0.changed.notify_all();
    }

    /// Says that there is nothing left to do for now.
    pub fn rest(&self) {
        let mut ledger = self.lock();
        if ledger.state != State::Closed {
            ledger.state = State::Idle;
        }
        self.0.changed.notify_all();
    }

    /// Lets nobody wait any more.
    pub fn close(&self) {
        self.lock().state = State::Closed;
        self.0.changed.notify_all();
    }

    /// Waits until whoever works on the share waits or rests, or `patience` is over. Whether it does.
    pub fn pause(&self, patience: Duration) -> bool {
        let ledger = self.lock();
        let working = |ledger: &mut Ledger| ledger.state == State::Working;
        let waited = self.0.changed.wait_timeout_while(ledger, patience, working);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// A panic of a holder leaves numbers that are still true.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.0.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_where_the_grant_ends_and_goes_on_with_the_next() {
        let share = Share::default();
        share.grant(10);
        let worker = share.clone();
        let thread = std::thread::spawn(move || {
            for _ in 0..5 {
                worker.spend(4);
            }
            worker.rest();
        });
        let patience = Duration::from_secs(60);
        assert!(share.pause(patience));
        assert_eq!(share.spent(), 12);
        share.grant(5);
        assert!(share.pause(patience));
        assert_eq!(share.spent(), 20);
        share.close();
        thread.join().expect("the worker ends");
    }

    #[test]
    fn a_share_is_over_at_its_deadline() {
        let share = Share::default();
        assert!(!share.is_over(u64::MAX - 1));
        share.last_until(Some(Duration::from_micros(5)));
        assert!(share.is_over(5) && !share.is_over(4));
    }
}
