//! The `rechecks` suite: how many true answers about models are checked again, and what that costs.
//!
//! Answers that are not are counted by what they are about: invariants, which carry a certificate that was too dear, and others, for
//! which there is none. The price is the CPU time of runs with and without validation, on models whose answers have certificates. All
//! `.gcl` and `.smv` models are asked that come with Tertium, where every invariant should be checked again, and those of the corpus;
//! first with the symbolic engine alone, then by plain `check`.

use crate::models::{Model, check, shipped};
use crate::table::Table;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

/// Seconds for one run unless something else is asked for.
pub(crate) const LIMIT: u64 = 20;

/// Runs of each kind, of which the median counts.
const RUNS: usize = 3;

/// What became of the true answers of some models.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// True answers.
    holds: usize,
    /// Those that were checked again.
    passed: usize,
    /// Those with an inductive set that was not.
    dear: usize,
    /// Those without a certificate.
    bare: usize,
    /// CPU seconds of answers with certificates, and of checking them again.
    answered: f64,
    rechecked: f64,
}

/// Prints a table for each way to ask: at most `limit` seconds for a run, only models whose name contains `filter`.
pub(crate) fn run(limit: u64, filter: &str) {
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !tertium.is_file() {
        println!("rechecks: skipped, there is no `tertium` beside this program");
        return;
    }
    let mut models = shipped(filter);
    models.extend(own_models(filter));
    models.retain(|model| model.path.extension().is_some_and(|own| own == "gcl" || own == "smv"));
    for (title, engine) in [("symbolic engine", &["--engine", "symbolic"][..]), ("plain check", &[])] {
        table(title, &tertium, Duration::from_secs(limit), &models, engine);
    }
}

/// The models of the bench itself.
fn own_models(filter: &str) -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let named = |path: PathBuf| {
        let name = format!("bench/models/{}", path.file_name().unwrap_or_default().to_string_lossy());
        Model { name, suite: "bench/models".to_owned(), path, properties: Vec::new() }
    };
    files.into_iter().map(named).filter(|model| model.name.contains(filter)).collect()
}

fn table(title: &str, tertium: &Path, limit: Duration, models: &[Model], engine: &[&str]) {
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
    let mut sums: BTreeMap<String, Count> = BTreeMap::new();
    for model in models {
        let Some(count) = count(tertium, limit, model, engine) else { continue };
        if count.passed + count.dear > 0 {
            table.row(count.cells(model.name.clone()));
        }
        let language = model.path.extension().unwrap_or_default().to_string_lossy();
        sums.entry(format!("all .{language} of {}", model.suite)).or_default().add(count);
    }
    for (name, sum) in sums.into_iter().filter(|(_, sum)| sum.holds > 0) {
        table.row(sum.cells(name));
    }
    table.print(&format!("Re-checks: {title}"));
}

/// The answers about one file; none if it is refused, or takes too long.
fn count(tertium: &Path, limit: Duration, model: &Model, engine: &[&str]) -> Option<Count> {
    let run = |more: &[&str]| {
        let more = [engine, &["--no-vacuity"], more].concat();
        check(tertium, model, &more, limit).filter(|checked| checked.in_time)
    };
    let report = run(&[])?.report;
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
        let median = |more: &[&str]| {
            let mut seconds: Vec<f64> = (0..RUNS).filter_map(|_| Some(run(more)?.processor)).collect();
            seconds.sort_by(f64::total_cmp);
            seconds.get(seconds.len() / 2).copied()
        };
        count.answered = median(&["--no-validate"])?;
        count.rechecked = median(&[])? - count.answered;
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
