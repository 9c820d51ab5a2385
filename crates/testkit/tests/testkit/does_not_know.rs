//! "X does not know Y": every such sentence of `docs/architecture.md` against dependencies and sources.
//!
//! Two kinds of check: a crate does not depend on another, directly or by way of a third; a source does not contain a word. Comments
//! and code for tests are left out. What a rule has to except stands beside it, and is said in the document as well.

use crate::layers::{layers, manifest, ours, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose code runs outside tests, without the binary.
fn libraries() -> Vec<String> {
    layers()
        .into_iter()
        .filter(|(name, line)| line.is_some() && name != "cli")
        .map(|(name, _)| name)
        .collect()
}

/// All crates that each crate uses, directly or by way of others.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut order: Vec<_> = layers().into_iter().filter_map(|(name, line)| Some((line?, name))).collect();
    order.sort();
    for (_, name) in order {
        let mut all = BTreeSet::new();
        for used in ours(&manifest(&name), "dependencies") {
            all.extend(uses[&used].iter().cloned());
            all.insert(used);
        }
        uses.insert(name, all);
    }
    uses
}

fn assert_does_not_use(name: &str, used: &BTreeSet<String>, unknown: &[&str]) {
    for other in unknown {
        assert!(!used.contains(*other), "`{name}` uses `{other}`");
    }
}

/// The sources below a path of the repository, without comments and tests, each with its path from the root.
fn sources(path: &str) -> Vec<(String, String)> {
    let start = root().join(path);
    assert!(start.exists(), "{path} exists");
    let mut stack = vec![start];
    let mut found = Vec::new();
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("readable").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_for_tests(&path) {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let name = path.strip_prefix(root()).expect("below the root").display().to_string();
            found.push((name, code(&text)));
        }
    }
    found.sort();
    found
}

/// Whether the module above declares a file for tests only.
fn is_for_tests(path: &Path) -> bool {
    let folder = path.parent().expect("a file is in a folder");
    let name = path.file_stem().expect("a name").to_str().expect("UTF-8");
    let declared = |above: PathBuf| {
        let text = fs::read_to_string(above).unwrap_or_default();
        text.contains(&format!("#[cfg(test)]\nmod {name};"))
    };
    ["lib.rs", "mod.rs"].into_iter().any(|above| declared(folder.join(above)))
}

/// A source without comments, up to its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().expect("split gives one part");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// No source below a path has any of these words, except these files.
fn assert_lacks(path: &str, words: &[&str], except: &[&str]) {
    for (name, code) in sources(path) {
        if except.contains(&name.as_str()) {
            continue;
        }
        for word in words {
            assert!(!code.contains(word), "{name} contains `{word}`");
        }
    }
}

#[test]
fn checkers_do_not_know_programs_languages_or_abstraction() {
    let uses = uses();
    assert_does_not_use("check", &uses["check"], &["expr", "solve", "program", "explore", "abstraction"]);
    assert_does_not_use("query", &uses["query"], &["expr", "solve", "program", "explore", "abstraction"]);
}

#[test]
fn nothing_but_the_middle_knows_languages() {
    let uses = uses();
    for name in libraries() {
        if uses["verify"].contains(&name) {
            assert_does_not_use(&name, &uses[&name], &["front-gcl", "front-smv"]);
        }
    }
}

#[test]
fn front_ends_do_not_know_checkers_or_abstraction() {
    let uses = uses();
    let unknown = ["check", "abstraction", "search", "query", "refine", "induction", "report", "verify"];
    for name in uses.keys().filter(|name| name.starts_with("front-")) {
        assert_does_not_use(name, &uses[name], &unknown);
        // Nor do they check anything by themselves. Cones of influence need components of what variables depend on, and functions in C are
        // recursive by components of calls.
        let folder = format!("crates/{name}/src");
        assert_lacks(&folder, &["Verdict", "Streett", "Tableau"], &[]);
        let components = ["crates/front-smv/src/encode/cone.rs", "crates/front-c/src/lower/calls.rs"];
        assert_lacks(&folder, &["ComponentSearch"], &components);
    }
}

#[test]
fn induction_does_not_know_programs_or_diagrams() {
    let uses = uses();
    assert_does_not_use("induction", &uses["induction"], &["dd", "encode", "system", "evidence", "check"]);
    assert_does_not_use("solve", &uses["solve"], &["dd", "encode", "system"]);
    assert_lacks("crates/induction/src", &["Program", "Command", "Statement", "Interpreter"], &[]);
}

#[test]
fn evidence_does_not_know_checkers() {
    assert_does_not_use("evidence", &uses()["evidence"], &["check", "solve", "program", "expr"]);
}

#[test]
fn formulas_in_systems_are_evidence() {
    let folders = ["crates/system/src/relation/", "crates/system/src/partial/"];
    for (name, code) in sources("crates/system/src") {
        let is_inside = folders.iter().any(|folder| name.starts_with(folder));
        assert!(is_inside || !code.contains("tertium_logic"), "{name} knows formulas");
    }
}

#[test]
fn reports_do_not_know_engines_or_the_middle() {
    let unknown = [
        "expr",
        "solve",
        "program",
        "explore",
        "abstraction",
        "search",
        "query",
        "refine",
        "induction",
        "verify",
    ];
    assert_does_not_use("report", &uses()["report"], &unknown);
    // Solutions of games are shown as they are.
    assert_lacks("crates/report/src", &["tertium_check"], &["crates/report/src/game.rs"]);
}

#[test]
fn engines_do_not_know_languages() {
    for (name, code) in sources("crates/verify/src") {
        if !name.starts_with("crates/verify/src/formats/") {
            assert!(!code.contains("tertium_front_"), "{name} knows a language");
        }
    }
    assert_lacks("crates/verify/src/engines", &["smv", "gcl", ".pts", ".aut"], &[]);
    for file in ["check", "schedule", "door", "engine", "model", "question"] {
        assert_lacks(&format!("crates/verify/src/{file}.rs"), &["smv", "gcl", ".pts", ".aut"], &[]);
    }
}

#[test]
fn formats_do_not_know_engines() {
    let words = ["crate::engines", "Engine {", "Candidate", "Session", "Opening"];
    for (name, code) in sources("crates/verify/src/formats") {
        // The usual bound on states is a number.
        let code = code.replace("crate::engines::explicit::MOST_STATES", "");
        assert!(!words.iter().any(|word| code.contains(word)), "{name} knows an engine");
    }
}

#[test]
fn the_command_line_does_not_know_languages() {
    // What it depends on by itself: what it needs of the rest comes from the middle.
    let own: BTreeSet<String> = ours(&manifest("cli"), "dependencies").into_iter().collect();
    let unknown = [
        "front-gcl",
        "front-smv",
        "expr",
        "solve",
        "program",
        "explore",
        "dd",
        "abstraction",
        "refine",
        "query",
        "induction",
    ];
    assert_does_not_use("cli", &own, &unknown);
    // Help texts give examples, and the list of formats has a page for each.
    let except = ["crates/cli/src/args.rs", "crates/cli/src/choices.rs", "crates/cli/src/commands/pages.rs"];
    assert_lacks("crates/cli/src", &["smv", "gcl"], &except);
}

#[test]
fn only_the_command_line_prints_reads_arguments_or_the_environment_or_exits() {
    let words = [
        "print!",
        "println!",
        "eprint!",
        "eprintln!",
        "dbg!",
        "stdout()",
        "stderr()",
        "std::env",
        "env::var",
        "env::args",
        "process::exit",
        "process::abort",
    ];
    for name in libraries() {
        assert_lacks(&format!("crates/{name}/src"), &words, &[]);
        let manifest = manifest(&name);
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for other in ["clap", "ctrlc", "indicatif"] {
            assert!(dependencies.is_none_or(|table| !table.contains_key(other)), "`{name}` uses {other}");
        }
    }
    assert_lacks("crates/cli/src", &["process::exit"], &["crates/cli/src/supervise.rs"]);
}

#[test]
fn no_library_reads_or_writes_files() {
    // How much memory the machine has is written in files of the system. The library for other programs reads what it is given.
    let except = ["crates/support/src/limits.rs"];
    for name in libraries().into_iter().filter(|name| name != "tertium") {
        assert_lacks(&format!("crates/{name}/src"), &["std::fs", "fs::", "File::"], &except);
    }
}

#[test]
fn the_clock_and_the_memory_in_use_are_read_in_one_place() {
    let words = ["Instant", "SystemTime", "memory_stats"];
    for (name, _) in layers().into_iter().filter(|(name, line)| line.is_some() && name != "support") {
        assert_lacks(&format!("crates/{name}/src"), &words, &[]);
    }
    assert_lacks("crates/support/src", &words, &["crates/support/src/limits.rs"]);
}

#[test]
fn the_supervisor_does_not_know_what_is_checked() {
    assert_lacks("crates/supervise/src", &["Verdict", "Property", "Model", "println", "eprintln"], &[]);
    let used = fs::read_to_string(root().join("crates/supervise/Cargo.toml")).expect("it is there");
    let own = used.lines().filter(|line| line.starts_with("tertium-"));
    assert_eq!(own.collect::<Vec<_>>(), ["tertium-support.workspace = true"]);
}

#[test]
fn nobody_knows_a_global() {
    // The binding of Z3 hands its objects over in this way; nothing is kept there.
    let except = ["crates/solve/src/z3/own_context.rs"];
    for (name, _) in layers().into_iter().filter(|(_, line)| line.is_some()) {
        for (file, code) in sources(&format!("crates/{name}/src")) {
            let is_global = |line: &str| {
                let line = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
                line.starts_with("static ") || line.contains("thread_local!") || line.contains("LazyLock<")
            };
            let found = code.lines().find(|line| is_global(line));
            assert!(except.contains(&file.as_str()) || found.is_none(), "{file} has a global: {found:?}");
        }
    }
}

#[test]
fn no_map_draws_its_order_at_random() {
    let words = ["collections::HashMap", "collections::HashSet", "RandomState", "hash_map::"];
    for (name, _) in layers().into_iter().filter(|(_, line)| line.is_some()) {
        assert_lacks(&format!("crates/{name}/src"), &words, &[]);
        let braces = |line: &str| line.contains("std::collections::{") && line.contains("Hash");
        for (file, code) in sources(&format!("crates/{name}/src")) {
            assert!(!code.lines().any(braces), "{file} has a map with an order of chance");
        }
    }
}

#[test]
fn a_game_solver_does_not_know_where_its_game_comes_from() {
    let words = ["tertium_system", "tertium_logic", "crate::", "super::super::super"];
    assert_lacks("crates/check/src/game", &words, &[]);
}

#[test]
fn a_validator_does_not_know_who_made_the_evidence() {
    let checkers = [
        "equations",
        "necessity",
        "propagation",
        "product",
        "ranked",
        "game",
        "symbolic",
        "naive",
        "thorough",
    ];
    let words: Vec<String> = checkers.iter().map(|name| format!("crate::{name}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_lacks("crates/check/src/validate", &words, &[]);
    assert_lacks("crates/check/src/replay.rs", &["thorough", "naive"], &[]);
    let solvers = [
        "solve",
        "zielonka",
        "promotion",
        "attraction",
        "decomposition",
        "tangles",
        "components",
        "vertex_sets",
        "naive",
    ];
    let words: Vec<String> = solvers.iter().map(|name| format!("super::{name}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_lacks("crates/check/src/game/validate.rs", &words, &[]);
    assert_lacks("crates/check/src/game/wrong_cycle.rs", &words, &[]);
    assert_lacks("crates/system/src/relation/check.rs", &["matrix", "worklist", "rounds", "_clause"], &[]);
    for file in ["validate", "claim", "lasso", "tree"] {
        let words = ["crate::encode", "crate::lower", "crate::space", "crate::pack", "tertium_dd"];
        assert_lacks(&format!("crates/front-smv/src/{file}.rs"), &words, &[]);
    }
    assert_lacks("crates/refine/src/recheck.rs", &["crate::", "super::", "PredicateAbstraction"], &[]);
    assert_lacks("crates/program/src/step_taken.rs", &["tertium_solve", "crate::step"], &[]);
    assert_lacks("crates/explore/src/run.rs", &["tertium_solve", "crate::", "super::"], &[]);
}

#[test]
fn systems_do_not_know_their_family() {
    assert_lacks("crates/system/src/partial_system.rs", &["Family"], &[]);
}

#[test]
fn truth_values_do_not_know_one_order() {
    for file in ["kleene", "belnap"] {
        assert_lacks(&format!("crates/truth/src/{file}.rs"), &["Ord"], &[]);
    }
}

#[test]
fn the_fast_checker_does_not_know_possibility() {
    for path in ["necessity.rs", "equations.rs", "reversed.rs", "propagation", "product"] {
        assert_lacks(&format!("crates/check/src/{path}"), &["Kleene", "Belnap"], &[]);
    }
}

#[test]
fn every_sentence_about_what_is_not_known_names_its_test() {
    let document = fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let part = document.split("\n## ").find(|part| part.starts_with("What does not know what"));
    let part = part.expect("a section on what does not know what");
    let mut tests = String::new();
    for path in ["crates/testkit/tests", "crates/cli/tests", "crates/verify/tests"] {
        sources(path).into_iter().for_each(|(_, code)| tests.push_str(&code));
    }
    let sentences: Vec<&str> = part.split("\n- ").skip(1).collect();
    assert!(sentences.len() > 15, "there are sentences");
    for sentence in sentences {
        let (_, named) =
            sentence.split_once("Test:").unwrap_or_else(|| panic!("no test is named: {sentence}"));
        let named = named.split("\n\n").next().expect("split gives one part");
        for test in named.split('`').skip(1).step_by(2) {
            assert!(tests.contains(&format!("fn {test}(")), "there is no test `{test}`");
        }
    }
}
