//! Limits and interruptions: unknown with the cause, never a kill.

use crate::support::{Place, RING, binary, with_machine};
use tertium_testkit::skipped;

#[test]
fn no_time_is_unknown_for_every_question() {
    let place = with_machine();
    let run = place.run(&["check", "m.pts", "-p", "true", "-p", "EF ready", "--time", "0s"]);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("UNKNOWN  ")).count(), 2, "{run:?}");
    assert!(run.stdout.contains("the time limit was reached") && run.stdout.contains("--time"), "{run:?}");
    run.ends(5, "RESULT: unknown(U-TIME)");
}

#[test]
fn no_memory_is_unknown() {
    with_machine()
        .run(&["check", "m.pts", "-p", "true", "--memory", "1K"])
        .ends(5, "RESULT: unknown(U-MEMORY)");
}

#[test]
fn limits_hold_for_other_commands_too() {
    let place = with_machine();
    place.file("g.pg", "parity 0;\n0 0 0 0;\n");
    place.run(&["model", "refines", "m.pts", "m.pts", "--time", "0s"]).ends(5, "RESULT: unknown(U-TIME)");
    place.run(&["model", "consistent", "m.pts", "--time", "0s"]).ends(5, "RESULT: unknown(U-TIME)");
    for arguments in
        [&["model", "show", "m.pts", "--time", "0s"][..], &["game", "solve", "g.pg", "--time", "0s"]]
    {
        let run = place.run(arguments).ends(5, "");
        assert!(run.stderr.contains("U-TIME"), "{run:?}");
    }
}

#[test]
fn specifications_without_a_name_are_shown_as_formulas() {
    let place = Place::new();
    place.file("m.smv", "MODULE main\nVAR x : boolean;\nSPEC AG x\nSPEC EF x\n");
    let run = place.run(&["check", "m.smv", "--nodes", "1"]);
    assert!(run.stdout.contains("UNKNOWN  AG x") && run.stdout.contains("UNKNOWN  EF x"), "{run:?}");
    run.ends(5, "RESULT: unknown(U-NODES)");
}

#[test]
fn questions_without_an_answer_are_shown_by_name_place_and_file() {
    let place = with_machine();
    place.file("m.gcl", "var x: 0..3 = 0;\n[a] x < 3 -> x := x + 1;\nproperty low: AG x < 4;\n");
    let run = place.run(&["check", "m.gcl", "--engine", "explicit", "--work-each", "0"]);
    assert!(
        run.stdout.starts_with("UNKNOWN  low: AG x < 4 ") && run.stdout.contains("    m.gcl:3    explicit\n"),
        "{run:?}"
    );
    run.ends(5, "RESULT: unknown(U-WORK)");
    place.file("ring.aut", RING);
    let run = place.run(&["check", "m.pts", "ring.aut", "-p", "true", "--time", "0s"]);
    for file in ["m.pts", "ring.aut"] {
        assert!(run.stdout.contains(&format!("    {file}\n  open: the time limit was reached\n")), "{run:?}");
    }
    run.ends(5, "RESULT: unknown(U-TIME)");
}

/// Naive evaluation never looks at the clock; the watcher does.
#[test]
fn work_that_does_not_look_is_left_behind() {
    let n = 3000;
    let mut line = format!("des (0,{},{n})\n", n - 1);
    for state in 1..n {
        line.push_str(&format!("({},\"a\",{state})\n", state - 1));
    }
    let place = Place::new();
    place.file("line.aut", line);
    // Each of n rounds of the outer fixpoint restarts the inner one, which takes n rounds over n states.
    let formula = "nu X. <a>X && mu Y. [a]false || <a>Y";
    let arguments = ["check", "line.aut", "-p", formula, "--engine", "naive", "--time", "300ms"];
    let run = place.run(&arguments).ends(5, "RESULT: unknown(U-TIME)");
    assert!(run.stdout.starts_with("UNKNOWN  nu X."), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_run_with_what_is_known() {
    let place = Place::new();
    place.file("ring.aut", RING);
    // A pipe without a writer that says anything: reading it waits until somebody ends the run.
    let made = std::process::Command::new("mkfifo").arg(place.path().join("slow.aut")).status();
    if !made.is_ok_and(|status| status.success()) {
        tertium_testkit::skipped("there is no mkfifo");
        return;
    }
    let child = place
        .command(&["check", "ring.aut", "slow.aut", "-p", "true"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Opening for writing waits for the reader, so the first answer is out and the signal handler in place.
    let _writer = std::fs::OpenOptions::new().write(true).open(place.path().join("slow.aut")).unwrap();
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.starts_with("TRUE  true") && text.ends_with("RESULT: unknown(U-INTERRUPTED)\n"), "{text}");
}

/// Nobody settles these in some seconds.
const SLOW: &str = "var x, y, z: 0..100000 = 1;
[a] x < 100000 -> x := (x * 7 + z) mod 99991;
[b] true -> y := (y * x + 3) mod 99991;
[c] true -> z := (z * y + x) mod 99991;
property one: AG (x * y != z * z + 99990);
property two: AG (x + y + z != 299970);
";

/// The program `script` gives a command a terminal.
#[test]
#[cfg(unix)]
fn a_terminal_shows_how_far_a_run_is_and_a_pipe_does_not() {
    let place = Place::new();
    place.file("slow.gcl", SLOW);
    let line = format!("{} check slow.gcl --time 4s", binary());
    let mut command = std::process::Command::new("script");
    let script = command.args(["-qec", &line, "typed"]).current_dir(place.path()).output();
    let Ok(script) = script else {
        return skipped("there is no program `script`");
    };
    let shown = String::from_utf8_lossy(&script.stdout).into_owned();
    let shown =
        shown + &String::from_utf8_lossy(&std::fs::read(place.path().join("typed")).unwrap_or_default());
    for part in ["property 1 of 2, ", " MB, ", " s of 4 s left"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    let run = place.run(&["check", "slow.gcl", "--time", "2s"]);
    assert!(!run.stderr.contains("left") && !run.stdout.contains("left"), "{run:?}");
}

/// Whoever notices the limit first: the work itself, or the process that watches it.
#[test]
fn a_run_that_a_limit_ends_still_has_statistics() {
    let place = Place::new();
    place.file(
        "big.gcl",
        "var a: int = 0; var b: int = 0; var c: int = 0;\n[x] true -> a := a + 1;\n[y] true -> b := b + 1;\n\
         [z] true -> c := c + a;\nproperty p: AG (a * b != 1000000007);\n",
    );
    for (limit, result) in [("--memory=50M", "unknown(U-MEMORY)"), ("--time=200ms", "unknown(U-TIME)")] {
        let run = place.run(&["check", "big.gcl", "--stats", limit]).ends(5, &format!("RESULT: {result}"));
        let n_times = run.stdout.lines().filter(|line| line.starts_with("  time      ")).count();
        assert_eq!(n_times, 1, "{limit}: {run:?}");
    }
}

#[test]
fn more_states_are_not_advised_where_there_may_be_no_end() {
    let place = Place::new();
    place.file("u.gcl", "var n: int = 0;\n[up] true -> n := n + 1;\nproperty l: LTLSPEC F (n > 3);\n");
    for arguments in [
        &["check", "u.gcl", "--work", "4M"][..],
        &["check", "u.gcl", "--engine", "explicit", "--states", "50"],
    ] {
        let run = place.run(arguments);
        assert!(!run.stdout.contains("more states with") && run.status == 5, "{run:?}");
    }
    let run = place.run(&["check", "u.gcl", "--engine", "explicit", "--states", "50"]);
    assert!(run.stdout.contains("next: give its variables bounds"), "{run:?}");
}
