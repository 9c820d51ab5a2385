//! Spin beside Tertium: `spin` makes a program of a Promela model, the C compiler builds it, and it searches all states.
//!
//! Without partial order reduction, which Tertium does not have either, and with a table of about as many slots as there are states.

use crate::child;
use crate::table::whole_processor_seconds;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

/// A verifier may take that long.
const LIMIT: Duration = Duration::from_secs(600);

/// What Spin found.
pub(super) struct Found {
    /// States stored.
    pub(super) states: u64,
    /// Wall time of the search, without making the verifier.
    pub(super) seconds: f64,
    /// Processor time of the search.
    pub(super) processor: f64,
    /// The peak of its resident memory, in bytes.
    pub(super) memory: Option<u64>,
}

/// How Spin searches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Depth,
    Breadth,
}

/// Whether `spin` and a C compiler are on the PATH.
pub(super) fn is_there() -> bool {
    let brief = Duration::from_secs(20);
    let runs = |name: &str, option: &str| {
        child::run(Command::new(name).arg(option), brief).is_ok_and(|ended| ended.succeeded)
    };
    runs("spin", "-V") && runs("cc", "--version")
}

/// Searches all states of a model that has about so many. Says what went wrong otherwise.
pub(super) fn search(model: &str, states: usize, order: Order) -> Result<Found, String> {
    let folder = env::temp_dir().join(format!("tertium-bench-spin-{}", std::process::id()));
    let found = fs::create_dir_all(&folder)
        .map_err(|error| error.to_string())
        .and_then(|()| search_in(&folder, model, states, order));
    // It is in the folder for temporary files: what is left there does no harm.
    let _ = fs::remove_dir_all(&folder);
    found
}

fn search_in(folder: &Path, model: &str, states: usize, order: Order) -> Result<Found, String> {
    let broken = |error: io::Error| error.to_string();
    fs::write(folder.join("model.pml"), model).map_err(broken)?;
    let run = |command: &mut Command| {
        let ended = child::run(command.current_dir(folder), LIMIT).map_err(broken)?;
        match ended.succeeded && ended.in_time {
            true => Ok(ended),
            false => Err(format!("{command:?} failed or took too long: {}", ended.errors)),
        }
    };
    run(Command::new("spin").args(["-a", "model.pml"]))?;
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000"]);
    if order == Order::Breadth {
        compiler.arg("-DBFS");
    }
    run(compiler.args(["-o", "pan", "pan.c"]))?;
    let slots = format!("-w{}", states.max(1).ilog2() + 1);
    let depth = format!("-m{}", states.max(10_000));
    let started = whole_processor_seconds(true);
    let ended = run(Command::new(folder.join("pan")).args([slots, depth]))?;
    let processor = whole_processor_seconds(true) - started;
    let states = ended.output.lines().find_map(|line| {
        let count = line.trim().strip_suffix(" states, stored").or_else(|| {
            // Breadth first it says how many were new, too.
            line.contains("states, stored").then(|| line.split_whitespace().next()).flatten()
        })?;
        count.trim().parse::<f64>().ok()
    });
    match states {
        Some(states) if ended.output.contains("errors: 0") => {
            let memory = ended.memory.map(|kilobytes| 1024 * kilobytes);
            Ok(Found { states: states as u64, seconds: ended.seconds, processor, memory })
        }
        _ => Err(format!("what it says is not understood: {}", ended.output)),
    }
}
