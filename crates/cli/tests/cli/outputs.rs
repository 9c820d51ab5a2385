//! No output overwrites an input or another output, whatever they are called, and what could not be written is said.
#![cfg(unix)]

use crate::support::Place;
use std::os::unix::fs::symlink;

const MODEL: &str = "var x: 0..3 = 0;\n[up] x < 3 -> x := x + 1;\nproperty low: AG x < 3;\n";

/// A place with a file of each kind under three names: its own, a link to it, and a second name on the disk.
fn place() -> Place {
    let place = Place::new();
    for (name, text) in [
        ("m.gcl", MODEL),
        ("p.mcf", "AG x < 3"),
        ("s.pts", "system s : kmts;\nactions a;\nstate one;\ninit one;\nboth one -a-> one;\n"),
        ("r.rel", "one -> all\n"),
        ("g.pg", "parity 0;\n0 0 0 0;\n"),
        ("preds.txt", "x < 2;\n"),
    ] {
        place.file(name, text);
        symlink(name, place.path().join(format!("link-{name}"))).expect("links can be made");
        std::fs::hard_link(place.path().join(name), place.path().join(format!("twin-{name}")))
            .expect("links can be made");
    }
    place
}

#[test]
fn no_output_overwrites_an_input() {
    let place = place();
    let commands: [(&str, &[&str]); 17] = [
        ("m.gcl", &["check", "m.gcl", "--engine", "explicit", "--dot"]),
        ("m.gcl", &["check", "m.gcl", "--engine", "predicate", "--save-predicates"]),
        ("m.gcl", &["check", "m.gcl", "--engine", "symbolic", "--write-order"]),
        ("p.mcf", &["check", "m.gcl", "-p", "@p.mcf", "--engine", "explicit", "--dot"]),
        ("preds.txt", &["check", "m.gcl", "--engine", "predicate", "--predicates", "preds.txt", "--dot"]),
        ("m.gcl", &["query", "m.gcl", "AG ?{x}", "--csv"]),
        ("m.gcl", &["tests", "m.gcl", "--output"]),
        ("m.gcl", &["check", "m.gcl", "-o"]),
        ("p.mcf", &["check", "m.gcl", "-p", "@p.mcf", "--output"]),
        ("p.mcf", &["vacuity", "m.gcl", "-p", "@p.mcf", "--output"]),
        ("m.gcl", &["query", "m.gcl", "AG ?{x}", "-o"]),
        ("m.gcl", &["replay", "m.gcl", "p.mcf", "-o"]),
        ("p.mcf", &["replay", "m.gcl", "p.mcf", "-o"]),
        ("s.pts", &["model", "convert", "s.pts", "--format", "pts", "--output"]),
        ("r.rel", &["model", "abstract", "s.pts", "--relation", "r.rel", "--format", "pts", "--output"]),
        ("s.pts", &["model", "consistent", "s.pts", "--output"]),
        ("g.pg", &["game", "solve", "g.pg", "--dot"]),
    ];
    for (file, command) in commands {
        let before = place.read(file);
        for name in [file.to_owned(), format!("./{file}"), format!("link-{file}"), format!("twin-{file}")] {
            let run = place.run(&[command, &[name.as_str()]].concat());
            assert_eq!(run.status, 1, "{command:?} {name}: {run:?}");
            assert!(run.stderr.contains(&format!("would overwrite {file}, which is an input")), "{run:?}");
            assert_eq!(place.read(file), before, "{command:?} {name}");
        }
        let run = place.run(&[command, &["-"]].concat());
        assert!(run.status == 1 && run.stderr.contains(" - is no file: "), "{command:?}: {run:?}");
        assert!(!place.path().join("-").exists(), "{command:?}");
    }
}

#[test]
fn no_output_overwrites_another() {
    let place = place();
    let base = ["check", "m.gcl", "--engine", "predicate", "--dot"];
    for (one, other) in [("new.txt", "./new.txt"), ("r.rel", "twin-r.rel"), ("link-r.rel", "r.rel")] {
        let run = place.run(&[&base[..], &[one, "--save-predicates", other]].concat());
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stderr.contains("--save-predicates and --dot would both write"), "{run:?}");
    }
    let run = place.run(&[&base[..], &["new.txt", "-o", "./new.txt"]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let run = place.run(&["query", "m.gcl", "AG ?{x}", "--csv", "new.txt", "-o", "new.txt"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(!place.names().contains(&"new.txt".to_owned()));
}

#[test]
fn predicates_may_be_written_back() {
    let place = place();
    let arguments = [
        "check",
        "m.gcl",
        "--engine",
        "predicate",
        "--predicates",
        "preds.txt",
        "--save-predicates",
        "preds.txt",
    ];
    assert_eq!(place.run(&arguments).status, 10);
    assert!(place.read("preds.txt").contains("x"));
}

#[test]
fn what_cannot_be_written_is_said_and_counts() {
    let place = place();
    let before = place.names();
    for (target, why) in
        [("nowhere/x.dot", "No such file"), (".", "directory"), ("/dev/full", "No space left")]
    {
        let run = place.run(&["check", "m.gcl", "--engine", "explicit", "--dot", target]);
        assert_eq!(run.status, 2, "{target}: {run:?}");
        assert!(run.stdout.starts_with("FALSE  low"), "{target}: {run:?}");
        assert!(
            run.stderr.contains(&format!("cannot write {target}")) && run.stderr.contains(why),
            "{target}: {run:?}"
        );
    }
    assert_eq!(place.names(), before);
}

/// What `--output` leaves on standard output, and in its file.
#[test]
fn the_result_goes_to_the_file_and_the_text_is_printed() {
    let place = place();
    let commands: [&[&str]; 4] =
        [&["check", "m.gcl"], &["vacuity", "m.gcl"], &["query", "m.gcl", "AG ?{x}"], &["tests", "m.gcl"]];
    for command in commands {
        let text = place.run(command);
        let object = place.run(&[command, &["--json"]].concat());
        for more in [&["-o", "result.json"][..], &["--json", "--output", "result.json"]] {
            let run = place.run(&[command, more].concat());
            // Tests are either printed or written.
            assert!(run.stdout == text.stdout || command[0] == "tests", "{command:?}: {run:?}");
            assert_eq!((run.last_line(), run.status), (text.last_line(), text.status), "{command:?}");
            assert_eq!(place.read("result.json"), object.stdout, "{command:?}");
            std::fs::remove_file(place.path().join("result.json")).expect("it was written");
        }
        for (target, why) in
            [("nowhere/x.json", "No such file"), (".", "directory"), ("/dev/full", "No space left")]
        {
            let run = place.run(&[command, &["-o", target]].concat());
            assert_eq!(run.status, 2, "{command:?} {target}: {run:?}");
            assert!(
                run.stderr.contains(&format!("cannot write {target}")) && run.stderr.contains(why),
                "{run:?}"
            );
        }
    }
    assert_eq!(place.names().len(), 18, "{:?}", place.names());
}

#[test]
fn a_run_that_a_limit_ends_still_writes_what_is_known() {
    let place = place();
    place.file(
        "both.gcl",
        "var x: int = 3; var y: int = 5;\n[up] true -> x := x*y + 1, y := y*y + x;\n\
         property small: AG x < 4;\nproperty cubes: AG x*x*x + y*y*y != 7;\n",
    );
    let run = place.run(&["check", "both.gcl", "-o", "run.json", "--time", "1500ms"]);
    let written: serde_json::Value = serde_json::from_str(&place.read("run.json")).expect("it is complete");
    assert_eq!(written["results"].as_array().expect("a list").len(), 2, "{run:?}");
    assert_eq!((&written["results"][0]["verdict"], run.status), (&"false".into(), 10), "{run:?}");
    let run = place.run(&["vacuity", "both.gcl", "-o", "late.json", "--time", "0s"]);
    assert_eq!(run.status, 5, "{run:?}");
    let written: serde_json::Value = serde_json::from_str(&place.read("late.json")).expect("it is complete");
    assert_eq!(written["result"], "unknown(U-TIME)");
}
