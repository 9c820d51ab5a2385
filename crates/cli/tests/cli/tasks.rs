//! Every golden task of `tests/tasks`, with every engine that applies: the built binary must give the expected verdict,
//! exit status and last line, and the library the expected value at every state that the sidecar names.

use crate::support::binary;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tertium_check::game::{Player, VertexId, naive_regions, read_pgsolver, solve};
use tertium_check::{
    Labelling, Prepared, Semantics, evaluate, evaluate_reduced, evaluate_thorough, label, unknown_names,
};
use tertium_logic::{Formula, formulas_of, parse};
use tertium_support::{Context, Id, Severity, Source};
use tertium_system::PartialSystem;
use tertium_system::format::{AutMode, read_aut, read_pts};
use tertium_testkit::{Expected, Property, Task, find_tasks, shared_work, some_of};
use tertium_truth::Belnap;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down").into()
}

fn tasks() -> Vec<Task> {
    find_tasks(&root().join("tests/tasks"))
}

/// Standard output and exit status of the binary, run in the folder of the task.
fn run(task: &Task, arguments: &[&str]) -> (String, i32) {
    let output = Command::new(binary())
        .args(arguments)
        .current_dir(task.sidecar.parent().expect("sidecars lie in folders"))
        .output()
        .expect("the binary was built");
    let text = String::from_utf8(output.stdout).expect("we print UTF-8");
    (text, output.status.code().expect("the process ended by itself"))
}

/// First word, last line and exit status for a verdict.
fn shown(verdict: Belnap) -> (&'static str, &'static str, i32) {
    match verdict {
        Belnap::True => ("TRUE", "RESULT: true", 0),
        Belnap::False => ("FALSE", "RESULT: false", 10),
        Belnap::Unknown => ("UNKNOWN", "RESULT: unknown(U-IMPRECISE)", 5),
        Belnap::Inconsistent => ("UNKNOWN", "RESULT: unknown(U-INCONSISTENT)", 5),
    }
}

/// The properties that are asked in one run of an engine: all that have the same limits, unless they are asked alone.
fn groups<'t>(properties: &'t [Property], alone: bool, engine: &str) -> Vec<Vec<&'t Property>> {
    let mut groups: Vec<Vec<&Property>> = Vec::new();
    for property in properties {
        if !property.engines.iter().chain(&property.others).any(|other| other == engine) {
            continue;
        }
        let same = |group: &&mut Vec<&Property>| !alone && group[0].limits == property.limits;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(property),
            None => groups.push(vec![property]),
        }
    }
    groups
}

/// What is wrong with a verdict line. An engine that need not decide may say that it does not know.
fn fault(property: &Property, engine: &str, line: &str) -> Option<String> {
    let word = line.split_whitespace().next().unwrap_or_default();
    let right = word == property.value.as_deref().unwrap_or(shown(property.verdict).0);
    let open = word == "UNKNOWN" && property.others.iter().any(|other| other == engine);
    (!right && !open).then(|| format!("{engine}: {line}"))
}

/// Whether last line and status fit the verdict lines: the worst of them wins. A system that leaves a property open
/// says why.
fn ends_well(group: &[&Property], lines: &[&str], last: &str, status: i32) -> bool {
    let some = |word: &str| lines.iter().any(|line| line.starts_with(word));
    match (group, some("FALSE "), some("UNKNOWN ")) {
        (_, true, _) => (last, status) == ("RESULT: false", 10),
        ([property], _, true) if property.others.is_empty() => {
            let (_, line, number) = shown(property.verdict);
            (last, status) == (line, number)
        }
        (_, _, true) => last.starts_with("RESULT: unknown(U-") && status == 5,
        _ => (last, status) == ("RESULT: true", 0),
    }
}

/// The limits that an engine takes, as arguments: the others it would refuse. States are counted where they are visited,
/// iterations where there is refinement.
fn limits<'t>(property: &'t Property, engine: &str) -> Vec<&'t str> {
    let takes = |limit: &&[String]| match limit[0].as_str() {
        "--states" => ["explicit", "naive", "search"].contains(&engine),
        "--iterations" => ["predicate", "cartesian", "search"].contains(&engine),
        _ => true,
    };
    property.limits.chunks(2).filter(takes).flatten().map(String::as_str).collect()
}

/// What is wrong with the answers of an engine to some properties.
fn faults(task: &Task, modal: bool, engine: &str, group: &[&Property]) -> Vec<String> {
    let mut arguments =
        vec!["check", &task.input[..], "--semantics", &group[0].semantics, "--engine", engine];
    arguments.extend(modal.then_some("--modal"));
    arguments.extend(limits(group[0], engine));
    arguments.extend(group.iter().flat_map(|property| ["-p", &property.formula]));
    let (text, status) = run(task, &arguments);
    // A verdict line that is wider than a page goes on below.
    let text = text.replace("\n    ", " ");
    // What was computed stands in place of a verdict.
    let is_word = |word: &str| {
        let is_verdict = ["TRUE", "FALSE", "UNKNOWN", "infinite", "undefined"].contains(&word);
        is_verdict || word.parse::<u64>().is_ok()
    };
    let lines: Vec<&str> =
        text.lines().filter(|line| line.split_once("  ").is_some_and(|(word, _)| is_word(word))).collect();
    let last = text.lines().last().unwrap_or_default();
    if lines.len() != group.len() || !ends_well(group, &lines, last, status) {
        return vec![format!("{}, {engine}: {lines:?} {last:?} {status}", place(task, group[0]))];
    }
    let found = group
        .iter()
        .zip(lines)
        .filter_map(|(property, line)| Some((property, fault(property, engine, line)?)));
    found.map(|(property, fault)| format!("{}, {fault}", place(task, property))).collect()
}

fn place(task: &Task, property: &Property) -> String {
    format!("{}, `{}`, {}", task.sidecar.display(), property.formula, property.semantics)
}

/// Shows all that went wrong together: one wrong task should not hide the others.
#[track_caller]
fn none_of(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_binary_gives_the_expected_verdicts_with_every_engine() {
    let tasks = tasks();
    let mut runs = Vec::new();
    for task in &tasks {
        let Expected::Properties { modal, alone, properties } = &task.expected else { continue };
        let asked = properties.iter().flat_map(|property| property.engines.iter().chain(&property.others));
        for engine in asked.collect::<BTreeSet<_>>() {
            let groups = groups(properties, *alone, engine).into_iter();
            runs.extend(groups.map(|group| (task, *modal, engine, group)));
        }
    }
    let runs = some_of(runs);
    let wrong = shared_work(&runs, |(task, modal, engine, group)| faults(task, *modal, engine, group));
    none_of(&wrong.concat());
}

#[test]
fn the_library_gives_the_expected_values_at_the_states() {
    let context = Context::default();
    let mut wrong = Vec::new();
    for task in tasks() {
        let Expected::Properties { modal, properties, .. } = &task.expected else { continue };
        if task.input.ends_with(".smv") || task.input.ends_with(".gcl") {
            continue;
        }
        let system = load(&context, &task, *modal);
        let prepared = Prepared::new(&context, &system).expect("no limit");
        for property in properties {
            let place = place(&task, property);
            let formula = formula(&task, property);
            assert_eq!(unknown_names(&system, &formula, Severity::Error), [], "{place}");
            for (way, labelling) in labellings(&context, &prepared, &formula, &property.semantics) {
                for (name, value) in &property.states {
                    let state =
                        system.state_named(name).unwrap_or_else(|| panic!("{place}: no state {name}"));
                    let found = labelling.at(state);
                    if found != *value {
                        wrong.push(format!("{place}, {way}: {found:?} at {name}"));
                    }
                }
                let initial = system.initial().iter().map(|&state| labelling.at(state));
                let found = together(initial.collect());
                if found != property.verdict {
                    wrong.push(format!("{place}, {way}: {found:?} at the initial states"));
                }
            }
        }
    }
    none_of(&wrong);
}

/// The verdict that values at the initial states make together.
fn together(values: Vec<Belnap>) -> Belnap {
    let order = [Belnap::Inconsistent, Belnap::False, Belnap::Unknown, Belnap::True];
    order.into_iter().find(|value| values.contains(value)).expect("there is an initial state")
}

fn load(context: &Context, task: &Task, modal: bool) -> PartialSystem {
    let path = task.sidecar.with_file_name(&task.input);
    let bytes = fs::read(&path).expect("the input is there");
    if task.input.ends_with(".aut") {
        let mode = if modal { AutMode::Modal } else { AutMode::Plain };
        return read_aut(context, &bytes, mode)
            .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    }
    let source = Source::from_bytes(path.display().to_string(), bytes).expect("UTF-8");
    read_pts(context, &source).unwrap_or_else(|error| panic!("{}: {error:?}", path.display())).system
}

fn formula(task: &Task, property: &Property) -> Formula {
    let text = match property.formula.strip_prefix('@') {
        Some(file) => fs::read_to_string(task.sidecar.with_file_name(file)).expect("the formula is there"),
        None => property.formula.clone(),
    };
    let formulas = formulas_of(&Source::new(&property.formula[..], text));
    let read = formulas.and_then(|formulas| parse(&formulas[0].source));
    read.unwrap_or_else(|faults| panic!("{}: {faults:?}", place(task, property)))
}

/// The labelling of the formula in every way there is to compute it.
fn labellings(
    context: &Context,
    prepared: &Prepared<'_>,
    formula: &Formula,
    semantics: &str,
) -> Vec<(&'static str, Labelling)> {
    let system = prepared.system();
    let fast = |semantics| label(context, prepared, formula, semantics).expect("no limit");
    match semantics {
        "sis" => vec![("fast", fast(Semantics::Sis)), ("naive", evaluate(system, formula))],
        "ris" => vec![("fast", fast(Semantics::Ris)), ("naive", evaluate_reduced(system, formula))],
        _ => {
            let thorough = evaluate_thorough(context, system, formula, 22).expect("small enough");
            vec![("thorough", thorough.labelling)]
        }
    }
}

#[test]
fn parity_games_are_won_as_expected() {
    for task in tasks() {
        let Expected::Winners { even, odd } = &task.expected else { continue };
        let place = task.sidecar.display();
        let (text, status) = run(&task, &["game", "solve", &task.input]);
        assert_eq!(status, 0, "{place}:\n{text}");
        let mut lines = text.lines();
        let highest = even.iter().chain(odd).max().expect("a game has a vertex");
        assert_eq!(lines.next(), Some(&format!("paritysol {highest};")[..]), "{place}");
        let winners: Vec<(usize, usize)> = lines.map(winner).collect();
        let won = |player| winners.iter().filter(move |entry| entry.1 == player).map(|entry| entry.0);
        assert_eq!(&won(0).collect::<BTreeSet<_>>(), even, "{place}:\n{text}");
        assert_eq!(&won(1).collect::<BTreeSet<_>>(), odd, "{place}:\n{text}");

        let context = Context::default();
        let source = fs::read_to_string(task.sidecar.with_file_name(&task.input)).expect("UTF-8");
        let game = read_pgsolver(&source).expect("the game is right").game;
        let solution = solve(&context, &game).expect("no limit");
        let naive = naive_regions(&context, &game).expect("no limit");
        assert_eq!(solution.region(Player::Even), naive, "{place}");
        for &vertex in even {
            assert_eq!(solution.winner(VertexId::new(vertex)), Player::Even, "{place}: {vertex}");
        }
    }
}

/// Vertex and winner from a line `3 0 1;` of a solution.
fn winner(line: &str) -> (usize, usize) {
    let numbers: Vec<usize> =
        line.trim_end_matches(';').split(' ').map(|word| word.parse().expect("a number")).collect();
    (numbers[0], numbers[1])
}
