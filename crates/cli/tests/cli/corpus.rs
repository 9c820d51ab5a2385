//! The public models in `../shared/corpus/nusmv`, beside the repository: every verdict must be the listed one. Where the folder
//! is absent, this says so and tests nothing.

use crate::support::binary;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tertium_testkit::nusmv_corpus;

/// The instance of a module that a property is about, as both programs write it.
fn instance(property: &str) -> String {
    property.rsplit_once(" IN ").map_or(String::new(), |(_, instance)| instance.to_owned())
}

/// File to answers, each with its instance: NuSMV lists instances inside out, where we follow the text; in one instance both do.
fn expected(folder: &Path) -> BTreeMap<String, Vec<(String, String)>> {
    let list = fs::read_to_string(folder.join("expected.tsv")).expect("a list of answers");
    let mut answers: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let answer = (instance(columns[3]), columns[2].to_owned());
        answers.entry(columns[0].to_owned()).or_default().push(answer);
    }
    answers.values_mut().for_each(|answers| answers.sort_by(|one, other| one.0.cmp(&other.0)));
    answers
}

#[test]
fn every_listed_verdict_is_found() {
    let Some(folder) = nusmv_corpus() else { return };
    let mut wrong = Vec::new();
    for (file, answers) in expected(&folder) {
        let output = Command::new(binary())
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
        let mut found: Vec<(String, String)> = results
            .iter()
            .filter(|result| result.get("value").is_none())
            .filter_map(|result| {
                let formula = result["property"]["formula"].as_str()?;
                Some((instance(formula), result["verdict"].as_str()?.to_owned()))
            })
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        if found != answers {
            wrong.push(format!("{file}: found {found:?}, listed {answers:?}"));
        }
        let unchecked = results.iter().filter(|result| {
            result["verdict"] == "false" && result["validated"] != serde_json::Value::Bool(true)
        });
        wrong.extend(
            unchecked.map(|result| format!("{file}: {} is not validated", result["property"]["formula"])),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
