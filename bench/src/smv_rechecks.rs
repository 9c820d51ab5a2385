//! How many true answers of the symbolic engine are checked again, and what that costs.
//!
//! Answers that are not are counted by what they are about: invariants, which carry a certificate that was too dear, and others, for
//! which there is none. The price is the CPU time of runs with and without validation, on models whose answers have certificates.
//! Shipped models, where every invariant has to be checked again, come first, then the corpus.

use crate::child;
use crate::smv::corpus;
use crate::table::{Table, whole_processor_seconds};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Runs of each kind, of which the mean counts: the system tells hundredths of a second.
const RUNS: usize = 5;

/// What became of the true answers of some models.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// True answers.
    holds: usize,
    /// Those that were checked again.
    passed: usize,
    /// Those with a certificate that was not.
    dear: usize,
    /// Those without a certificate.
    bare: usize,
    /// CPU seconds of answers with certificates, and of checking them again.
    answered: f64,
    rechecked: f64,
}

/// Prints a table for the shipped models and one for the corpus.
pub(crate) fn run(tertium: &Path, limit: Duration, filter: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut shipped = Vec::new();
    for folder in ["examples", "tests/tasks/smv"] {
        collect(&root.join(folder), &mut shipped);
    }
    table("Re-checks of the shipped models", tertium, limit, filter, shipped);
    if let Some(entries) = corpus() {
        let files = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        table("Re-checks of the corpus", tertium, limit, filter, files);
    }
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn table(title: &str, tertium: &Path, limit: Duration, filter: &str, mut files: Vec<PathBuf>) {
    files.retain(|file| file.extension().is_some_and(|extension| extension == "smv"));
    files.sort();
    let mut table = Table::new([
        "model",
        "TRUE",
        "re-checked",
        "invariants not",
        "others not",
        "answers CPU s",
        "re-checks CPU s",
        "ratio",
    ]);
    let mut sum = Count::default();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(filter) {
            continue;
        }
        let Some(count) = count(tertium, limit, &file) else { continue };
        if count.passed + count.dear > 0 {
            table.row(count.cells(name));
        }
        sum.add(count);
    }
    if sum.holds > 0 {
        table.row(sum.cells("all models, others included".to_owned()));
        table.print(title);
    }
}

/// The answers about one file; none if it is not one of properties, or takes too long.
fn count(tertium: &Path, limit: Duration, file: &Path) -> Option<Count> {
    let run = |more: &[&str]| {
        let mut command = Command::new(tertium);
        command.arg("check").arg(file).args(["--json", "--engine", "symbolic", "--no-vacuity"]).args(more);
        child::run(&mut command, limit).ok().filter(|ended| ended.in_time)
    };
    let report: Value = serde_json::from_str(&run(&[])?.output).ok()?;
    let mut count = Count::default();
    for answer in report.get("results")?.as_array()? {
        let is_length = answer.get("value").is_some_and(|value| !value.is_null());
        if is_length || answer["verdict"] != "true" {
            continue;
        }
        count.holds += 1;
        match (answer["validated"] == true, answer["evidence"]["kind"] == "inductive_set") {
            (true, _) => count.passed += 1,
            (false, true) => count.dear += 1,
            (false, false) => count.bare += 1,
        }
    }
    if count.passed + count.dear > 0 {
        let mean = |more: &[&str]| {
            let before = whole_processor_seconds(true);
            (0..RUNS).for_each(|_| drop(run(more)));
            (whole_processor_seconds(true) - before) / RUNS as f64
        };
        count.answered = mean(&["--no-validate"]);
        count.rechecked = mean(&[]) - count.answered;
    }
    Some(count)
}

impl Count {
    fn add(&mut self, other: Self) {
        self.holds += other.holds;
        self.passed += other.passed;
        self.dear += other.dear;
        self.bare += other.bare;
        self.answered += other.answered;
        self.rechecked += other.rechecked;
    }

    fn cells(&self, name: String) -> [String; 8] {
        let ratio =
            if self.answered > 0.0 { format!("{:.2}", self.rechecked / self.answered) } else { "-".into() };
        [
            name,
            self.holds.to_string(),
            self.passed.to_string(),
            self.dear.to_string(),
            self.bare.to_string(),
            format!("{:.3}", self.answered),
            format!("{:.3}", self.rechecked),
            ratio,
        ]
    }
}
