//! Models of guarded commands: shown, searched, checked, and what is said about wrong ones.

use crate::support::Place;

const COUNTER: &str = "\
var n: int = 0;
control on: bool = false;
[switch] true -> on := !on;
[count] on -> n := n + 1;
prop much = n > 3;
property grows: EF much;
invariant low: n < 2;
property forever: AG n >= 0;
";

fn with_counter() -> Place {
    let place = Place::new();
    place.file("m.gcl", COUNTER);
    place
}

#[test]
fn definite_verdicts_come_from_a_cut_search_and_the_rest_is_unknown_because_of_the_bound() {
    let place = with_counter();
    let run =
        place.run(&["check", "m.gcl", "--engine", "explicit", "--states", "50"]).ends(10, "RESULT: false");
    let words: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.split_once("  ")).map(|pair| pair.0).collect();
    assert_eq!(words.iter().filter(|word| **word == "TRUE").count(), 1, "{run:?}");
    assert_eq!(words.iter().filter(|word| **word == "UNKNOWN").count(), 1, "{run:?}");
    assert!(run.stdout.contains("counterexample: 3 steps"), "{run:?}");
    assert!(run.stdout.contains("\n  50 states were looked at; there are more states\n"), "{run:?}");
    let report = place
        .run(&["check", "m.gcl", "--engine", "explicit", "--name", "forever", "--json", "--states", "9"])
        .ends(5, "}")
        .json();
    assert_eq!(report["result"], "unknown(U-BOUND)");
    assert_eq!(report["results"][0]["property"]["name"], "forever");
    let left_out = &report["results"][0]["details"][0];
    assert_eq!(left_out["text"], "9 states were looked at; there are more states", "{left_out}");
}

#[test]
fn properties_of_linear_time_have_lassos_of_commands_and_stay_open_beyond_the_bound() {
    let place = with_counter();
    let property = "LTLSPEC G F n = 2";
    let run = place.run(&["check", "m.gcl", "-p", property, "--engine", "explicit", "--states", "40"]);
    let run = run.ends(10, "RESULT: false");
    assert!(run.stdout.contains("switch"), "{run:?}");
    assert!(!run.stdout.contains("not re-checked"), "{run:?}");
    place.run(&["check", "m.gcl", "-p", property]).ends(10, "RESULT: false");
    place
        .run(&["check", "m.gcl", "-p", "LTLSPEC G n >= 0", "--engine", "explicit", "--states", "40"])
        .ends(5, "RESULT: unknown(U-BOUND)");
    place.file("ring.gcl", "var n: 0..9 = 0; [up] n < 9 -> n := n + 1; [round] n = 9 -> n := 0;");
    place.run(&["check", "ring.gcl", "-p", "LTLSPEC G (n = 3 -> F n = 0)"]).ends(0, "RESULT: true");
    place.run(&["check", "ring.gcl", "-p", "LTLSPEC F G n = 0"]).ends(10, "RESULT: false");
    place.file(
        "both.gcl",
        "var n: 0..9 = 0; [up] n < 9 -> n := n + 1; [round] n = 9 -> n := 0;
         property round: LTLSPEC G (n = 3 -> F n = 0); // in the file
         property still: LTLSPEC F G n = 0;
         property back: AG EF n = 0;",
    );
    for engine in ["auto", "explicit", "symbolic"] {
        let run = place.run(&["check", "both.gcl", "--engine", engine]).ends(10, "RESULT: false");
        assert!(run.stdout.contains("TRUE  round: LTLSPEC G (n = 3 -> F n = 0)"), "{run:?}");
        assert!(run.stdout.contains("FALSE  still: LTLSPEC F G n = 0"), "{run:?}");
    }
    let shown = place.run(&["model", "show", "both.gcl"]);
    assert!(shown.stdout.contains("property still: LTLSPEC F G n = 0;"), "{shown:?}");
    for engine in ["predicate", "cartesian", "search", "naive", "induction"] {
        let run = place.run(&["check", "both.gcl", "--engine", engine, "--name", "round"]);
        assert!([2, 5].contains(&run.status), "{engine}: {run:?}");
    }
    let run = place.run(&["check", "ring.gcl", "-p", "LTLSPEC G (m = 3)"]);
    assert!(run.stderr.contains("m"), "{run:?}");
}

#[test]
fn few_states_are_too_few_and_more_are_enough() {
    let place = with_counter();
    place
        .run(&["check", "m.gcl", "--engine", "explicit", "-p", "EF n = 5", "--states", "3"])
        .ends(5, "RESULT: unknown(U-BOUND)");
    place
        .run(&["check", "m.gcl", "--engine", "explicit", "-p", "EF n = 5", "--states", "30"])
        .ends(0, "RESULT: true");
    place
        .run(&["check", "m.gcl", "-p", "EF n = 5", "--states", "30", "--engine", "naive"])
        .ends(0, "RESULT: true");
}

#[test]
fn a_model_is_shown_as_a_model_that_is_shown_alike() {
    let place = with_counter();
    let shown = place.run(&["model", "show", "m.gcl"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    place.file("again.gcl", &shown.stdout);
    assert_eq!(place.run(&["model", "show", "again.gcl"]).stdout, shown.stdout);
}

#[test]
fn states_are_listed_with_their_steps_and_whether_they_are_all() {
    let place = with_counter();
    let run = place.run(&["model", "show", "m.gcl", "--reach", "2"]);
    assert_eq!(
        run.stdout,
        "0: n=0, on=false  (initial)\n    switch -> 1\n\
         1: n=0, on=true\n    switch -> 0\n    count -> a state beyond the bound\n\
         cut after 2 states: there are more states\n"
    );
    place.file("f.gcl", "var b: bool = false; [a] !b -> b := true;");
    let run = place.run(&["model", "show", "f.gcl", "--reach", "9"]);
    assert_eq!(run.stdout, "0: b=false  (initial)\n    a -> 1\n1: b=true\n    no step\ncomplete: 2 states\n");
    let drawn = place.run(&["model", "show", "f.gcl", "--reach", "9", "--dot"]);
    assert!(drawn.stdout.starts_with("digraph") && drawn.stdout.contains("b=true"), "{drawn:?}");
    place.file("i.gcl", "var x: int = 0; [in] true -> x := input;");
    let run = place.run(&["model", "show", "i.gcl", "--reach", "9"]);
    assert!(run.stdout.contains("in needs an input without bounds and is not followed"), "{run:?}");
}

#[test]
fn mistakes_are_located_in_the_file_and_in_the_property() {
    let place = with_counter();
    place.file("bad.gcl", "var x: 0..3 = 7;\nvar y: int;\n[] z > 0 -> y := 1, y := 2;\nproperty AG w;\n");
    let run = place.run(&["check", "bad.gcl"]).ends(2, "RESULT: error(input)");
    for part in
        ["bad.gcl:1:15", "not in 0..3", "bad.gcl:3:4", "bad.gcl:3:21", "assigned twice", "bad.gcl:4:13"]
    {
        assert!(run.stderr.contains(part), "{part}: {run:?}");
    }
    let run = place.run(&["check", "m.gcl", "-p", "AG (n > k)"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("<property 1>:1:9"), "{run:?}");
    let run = place.run(&["check", "m.gcl", "-p", "<cuont> true"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("similar names: `count`"), "{run:?}");
}

#[test]
fn a_contradictory_initial_condition_is_reported() {
    let place = Place::new();
    place.file("v.gcl", "var x: 0..3 = 0;\ninit x > 1;\nproperty AG x = 9;\n");
    let run = place.run(&["check", "v.gcl"]).ends(0, "RESULT: true");
    assert!(
        run.stderr.contains("every property holds vacuously") && run.stderr.contains("v.gcl:2:6"),
        "{run:?}"
    );
    let report = place.run(&["check", "v.gcl", "--json"]).json();
    assert!(report["results"][0]["messages"].to_string().contains("vacuously"), "{report}");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let place = with_counter();
    for arguments in [
        &["check", "m.gcl", "--engine", "symbolic", "--semantics", "thorough"][..],
        &["check", "m.gcl", "--engine", "symbolic", "--dot", "d.dot", "--name", "low"],
        &["check", "m.gcl", "--nodes", "1000"],
        &["check", "m.gcl", "--modal"],
        &["check", "m.gcl", "--vacuity"],
        &["check", "m.gcl", "--keep-order"],
        &["check", "m.gcl", "--engine", "explicit", "--iterations", "3"],
        &["model", "show", "m.gcl", "--dot"],
    ] {
        assert_eq!(place.run(arguments).status, 1, "{arguments:?}");
    }
    place.file("m.pts", "system m : bts; state a; init a;");
    assert_eq!(place.run(&["check", "m.pts", "-p", "true", "--states", "3"]).status, 1);
    assert_eq!(place.run(&["model", "show", "m.pts", "--reach", "3"]).status, 1);
}

#[test]
fn of_several_files_none_is_answered_if_an_option_fits_only_some() {
    let place = with_counter();
    place.file("m.smv", "MODULE main\nVAR b : boolean;\nSPEC AG (b | !b)\n");
    place.file("wrong.smv", "MODULE main\nVAR b : ;\n");
    let counter = ["check", "m.gcl", "m.smv", "--engine", "predicate"];
    let symbolic = ["check", "m.smv", "m.gcl", "--nodes", "1000"];
    let rounds = ["check", "m.gcl", "m.smv", "--iterations", "3"];
    for arguments in [&counter[..], &symbolic, &rounds, &["check", "wrong.smv", "m.gcl", "--nodes", "1000"]] {
        let run = place.run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{run:?}");
        assert!(!run.stderr.is_empty(), "{run:?}");
    }
    // A file that cannot be read costs only its own questions.
    let run = place.run(&["check", "m.smv", "wrong.smv", "--nodes", "1000"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stdout.contains("TRUE"), "{run:?}");
}

#[test]
fn other_commands_take_the_states_of_a_model() {
    let place = Place::new();
    place.file("f.gcl", "var k: 0..1 = 0; prop up = k = 1; [a] k = 0 -> k := 1; [b] k = 1 -> k := 0;");
    let run = place.run(&["model", "convert", "f.gcl", "--format", "pts"]);
    assert!(run.status == 0 && run.stdout.contains("k=1"), "{run:?}");
    assert_eq!(place.run(&["model", "classify", "f.gcl"]).status, 0);
}

#[test]
fn what_a_search_leaves_open_is_settled_by_predicates() {
    let place = with_counter();
    let run = place.run(&["check", "m.gcl", "--name", "forever"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("induction, as written\n  invariant: "), "{run:?}");
    // What no single step proves is left to the abstraction.
    let run = place.run(&["check", "m.gcl", "-p", "AG (on || n >= 0)"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("predicate abstraction, "), "{run:?}");
    let run = place.run(&["check", "m.gcl", "--name", "forever", "--engine", "predicate"]);
    let run = run.ends(0, "RESULT: true");
    assert!(run.stdout.contains("predicate abstraction, 1 predicate, 1 round"), "{run:?}");
    assert!(run.stdout.contains("predicates: n < 0"), "{run:?}");
    let open =
        place.run(&["check", "m.gcl", "-p", "AG n != 5", "--engine", "predicate", "--iterations", "1"]);
    let open = open.ends(5, "RESULT: unknown(U-ITERATIONS)");
    assert!(open.stdout.contains("`--iterations 8`"), "{open:?}");
}

#[test]
fn a_run_that_shows_a_verdict_is_printed_in_the_names_of_the_model() {
    let place = with_counter();
    let run = place.run(&["check", "m.gcl", "--engine", "predicate", "--name", "low", "--stats"]);
    let run = run.ends(10, "RESULT: false");
    assert!(run.stdout.contains("counterexample: 3 steps"), "{run:?}");
    assert!(
        run.stdout.contains("\n    0  start       n = 0, on = false\n")
            && run.stdout.contains("\n    3  count :4    n = 2\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("\n  validated by         the interpreter\n"), "{run:?}");
    let json = place.run(&["check", "m.gcl", "--engine", "predicate", "--name", "low", "--json"]).json();
    let evidence = &json["results"][0]["evidence"];
    assert_eq!((&evidence["kind"], &evidence["role"]), (&"trace".into(), &"counterexample".into()), "{json}");
    assert_eq!(evidence["states"][3]["values"], serde_json::json!({"n": "2", "on": "true"}), "{json}");
    assert_eq!(json["results"][0]["validated"], true);
}

#[test]
fn commands_that_share_an_action_are_told_apart_by_process_and_line() {
    let place = Place::new();
    place.file(
        "m.gcl",
        "process p {\n  var a: 0..3 = 0;\n  [up] a < 2 -> a := a + 1;\n}\n\
         process q {\n  var b: 0..3 = 0;\n  [up] p.a = 1 && b < 2 -> b := b + 1;\n}\n",
    );
    for engine in ["explicit", "predicate", "search"] {
        let run = place.run(&["check", "m.gcl", "--engine", engine, "-p", "AG q.b < 1"]);
        let run = run.ends(10, "RESULT: false");
        assert!(run.stdout.contains("p.up :3") && run.stdout.contains("q.up :7"), "{run:?}");
    }
    let json = place.run(&["check", "m.gcl", "--json", "-p", "AG q.b < 1"]).json();
    let step = &json["results"][0]["evidence"]["steps"][1];
    assert_eq!((&step["process"], &step["line"]), (&"q".into(), &7.into()), "{json}");
}

#[test]
fn a_search_that_a_limit_cuts_uses_what_it_found() {
    let place = with_counter();
    let near = ["check", "m.gcl", "--engine", "explicit", "--states", "100000000", "--work", "1000000"];
    let run = place.run(&[&near[..], &["--name", "low", "--name", "forever"]].concat());
    let run = run.ends(10, "RESULT: false");
    assert!(run.stdout.contains("FALSE  low") && run.stdout.contains("UNKNOWN  forever"), "{run:?}");
    assert!(run.stdout.contains("states were looked at; there are more states"), "{run:?}");
}

#[test]
fn predicates_are_saved_and_given_back() {
    let place = with_counter();
    let first = place.run(&["check", "m.gcl", "--engine", "predicate", "--save-predicates", "p.txt"]);
    assert_eq!(first.status, 10, "{first:?}");
    let saved = std::fs::read_to_string(place.path().join("p.txt")).expect("written");
    assert!(saved.lines().count() >= 3 && saved.lines().all(|line| line.ends_with(';')), "{saved}");
    let again =
        place.run(&["check", "m.gcl", "--engine", "predicate", "--name", "grows", "--predicates", "p.txt"]);
    assert!(
        again.ends(0, "RESULT: true").stdout.contains(", 1 round"),
        "given predicates need no refinement"
    );
    place.run(&["check", "m.gcl", "--engine", "predicate", "--save-predicates", "m.gcl"]).ends(1, "");
    place.run(&["check", "m.gcl", "--name", "low", "--dot", "m.gcl"]).ends(1, "");
    assert_eq!(std::fs::read_to_string(place.path().join("m.gcl")).expect("still there"), COUNTER);
    place.file("bad.txt", "n > 0;\nm = 2;\nn + 1;\n");
    let bad = place.run(&["check", "m.gcl", "--predicates", "bad.txt"]).ends(2, "RESULT: error(input)");
    assert!(bad.stderr.contains("bad.txt:2:1") && bad.stderr.contains("bad.txt:3:1"), "{bad:?}");
    place.run(&["check", "m.gcl", "--engine", "predicate", "--semantics", "thorough"]).ends(1, "");
}

#[test]
fn predicates_are_saved_with_their_locations_and_read_so() {
    let place = Place::new();
    place.file(
        "two.gcl",
        "control pc: { ask1, ask2, done } = ask1;\nvar x, y: int;\n\
         [a] pc = ask1 && x > 0 -> x := input, pc := ask2;\n[b] pc = ask1 && x <= 0 -> x := input, pc := ask2;\n\
         [c] pc = ask2 && y > 0 -> pc := done;\n[d] pc = ask2 && y <= 0 -> pc := done;\n\
         property ends: EF pc = done;\n",
    );
    let check = ["check", "two.gcl", "--engine", "predicate", "--stats"];
    let first = place.run(&[&check[..], &["--save-predicates", "p.txt"]].concat()).ends(0, "RESULT: true");
    let saved = std::fs::read_to_string(place.path().join("p.txt")).expect("written");
    assert_eq!(saved, "x <= 0 at pc = ask1;\ny <= 0 at pc = ask1, pc = ask2;\n");
    let again = [&check[..], &["--predicates", "p.txt", "--save-predicates", "q.txt"]].concat();
    let again = place.run(&again).ends(0, "RESULT: true");
    assert_eq!(std::fs::read_to_string(place.path().join("q.txt")).expect("written"), saved);
    let states = |run: &crate::support::Run| {
        run.stdout.lines().find(|line| line.contains("abstract states")).map(str::to_owned)
    };
    assert_eq!(states(&first), states(&again));
    place.file("bad.txt", "x > 0 at x = 1;\ny > 0 at pc = ask1, pc = never;\nx > 1 at pc = done,;\n");
    let bad = place.run(&["check", "two.gcl", "--predicates", "bad.txt"]).ends(2, "RESULT: error(input)");
    for at in ["bad.txt:1:10", "bad.txt:2:26", "bad.txt:3:20"] {
        assert!(bad.stderr.contains(at), "{at}: {bad:?}");
    }
    assert!(bad.stderr.contains("expected a location"), "{bad:?}");
}

#[test]
fn nested_path_quantifiers_work_on_programs_without_bounds() {
    let place = with_counter();
    // After every switch one can come to where counting goes on for ever.
    let formula = "nu Z. ([switch] mu Y. (n > 1 || <true> Y)) && [switch] Z";
    let run = place.run(&["check", "m.gcl", "--engine", "predicate", "-p", formula]);
    assert!(run.ends(0, "RESULT: true").stdout.contains("proof: "), "a strategy on the abstract system");
}

#[test]
fn where_few_states_show_it_the_evidence_is_in_values() {
    let place = Place::new();
    let text = "control pc: 0..1 = 0;\nvar x: int = 0;\n[up] x < 3 -> x := x + 1;\n[back] x >= 3 -> x := 0;\n[go] x > 5 -> pc := 1;\n";
    place.file("loop.gcl", text);
    let check =
        |formula: &str| place.run(&["check", "loop.gcl", "--engine", "predicate", "--full", "-p", formula]);
    let run = check("AF pc = 1").ends(10, "RESULT: false");
    assert!(run.stdout.contains("counterexample: 0 steps, then a loop of 4 steps"), "{run:?}");
    let end = "    3  up :3     x = 3\n       back :4   then back to step 0 (the loop)\n";
    assert!(run.stdout.contains(end), "{run:?}");
    let run = check("EG x <= 3").ends(0, "RESULT: true");
    assert!(run.stdout.contains("witness: 0 steps, then a loop of 4 steps"), "{run:?}");
    // Something about all runs is better said of abstract states.
    let run = check("AG x <= 3").ends(0, "RESULT: true");
    assert!(run.stdout.contains("#0 (pc = 0, x <= 2)"), "{run:?}");
}

const CUBES: &str = "\
var x, y, z: int = 1;
[grow] true -> x := x + 1;
[grow] true -> y := y + 1;
[grow] true -> z := z + 1;
property easy: true;
property hard: AG x * x * x + y * y * y != z * z * z;
";

#[test]
fn products_that_the_solver_gave_up_on_are_named_and_counted() {
    let place = Place::new();
    // Nobody knows whether there are such numbers.
    place.file("sum.gcl", "var x, y, z: int = 1;\n[any] true -> x := input, y := input, z := input;\n");
    let formula = "AG x * x * x + y * y * y + z * z * z != 114";
    let run = place.run(&["check", "sum.gcl", "-p", formula, "--engine", "predicate"]);
    let run = run.ends(5, "RESULT: unknown(U-SOLVER)");
    assert!(run.stdout.contains(" times, on products: x*x*x + y*y*y + z*z*z = 114 ("), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_reaches_us_while_the_solver_works() {
    use std::io::{BufRead, BufReader, Read};
    let place = Place::new();
    place.file("cubes.gcl", CUBES);
    // One engine in the thread that works, and several, each in a thread of its own.
    for engine in ["predicate", "auto"] {
        let mut child = place
            .command(&["check", "cubes.gcl", "--engine", engine])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut text = String::new();
        // Once the easy answer is out, the solver is at the hard question, for minutes.
        output.read_line(&mut text).expect("there is a first answer");
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
        let told = std::time::Instant::now();
        output.read_to_string(&mut text).expect("the rest comes");
        assert_eq!(child.wait().expect("it ends").code(), Some(5), "{text}");
        assert!(told.elapsed().as_secs() < 10, "{:?}", told.elapsed());
        assert!(text.starts_with("TRUE  easy: true"), "{text}");
        assert!(text.contains("\nUNKNOWN  hard: AG x * x * x"), "{text}");
        assert!(text.ends_with("RESULT: unknown(U-INTERRUPTED)\n"), "{text}");
    }
}

/// The question whether a step keeps one counter three times the other takes more steps of the solver than a first turn has. Plain
/// `check` settles it as induction alone does.
#[test]
fn an_invariant_that_takes_a_long_question_is_proved() {
    let place = Place::new();
    let text = "\
var a, b: bits(70) = 70'd0;
[up] true -> a := bvadd(a, 70'd1), b := bvadd(b, 70'd3);
[stay] true -> a := a;
property AG b = bvadd(a, bvadd(a, a));
";
    place.file("m.gcl", text);
    for options in [&[][..], &["--engine", "induction"]] {
        let report = place.run(&[&["check", "m.gcl", "--json"], options].concat()).json();
        let result = &report["results"][0];
        assert_eq!(result["verdict"], "true", "{result}");
        assert_eq!(result["validated"], true, "{result}");
    }
}
