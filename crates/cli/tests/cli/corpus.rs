//! The public models in `../shared/corpus/nusmv`, beside the repository: every verdict must be the listed one. Where the folder
//! is absent, this says so and tests nothing.

use crate::support::binary;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tertium_testkit::{nusmv_corpus, shared_work, some_of};

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
    let all = some_of(expected(&folder).into_iter().collect());
    let wrong = shared_work(&all, |(file, answers)| faults(&folder, file, answers)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the answers for a file.
fn faults(folder: &Path, file: &str, answers: &[(String, String)]) -> Vec<String> {
    let output =
        Command::new(binary()).args(["check", "--json"]).arg(folder.join(file)).output().expect("it runs");
    let report: Value = match serde_json::from_slice(&output.stdout) {
        Ok(report) => report,
        Err(error) => return vec![format!("{file}: {error}")],
    };
    let results = report["results"].as_array().cloned().unwrap_or_default();
    // Lengths are computed, not true or false.
    let verdicts = results.iter().filter(|result| result.get("value").is_none());
    let mut found: Vec<(String, String)> = verdicts
        .filter_map(|result| {
            let formula = result["property"]["formula"].as_str()?;
            Some((instance(formula), result["verdict"].as_str()?.to_owned()))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let is_wrong = found != answers;
    let wrong = is_wrong.then(|| format!("{file}: found {found:?}, listed {answers:?}"));
    let is_unchecked =
        |result: &&Value| result["verdict"] == "false" && result["validated"] != Value::Bool(true);
    let unchecked = results.iter().filter(is_unchecked);
    let unchecked =
        unchecked.map(|result| format!("{file}: {} is not validated", result["property"]["formula"]));
    wrong.into_iter().chain(unchecked).collect()
}
