//! The same run prints and writes the same bytes: alone, beside others that keep the machine busy, and on one core.

use crate::support::{Place, Run};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tertium_testkit::{is_quick, skipped};

/// The work of a run, if few cases are asked for; else it goes on to its end.
const LITTLE_WORK: [&str; 2] = ["--work-each", "20M"];

/// How often each run is made in each way: twice with `TERTIUM_CASES=full`.
fn n_runs() -> usize {
    if std::env::var("TERTIUM_CASES").is_ok_and(|cases| cases == "full") { 2 } else { 1 }
}

/// An example, with what is asked about it if it has no properties of its own.
type Example = (PathBuf, Vec<&'static str>);

/// All that are shipped.
fn examples() -> Vec<Example> {
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

/// What a check of an example prints, and the JSON that it writes.
type Printed = (PathBuf, String, String);

/// A check of an example, made in some way.
fn printed((path, asked): &Example, way: impl Fn(Command) -> Command) -> Printed {
    let place = Place::new();
    let file = path.to_str().expect("examples have plain names");
    let limits = if is_quick() { &LITTLE_WORK[..] } else { &[] };
    let arguments = [&["check", file, "-o", "run.json"], &asked[..], limits].concat();
    let run = Run::from(way(place.command(&arguments)).output().expect("the binary starts"));
    assert!([0, 5, 10].contains(&run.status), "{file}: {run:?}");
    (path.clone(), run.stdout, place.read("run.json"))
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

/// Three checks of an example at the same time, which keep each other waiting: two of them share a core, if there is a way to.
fn loaded(example: &Example, has_taskset: bool) -> [Printed; 3] {
    let free = || printed(example, |command| command);
    let alone = || printed(example, |command| if has_taskset { on_one_core(command) } else { command });
    thread::scope(|scope| {
        [scope.spawn(free), scope.spawn(alone), scope.spawn(alone)]
            .map(|run| run.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[test]
fn every_example_prints_the_same_bytes_idle_loaded_and_on_one_core() {
    let taskset = Command::new("taskset").args(["-c", "0", "true"]).status();
    let has_taskset = taskset.is_ok_and(|status| status.success());
    if !has_taskset {
        skipped("there is no taskset to run examples on one core");
    }
    let examples = examples();
    assert!(examples.len() >= 10, "there are examples of every format");
    for example in &examples {
        let first = printed(example, |command| command);
        for _ in 0..n_runs() {
            for (way, other) in
                ["free", "on one core", "on one core"].iter().zip(loaded(example, has_taskset))
            {
                assert_eq!(other, first, "{way}");
            }
        }
    }
}
