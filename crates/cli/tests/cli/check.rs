//! `tertium check`: verdicts, evidence, options.

use crate::support::{MACHINE, Place, RING, with_machine};

#[test]
fn true_is_0_with_a_witness() {
    let run = with_machine().run(&["check", "m.pts", "-p", "EF ready"]).ends(0, "RESULT: true");
    assert!(run.stdout.starts_with("TRUE  EF ready"), "{run:?}");
    assert!(run.stdout.contains("  witness: 0 steps\n    0  start   idle: ready, !lamp\n"), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn false_is_10_with_a_counterexample_step_by_step() {
    let place = Place::new();
    place.file("ring.aut", RING);
    let run = place.run(&["check", "ring.aut", "-p", "[a][b][c]false"]).ends(10, "RESULT: false");
    assert!(run.stdout.starts_with("FALSE  [a][b][c]false"), "{run:?}");
    let expected =
        "  counterexample: 3 steps\n    0  start   0\n    1  a :2    1\n    2  b :3    2\n    3  c :4    0\n";
    assert!(run.stdout.contains(expected), "{run:?}");
}

#[test]
fn a_lasso_says_where_it_goes_back_to() {
    let place = Place::new();
    place.file(
        "m.pts",
        "propositions p = f;\nstate s, t;\nstate u : p;\ninit s;\nboth s -> t;\nboth t -> t, u;\nboth u -> u;\n",
    );
    let run = place.run(&["check", "m.pts", "-p", "EG !p"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("witness: 1 step, then a loop of 1 step"), "{run:?}");
    let lasso =
        "       the loop starts here\n    1  step :5   t\n       step :6   then back to step 1 (the loop)\n";
    assert!(run.stdout.contains(lasso), "{run:?}");
}

#[test]
fn unknown_is_5_and_names_the_culprit_and_the_next_step() {
    let run =
        with_machine().run(&["check", "m.pts", "-p", "EF !ready"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(run.stdout.starts_with("UNKNOWN  EF !ready"), "{run:?}");
    assert!(
        run.stdout.contains("open: the step idle --start--> work is possible but not guaranteed"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("next: settle `may idle -start-> work` (must: TRUE; absent: FALSE); see"),
        "{run:?}"
    );
    assert!(run.stdout.contains("tertium explain U-IMPRECISE"), "{run:?}");
}

#[test]
fn an_unknown_label_is_named_with_the_way_to_it() {
    let run =
        with_machine().run(&["check", "m.pts", "-p", "[start]lamp"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
    let shown = &run.stdout;
    assert!(shown.contains("idle --start--> work") || shown.contains("`lamp` holds at `work`"), "{run:?}");
}

#[test]
fn a_branching_property_is_proved_by_a_strategy() {
    let run =
        with_machine().run(&["check", "m.pts", "-p", "AG (ready || <stop>ready)"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("\n  proof: a strategy with 3 claims (--full shows it)\nRESULT"), "{run:?}");
    let arguments = ["check", "m.pts", "-p", "AG (ready || <stop>ready)", "--full"];
    let run = with_machine().run(&arguments).ends(0, "RESULT: true");
    for part in [
        "proof: a strategy with 3 claims",
        "every step: --start--> work |=",
        "choose: --stop--> done |= ready",
    ] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
}

#[test]
fn a_contradiction_is_reported_as_such_with_both_sides() {
    let place = Place::new();
    place.file(
        "m.pts",
        "system m : mixts;\npropositions p;\nstate s : !p;\nstate t : p;\ninit s;\nmust s -> t;\n",
    );
    let run = place.run(&["check", "m.pts", "-p", "<>p"]).ends(5, "RESULT: unknown(U-INCONSISTENT)");
    assert!(run.stdout.contains("contradiction:"), "{run:?}");
    let both = "  witness: 1 step\n    0  start     s: !p\n    1  step :6   t: p\n  counterexample: 0 steps\n    0  start   s: !p\n";
    assert!(run.stdout.contains(both), "{run:?}");
}

#[test]
fn with_several_questions_each_has_its_block_and_the_worst_wins() {
    let place = with_machine();
    place.file("ring.aut", RING);
    let run = place.run(&["check", "m.pts", "ring.aut", "-p", "true", "-p", "[true]false", "-q"]);
    let words: Vec<&str> =
        run.stdout.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    assert_eq!(words, ["TRUE", "UNKNOWN", "TRUE", "FALSE", "RESULT:"], "{run:?}");
    for (line, file) in run.stdout.lines().zip(["m.pts", "m.pts", "ring.aut", "ring.aut"]) {
        assert!(line.contains(&format!("    {file}    explicit, 3 states")), "{run:?}");
    }
    run.ends(10, "RESULT: false");
}

#[test]
fn a_wrong_file_or_formula_does_not_cost_the_other_answers() {
    let place = with_machine();
    let run = place.run(&["check", "m.pts", "gone.pts", "-p", "true", "-p", "EF ("]);
    assert!(run.stdout.starts_with("TRUE  true"), "{run:?}");
    assert!(run.stderr.contains("gone.pts") && run.stderr.contains("<property 2>:1:"), "{run:?}");
    run.ends(2, "RESULT: error(input)");
}

#[test]
fn formulas_come_from_files_too() {
    let place = with_machine();
    place.file("live.mcf", "% a comment\n[true*]\n  <true>true\n");
    let run = place.run(&["check", "m.pts", "-p", "@live.mcf"]);
    assert!(
        run.stdout.starts_with("TRUE  [true*] <true>true")
            || run.stdout.starts_with("UNKNOWN  [true*] <true>true")
    );
    place.run(&["check", "m.pts", "-p", "@gone.mcf"]).ends(2, "RESULT: error(input)");
}

#[test]
fn quiet_prints_verdicts_only() {
    let run = with_machine().run(&["check", "m.pts", "-p", "EF nothing", "-q", "--allow-unknown-names"]);
    assert_eq!(run.stdout.lines().count(), 2, "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn stats_count_and_say_that_evidence_was_validated() {
    let place = with_machine();
    let run = place.run(&["check", "m.pts", "-p", "EF ready", "--stats"]);
    assert!(
        run.stdout.contains("states               3")
            && run.stdout.contains("validated by         the validator of strategies\n"),
        "{run:?}"
    );
    let run = place.run(&["check", "m.pts", "-p", "EF ready", "--stats", "--no-validate"]);
    assert!(!run.stdout.contains("validated"), "{run:?}");
    let run = place.run(&["check", "m.pts", "-p", "EF ready", "--no-evidence"]).ends(0, "RESULT: true");
    assert!(!run.stdout.contains("witness"), "{run:?}");
}

#[test]
fn the_naive_engine_gives_the_same_verdicts() {
    let place = with_machine();
    for (formula, status) in [("EF ready", 0), ("AG ready", 5), ("[start]false && !ready", 10)] {
        for semantics in ["sis", "ris"] {
            let fast = place.run(&["check", "m.pts", "-p", formula, "--semantics", semantics]);
            let slow =
                place.run(&["check", "m.pts", "-p", formula, "--semantics", semantics, "--engine", "naive"]);
            assert_eq!((fast.status, slow.status), (status, status), "{formula} {fast:?} {slow:?}");
        }
    }
}

#[test]
fn modal_aut_is_read_when_asked_for() {
    let place = Place::new();
    place.file("m.aut", "des (0,1,2)\n(0,\"may:a\",1)\n");
    place.run(&["check", "m.aut", "-p", "<a>true", "--modal"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
    place.run(&["check", "m.aut", "-p", "<\"may:a\">true"]).ends(0, "RESULT: true");
}

#[test]
fn evidence_is_drawn_as_dot() {
    let place = with_machine();
    place.run(&["check", "m.pts", "-p", "EF ready", "--dot", "why.dot"]).ends(0, "RESULT: true");
    assert!(place.read("why.dot").starts_with("digraph evidence {"));
    place
        .run(&["check", "m.pts", "-p", "EF !ready", "--dot", "why.dot"])
        .ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(place.read("why.dot").contains("color=\"orange\""), "{}", place.read("why.dot"));
    place.run(&["check", "m.pts", "-p", "true", "-p", "true", "--dot", "x.dot"]).ends(1, "");
}

#[test]
fn long_evidence_is_cut_and_shown_whole_on_demand() {
    let n = 200;
    let mut ring = format!("des (0,{n},{n})\n");
    for state in 0..n {
        ring.push_str(&format!("({state},\"a\",{})\n", (state + 1) % n));
    }
    let place = Place::new();
    place.file("ring.aut", ring);
    let cut = place.run(&["check", "ring.aut", "-p", "nu X. <a>X"]).ends(0, "RESULT: true");
    assert!(cut.stdout.lines().count() < 40 && cut.stdout.contains("(--full shows all)"), "{cut:?}");
    let full = place.run(&["check", "ring.aut", "-p", "nu X. <a>X", "--full"]).ends(0, "RESULT: true");
    assert!(full.stdout.lines().count() > n, "{full:?}");
}

#[test]
fn the_same_run_prints_the_same_bytes() {
    let place = with_machine();
    for arguments in [
        &["check", "m.pts", "-p", "AG (ready || <stop>ready)"][..],
        &["check", "m.pts", "-p", "true", "--json"],
    ] {
        assert_eq!(place.run(arguments).stdout, place.run(arguments).stdout);
    }
}

#[test]
fn the_exit_status_survives_a_reader_that_goes_away() {
    let place = Place::new();
    place.file("m.pts", MACHINE);
    let many: Vec<&str> = std::iter::repeat_n(["-p", "EF !ready"], 500).flatten().collect();
    let mut child = place
        .command(&[&["check", "m.pts"][..], &many].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn semantics_grow_more_precise_and_say_what_they_use() {
    let place = Place::new();
    let system = "propositions p;\nconcrete c, d;\nstate top = {c, d};\nstate low = {c} : p;\nstate mid = {d} : p;\n\
                  init top;\nboth top -> top;\nmay low -> low, mid;\nmay mid -> low, mid;\n";
    place.file("m.pts", system);
    place.run(&["check", "m.pts", "-p", "[]p"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
    let run =
        place.run(&["check", "m.pts", "-p", "[]p", "--semantics", "ris", "--full"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("whichever it stands for: c as low |= p; d as mid |= p"), "{run:?}");
    place.run(&["check", "m.pts", "-p", "[]p", "--semantics", "thorough"]).ends(0, "RESULT: true");
}
