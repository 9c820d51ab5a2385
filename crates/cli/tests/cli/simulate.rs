//! `tertium simulate`: random runs that replay, conversations with back and jump, deadlocks, and what is no command.

use crate::support::{MACHINE, Place, RING};

const COUNTER: &str = "\
var n: 0..3 = 0;
var m: int = 0;
process p {
  [up] n < 3 -> n := n + 1;
  [any] n = 1 -> m := input;
}
property low: AG (n < 3);
property round: AF (n = 3);
";

const TOGGLE: &str = "\
MODULE main
VAR a : boolean; c : 0..3;
IVAR i : boolean;
ASSIGN
  init(c) := 0;
  next(a) := i;
  next(c) := a ? (c + 1) mod 4 : c;
INVARSPEC NAME low := c < 2;
";

fn place() -> Place {
    let place = Place::new();
    place.file("c.gcl", COUNTER).file("t.smv", TOGGLE).file("m.pts", MACHINE).file("r.aut", RING);
    place
}

#[test]
fn random_runs_of_every_format_are_the_same_for_a_seed_and_replay() {
    let place = place();
    for file in ["c.gcl", "t.smv", "m.pts", "r.aut"] {
        for seed in ["0", "1", "2"] {
            let arguments = ["simulate", file, "--steps", "9", "--seed", seed, "-o", "run.json"];
            let run = place.run(&arguments).ends(0, "RESULT: true");
            assert!(run.stdout.starts_with("RUN  ") && run.stdout.contains("    0  start "), "{run:?}");
            let written = place.read("run.json");
            assert_eq!(place.run(&arguments).stdout, run.stdout);
            assert_eq!(place.read("run.json"), written);
            let replayed = place.run(&["replay", file, "run.json"]).ends(0, "RESULT: true");
            assert!(replayed.stdout.starts_with("REPLAYED  run: "), "{file} {seed}: {replayed:?}");
        }
    }
    let runs = ["1", "2", "3"].map(|seed| place.run(&["simulate", "t.smv", "--seed", seed]).stdout);
    assert!(runs[0] != runs[1] || runs[1] != runs[2], "{runs:?}");
}

#[test]
fn a_conversation_goes_on_and_back_and_jumps() {
    let place = place();
    let lines = "1\n1\nb\nj 2\nj 9\nb 7\nb\np\ns\nx\n99\n?\n1\n1\n1\n1\nt\nq\n1\n";
    let arguments = ["simulate", "c.gcl", "--interactive", "-o", "run.json"];
    let run = place.run_with_input(&arguments, lines).ends(0, "RESULT: true");
    for expected in [
        "    0  start   n = 0, m = 0\nSTEPS\n    1  p.up :4   n = 1\n",
        "    2  p.up :4   n = 2\nSTEPS\n",
        "the run has the steps 0 to 2: type `j` and one of them\n",
        "this is where it begins\n",
        "    true   low: (n < 3)\n    path   round: AF (n = 3) is not about one state\n",
        "    0  state   n = 0, m = 0\n",
        "this is no command: a number takes the step",
        "there is no choice 99: type a number from 1 to 1, or `?`\n",
        "there may be more: of inputs with too many values only a few are tried\n",
        "STEPS  none: this is a deadlock\n",
        "there is no step to take: `b` goes back, `q` quits\n",
        "RUN  3 steps, then a deadlock: no step is enabled\n",
    ] {
        assert!(run.stdout.contains(expected), "{expected:?} is missing in\n{}", run.stdout);
    }
    place.run(&["replay", "c.gcl", "run.json"]).ends(0, "RESULT: true");
}

#[test]
fn beginnings_are_chosen_and_open_steps_are_marked() {
    let place = place();
    let run = place.run_with_input(&["simulate", "t.smv", "-i"], "s\n2\n1\nb 5\nq\n").ends(0, "RESULT: true");
    assert!(run.stdout.starts_with("WHERE TO BEGIN\n    1  start   a = FALSE, c = 0\n"), "{run:?}");
    assert!(run.stdout.contains("it has not begun") && run.stdout.contains("input i = "), "{run:?}");
    assert!(run.stdout.ends_with("RUN  ended before it began\nRESULT: true\n"), "{run:?}");
    place.file("open.pts", "state s; state t; init s; may s -a-> t; both t -b-> s;\n");
    let run = place.run_with_input(&["simulate", "open.pts", "-i"], "1\n").ends(0, "RESULT: true");
    assert!(run.stdout.contains("    1  a :1 (may)   t\n"), "{run:?}");
    assert!(run.stdout.contains("the system leaves open whether these steps exist: 1\n"), "{run:?}");
}

#[test]
fn deadlocks_end_a_random_run_and_wrong_uses_are_refused() {
    let place = place();
    place.file("end.gcl", "var n: 0..1 = 0;\n[go] n = 0 -> n := 1;\n");
    let run = place.run(&["simulate", "end.gcl"]).ends(0, "RESULT: true");
    assert!(run.stdout.starts_with("RUN  1 step, then a deadlock: no step is enabled\n"), "{run:?}");
    place.file("bad.gcl", "var n: 0..1 = ;\n").file("none.gcl", "var n: 0..1;\ninit n > 1;\n");
    for file in ["bad.gcl", "none.gcl", "missing.gcl"] {
        assert_eq!(place.run(&["simulate", file]).status, 2, "{file}");
    }
    assert_eq!(place.run(&["simulate", "c.gcl", "-i", "--json"]).status, 1);
    assert_eq!(place.run(&["simulate", "-", "-i"]).status, 1);
    let run = place.run(&["simulate", "c.gcl", "--time", "0s"]);
    assert_eq!(run.status, 5, "{run:?}");
}

#[test]
fn inputs_are_typed_and_what_was_not_considered_is_said() {
    let place = Place::new();
    place.file(
        "in.gcl",
        "var n: int = 0;\nvar m: 0..9 = 0;\n[any] n < 5 -> n := input;\n[low] m < 5 -> m := input;\n",
    );
    let run = place
        .run_with_input(&["simulate", "in.gcl", "-i"], "1 n=17\n1 n=3\n1 m=10\n1 m=7\n1 m=\n99 m=1\nq\n");
    let run = run.ends(0, "RESULT: true");
    assert!(run.stdout.contains("    1  any :3   input n = 17\n                n = 17\n"), "{run:?}");
    for said in [
        "step 1 has no input `n`; it has `m`\n",
        "10 is no value of `m`: 0..9\n",
        "    2  low :4   input m = 7\n                m = 7\n",
        "there is no step 99 to give inputs to\n",
        "there is no step 1 to give inputs to\n",
        "RUN  2 steps, then a deadlock: no step is enabled\n",
    ] {
        assert!(run.stdout.contains(said), "{said}: {run:?}");
    }
    let random = place.run(&["simulate", "in.gcl", "--steps", "3", "-o", "run.json"]).ends(0, "RESULT: true");
    let said = "of inputs with too many values only a few are tried";
    assert!(random.stdout.contains(&format!("steps were drawn from a part of all: {said}\n")), "{random:?}");
    let report: serde_json::Value = serde_json::from_str(&place.read("run.json")).expect("JSON");
    assert_eq!(report["cut"], said);
    place.run(&["replay", "in.gcl", "run.json"]).ends(0, "RESULT: true");
    place.file("i.smv", "MODULE main\nVAR a : boolean;\nIVAR i : boolean; j : 0..3;\nASSIGN init(a) := FALSE; next(a) := i;\n");
    let run = place
        .run_with_input(&["simulate", "i.smv", "-i"], "1 i=TRUE j=2\n1 i=maybe\nq\n")
        .ends(0, "RESULT: true");
    assert!(run.stdout.contains("input i = TRUE, j = 2\n               a = TRUE\n"), "{run:?}");
    assert!(run.stdout.contains("no step with these inputs was found\n"), "{run:?}");
}

#[test]
fn a_run_to_a_state_without_meaning_or_to_a_limit_is_shown() {
    let place = Place::new();
    place.file(
        "d.smv",
        "MODULE main\nVAR c : 0..3; d : 0..3;\nASSIGN init(c) := 3; init(d) := 1;\n\
         next(c) := c > 0 ? c - 1 : 0;\nnext(d) := 3 / c;\n",
    );
    let run = place.run(&["simulate", "d.smv"]).ends(0, "RESULT: true");
    assert!(
        run.stdout.starts_with("RUN  3 steps; no further step was found: d.smv:5:12: division by zero"),
        "{run:?}"
    );
    let report = place.run(&["simulate", "d.smv", "--json"]).json();
    assert_eq!((&report["messages"][0]["line"], &report["deadlock"]), (&5.into(), &false.into()));
    place.file("c.gcl", "var n: int = 0;\n[up] true -> n := n + 1;\n");
    let arguments = ["simulate", "c.gcl", "--steps", "100000000", "--memory", "200M"];
    let run = place.run(&arguments).ends(5, "RESULT: unknown(U-MEMORY)");
    assert!(run.stdout.starts_with("RUN  ") && run.stdout.contains("    1  up :2   n = 1\n"), "{run:?}");
}
