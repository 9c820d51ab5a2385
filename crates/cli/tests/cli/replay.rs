//! `tertium replay`: what `check` and `tests` wrote, on the same model, on a changed one, and what is none of that.

use crate::search::ticket;
use crate::support::{MACHINE, Place, RING};
use serde_json::{Value, json};

const COUNTER: &str = "\
var n: 0..3 = 0;
var m: int = 0;
process p {
  [up] n < 3 -> n := n + 1;
  [any] n = 1 -> m := input;
}
property low: AG (n < 3);
property far: EF (m > 1000);
property round: AF (n = 3);
property bounded: AG (n <= 3);
";

const TOGGLE: &str = "\
MODULE main
VAR a : boolean; c : 0..3; w : unsigned word[4];
IVAR i : boolean;
ASSIGN
  init(a) := FALSE; init(c) := 0; init(w) := 0ud4_0;
  next(a) := i;
  next(c) := a ? (c + 1) mod 4 : c;
  next(w) := w + 0ud4_1;
INVARSPEC NAME low := c < 2;
CTLSPEC NAME stays := AG (a -> AX a);
LTLSPEC NAME soon := F a;
CTLSPEC NAME reach := EF c = 3;
";

fn checked(place: &Place, file: &str, arguments: &[&str]) -> Value {
    let run = place.run(&[&["check", file, "-o", "run.json"], arguments].concat());
    assert!([0, 5, 10].contains(&run.status) && run.stdout.contains("RESULT: "), "{run:?}");
    serde_json::from_str(&place.read("run.json")).expect("JSON")
}

fn entry(report: &Value, name: &str) -> Value {
    let all = report["results"].as_array().expect("results");
    all.iter().find(|own| own["property"] == name).unwrap_or_else(|| panic!("{name}: {report}")).clone()
}

#[test]
fn runs_of_every_format_and_engine_replay() {
    let place = Place::new();
    place.file("c.gcl", COUNTER).file("t.smv", TOGGLE).file("m.pts", MACHINE).file("r.aut", RING);
    let runs: &[(&str, &[&str])] = &[
        ("c.gcl", &["--engine", "explicit", "--name", "low"]),
        ("c.gcl", &["--engine", "predicate"]),
        ("c.gcl", &["--engine", "search"]),
        ("c.gcl", &["--work", "100M"]),
        ("t.smv", &["--engine", "explicit"]),
        ("t.smv", &["--engine", "symbolic"]),
        ("m.pts", &["-p", "EF !ready", "-p", "AG ready", "-p", "EF lamp", "-p", "AG !lamp"]),
        ("r.aut", &["-p", "nu X. <true>X", "-p", "AG <b>true", "-p", "EF [a]false"]),
    ];
    for (file, arguments) in runs {
        checked(&place, file, arguments);
        let run = place.run(&["replay", file, "run.json"]).ends(0, "RESULT: true");
        assert!(run.stdout.contains("REPLAYED"), "{file} {arguments:?}: {run:?}");
    }
}

#[test]
fn a_run_says_whether_it_still_shows_the_verdict() {
    let place = Place::new();
    place.file("c.gcl", COUNTER);
    place.file("weaker.gcl", COUNTER.replace("AG (n < 3)", "AG (n < 4 )"));
    checked(&place, "c.gcl", &["--name", "low"]);
    let run = place.run(&["replay", "c.gcl", "run.json"]).ends(0, "RESULT: true");
    assert!(
        run.stdout.starts_with("REPLAYED  low: 3 steps; it still shows that the property is false\n"),
        "{run:?}"
    );
    let run = place.run(&["replay", "weaker.gcl", "run.json"]).ends(10, "RESULT: false");
    assert!(
        run.stdout.contains("low: 3 steps, but it no longer shows that the property is false"),
        "{run:?}"
    );
}

/// Nested claims along one run, a run that ends, and trees of several runs.
#[test]
fn nested_claims_and_ends_of_runs_are_judged() {
    const ASKING: &str = "var asked: bool = false; var served: bool = false;
        [ask] !asked -> asked := true; [wait] asked -> skip; [serve] asked -> served := true, asked := false;
        property response: AG (asked => AF served);
        property twice: AG (asked => AX AX (asked || served)); property goes: AG EX true;";
    const SWITCH: &str = "MODULE main VAR on : boolean; hot : boolean;
        INIT !on & !hot TRANS next(hot) -> on
        FAIRNESS on
        CTLSPEC NAME cool := AG (on -> !(EX hot & EX !hot))
        CTLSPEC NAME safe := AG (on -> !(EX hot & AG EF on))\n";
    let place = Place::new();
    place.file("a.gcl", ASKING).file("s.smv", SWITCH);
    place.file("ends.gcl", ASKING.replace("[ask] !asked", "[ask] !asked && !served"));
    place.file("slow.smv", SWITCH.replace("EX hot &", "EX (hot & !on) &"));
    let shows = |model: &str, name: &str| {
        let report = place.run(&["replay", model, "run.json", "--json"]).json();
        let own = entry(&report, name);
        (own["shows"].as_bool(), own["reason"].as_str().unwrap_or_default().to_owned())
    };
    for engine in ["explicit", "symbolic"] {
        checked(&place, "a.gcl", &["--engine", engine, "--name", "response"]);
        assert_eq!(shows("a.gcl", "response"), (Some(true), String::new()), "{engine}");
        checked(&place, "ends.gcl", &["--engine", engine, "--name", "goes"]);
        assert_eq!(shows("ends.gcl", "goes"), (Some(true), String::new()), "{engine}");
        let (shown, why) = shows("a.gcl", "goes");
        assert_eq!(shown, Some(false), "there it goes on: {why}");
    }
    for engine in ["explicit", "symbolic"] {
        checked(&place, "s.smv", &["--engine", engine]);
        assert_eq!(shows("s.smv", "cool"), (Some(true), String::new()), "{engine}");
        let (shown, why) = shows("s.smv", "safe");
        assert!(
            shown.is_none() && why.contains("no run shows `AG (EF on)`, which was computed"),
            "{engine}: {why}"
        );
        let (shown, why) = shows("slow.smv", "cool");
        assert!(shown != Some(true), "{engine}: {why}");
    }
}

#[test]
fn the_first_step_that_does_not_fit_is_named_with_the_reason() {
    let place = Place::new();
    place.file("c.gcl", COUNTER);
    checked(&place, "c.gcl", &["--name", "low"]);
    for (from, to, step, why) in [
        ("n < 3 -> n := n + 1", "n < 2 -> n := n + 1", 3, "it is not enabled"),
        ("n < 3 -> n := n + 1", "n < 3 -> n := n < 2 ? n + 1 : 0", 3, "n is 0 instead of 3"),
        ("[up]", "[go]", 1, "the model has no such command"),
        ("process p", "process q", 1, "the model has no such command"),
        ("var n: 0..3 = 0", "var n: 0..2 = 0", 3, "3 is no value of `n`: 0..2"),
        ("var n: 0..3 = 0", "var n: 0..3 = 1", 0, "the model does not begin there"),
        ("var m: int = 0", "var m: int = 0;\nvar extra: int = 0", 0, "no value of `extra` was written"),
        ("int = 0", "bool = false", 0, "0 is no value of `m`: bool"),
    ] {
        let changed =
            COUNTER.replacen(from, to, 1).replace("m > 1000", "n > 1").replace("m := input;", "n := 0;");
        place.file("new.gcl", changed);
        let report = place.run(&["replay", "new.gcl", "run.json", "--json"]).json();
        let found = entry(&report, "low");
        assert_eq!(
            (&found["reason"], &found["misfit"]["step"]),
            (&why.into(), &step.into()),
            "{to}: {found}"
        );
        let text = place.run(&["replay", "new.gcl", "run.json"]).ends(10, "RESULT: false").stdout;
        let place = if step == 0 { "the start".to_owned() } else { format!("step {step} of 3") };
        assert!(
            text.starts_with(&format!("DIFFERS   low: {place} no longer fits: {why}\n    0  start")),
            "{text}"
        );
    }
}

#[test]
fn states_and_steps_of_the_other_formats_are_looked_for_too() {
    let place = Place::new();
    place.file("t.smv", TOGGLE).file("m.pts", MACHINE);
    checked(&place, "t.smv", &["--name", "low"]);
    for (from, to, why) in [
        ("next(a) := i", "next(a) := FALSE", "the value of `a` is none of those assigned in line 6"),
        ("w : unsigned", "v : boolean; w : unsigned", "no value of `v` was written"),
        ("unsigned word[4]", "unsigned word[3]", "0ud4_0 is no value of `w`: unsigned word[3]"),
        ("IVAR i : boolean", "IVAR i : boolean; j : boolean", "no value of `j` was written"),
        ("init(c) := 0", "init(c) := 1", "the model does not begin there: the value of `c`"),
    ] {
        let text = TOGGLE.replacen(from, to, 1);
        place.file("new.smv", if to.contains("word[3]") { text.replace("4_", "3_") } else { text });
        let report = place.run(&["replay", "new.smv", "run.json", "--json"]).json();
        let reason = entry(&report, "low")["reason"].as_str().expect("a reason").to_owned();
        assert!(reason.starts_with(why), "{to}: {reason}");
    }
    checked(&place, "m.pts", &["-p", "EF !ready"]);
    for (from, to, why) in [
        ("may  idle", "may  done", "no such step leads from `idle` to `work`"),
        ("init idle", "init done", "`idle` is not initial"),
        ("ready, !lamp", "!ready, !lamp", "`ready` is false instead of true at `idle`"),
    ] {
        place.file("new.pts", MACHINE.replacen(from, to, 1));
        let report = place.run(&["replay", "new.pts", "run.json", "--json"]).json();
        let found = &report["results"][0];
        // The way to what is open has no step where that is the first one.
        let expected = if from.starts_with("may") { &Value::Null } else { &why.into() };
        assert_eq!(&found["reason"], expected, "{found}");
    }
    checked(&place, "m.pts", &["-p", "EF !ready", "--engine", "naive", "--no-evidence"]);
    let run = place.run(&["replay", "m.pts", "run.json"]).ends(2, "");
    assert!(run.stderr.contains("has no run to replay: no evidence was written"), "{run:?}");
}

#[test]
fn properties_are_chosen_by_name() {
    let place = Place::new();
    place.file("c.gcl", COUNTER);
    checked(&place, "c.gcl", &["--work", "100M"]);
    let run = place.run(&["replay", "c.gcl", "run.json", "--name", "far"]).ends(0, "RESULT: true");
    assert!(
        run.stdout.starts_with("REPLAYED  far: ") && run.stdout.contains("REPLAY  1 of 1 run fit"),
        "{run:?}"
    );
    let run = place.run(&["replay", "c.gcl", "run.json", "--name", "lo"]).ends(2, "");
    assert!(run.stderr.contains("no property called `lo`: did you mean low?"), "{run:?}");
    let run = place.run(&["replay", "c.gcl", "run.json", "--name", "bounded"]).ends(2, "");
    assert!(run.stderr.contains("has no run to replay: "), "{run:?}");
}

/// Nothing that a file can hold makes more of a replay than a message.
#[test]
fn files_that_are_none_of_ours_are_refused() {
    let place = Place::new();
    place.file("c.gcl", COUNTER);
    let good = checked(&place, "c.gcl", &["--name", "low"]).to_string();
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let changed = |path: &str, value: Value| {
        let mut report: Value = serde_json::from_str(&good).expect("JSON");
        *report.pointer_mut(path).expect("the field is there") = value;
        report.to_string()
    };
    let evidence = "/results/0/evidence";
    let claim = |parts: Value| json!({ "formula": "p", "shown_by": "parts", "parts": parts });
    let tree = |claims: Vec<Value>| {
        let start = json!({ "name": "", "values": { "n": "0", "m": "0" } });
        changed(evidence, json!({ "kind": "tree", "role": "witness", "initial": start, "claims": claims }))
    };
    let refused = [
        String::new(),
        "null".to_owned(),
        "[1, 2]".to_owned(),
        "{ \"schema\": ".to_owned(),
        "{ \"#meta\": {}, \"vars\": [\"x\"], \"states\": [] }".to_owned(),
        "{ \"schema\": \"tertium/2\", \"command\": \"check\", \"results\": [] }".to_owned(),
        "{ \"schema\": \"tertium/3\", \"command\": \"query\" }".to_owned(),
        "{ \"schema\": \"tertium/3\", \"command\": \"tests\", \"tests\": [] }".to_owned(),
        "{ \"schema\": \"tertium/3\", \"command\": \"tests\", \"tests\": [{ \"states\": [] }] }".to_owned(),
        good[..good.len() / 2].to_owned(),
        good.replace("tertium/3", "tertium\\u0007/3"),
        nested.clone(),
        changed("/schema", json!(3)),
        changed(evidence, json!("trace")),
        changed(&format!("{evidence}/states"), json!([])),
        changed(&format!("{evidence}/steps"), json!([])),
        changed(&format!("{evidence}/loop_start"), json!(17)),
        changed(&format!("{evidence}/loop_start"), json!(-1)),
        changed(&format!("{evidence}/loop_start"), json!(1e300)),
        changed(&format!("{evidence}/states/0/values/n"), json!(0)),
        changed(&format!("{evidence}/steps/0/inputs"), json!({ "x": [] })),
        changed(evidence, Value::Null),
        tree(vec![]),
        tree(vec![claim(json!([0]))]),
        tree(vec![claim(json!([1, 1])), claim(json!([]))]),
        tree(vec![claim(json!([2])), claim(json!([])), claim(json!([1]))]),
        tree(vec![claim(json!([7]))]),
        tree(vec![claim(json!(nested))]),
    ];
    for text in refused {
        place.file("bad.json", &text);
        let run = place.run(&["replay", "c.gcl", "bad.json"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.starts_with("error: bad.json") && !run.stderr.contains('\u{7}'), "{run:?}");
        assert!(run.stderr.len() < 400, "{run:?}");
    }
    let huge = "9".repeat(1_000_000);
    for (path, value) in [
        ("states/0/values/m", json!(huge)),
        ("states/1/values/n", json!("1e99")),
        ("states/2/values", json!({})),
        ("states/0/name", json!("s\u{1b}[31m")),
        ("steps/0/action", json!("\n\nRESULT: true")),
        ("steps/0/process", json!(null)),
        ("steps/1/command", json!(u64::MAX)),
        ("steps/1/line", json!(u64::MAX)),
        ("states/3/values/n", json!("[else 0]")),
    ] {
        place.file("odd.json", changed(&format!("{evidence}/{path}"), value));
        let run = place.run(&["replay", "c.gcl", "odd.json"]);
        assert!(
            run.status == 10 || path.ends_with("command") || path.ends_with("line"),
            "{path}: {}",
            run.status
        );
        assert!([0, 10].contains(&run.status) && !run.stdout.contains('\u{1b}'), "{path}: {}", run.status);
        assert_eq!(run.stdout.matches("\nRESULT: ").count(), 1, "{path}");
        assert!(run.stdout.len() < 20_000 && run.stderr.is_empty(), "{path}: {}", run.stdout.len());
    }
}

#[test]
fn files_of_other_models_do_not_fit() {
    let place = Place::new();
    place.file("c.gcl", COUNTER).file("ticket.gcl", ticket(1)).file("t.smv", TOGGLE).file("m.pts", MACHINE);
    place.file("r.aut", RING);
    checked(&place, "c.gcl", &["--name", "low"]);
    for model in ["ticket.gcl", "t.smv", "m.pts", "r.aut"] {
        let run = place.run(&["replay", model, "run.json"]).ends(10, "RESULT: false");
        assert!(run.stdout.contains("the start no longer fits"), "{run:?}");
    }
    // Swapped arguments, and files that are not there.
    for arguments in
        [["replay", "run.json", "c.gcl"], ["replay", "c.gcl", "none.json"], ["replay", "c.gcl", "c.gcl"]]
    {
        let run = place.run(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    }
    assert_eq!(place.run(&["replay", "c.gcl", "run.json", "-o", "run.json"]).status, 1);
}
