//! The public models in `../shared/corpus/nusmv`, beside the repository: every verdict must be the listed one. Where the folder
//! is absent, this says so and tests nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tertium_testkit::nusmv_corpus;

/// File to answers in the order of the list.
fn expected(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let list = fs::read_to_string(folder.join("expected.tsv")).expect("a list of answers");
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        answers.entry(columns[0].to_owned()).or_default().push(columns[2].to_owned());
    }
    answers
}

#[test]
fn every_listed_verdict_is_found() {
    let Some(folder) = nusmv_corpus() else { return };
    let mut wrong = Vec::new();
    for (file, answers) in expected(&folder) {
        let output = Command::new(env!("CARGO_BIN_EXE_tertium"))
            .args(["check", "--json"])
            .arg(folder.join(&file))
            .output()
            .expect("the binary runs");
        let report: serde_json::Value = match serde_json::from_slice(&output.stdout) {
            Ok(report) => report,
            Err(error) => {
                wrong.push(format!("{file}: {error}"));
                continue;
            }
        };
        let results = report["results"].as_array().cloned().unwrap_or_default();
        // Lengths are computed, not true or false.
        let found: Vec<&str> = results
            .iter()
            .filter(|result| result.get("value").is_none())
            .filter_map(|result| result["verdict"].as_str())
            .collect();
        if found != answers {
            wrong.push(format!("{file}: found {found:?}, listed {answers:?}"));
        }
        let unchecked = results.iter().filter(|result| {
            result["verdict"] == "false" && result["validated"] != serde_json::Value::Bool(true)
        });
        wrong.extend(unchecked.map(|result| format!("{file}: {} is not validated", result["formula"])));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
