//! `--json`: the fields that docs/formats/json.md describes, no more and no less.

use crate::support::{Place, with_machine};
use serde_json::Value;
use std::collections::BTreeSet;
use tertium_testkit::{check_schema, is_quick};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/json.md");
    std::fs::read_to_string(path).expect("the page is there")
}

/// What `tertium schema` prints.
fn schema() -> Value {
    Place::new().run(&["schema"]).json()
}

/// The names of all fields of an object and of what is in it. The keys of the objects `values` and `inputs` are the
/// user's, those of `statistics` and `counts` are counters.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, inner) in object {
                found.insert(name.clone());
                let named_elsewhere = ["values", "inputs", "statistics", "counts"].contains(&name.as_str());
                if !(named_elsewhere && inner.is_object()) {
                    fields(inner, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let place = with_machine();
    place.file(
        "bad.pts",
        "system b : mixts;\npropositions p;\nstate s : !p;\nstate t : p;\ninit s;\nmust s -> t;\n",
    );
    place.file(
        "d.pts",
        "propositions p;\nconcrete c, d;\nstate top = {c, d};\nstate low = {c} : p;\n\
         state mid = {d} : p;\ninit top;\nboth low -> low;\n",
    );
    place.file("g.pg", "parity 0;\n0 0 0 0 \"v\";\n");
    place.file(
        "t.smv",
        "MODULE main\nVAR a : boolean; b : boolean;\nIVAR i : boolean;\nASSIGN init(a) := FALSE; next(a) := i;\n\
         SPEC EF (a & EG b)\nSPEC AG (a | !a)\nCOMPUTE MIN [ !a, a ]\n",
    );
    place.file(
        "n.gcl",
        "var n: 0..3;\nvar m: 0..3;\ninit n = 0 && m = 0;\n[up] n < 3 -> n := n + 1;\n[set] m < n -> m := n;\n\
         property bounded: AG (n <= 3);\nproperty below: AG (m <= n);\nproperty wrong: AG (n < 2);\n",
    );
    let runs: &[&[&str]] = &[
        &[
            "check",
            "m.pts",
            "-p",
            "EF ready",
            "-p",
            "EF !ready",
            "-p",
            "EF lamp",
            "-p",
            "EF ( ",
            "--json",
            "--stats",
        ],
        &[
            "check",
            "m.pts",
            "-p",
            "AG (ready || <stop>ready)",
            "-p",
            "nothing",
            "--allow-unknown-names",
            "--json",
        ],
        &["check", "bad.pts", "-p", "<>p", "--json"],
        &["check", "d.pts", "-p", "[]p", "--semantics", "ris", "--json"],
        &["check", "m.pts", "-p", "p || !p", "--semantics", "thorough", "--json", "--time", "0s"],
        &["model", "refines", "m.pts", "m.pts", "--json"],
        &["model", "refines", "m.pts", "bad.pts", "--json"],
        &["model", "consistent", "m.pts", "--json"],
        &["model", "consistent", "bad.pts", "--json"],
        &["model", "classify", "m.pts", "--json"],
        &["game", "solve", "g.pg", "--json", "--stats"],
        // Trees, lengths, invariants, predicates, rounds.
        &["check", "t.smv", "--json"],
        &["check", "n.gcl", "--json", "--engine", "induction"],
        &["check", "n.gcl", "--json", "--engine", "predicate", "--iterations", "1"],
        &["check", "n.gcl", "--json", "--engine", "search"],
        &["vacuity", "t.smv", "--json"],
        &["vacuity", "m.pts", "-p", "AG (ready || lamp)", "--json", "--method", "mutual"],
        &["query", "t.smv", "EF ?", "--json"],
        &["query", "m.pts", "EF ?", "--json", "--per-initial"],
        &["tests", "n.gcl", "--json"],
        &["tests", "n.gcl", "-o", "tests.json"],
        &["check", "n.gcl", "-o", "run.json"],
        &["check", "t.smv", "-o", "other.json"],
        &["vacuity", "t.smv", "-o", "vacuity.json"],
        &["query", "t.smv", "EF ?", "-o", "query.json"],
        &["replay", "n.gcl", "run.json", "-o", "replay.json"],
        &["replay", "n.gcl", "tests.json", "--json"],
        &["simulate", "n.gcl", "-o", "simulated.json"],
        &["simulate", "m.pts", "--json"],
        &["replay", "n.gcl", "simulated.json", "--json"],
        &["replay", "n.gcl", "other.json", "--json"],
        // Nothing to tell but why.
        &["tests", "bad.pts", "--json"],
        &["tests", "n.gcl", "--json", "--time", "0s"],
        &["simulate", "bad.pts", "--json"],
        &["simulate", "n.gcl", "--json", "--time", "0s"],
        &["replay", "absent.gcl", "run.json", "--json"],
        &["model", "classify", "bad.pts", "--json"],
        &["game", "solve", "bad.pts", "--json"],
    ];
    let schema = schema();
    let mut found = BTreeSet::new();
    for arguments in runs {
        let run = place.run(arguments);
        let report = match arguments.iter().position(|&argument| argument == "-o") {
            Some(at) => serde_json::from_str(&place.read(arguments[at + 1])).expect("a file of JSON"),
            None => run.json(),
        };
        check_schema(&schema, &report).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
        assert_eq!(report["schema"], "tertium/3", "{arguments:?}");
        fields(&report, &mut found);
    }
    let page = page();
    for field in &found {
        assert!(page.contains(&format!("`{field}`")), "docs/formats/json.md does not describe `{field}`");
    }
}

#[test]
fn an_answer_has_all_its_fields() {
    let report = with_machine().run(&["check", "m.pts", "-p", "EF !ready", "--json"]).json();
    let answer = report["results"][0].as_object().unwrap();
    let names: Vec<&str> = answer.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "file",
            "property",
            "verdict",
            "cause",
            "engine",
            "values",
            "evidence",
            "origin",
            "validated",
            "validated_by",
            "assumptions",
            "details",
            "statistics",
            "messages"
        ]
    );
    assert_eq!(answer["cause"]["code"], "U-IMPRECISE");
    assert_eq!(answer["evidence"]["culprit"]["kind"], "may_only");
    assert_eq!((&report["result"], &report["exit_status"]), (&"unknown(U-IMPRECISE)".into(), &5.into()));
}

#[test]
fn wrong_input_is_told_in_the_object_too() {
    let place = Place::new();
    place.file("m.pts", "state s;\ninit t;\n");
    let run = place.run(&["check", "m.pts", "-p", "true", "--json"]);
    assert_eq!(run.status, 2, "{run:?}");
    let report = run.json();
    assert_eq!(
        (&report["results"][0]["verdict"], &report["result"]),
        (&"error".into(), &"error(input)".into())
    );
    let message = &report["results"][0]["messages"][0];
    assert_eq!(
        (&message["source"], &message["line"], &message["column"]),
        (&"m.pts".into(), &2.into(), &6.into())
    );
    assert!(run.stderr.contains("m.pts:2:6"), "{run:?}");
}

#[test]
fn a_stopped_run_is_still_one_object() {
    let report = with_machine().run(&["check", "m.pts", "-p", "true", "--json", "--time", "0s"]).json();
    assert_eq!(report["results"][0]["cause"]["code"], "U-TIME");
    assert_eq!(report["settings"]["time_limit_ms"], 0);
}

#[test]
fn the_example_of_the_page_is_what_is_printed() {
    let page = page();
    let example = page.rsplit("```json\n").next().unwrap().split("```").next().unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let place = Place::new();
    let printed = place
        .command(&["check", "examples/coffee.pts", "-p", "AG ready", "--json"])
        .current_dir(root)
        .output()
        .expect("the binary starts");
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), example);
}

#[test]
fn huge_strategies_are_counted_and_given_on_demand() {
    let n = 6000;
    let mut ring = format!("des (0,{n},{n})\n");
    for state in 0..n {
        ring.push_str(&format!("({state},\"a\",{})\n", (state + 1) % n));
    }
    let place = Place::new();
    place.file("ring.aut", ring);
    let arguments = ["check", "ring.aut", "-p", "nu X. [a]X", "--json"];
    let short = place.run(&arguments).json();
    let evidence = &short["results"][0]["evidence"];
    assert!(evidence["claims"].is_null() && evidence["n_claims"].as_u64().unwrap() > 10_000, "{evidence}");
    let full = place.run(&[&arguments[..], &["--full"]].concat()).json();
    let evidence = &full["results"][0]["evidence"];
    assert_eq!(evidence["claims"].as_array().unwrap().len() as u64, evidence["n_claims"].as_u64().unwrap());
}

#[test]
fn the_schema_refuses_what_is_none_of_our_results() {
    let schema = schema();
    let place = with_machine();
    let right = place.run(&["check", "m.pts", "-p", "EF !ready", "--json"]).json();
    assert_eq!(check_schema(&schema, &right), Ok(()));
    let wrong = |path: &str, value: Value| {
        let mut report = right.clone();
        *report.pointer_mut(path).expect("the field is there") = value;
        check_schema(&schema, &report)
    };
    for (path, value) in [
        ("/schema", "tertium/2".into()),
        ("/command", "simulate".into()),
        ("/exit_status", 3.into()),
        ("/results/0/verdict", true.into()),
        ("/results/0/property/line", "1".into()),
        ("/results/0/evidence/kind", "story".into()),
        ("/results/0/evidence/states/0/values", serde_json::json!({ "ready": true })),
        ("/results/0/evidence/states/0", serde_json::json!({ "values": {} })),
        ("/settings", serde_json::json!({})),
    ] {
        assert!(wrong(path, value.clone()).is_err(), "{path} {value}");
    }
    assert!(check_schema(&schema, &serde_json::json!([])).is_err());
}

/// Every model that is shipped, with its properties: what is written conforms, and every run in it replays.
#[test]
fn shipped_models_write_results_that_conform_and_replay() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let schema = schema();
    let place = Place::new();
    let formula = |name: &str| match name {
        "coffee.pts" => Some("AG ready"),
        "mutex.pts" | "parity.pts" => Some("<>true"),
        "vending.aut" => Some("<true>true"),
        _ => None,
    };
    let mut n_replayed = 0;
    // One model goes on for as long as it may.
    let work = if is_quick() { "20M" } else { "500M" };
    let folder = std::fs::read_dir(format!("{root}/examples")).expect("there are examples");
    for path in folder.map(|entry| entry.expect("readable").path()) {
        let (name, file) = (path.file_name().unwrap().to_string_lossy(), path.display().to_string());
        let mut arguments = vec!["check", &file, "-o", "run.json", "--work", work];
        arguments.extend(formula(&name).into_iter().flat_map(|formula| ["-p", formula]));
        let run = place.run(&arguments);
        assert!([0, 5, 10].contains(&run.status), "{run:?}");
        let written: Value = serde_json::from_str(&place.read("run.json")).expect("JSON");
        check_schema(&schema, &written).unwrap_or_else(|why| panic!("{name}: {why}"));
        let replayed = place.run(&["replay", &file, "run.json", "--json"]);
        // Runs of C programs are written as programs: `--harness`.
        let is_c = replayed.stderr.contains("runs cannot be replayed on") && name.ends_with(".c");
        if is_c || replayed.stderr.contains("has no run to replay") {
            assert_eq!(replayed.status, 2, "{replayed:?}");
            continue;
        }
        let report = replayed.json();
        check_schema(&schema, &report).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(replayed.status, 0, "{name}: {replayed:?}");
        n_replayed +=
            report["results"].as_array().unwrap().iter().filter(|own| own["outcome"] == "fits").count();
    }
    assert!(is_quick() || n_replayed >= 15, "{n_replayed}");
}
