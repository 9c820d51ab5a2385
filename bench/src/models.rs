//! The models that come with Tertium, and a public corpus beside it, for suites that run the built program.

use crate::child;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tertium_testkit::{Expected, find_tasks};

/// A file that `check` takes.
pub(crate) struct Model {
    /// For tables: its path from the root of the repository.
    pub(crate) name: String,
    /// The kind of models that it is one of.
    pub(crate) suite: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// Properties that are given besides those in the file.
    pub(crate) properties: Vec<String>,
}

/// Folders of models with properties of their own, from the root of the repository.
const FOLDERS: [&str; 2] = ["examples", "../shared/corpus/nusmv"];
/// Folders of golden tasks.
const TASKS: [&str; 4] = ["tests/tasks/gcl", "tests/tasks/smv", "tests/tasks/pts", "tests/tasks/aut"];
/// Files of these formats have properties of their own.
const WITH_PROPERTIES: [&str; 2] = ["gcl", "smv"];
/// What is asked about others that stand in a folder of models.
const ASKED: [&str; 3] = ["nu X. <true> X", "AG EF <true> true", "mu X. [true] X"];

/// All models whose name has a part, in a fixed order: with the properties in their files, or with those of their tasks.
pub(crate) fn shipped(part: &str) -> Vec<Model> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let named = |suite: &str, path: PathBuf, properties: Vec<String>| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        Model { name, suite: suite.trim_start_matches("../shared/").to_owned(), path, properties }
    };
    let mut models = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for path in files {
            let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
            match extension.as_deref() {
                Some(own) if WITH_PROPERTIES.contains(&own) => models.push(named(folder, path, Vec::new())),
                Some("pts" | "aut") => models.push(named(folder, path, ASKED.map(str::to_owned).to_vec())),
                _ => {}
            }
        }
    }
    for folder in TASKS {
        for task in find_tasks(&root.join(folder)) {
            let Expected::Properties { modal: false, properties, .. } = &task.expected else { continue };
            let plain =
                properties.iter().filter(|own| own.semantics == "sis" && !own.formula.starts_with('@'));
            let formulas: Vec<String> = plain.map(|property| property.formula.clone()).collect();
            if !formulas.is_empty() {
                models.push(named(folder, task.sidecar.with_file_name(&task.input), formulas));
            }
        }
    }
    models.retain(|model| model.name.contains(part));
    models
}

/// What a run of `check` on a model came to.
pub(crate) struct Checked {
    /// Processor time of all threads.
    pub(crate) processor: f64,
    /// Whether it ended by itself.
    pub(crate) in_time: bool,
    /// The report.
    pub(crate) report: Value,
}

impl Checked {
    /// The verdicts, in order; nothing if there is no report.
    pub(crate) fn verdicts(&self) -> Vec<String> {
        let results = self.report.get("results").and_then(Value::as_array);
        let word = |answer: &Value| {
            let verdict = answer.get("verdict").and_then(Value::as_str);
            verdict.or_else(|| answer.get("status").and_then(Value::as_str)).unwrap_or("-").to_owned()
        };
        results.into_iter().flatten().map(word).collect()
    }

    /// Whether every property has a definite verdict.
    pub(crate) fn is_definite(&self) -> bool {
        let verdicts = self.verdicts();
        !verdicts.is_empty() && verdicts.iter().all(|verdict| verdict == "true" || verdict == "false")
    }

    /// The sum of a counter over all answers.
    pub(crate) fn counted(&self, counter: &str) -> Option<f64> {
        let results = self.report.get("results").and_then(Value::as_array);
        let counters =
            results.into_iter().flatten().filter_map(|answer| answer.get("statistics")?.as_object());
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        let found: Vec<f64> = counters
            .flat_map(|counters| counters.iter())
            .filter(|(name, _)| name.replace('_', " ") == counter)
            .filter_map(|(_, value)| number(value))
            .collect();
        (!found.is_empty()).then(|| found.iter().sum())
    }
}

/// Runs `check` of a program on a model, killed after `limit`.
pub(crate) fn check(program: &Path, model: &Model, more: &[&str], limit: Duration) -> Option<Checked> {
    let mut command = Command::new(program);
    command.arg("check").arg(&model.path).args(["--json", "--stats"]).args(more);
    for property in &model.properties {
        command.args(["-p", property]);
    }
    let ended = child::run(&mut command, limit).ok()?;
    let report = serde_json::from_str(&ended.output).unwrap_or_default();
    Some(Checked { processor: ended.processor, in_time: ended.in_time, report })
}
