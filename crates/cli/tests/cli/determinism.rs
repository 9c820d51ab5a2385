//! The same run prints and writes the same bytes: idle, beside threads that keep the machine busy, and on one core.

use crate::support::{Place, Run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tertium_testkit::skipped;

/// So many threads keep the machine busy.
const BUSY: usize = 2;

/// How often each run is made in each way: twice with `TERTIUM_CASES=full`.
fn n_runs() -> usize {
    if std::env::var("TERTIUM_CASES").is_ok_and(|cases| cases == "full") { 2 } else { 1 }
}

/// The examples, with what is asked about those without properties of their own.
fn examples() -> Vec<(PathBuf, Vec<&'static str>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(folder).expect("there are examples");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let asked = |path: &PathBuf| match path.extension().and_then(|extension| extension.to_str()) {
        Some("gcl" | "smv" | "c") => Some(Vec::new()),
        Some("pts" | "aut") => Some(vec!["-p", "nu X. <true> X", "-p", "AG EF <true> true"]),
        _ => None,
    };
    files.into_iter().filter_map(|path| asked(&path).map(|asked| (path, asked))).collect()
}

fn output(mut command: Command) -> Run {
    Run::from(command.output().expect("the binary starts"))
}

/// What a check of every example prints, and the JSON that it writes, run in this way.
fn outputs(place: &Place, way: impl Fn(Command) -> Run) -> Vec<(PathBuf, String, String)> {
    let all = examples().into_iter().map(|(path, asked)| {
        let file = path.to_str().expect("examples have plain names");
        let run = way(place.command(&[&["check", file, "-o", "run.json"], &asked[..]].concat()));
        assert!([0, 5, 10].contains(&run.status), "{file}: {run:?}");
        let written = place.read("run.json");
        (path, run.stdout, written)
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() >= 10, "there are examples of every format");
    all
}

/// The same command on the first core alone.
fn on_one_core(command: Command) -> Command {
    let mut alone = Command::new("taskset");
    alone.args(["-c", "0"]).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        alone.current_dir(folder);
    }
    alone
}

/// Ends busy threads, also where a test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn every_example_prints_the_same_bytes_idle_loaded_and_on_one_core() {
    let place = Place::new();
    let first = outputs(&place, output);
    for _ in 1..n_runs() {
        assert_eq!(outputs(&place, output), first, "idle");
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..BUSY {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let _end = End(&over);
        for _ in 0..n_runs() {
            assert_eq!(outputs(&place, output), first, "loaded");
        }
    });
    if Command::new("taskset").args(["-c", "0", "true"]).status().is_ok_and(|status| status.success()) {
        for _ in 0..n_runs() {
            assert_eq!(outputs(&place, |command| output(on_one_core(command))), first, "on one core");
        }
    } else {
        skipped("there is no taskset to run examples on one core");
    }
}
