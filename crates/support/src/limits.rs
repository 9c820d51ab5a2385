//! Limits and cancellation: one [`Context`] travels first through every long-running call.
//!
//! Hitting a limit is not an error of the input and not a bug: it is a [`StopReason`], which the caller turns into
//! an unknown verdict with what is known so far. Loops call [`Ticker::tick`]; most ticks cost one addition, and only
//! every 2¹⁴ units of work are the clock, the flag and the memory looked at.
//!
//! Work is counted in units, and a limit on it stops a run at the same place on every machine. A unit is one elementary step: a
//! transition followed, a diagram node computed, a step of the solver's own count. See [`Context::spend`] for what that takes.

use crate::{Aside, Progress, Share};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a run may use. `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Units of work, as counted by [`Context::spend`].
    pub work: Option<u64>,
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

/// The resident memory of a process in bytes, if the system says so.
pub fn memory_of_process(id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Why a run stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The wall time was used up.
    TimeLimit,
    /// As much work as allowed was done.
    WorkLimit,
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

/// Work that was done, and how much may be; what a part does, the whole has done too.
#[derive(Debug, Default)]
struct Work {
    spent: AtomicU64,
    limit: Option<u64>,
    whole: Option<Arc<Work>>,
}

impl Work {
    fn spend(&self, units: u64) {
        self.spent.fetch_add(units, Ordering::Relaxed);
        if let Some(whole) = &self.whole {
            whole.spend(units);
        }
    }

    fn is_used_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.spent.load(Ordering::Relaxed) >= limit)
            || self.whole.as_ref().is_some_and(|whole| whole.is_used_up())
    }
}

/// Microseconds between two looks at the memory: little can be allocated in that time.
const BETWEEN_LOOKS: u64 = 5_000;
/// The memory was not yet looked at.
const NEVER: u64 = u64::MAX;

/// Limits, cancellation, progress and work of one run.
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
    work: Arc<Work>,
    /// Who does work that may break down.
    aside: Option<Arc<dyn Aside>>,
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
        let work = Arc::new(Work { limit: limits.work, ..Work::default() });
        let progress = Progress::default();
        Self { limits, started: Instant::now(), cancel, progress, share: None, looked, work, aside: None }
    }

    /// The run with somebody who does work that may break down; without, it is not done.
    #[must_use]
    pub fn with_aside(self, aside: Option<Arc<dyn Aside>>) -> Self {
        Self { aside, ..self }
    }

    /// Who does work that may break down, if not this process.
    pub fn aside(&self) -> Option<&dyn Aside> {
        self.aside.as_deref()
    }

    /// A part of this run that can be stopped by itself, with what stops it. It has its own progress and its own count of work.
    pub fn branch(&self) -> (Self, Cancel) {
        let cancel = Cancel { own: Arc::default(), run: Some(Arc::new(self.cancel.clone())) };
        let work = Arc::new(Work { whole: Some(Arc::clone(&self.work)), ..Work::default() });
        let part = Self { cancel: cancel.clone(), progress: Progress::default(), work, ..self.clone() };
        (part, cancel)
    }

    /// A part of this run with limits of its own: it starts now, and ends at the latest with the run. What it spends, the run has
    /// spent too. Ask the run with [`Context::poll`] whose limit it was that stopped the part.
    pub fn branch_with(&self, limits: Limits) -> (Self, Cancel) {
        let limits = Limits {
            time: least(limits.time, self.time_left()),
            memory: least(limits.memory, self.limits.memory),
            work: limits.work,
        };
        let (part, cancel) = self.branch();
        let work = Work { whole: Some(Arc::clone(&self.work)), limit: limits.work, ..Work::default() };
        let share = self.share.clone();
        let aside = self.aside.clone();
        (Self { work: Arc::new(work), share, aside, ..Self::new(limits, part.cancel) }, cancel)
    }

    /// What is left of a run to use what it found when a limit on time or work was reached: so many units of work. It can still be
    /// interrupted, and the limit on memory still counts.
    #[must_use]
    pub fn after_limit(&self, work: u64) -> Self {
        let limits = Limits { time: None, memory: self.limits.memory, work: Some(work) };
        let (progress, aside) = (self.progress.clone(), self.aside.clone());
        Self { progress, aside, ..Self::new(limits, self.cancel.clone()) }
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

    /// The time that is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Counts units of work, and says whether that was the last that could be done.
    ///
    /// The count depends on what is done alone, not on the clock and not on which thread does it.
    pub fn spend(&self, units: u64) -> Result<(), StopReason> {
        self.work.spend(units);
        if let Some(share) = &self.share {
            share.spend(units);
        }
        if self.is_worked_out() { Err(StopReason::WorkLimit) } else { Ok(()) }
    }

    fn is_worked_out(&self) -> bool {
        self.work.is_used_up() || self.share.as_ref().is_some_and(Share::is_used_up)
    }

    /// The units spent so far, here and in branches.
    pub fn spent(&self) -> u64 {
        self.work.spent.load(Ordering::Relaxed)
    }

    /// The progress of this run.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Looks at the flag, the work and the clock, now, and at the memory, unless that was just done: it means reading a file.
    pub fn poll(&self) -> Result<(), StopReason> {
        if self.cancel.is_cancelled() {
            return Err(StopReason::Interrupted);
        }
        if self.is_worked_out() {
            return Err(StopReason::WorkLimit);
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

/// The smaller of two limits.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// Counts work inside one phase and looks at the limits now and then. What it counted is spent, at the latest when it goes.
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
        self.hand_in();
        self.context.poll()
    }

    fn hand_in(&mut self) {
        let units = std::mem::take(&mut self.pending);
        self.context.progress.add_work(units);
        self.context.work.spend(units);
        if let Some(share) = &self.context.share {
            share.spend(units);
        }
    }
}

impl Drop for Ticker<'_> {
    fn drop(&mut self) {
        self.hand_in();
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
        assert_eq!(context.progress().read().phase, "test");
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
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(Context::new(none, Cancel::default()).poll(), Err(StopReason::TimeLimit));
        let none = Limits { memory: Some(1), ..Limits::default() };
        assert_eq!(Context::new(none, Cancel::default()).poll(), Err(StopReason::MemoryLimit));
    }

    #[test]
    fn work_is_counted_in_the_part_and_in_the_whole() {
        let run = Context::new(Limits { work: Some(100), ..Limits::default() }, Cancel::default());
        let (part, _) = run.branch_with(Limits { work: Some(30), ..Limits::default() });
        assert_eq!((part.spend(29), part.poll()), (Ok(()), Ok(())));
        assert_eq!(part.spend(1), Err(StopReason::WorkLimit));
        assert_eq!((part.poll(), run.poll()), (Err(StopReason::WorkLimit), Ok(())));
        let (other, _) = run.branch();
        assert_eq!(other.ticker("test").tick(69), Ok(()));
        assert_eq!((other.spent(), run.spent(), other.poll()), (69, 99, Ok(())));
        assert_eq!(other.spend(1), Err(StopReason::WorkLimit));
        assert_eq!((other.poll(), run.poll()), (Err(StopReason::WorkLimit), Err(StopReason::WorkLimit)));
    }

    #[test]
    fn a_part_has_its_share_of_the_time_and_never_more_than_is_left() {
        let hour = Duration::from_secs(3600);
        let run = Context::new(Limits { time: Some(hour), ..Limits::default() }, Cancel::default());
        let (part, _) = run.branch_with(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!((part.poll(), run.poll()), (Err(StopReason::TimeLimit), Ok(())));
        let (part, _) = run.branch_with(Limits { time: Some(2 * hour), ..Limits::default() });
        assert!(part.time_left() <= Some(hour));
    }

    #[test]
    fn what_was_found_can_be_used_after_a_limit_for_some_work() {
        let cancel = Cancel::default();
        let none = Limits { time: Some(Duration::ZERO), work: Some(0), ..Limits::default() };
        let run = Context::new(none, cancel.clone());
        let after = run.after_limit(10);
        assert!(run.poll().is_err());
        assert_eq!((after.spend(9), after.poll()), (Ok(()), Ok(())));
        assert_eq!(after.spend(1), Err(StopReason::WorkLimit));
        let after = run.after_limit(10);
        cancel.cancel();
        assert_eq!(after.poll(), Err(StopReason::Interrupted));
    }
}
