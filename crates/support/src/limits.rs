//! Limits and cancellation: one [`Context`] travels first through every long-running call.
//!
//! Hitting a limit is not an error of the input and not a bug: it is a [`StopReason`], which the caller turns into
//! an unknown verdict with what is known so far. Loops call [`Ticker::tick`]; most ticks cost one addition, and only
//! every 2¹⁴ units of work are the clock, the flag and the memory looked at.

use crate::Share;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a run may use. `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
}

/// How much memory there is for a process on this machine, in bytes, if the system says so: the physical memory, or less
/// where the process is confined.
pub fn machine_memory() -> Option<u64> {
    let physical = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
    });
    let confined = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let confined = confined.and_then(|text| text.trim().parse::<u64>().ok());
    physical.into_iter().chain(confined).min()
}

/// Why a run stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The wall time was used up.
    TimeLimit,
    /// The memory was used up.
    MemoryLimit,
    /// As many nodes of decision diagrams as allowed were made.
    NodeLimit,
    /// The user asked for it.
    Interrupted,
}

/// A flag that asks a run to stop; clones share it. A flag of a branch is also up when that of the run is.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    own: Arc<AtomicBool>,
    run: Option<Arc<Cancel>>,
}

impl Cancel {
    /// Asks every holder of this flag to stop.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Whether someone asked.
    pub fn is_cancelled(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.run.as_ref().is_some_and(|run| run.is_cancelled())
    }
}

/// How far a run is, for whoever wants to show it; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressState>);

#[derive(Debug, Default)]
struct ProgressState {
    phase: Mutex<&'static str>,
    done: AtomicU64,
}

impl Progress {
    /// The current phase, and the units of work done in it.
    pub fn read(&self) -> (&'static str, u64) {
        (*self.0.phase.lock().expect("no holder panics"), self.0.done.load(Ordering::Relaxed))
    }

    fn enter(&self, phase: &'static str) {
        *self.0.phase.lock().expect("no holder panics") = phase;
        self.0.done.store(0, Ordering::Relaxed);
    }
}

/// Microseconds between two looks at the memory: little can be allocated in that time.
const BETWEEN_LOOKS: u64 = 5_000;
/// The memory was not yet looked at.
const NEVER: u64 = u64::MAX;

/// Limits, cancellation and progress of one run.
#[derive(Clone, Debug)]
pub struct Context {
    limits: Limits,
    started: Instant,
    cancel: Cancel,
    progress: Progress,
    /// What this part of the run may use.
    share: Option<Share>,
    /// When [`Context::poll`] last looked at the memory, in microseconds since the start; clones share it.
    looked: Arc<AtomicU64>,
}

impl Default for Context {
    fn default() -> Self {
        Self::new(Limits::default(), Cancel::default())
    }
}

impl Context {
    /// A run that starts now.
    pub fn new(limits: Limits, cancel: Cancel) -> Self {
        let looked = Arc::new(AtomicU64::new(NEVER));
        Self { limits, started: Instant::now(), cancel, progress: Progress::default(), share: None, looked }
    }

    /// A part of this run that can be stopped by itself, with what stops it. It has its own progress.
    pub fn branch(&self) -> (Self, Cancel) {
        let cancel = Cancel { own: Arc::default(), run: Some(Arc::new(self.cancel.clone())) };
        let context = Self { cancel: cancel.clone(), progress: Progress::default(), ..self.clone() };
        (context, cancel)
    }

    /// A part of this run with a share of its own, and with what stops it.
    pub fn share(&self) -> (Self, Share, Cancel) {
        let (mut context, cancel) = self.branch();
        let share = Share::default();
        context.share = Some(share.clone());
        (context, share, cancel)
    }

    /// The limits of this run.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time since the run started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The progress of this run.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Looks at the flag and the clock, now, and at the memory, unless that was just done: it means reading a file.
    pub fn poll(&self) -> Result<(), StopReason> {
        if self.cancel.is_cancelled() {
            return Err(StopReason::Interrupted);
        }
        let now = self.elapsed();
        if self.limits.time.is_some_and(|limit| now >= limit) {
            return Err(StopReason::TimeLimit);
        }
        let now = u64::try_from(now.as_micros()).unwrap_or(NEVER - 1);
        if self.share.as_ref().is_some_and(|share| share.is_over(now)) {
            return Err(StopReason::TimeLimit);
        }
        let last = self.looked.load(Ordering::Relaxed);
        if last != NEVER && now < last.saturating_add(BETWEEN_LOOKS) {
            return Ok(());
        }
        self.looked.store(now, Ordering::Relaxed);
        self.reserve(0)
    }

    /// Whether `bytes` more would still be inside the memory limit. Call it before a large allocation.
    pub fn reserve(&self, bytes: u64) -> Result<(), StopReason> {
        let Some(limit) = self.limits.memory else { return Ok(()) };
        match memory_stats::memory_stats() {
            Some(used) if (used.physical_mem as u64).saturating_add(bytes) > limit => {
                Err(StopReason::MemoryLimit)
            }
            _ => Ok(()),
        }
    }

    /// Starts a phase of the run.
    pub fn ticker(&self, phase: &'static str) -> Ticker<'_> {
        self.progress.enter(phase);
        Ticker { context: self, pending: 0 }
    }
}

/// Counts work inside one phase and looks at the limits now and then.
#[derive(Debug)]
pub struct Ticker<'a> {
    context: &'a Context,
    pending: u64,
}

impl Ticker<'_> {
    const BATCH: u64 = 1 << 14;

    /// Notes `work` units done.
    #[inline]
    pub fn tick(&mut self, work: usize) -> Result<(), StopReason> {
        self.pending += work as u64;
        if self.pending >= Self::BATCH { self.flush() } else { Ok(()) }
    }

    #[cold]
    fn flush(&mut self) -> Result<(), StopReason> {
        self.context.progress.0.done.fetch_add(self.pending, Ordering::Relaxed);
        if let Some(share) = &self.context.share {
            share.spend(self.pending);
        }
        self.pending = 0;
        self.context.poll()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_run_stops_at_the_next_batch() {
        let cancel = Cancel::default();
        let context = Context::new(Limits::default(), cancel.clone());
        let mut ticker = context.ticker("test");
        assert_eq!(ticker.tick(1 << 15), Ok(()));
        assert_eq!(context.progress().read(), ("test", 1 << 15));
        cancel.cancel();
        assert_eq!(ticker.tick(1), Ok(()));
        assert_eq!(ticker.tick(1 << 14), Err(StopReason::Interrupted));
    }

    #[test]
    fn a_branch_stops_alone_and_with_its_run() {
        let cancel = Cancel::default();
        let run = Context::new(Limits::default(), cancel.clone());
        let (first, stop) = run.branch();
        let (second, _) = run.branch();
        stop.cancel();
        assert_eq!(first.poll(), Err(StopReason::Interrupted));
        assert_eq!((run.poll(), second.poll()), (Ok(()), Ok(())));
        cancel.cancel();
        assert_eq!(second.poll(), Err(StopReason::Interrupted));
    }

    #[test]
    fn limits_of_nothing_are_reached_at_once() {
        let none = Limits { time: Some(Duration::ZERO), memory: None };
        assert_eq!(Context::new(none, Cancel::default()).poll(), Err(StopReason::TimeLimit));
        let none = Limits { time: None, memory: Some(1) };
        assert_eq!(Context::new(none, Cancel::default()).poll(), Err(StopReason::MemoryLimit));
    }
}
