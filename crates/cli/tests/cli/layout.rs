//! Paths have one layout, whatever the format and the engine; and no shipped model has more evidence than fits a screen.

use crate::support::Place;
use serde_json::Value;
use std::path::Path;
use tertium_testkit::{Expected, Task, check_schema, find_tasks, is_quick, shared_work, some_of};

const GCL: &str = "\
var x: 0..3 = 0;
var busy: bool = false;
process p {
  [set] !busy -> x := input, busy := true;
  [clear] busy -> busy := false;
}
";

const SMV: &str = "\
MODULE main
VAR n : 0..3; one : process adder(n, fast); fast : boolean;
ASSIGN init(n) := 0; init(fast) := FALSE;
IVAR go : boolean;
TRANS !go -> next(n) = n
MODULE adder(n, fast)
ASSIGN next(n) := (n + 1) mod 4;
  next(fast) := n = 2;
";

const PTS: &str = "\
system s : kmts;
propositions p, q;
actions a, \"\";
state one : p, !q;
state two : !p, !q;
init one;
both one -a-> two;
both two -> one;
";

/// The evidence of the only property: what is indented, without what else the engine has to say.
fn evidence(place: &Place, file: &str, property: &str, engine: &str) -> String {
    let run = place.run(&["check", file, "-p", property, "--engine", engine, "--no-vacuity"]);
    assert!([0, 10].contains(&run.status), "{engine}: {run:?}");
    let lines = run.stdout.lines().filter(|line| line.starts_with("  ") && !line.starts_with("  predicates"));
    lines.filter(|line| !line.starts_with("  note")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn paths_of_programs_have_one_layout_for_all_engines() {
    let place = Place::new();
    place.file("m.gcl", GCL);
    let path = "  counterexample: 2 steps
    0  start        x = 0, busy = false
    1  p.set :4     input x = 3
                    x = 3, busy = true
    2  p.clear :5   busy = false
";
    for engine in ["auto", "explicit", "symbolic", "predicate", "cartesian", "search"] {
        assert_eq!(evidence(&place, "m.gcl", "AG !(x = 3 && !busy)", engine), path, "{engine}");
    }
    let lasso = "  counterexample: 0 steps, then a loop of 2 steps
       the loop starts here
    0  start        x = 0, busy = false
    1  p.set :4     input x = 0
                    busy = true
       p.clear :5   then back to step 0 (the loop)
";
    for engine in ["auto", "explicit", "symbolic"] {
        assert_eq!(evidence(&place, "m.gcl", "LTLSPEC F x = 1", engine), lasso, "{engine}");
    }
}

#[test]
fn paths_of_smv_models_show_who_moves_and_the_inputs() {
    let place = Place::new();
    place.file("m.smv", SMV);
    let path = "  counterexample: 2 steps
    0  start   n = 0, fast = FALSE
    1  one     input go = TRUE
               n = 1
    2  one     input go = TRUE
               n = 2
";
    for engine in ["auto", "explicit", "symbolic"] {
        assert_eq!(evidence(&place, "m.smv", "INVARSPEC n < 2", engine), path, "{engine}");
        assert_eq!(evidence(&place, "m.smv", "AG n < 2", engine), path, "{engine}");
    }
}

#[test]
fn paths_of_systems_show_names_before_values() {
    let place = Place::new();
    place.file("m.pts", PTS).file("m.aut", "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n");
    let lasso = "  witness: 0 steps, then a loop of 2 steps
       the loop starts here
    0  start     one: p, !q
    1  a :7      two: !p
       step :8   then back to step 0 (the loop)
";
    assert_eq!(evidence(&place, "m.pts", "EG !q", "explicit"), lasso);
    let path = "  counterexample: 1 step\n    0  start   0\n    1  a :2    1\n";
    assert_eq!(evidence(&place, "m.aut", "AG <a>true", "explicit"), path);
}

#[test]
fn a_tree_shows_no_state_twice() {
    let place = Place::new();
    place.file("m.gcl", GCL);
    let tree = "  witness: 4 claims
    0  start   x = 0, busy = false
    EF ((x = 2) && EG (x = 2))  holds at 0, shown by 1 step
      1  p.set :4   input x = 2
                    x = 2, busy = true
      (x = 2) && EG (x = 2)  holds at 1, because
        (x = 2)  holds at 1
        EG (x = 2)  holds at 1, shown by 0 steps, then a loop of 2 steps
          2  p.clear :5   busy = false
             p.set :4     input x = 2
                          then back to step 1 (the loop)
";
    assert_eq!(evidence(&place, "m.gcl", "EF (x = 2 && EG x = 2)", "symbolic"), tree);
}

/// What stands below one verdict line.
fn below(text: &str) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        if ["TRUE", "FALSE", "UNKNOWN", "SUMMARY", "RESULT"].iter().any(|word| line.starts_with(word)) {
            all.push((line, 0));
        } else if let Some((_, n)) = all.last_mut() {
            *n += 1;
        }
    }
    all.retain(|(line, _)| !line.starts_with("SUMMARY"));
    all
}

/// How many properties were asked, and how many runs were replayed.
type Counts = (usize, usize);

/// A task, asked all its properties: what is printed fits a screen, what is written conforms, and its runs replay.
fn fits_a_screen_and_replays(task: &Task, schema: &Value) -> Counts {
    let Expected::Properties { modal, properties, .. } = &task.expected else { return (0, 0) };
    let folder = task.sidecar.parent().expect("sidecars lie in folders");
    let file = folder.join(&task.input).display().to_string();
    let place = Place::new();
    let (mut n_properties, mut n_replayed) = (0, 0);
    for semantics in ["sis", "ris", "thorough"] {
        let asked = properties.iter().filter(|own| own.semantics == semantics);
        let formulas: Vec<String> = asked
            .map(|own| match own.formula.strip_prefix('@') {
                Some(name) => format!("@{}", folder.join(name).display()),
                None => own.formula.clone(),
            })
            .collect();
        if formulas.is_empty() {
            continue;
        }
        let mut arguments = vec!["check", &file, "--semantics", semantics, "--work", "30M", "-o", "run.json"];
        arguments.extend(modal.then_some("--modal"));
        arguments.extend(formulas.iter().flat_map(|formula| ["-p", formula]));
        let run = place.run(&arguments);
        assert!([0, 5, 10].contains(&run.status), "{run:?}");
        for (verdict, n) in below(&run.stdout) {
            assert!(n <= 40, "{file}: {n} lines below {verdict}\n{}", run.stdout);
            n_properties += 1;
        }
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 120), "{}", run.stdout);
        let written = serde_json::from_str(&place.read("run.json")).expect("JSON");
        check_schema(schema, &written).unwrap_or_else(|why| panic!("{file}: {why}"));
        let replayed = place.run(&["replay", &file, "run.json"]);
        let nothing = replayed.status == 2 && replayed.stderr.contains("has no run to replay");
        assert!(replayed.status == 0 || nothing, "{file} {semantics}: {replayed:?}");
        n_replayed += replayed.stdout.matches("REPLAYED").count();
    }
    (n_properties, n_replayed)
}

#[test]
fn evidence_of_every_shipped_model_fits_a_screen_and_replays() {
    let schema = Place::new().run(&["schema"]).json();
    let all = find_tasks(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/tasks")));
    let counts = shared_work(&some_of(all), |task| fits_a_screen_and_replays(task, &schema));
    let (n_properties, n_replayed) =
        counts.into_iter().fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    let enough = n_properties > 400 && n_replayed > 150;
    assert!(is_quick() || enough, "{n_properties} properties, {n_replayed} runs");
}
