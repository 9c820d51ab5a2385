//! Wrong inputs by name: located errors, exit status 2 (1 for the command line), never a panic.

use crate::support::{MACHINE, Place, RING, Run, with_machine};

/// Checks `true` on a file with this content.
fn check_content(name: &str, content: impl AsRef<[u8]>) -> Run {
    let place = Place::new();
    place.file(name, content);
    place.run(&["check", name, "-p", "true"])
}

#[track_caller]
fn refused(run: Run, parts: &[&str]) {
    for part in parts {
        assert!(run.stderr.contains(part), "{part} is not in {run:?}");
    }
    assert!(!run.stderr.contains("internal error"), "{run:?}");
    run.ends(2, "RESULT: error(input)");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("dir.pts")).unwrap();
    refused(place.run(&["check", "gone.pts", "-p", "true"]), &["cannot read gone.pts"]);
    refused(place.run(&["check", "dir.pts", "-p", "true"]), &["cannot read dir.pts", "directory"]);
}

#[test]
fn an_unknown_extension_is_refused_with_the_known_ones() {
    for name in ["m.xyz", "m"] {
        refused(check_content(name, "hello"), &[name, ".pts", ".aut", ".gcl", ".smv", "tertium formats"]);
        // The content tells as well what a file is.
        check_content(name, MACHINE).ends(0, "RESULT: true");
    }
}

#[test]
fn empty_and_truncated_files_are_located() {
    refused(check_content("m.pts", ""), &["m.pts:1:1"]);
    refused(check_content("m.aut", ""), &["m.aut:1:1"]);
    refused(check_content("m.aut", &RING[..RING.len() - 5]), &["m.aut:4:"]);
    refused(check_content("m.pts", &MACHINE[..MACHINE.len() - 4]), &["m.pts:10:"]);
}

#[test]
fn bytes_that_are_not_utf8_are_located() {
    refused(check_content("m.pts", b"state s;\ninit \xff;\n"), &["m.pts:2:6", "UTF-8"]);
    let place = with_machine();
    place.file("f.mcf", b"tr\xffue");
    refused(place.run(&["check", "m.pts", "-p", "@f.mcf"]), &["f.mcf:1:3", "UTF-8"]);
}

#[test]
fn comments_of_models_may_be_in_any_encoding() {
    let model = |rest: &[u8]| [b"MODULE main -- caf\xe9\nVAR x : boolean;\n", rest].concat();
    let place = Place::new();
    place.file("m.smv", model(b""));
    place.run(&["check", "m.smv", "-p", "TRUE"]).ends(0, "RESULT: true");
    assert_eq!(place.run(&["model", "show", "m.smv", "--reachable"]).status, 0);
    refused(check_content("m.smv", model(b"VAR caf\xe9 : boolean;\n")), &["m.smv:3:8", "UTF-8", "comments"]);
}

#[test]
fn contradictory_systems_are_located() {
    refused(check_content("m.pts", "state s;\nstate s;\ninit s;\n"), &["m.pts:2:7", "`s`"]);
    refused(check_content("m.pts", "state s;\n"), &["m.pts", "init"]);
    refused(check_content("m.pts", "system m : mts;\nstate s;\ninit s;\nmust s -a-> s;\n"), &["m.pts:4:"]);
    refused(check_content("m.pts", "state s;\ninit s;\nmust s -> {};\n"), &["m.pts:3:"]);
    refused(check_content("m.aut", "des (0,1,1)\n(0,\"a\",7)\n"), &["m.aut:2:"]);
}

#[test]
fn several_mistakes_are_told_at_once() {
    let run = check_content("m.pts", "state s;\ninit s;\nmay s -> ;\nfoo;\nmay s -x t;\n");
    assert!(run.stderr.matches("error:").count() >= 3, "{run:?}");
}

#[test]
fn wrong_formulas_are_located() {
    let place = with_machine();
    for (formula, parts) in [
        ("EF (ready", &["<property 1>:1:"][..]),
        ("", &["<property 1>:1:1"]),
        ("mu X. !X", &["<property 1>:1:", "X"]),
        ("Y && <>Y || mu X. Q(X)", &["<property 1>:1:"]),
    ] {
        refused(place.run(&["check", "m.pts", "-p", formula]), parts);
    }
}

#[test]
fn huge_nesting_is_an_error_or_an_answer_but_no_crash() {
    let place = with_machine();
    for formula in ["!".repeat(100_000), "(".repeat(100_000), "<>".repeat(100_000), "mu X. ".repeat(50_000)] {
        place.file("deep.mcf", format!("{formula}true"));
        let run = place.run(&["check", "m.pts", "-p", "@deep.mcf", "-q"]);
        assert!([0, 2, 5, 10].contains(&run.status), "{} {}", run.status, run.stderr);
        assert!(run.stderr.len() < 20_000, "{}", run.stderr.len());
    }
}

#[test]
fn unknown_names_get_suggestions_and_can_be_allowed() {
    let place = with_machine();
    let run = place.run(&["check", "m.pts", "-p", "EF raedy && <strat>true"]);
    let parts = [
        "no proposition `raedy`",
        "did you mean `ready`?",
        "no action `strat`",
        "did you mean `start`?",
        "--allow-unknown-names",
    ];
    refused(run, &parts);
    let run = place.run(&["check", "m.pts", "-p", "EF raedy", "--allow-unknown-names"]);
    assert!(run.stderr.contains("warning: the system has no proposition `raedy`"), "{run:?}");
    run.ends(5, "RESULT: unknown(U-IMPRECISE)");
}

#[test]
fn a_wrong_command_line_is_1() {
    let place = with_machine();
    let run = place.run(&["check", "m.pts"]).ends(1, "");
    assert!(run.stderr.contains("no property") && run.stderr.contains("-p @FILE"), "{run:?}");
    for arguments in [
        &["check"][..],
        &["check", "gone.pts"],
        &["check", "gone.gcl", "m.pts"],
        &["check", "m.pts", "-p", "true", "--states", "3"],
        &["chekc", "m.pts"],
        &["check", "m.pts", "-p", "true", "--tiem", "1s"],
        &["check", "m.pts", "-p", "true", "--time", "soon"],
        &["check", "m.pts", "-p", "true", "--memory", "lots"],
        &["check", "m.pts", "-p", "true", "--engine", "warp"],
        &["check", "m.pts", "-p", "true", "--engine", "naive", "--semantics", "thorough"],
        &["check", "m.pts", "-p", "true", "--json", "--quiet"],
        &["model", "convert", "m.pts", "-o", "m.xyz"],
        &["explain", "U-NONE"],
        &["formats", "exe"],
        &[],
    ] {
        let run = place.run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{arguments:?} {run:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_2() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let place = with_machine();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(&["check", "m.pts", "-p", "true"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}
