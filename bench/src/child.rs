//! A program run as a child process: how long it took, how much memory it had at most, what it printed.
//!
//! Memory is the high-water mark of the resident set (`VmHWM` in `/proc/PID/status`), read again and again until the
//! child ends: what it gains after the last reading, a few milliseconds before the end, is missed. Where there is no such
//! file it is unknown. Memory is that of the program and of the processes that it has started, and so is processor time:
//! where a program has to be killed, these are killed first, so that it waits for them and their time counts. This
//! program has one child at a time.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;
use std::fs;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program has to end once those are gone that it has started.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// What is known of a child process that has ended.
pub(crate) struct Ended {
    /// Whether it ended by itself, and did not have to be killed at the limit.
    pub(crate) in_time: bool,
    /// Whether its exit status was 0.
    pub(crate) succeeded: bool,
    /// Wall time.
    pub(crate) seconds: f64,
    /// Processor time.
    pub(crate) processor: f64,
    /// Peak of the resident memory in KiB.
    pub(crate) memory: Option<u64>,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
}

/// Runs `command`, and kills it after `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    let start = Instant::now();
    let before = processor_seconds_of_children();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let output = collect(child.stdout.take());
    let errors = collect(child.stderr.take());
    let id = child.id();
    let (mut memory, mut in_time) = (None, true);
    let exit = loop {
        if let Some(exit) = child.try_wait()? {
            break exit;
        }
        memory = memory_of_all(id).max(memory);
        if start.elapsed() > limit {
            in_time = false;
            break end_all(&mut child)?;
        }
        // Short runs are measured to the millisecond; long ones need not be looked at so often.
        thread::sleep(Duration::from_millis(if start.elapsed().as_millis() < 200 { 1 } else { 10 }));
    };
    let seconds = start.elapsed().as_secs_f64();
    Ok(Ended {
        in_time,
        succeeded: exit.success(),
        seconds,
        processor: processor_seconds_of_children() - before,
        memory,
        output: output.join().unwrap_or_default(),
        errors: errors.join().unwrap_or_default(),
    })
}

/// The processes that a process has started.
fn started_by(id: u32) -> Vec<i32> {
    let text = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// The peaks of a process and of those that it has started, in KiB.
fn memory_of_all(id: u32) -> Option<u64> {
    let own = high_water_mark(&format!("/proc/{id}/status"))?;
    let others = started_by(id).into_iter().filter_map(|id| high_water_mark(&format!("/proc/{id}/status")));
    Some(own + others.sum::<u64>())
}

/// Ends what a program has started, and then the program, if it does not end by itself for that.
fn end_all(child: &mut Child) -> std::io::Result<ExitStatus> {
    for id in started_by(child.id()) {
        // It may have ended by itself.
        let _ = kill(Pid::from_raw(id), Signal::SIGKILL);
    }
    let ended = Instant::now();
    while ended.elapsed() < LAST_WORDS {
        if let Some(exit) = child.try_wait()? {
            return Ok(exit);
        }
        thread::sleep(Duration::from_millis(1));
    }
    child.kill()?;
    child.wait()
}

/// Reads a pipe to its end in a thread of its own, so that the child never waits for us.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A pipe that breaks has still given what came before.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Processor time of the children that have ended.
fn processor_seconds_of_children() -> f64 {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN);
    used.map_or(0.0, |used| (used.user_time() + used.system_time()).num_microseconds() as f64 * 1e-6)
}

/// The high-water mark in a `status` file of `/proc`, in KiB.
pub(crate) fn high_water_mark(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
