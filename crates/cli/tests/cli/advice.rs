//! Advice is followed: on shipped examples it changes the outcome, and what is advised is always accepted.

use crate::support::{Run, binary};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tertium_report::{AdviceReport, PartReport};
use tertium_support::{Context, Source};
use tertium_system::format::{print_pts, read_pts};
use tertium_system::{Choice, PartialSystem};
use tertium_testkit::{shared_work, some_of};
use tertium_truth::Cause;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down").into()
}

fn run(arguments: &[String]) -> Run {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command.output().expect("the binary starts").into()
}

/// The code and the arguments of every line of the table.
fn table() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join("tests/advice/causes.txt")).expect("the table is there");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words = |line: &str| {
        line.split("  ").map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    };
    lines.map(words).map(|mut words: Vec<String>| (words.remove(0), words)).collect()
}

/// The answers of a run with `--json`.
fn answers(arguments: &[String]) -> (Run, Vec<Value>) {
    let mut arguments = arguments.to_vec();
    arguments.push("--json".to_owned());
    let run = run(&arguments);
    let results = run.json()["results"].as_array().expect("there are answers").clone();
    (run, results)
}

fn advice(answer: &Value) -> Vec<AdviceReport> {
    let advice = answer["cause"]["advice"].as_array().expect("an unknown has advice");
    advice.iter().map(|one| serde_json::from_value(one.clone()).expect("it is advice")).collect()
}

/// The same arguments with other options.
fn changed(arguments: &[String], with: &[String], without: &[String]) -> Vec<String> {
    // Options that have no value.
    const FLAGS: [&str; 7] = [
        "--light",
        "--no-guards",
        "--whole-model",
        "--keep-order",
        "--depth-first",
        "--by-location",
        "--no-evidence",
    ];
    let new: Vec<&String> = with.iter().filter(|word| word.starts_with("--")).collect();
    let mut kept = Vec::new();
    let mut old = arguments.iter();
    while let Some(word) = old.next() {
        if without.contains(word) || new.contains(&word) {
            if !FLAGS.contains(&word.as_str()) {
                old.next();
            }
        } else {
            kept.push(word.clone());
        }
    }
    kept.extend_from_slice(with);
    kept
}

/// The result line of a run.
fn result(arguments: &[String]) -> String {
    let run = run(arguments);
    assert!([0, 5, 10].contains(&run.status), "{arguments:?} {run:?}");
    run.last_line().to_owned()
}

fn choice(system: &PartialSystem, part: &PartReport, is_so: bool) -> Choice {
    let state = |name: &str| system.state_named(name).expect("a state of the system");
    match part {
        PartReport::Step { source, action, target } => {
            let action = system.actions().get(action).expect("an action of the system");
            Choice::Step(state(source), action, state(target), is_so)
        }
        PartReport::Label { state: at, proposition } => {
            let proposition = system.labels().names().get(proposition).expect("a proposition of the system");
            Choice::Label(state(at), proposition, is_so)
        }
    }
}

/// Settles a copy of the system in every way that is told; all answers are as told.
fn follow_settling(arguments: &[String], parts: &[PartReport], ways: &[tertium_report::WayReport]) {
    let place = crate::support::Place::new();
    let file = &arguments[1];
    let text = std::fs::read_to_string(root().join(file)).expect("the system is there");
    let read = read_pts(&Context::default(), &Source::new(file.as_str(), text)).expect("it is a system");
    assert!(!ways.is_empty(), "{arguments:?}");
    for way in ways {
        let choices: Vec<Choice> =
            parts.iter().zip(&way.settled).map(|(part, &is_so)| choice(&read.system, part, is_so)).collect();
        let settled = print_pts(&read.system.settled(&choices), None, None).expect("it has a text");
        place.file("settled.pts", settled);
        let mut again = arguments.to_vec();
        again[1] = place.path().join("settled.pts").display().to_string();
        assert_eq!(result(&again), format!("RESULT: {}", way.verdict), "{choices:?}");
    }
}

#[test]
fn following_the_first_advice_changes_the_outcome_for_every_cause() {
    let table = table();
    for cause in Cause::ALL {
        // What is not supported has to be written in another way: no option helps.
        let elsewhere = [Cause::Evidence, Cause::Interrupted, Cause::Unsupported].contains(&cause);
        assert!(elsewhere || table.iter().any(|(code, _)| code == cause.code()), "no example of {cause:?}");
    }
    for (code, arguments) in &table {
        let (_, results) = answers(arguments);
        let [answer] = results.as_slice() else { panic!("one question: {arguments:?}") };
        assert_eq!(answer["cause"]["code"], code.as_str(), "{arguments:?}");
        let before = format!("RESULT: unknown({code})");
        let advice = advice(answer);
        let limit = |one: &AdviceReport| matches!(one, AdviceReport::Options { raises_limit: true, .. });
        match advice.iter().find(|one| !limit(one)).expect("not only a larger limit") {
            AdviceReport::Options { with, without, .. } => {
                let after = result(&changed(arguments, with, without));
                assert_ne!(before, after, "{arguments:?} with {with:?} without {without:?}");
            }
            AdviceReport::Command { words, .. } => assert_ne!(before, result(words), "{words:?}"),
            AdviceReport::Settle { parts, ways, .. } => follow_settling(arguments, parts, ways),
            AdviceReport::Words { text } => panic!("{text} cannot be followed: {arguments:?}"),
        }
    }
}

/// All models that are shipped, each with arguments that ask something about it.
fn shipped() -> Vec<Vec<String>> {
    let mut folders = vec![root().join("examples"), root().join("tests/tasks"), root().join("tests/advice")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path())
        {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                files.push(entry);
            }
        }
    }
    files.sort();
    let question = |file: PathBuf| {
        let path = file.strip_prefix(root()).expect("it is inside").display().to_string();
        let mut arguments = vec!["check".to_owned(), path];
        match file.extension()?.to_str()? {
            "smv" | "gcl" => {}
            "pts" | "aut" => arguments.extend(["-p".to_owned(), "nu X. mu Y. <>X || []Y".to_owned()]),
            _ => return None,
        }
        Some(arguments)
    };
    files.into_iter().filter_map(question).collect()
}

/// What is advised about a model by some engine is accepted; how much advice was followed. What is advised about several properties
/// is followed for all of them at once.
fn follow_all(model: &[String]) -> usize {
    const ENGINES: [&str; 7] =
        ["auto", "explicit", "symbolic", "predicate", "cartesian", "search", "induction"];
    let mut advised: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
    for engine in ENGINES {
        let words = ["--engine", engine, "--work-each", "1000", "--no-vacuity"].map(str::to_owned);
        let arguments: Vec<String> = model.iter().cloned().chain(words).collect();
        let mut with_json = arguments.clone();
        with_json.push("--json".to_owned());
        let asked = run(&with_json);
        if asked.status <= 2 && asked.status > 0 {
            // The engine does not take the model, or not this property.
            continue;
        }
        assert_ne!(asked.status, 6, "{asked:?}");
        let report = asked.json();
        let results = report["results"].as_array().expect("there are answers");
        let unknown = results.iter().enumerate().filter(|(_, answer)| answer["verdict"] == "unknown");
        for (at, answer) in unknown {
            for one in advice(answer) {
                let AdviceReport::Options { with, without, .. } = &one else { continue };
                assert!(!with.contains(&"naive".to_owned()), "{one:?}");
                advised.entry(changed(&arguments, with, without)).or_default().insert(at + 1);
            }
            let text = answer["cause"]["next"].as_str().expect("a sentence");
            if !model[1].ends_with(".pts") && !model[1].ends_with(".aut") {
                assert!(!text.contains("minimise") && !text.contains("thorough"), "{text}");
            }
        }
    }
    for (arguments, properties) in &advised {
        let mut again = arguments.clone();
        if !arguments.contains(&"-p".to_owned()) {
            // Advice is about some properties: another may be nothing for the engine.
            again.extend(properties.iter().flat_map(|at| ["--index".to_owned(), at.to_string()]));
        }
        let followed = run(&again);
        assert!([0, 5, 10].contains(&followed.status), "{again:?}: {followed:?}");
    }
    advised.values().map(BTreeSet::len).sum()
}

#[test]
fn what_is_advised_is_accepted_on_all_shipped_models() {
    let models = shipped();
    assert!(models.len() > 100, "{} models", models.len());
    let models = some_of(models);
    let n_followed: usize = shared_work(&models, |model| follow_all(model)).into_iter().sum();
    assert!(n_followed >= models.len() / 4, "{n_followed} pieces of advice for {} models", models.len());
}
