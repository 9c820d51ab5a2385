//! Vacuity and queries on models of guarded commands.

use crate::support::Place;
use tertium_testkit::{random_cases, random_gcl};

const COUNTER: &str = "\
enum light = { red, amber, green };
var n: int = 0;
control l: light = red;
var k: 0..4 = 0;
[go] n < 3 -> n := n + 1, k := k + 1;
[turn] l = red -> l := green;
[turn] l = green -> l := red;
";

fn with_counter() -> Place {
    let place = Place::new();
    place.file("m.gcl", COUNTER);
    place
}

#[test]
fn solutions_are_values_of_variables_and_spare_codes_are_none_of_them() {
    let place = with_counter();
    let run = place.run(&["query", "m.gcl", "EF ?{l,k}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("8 solutions"), "{run:?}");
    assert!(run.stdout.contains("l in {red, green} && k in {0, 1, 2, 3}"), "{run:?}");
    // Two of five values of `k` never come, and no other code is one.
    let run = place.run(&["query", "m.gcl", "AG !?{k}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("1 solution,") && run.stdout.contains("  k = 4\n"), "{run:?}");
    let run = place.run(&["query", "m.gcl", ":stable{n > 2}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  n > 2\n"), "{run:?}");
    let run = place.run(&["query", "m.gcl", "EF (l = green && n = 1 && ?{k})"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  k = 1\n"), "{run:?}");
    for method in ["naive", "refine"] {
        let run = place.run(&["query", "m.gcl", "EF ?{l,k}", "--method", method]).ends(0, "RESULT: true");
        assert!(run.stdout.contains("8 solutions"), "{run:?}");
    }
    let run = place.run(&["query", "m.gcl", ":invariants{l,k}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  l in {red, green} && k in {0, 1, 2, 3}\n"), "{run:?}");
}

#[test]
fn integers_without_bounds_have_the_values_that_occur_or_are_complained_about() {
    let place = with_counter();
    let run = place.run(&["query", "m.gcl", "EF AG ?{n}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  n = 3\n") && run.stdout.contains("4 values that occur"), "{run:?}");
    let run = place.run(&["query", "m.gcl", "EF ?", "--states", "3"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("`n` has no bounds") && run.stderr.contains("<query>:1:4"), "{run:?}");
}

#[test]
fn a_cut_search_leaves_solutions_and_parts_open_because_of_the_bound() {
    let place = with_counter();
    let run = place.run(&["query", "m.gcl", "EF ?{k}", "--states", "3"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  k in {0, 1}\n") && run.stdout.contains("    k in {2, 3, 4}\n"), "{run:?}");
    assert!(run.stdout.contains("3 states were looked at; there are more states"), "{run:?}");
    place.run(&["query", "m.gcl", "EF AG ?{k}", "--states", "3"]).ends(5, "RESULT: unknown(U-BOUND)");
    let run = place
        .run(&["vacuity", "m.gcl", "-p", "AG (l = amber => n < 9)", "--states", "3"])
        .ends(5, "RESULT: unknown(U-BOUND)");
    assert!(run.stdout.contains("--states") && run.stderr.contains("3 states were looked at"), "{run:?}");
}

#[test]
fn formulas_are_about_values_only_and_open_because_of_the_bound() {
    let place = with_counter();
    let general = |query: &str, more: &[&str]| {
        place.run(&[&["query", "m.gcl", query, "--method", "general"], more].concat())
    };
    // Three of eight codes of `k` are no values: no formula and no state has them.
    for query in ["AG ?{k}", ":invariants{k}"] {
        let run = general(query, &[]).ends(0, "RESULT: true");
        assert!(
            run.stdout.contains("1 strongest") && run.stdout.contains("  k in {0, 1, 2, 3}\n"),
            "{run:?}"
        );
    }
    let run = general("AG !?{k}", &[]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("1 weakest") && run.stdout.contains("  k = 4\n"), "{run:?}");
    general("EF (k = 4 && ?{k})", &[]).ends(10, "RESULT: false");
    // What holds beyond the bound in any case is all values, though no single code is known there.
    let run = general("AG ?{k}", &["--states", "3"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  true\n") && run.stdout.contains("  k in {0, 1}\n"), "{run:?}");
    general("EF (k = 3 && ?{k})", &["--states", "3"]).ends(5, "RESULT: unknown(U-BOUND)");
    general("EF (k = 3 && ?{k})", &["--states", "3", "--max", "0"]).ends(5, "RESULT: unknown(U-BOUND)");
}

#[test]
fn parts_of_properties_of_programs_without_bounds_are_settled_by_other_engines() {
    let place = Place::new();
    place.file(
        "t.gcl",
        "var x, y: int = 0;\nvar stop: bool = false;\n[up] !stop -> x := x + 1, y := y + 1;\n[halt] x > 2 -> stop := true;\n",
    );
    let run =
        place.run(&["vacuity", "t.gcl", "-p", "AG (x >= 0 || y > 7)"]).ends(10, "RESULT: false(vacuous)");
    assert!(run.stdout.contains("Vacuously True in {y > 7}"), "{run:?}");
    assert!(run.stdout.contains("  already holds: AG (x >= 0)\n"), "{run:?}");
    assert!(
        run.stdout.contains("`x >= 0` matters: AG (false || (y > 7)) is false\n  witness: 0 steps"),
        "{run:?}"
    );
    let again = place.run(&["vacuity", "t.gcl", "-p", "AG (x >= 0 || y > 7)"]);
    assert_eq!(run.stdout, again.stdout);
    let run = place.run(&["vacuity", "t.gcl", "-p", "AG (stop => x > 2)"]).ends(0, "RESULT: true");
    assert!(
        run.stdout.contains("`x > 2` matters: AG (stop => false) is false\n  witness: 4 steps"),
        "{run:?}"
    );
    let run =
        place.run(&["vacuity", "t.gcl", "-p", "AG (x != y => stop)"]).ends(10, "RESULT: false(vacuous)");
    assert!(run.stdout.contains("Vacuously True in {stop}"), "{run:?}");
    // A bound that the user gives counts as it is.
    let bound = ["vacuity", "t.gcl", "-p", "AG (x != y => stop)", "--states", "9"];
    place.run(&bound).ends(5, "RESULT: unknown(U-BOUND)");
}

#[test]
fn parts_that_do_not_matter_are_underlined_where_the_file_has_them() {
    let place = Place::new();
    place.file(
        "m.gcl",
        format!("{COUNTER}invariant a: l != amber ||\n  n < 2;\nproperty AG (n = 2 => EF l = green);\n"),
    );
    let run = place.run(&["vacuity", "m.gcl"]).ends(10, "RESULT: false(vacuous)");
    assert!(run.stdout.contains("\n    n < 2\n    ~~~~~\n"), "{run:?}");
    assert!(run.stdout.contains("    AG (n = 2 => EF l = green)\n        ~~~~~\n"), "{run:?}");
    let report = place.run(&["vacuity", "m.gcl", "--json"]).ends(10, "}").json();
    let part = &report["results"][0]["vacuous"][0];
    assert_eq!((&part["text"], &part["line"], &part["column"]), (&"n < 2".into(), &9.into(), &3.into()));
}

#[test]
fn options_of_other_files_are_refused() {
    let place = with_counter();
    place.file("m.pts", "system m : bts; state a; init a;");
    for command in
        [["query", "m.pts", "EF ?", "--states", "3"], ["vacuity", "m.pts", "-ptrue", "--states", "3"]]
    {
        assert_eq!(place.run(&command).status, 1, "{command:?}");
    }
    assert_eq!(place.run(&["query", "m.gcl", "EF ?{k}", "--modal"]).status, 1);
    assert_eq!(place.run(&["query", "m.gcl", "EF ?{k}", "--nodes", "9"]).status, 1);
    assert_eq!(place.run(&["vacuity", "m.gcl", "-ptrue", "--keep-order"]).status, 1);
    assert_eq!(place.run(&["query", "m.gcl", "EF ?{k}", "--csv", "m.gcl"]).status, 1);
    let run = place.run(&["query", "m.gcl", "EF ?{kk, red}"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("`kk`") && run.stderr.contains("`red`"), "{run:?}");
}

#[test]
fn reachable_values_of_random_models_are_those_that_checks_find() {
    random_cases(4, |rng| {
        let place = Place::new();
        place.file("m.gcl", random_gcl(rng));
        let report = place.run(&["query", "m.gcl", ":reachable{c,t}", "--json"]);
        if report.status == 2 {
            return; // no initial state
        }
        let report = report.json();
        for colour in ["red", "green", "blue"] {
            for t in ["true", "false"] {
                let has = |cube: &serde_json::Value, variable: &str, value: &str| {
                    let mut own = cube
                        .as_array()
                        .expect("a cube")
                        .iter()
                        .filter(|values| values["variable"] == variable);
                    own.all(|values| {
                        values["values"].as_array().expect("values").iter().any(|one| one == value)
                    })
                };
                let cubes = report["solutions"]
                    .as_array()
                    .expect("solutions")
                    .iter()
                    .flat_map(|one| one["cubes"].as_array().expect("cubes"));
                let found = cubes.into_iter().any(|cube| has(cube, "c", colour) && has(cube, "t", t));
                // Somewhere reachable from some initial state: not everywhere excluded.
                let formula = format!("AG !(c = {colour} && (t <=> {t}))");
                let run =
                    place.run(&["check", "m.gcl", "-p", &formula, "--engine", "explicit", "--no-evidence"]);
                assert_eq!(run.status, if found { 10 } else { 0 }, "{formula} {run:?}");
            }
        }
    });
}

#[test]
fn combinations_that_engines_are_not_asked_about_are_told() {
    let place = Place::new();
    let many = "var x: int = 0;\nvar y: 0..99 = 0;\n[a] true -> x := x + 1;\n\
                [b] y < 99 && x > 100000 -> y := y + 1;\n";
    place.file("many.gcl", many);
    let run = place.run(&["query", "many.gcl", "EF ?{y}"]).ends(0, "RESULT: true");
    let note = "note: more than 64 combinations are open; engines were not asked about them";
    assert!(run.stdout.contains(note), "{run:?}");
    place.file("few.gcl", many.replace("99", "40"));
    let run = place.run(&["query", "few.gcl", "EF ?{y}", "--work-each", "1000"]);
    assert!(!run.stdout.contains("more than 64"), "{run:?}");
}
