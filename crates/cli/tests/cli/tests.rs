//! `tertium tests`: what is covered and written; `replay.rs` has what replays.

use crate::search::ticket;
use crate::support::{Place, RING};

#[test]
fn every_abstract_state_has_a_test_and_all_replay() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    let run =
        place.run(&["tests", "ticket.gcl", "--cover", "states", "-o", "tests.json"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("COVERAGE  9 tests of up to 3 steps"), "{run:?}");
    assert!(run.stdout.contains("9: all that can be reached"), "{run:?}");
    let written: serde_json::Value = serde_json::from_str(&place.read("tests.json")).expect("JSON");
    let tests = written["tests"].as_array().expect("tests");
    let covered: std::collections::BTreeSet<String> =
        tests.iter().map(|test| test["covers"].to_string()).collect();
    assert_eq!((tests.len(), covered.len()), (9, 9), "one each");
    let run = place.run(&["replay", "ticket.gcl", "tests.json"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("REPLAY  9 of 9 runs fit"), "{run:?}");
}

#[test]
fn tests_tell_two_versions_apart() {
    let place = Place::new();
    place.file("old.gcl", ticket(1));
    place.file("new.gcl", ticket(1).replace("next := next + 1", "next := next + 2"));
    place
        .run(&["tests", "old.gcl", "--cover", "states", "-o", "tests.json", "--longest"])
        .ends(0, "RESULT: true");
    let run = place.run(&["replay", "new.gcl", "tests.json"]).ends(10, "RESULT: false");
    assert!(run.stdout.contains("test 1: step 1 of 2 no longer fits: next is 2 instead of 1"), "{run:?}");
    let report = place.run(&["replay", "new.gcl", "tests.json", "--json"]).json();
    assert_eq!((&report["result"], &report["results"][0]["outcome"]), (&"false".into(), &"differs".into()));
}

#[test]
fn an_unfinished_search_covers_what_it_found() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    let run = place.run(&["tests", "ticket.gcl", "--cover", "states", "--iterations", "1"]);
    let run = run.ends(5, "RESULT: unknown(U-ITERATIONS)");
    assert!(run.stdout.contains("9: there may be more"), "{run:?}");
}

#[test]
fn only_programs_have_tests_and_no_input_is_overwritten() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    place.file("other.json", "{}");
    assert_eq!(place.run(&["tests", "ticket.gcl", "-o", "ticket.gcl"]).status, 1);
    assert_eq!(place.run(&["tests", "other.json"]).status, 2);
    place.file("ring.aut", RING);
    let run = place.run(&["tests", "ring.aut"]).ends(1, "");
    assert!(run.stderr.contains("tests are made of .gcl models"), "{run:?}");
}

#[test]
fn a_model_that_cannot_begin_has_no_tests() {
    let place = Place::new();
    place.file("nowhere.gcl", "var x: int;\ninit x > 0 && x < 0;\n[a] true -> x := x + 1;\n");
    let run = place.run(&["tests", "nowhere.gcl"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("nowhere.gcl has no initial state"), "{run:?}");
}

/// Two counters that stay equal, and branches that need a long run, a proof, or more than both.
const BRANCHES: &str = "\
var x, y: int = 0;
var k: 0..3 = 0;
[up]   true -> x := x + 1, y := y + 1;
[both] x > 2 -> either k := 1 or k := 2;
[far]  x = 20 -> k := 3;
[side] x > 4 -> k := y > 9 ? 3 : 0;
[diff] x != y -> k := 0;
[gap]  k = 1 -> k := x < y ? 2 : 1;
[in]   k = 0 -> k := input 0..3;
";

#[test]
fn branches_are_covered_or_proved_unreachable() {
    let place = Place::new();
    place.file("b.gcl", BRANCHES);
    let run = place.run(&["tests", "b.gcl", "-o", "tests.json"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  commands         6 of 7 taken\n"), "{run:?}");
    assert!(run.stdout.contains("  branches         10 of 12 taken, 2 unreachable\n"), "{run:?}");
    assert!(run.stdout.contains("    unreachable: [diff] in line 7\n"), "{run:?}");
    assert!(run.stdout.contains("    unreachable: [gap] in line 8, where x < y is true\n"), "{run:?}");
    let run = place.run(&["replay", "b.gcl", "tests.json"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("runs fit"), "{run:?}");
    let report = place.run(&["tests", "b.gcl", "--json"]).ends(0, "}").json();
    assert_eq!(report["cover"], "branches");
    assert_eq!(report["coverage"]["untaken_branches"][0]["status"], "unreachable");
    let mut covered: Vec<String> = Vec::new();
    for test in report["tests"].as_array().expect("tests") {
        covered.extend(test["covers"].as_array().expect("branches").iter().map(ToString::to_string));
    }
    let n = covered.len();
    covered.sort();
    covered.dedup();
    assert_eq!((n, covered.len()), (10, 10), "each branch is said to be covered once");
}

#[test]
fn a_branch_that_is_neither_found_nor_excluded_is_open() {
    let place = Place::new();
    place.file(
        "o.gcl",
        "var x, y: int = 1;\n[a] true -> x := x + 1;\n[b] true -> y := y + 1;\n[odd] x * x * x = 2 * y * y * y + 15 -> x := 0;\n",
    );
    let run = place.run(&["tests", "o.gcl"]).ends(5, "RESULT: unknown(U-WORK)");
    assert!(run.stdout.contains("  branches         2 of 3 taken, 1 open\n"), "{run:?}");
    assert!(run.stdout.contains("    open: [odd] in line 4: neither a run nor a proof"), "{run:?}");
}
