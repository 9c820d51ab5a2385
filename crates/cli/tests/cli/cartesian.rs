//! Models of guarded commands by cartesian abstraction: examples, semantics, depth, what stays open, and what is refused.

use crate::support::Place;

fn example(place: &Place, name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    place.file(name, std::fs::read_to_string(path).expect("an example"));
}

const COPY: &str = "\
var x, y, z: int;
init odd(x) && y > 0 && z < 0;
[step] true -> x := z;
";

#[test]
fn the_protocols_have_their_verdicts_with_checked_evidence() {
    let place = Place::new();
    example(&place, "bakery.gcl");
    example(&place, "ticket.gcl");
    let arguments = ["check", "bakery.gcl", "--engine", "cartesian", "--stats"];
    let run = place.run(&arguments).ends(10, "RESULT: false");
    let words = run.stdout.lines().filter_map(|line| line.split_once("  ")).map(|pair| pair.0);
    let verdicts: Vec<&str> = words.filter(|word| ["TRUE", "FALSE", "UNKNOWN"].contains(word)).collect();
    assert_eq!(verdicts, ["TRUE", "TRUE", "FALSE"], "{run:?}");
    let by: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("  validated by         ")).collect();
    let proof = "a fresh solver, the validator of strategies";
    assert_eq!(by, [proof, "the interpreter", "the interpreter"], "{run:?}");
    assert!(run.stdout.contains("cartesian abstraction, 10 predicates, 2 rounds"), "{run:?}");
    for name in ["mutex", "turn"] {
        let run = place.run(&["check", "ticket.gcl", "--engine", "cartesian", "--name", name]);
        assert!(run.ends(0, "RESULT: true").stdout.contains("proof: "), "{name}");
    }
    let run = place.run(&["check", "ticket.gcl", "--engine", "cartesian", "--name", "never_served"]);
    assert!(run.ends(10, "RESULT: false").stdout.contains("counterexample: 3 steps"), "a concrete run");
}

#[test]
fn nested_path_quantifiers_work_with_open_predicates() {
    let place = Place::new();
    example(&place, "ticket.gcl");
    // Whenever somebody has taken a ticket, entering leads to where somebody is in.
    let formula = "nu Z. ([take] mu Y. (left.pc = crit || right.pc = crit || <enter> Y)) && [take] Z";
    for engine in ["predicate", "cartesian"] {
        let run = place.run(&["check", "ticket.gcl", "--engine", engine, "-p", formula, "--stats"]);
        let run = run.ends(0, "RESULT: true");
        assert!(
            run.stdout.contains("\n  validated by         a fresh solver, the validator of strategies\n"),
            "{engine}: {run:?}"
        );
    }
}

#[test]
fn both_semantics_and_any_depth_have_the_same_verdicts_where_they_have_one() {
    let place = Place::new();
    example(&place, "copy.gcl");
    for engine in ["predicate", "cartesian"] {
        for semantics in ["sis", "ris"] {
            let arguments = ["check", "copy.gcl", "--engine", engine, "--semantics", semantics, "--json"];
            let report = place.run(&arguments).json();
            let results = report["results"].as_array().expect("results");
            let verdicts: Vec<_> = results.iter().map(|result| result["verdict"].clone()).collect();
            assert_eq!(verdicts, ["true", "true", "false", "true"], "{engine} {semantics}");
            let how = results[0]["engine"].to_string();
            assert_eq!(how.contains(", ris"), semantics == "ris", "{how}");
        }
    }
    for depth in ["1", "2", "9"] {
        let run = place.run(&["check", "copy.gcl", "--engine", "cartesian", "--depth", depth]);
        run.ends(10, "RESULT: false");
    }
}

#[test]
fn what_keeps_an_answer_open_is_named() {
    let place = Place::new();
    place.file("copy.gcl", COPY);
    for (engine, states) in [("predicate", "2 states"), ("cartesian", "3 states")] {
        let arguments = ["check", "copy.gcl", "--engine", engine, "-p", "AX odd(x)", "--iterations", "1"];
        let run = place.run(&arguments).ends(5, "RESULT: unknown(U-ITERATIONS)");
        assert!(run.stdout.contains(states), "{run:?}");
        let step =
            "open: the step #0 (x mod 2 = 1) --step--> #1 (x mod 2 != 1) is possible but not guaranteed";
        assert!(run.stdout.contains(step), "{run:?}");
        assert!(run.stdout.contains("predicates: x mod 2 = 1; z mod 2 = 1"), "{run:?}");
        let json = place.run(&[&arguments[..], &["--json"]].concat()).json();
        assert_eq!(json["results"][0]["evidence"]["kind"], "open", "{json}");
    }
}

#[test]
fn reduced_semantics_knows_that_an_open_predicate_holds_or_not() {
    let place = Place::new();
    place.file("copy.gcl", COPY);
    // After the step it is open whether x is odd; standard semantics has to refine, reduced semantics looks at both cases.
    let arguments = ["check", "copy.gcl", "--engine", "cartesian", "-p", "EX (odd(x) || !odd(x))"];
    let once = [&arguments[..], &["--iterations", "1"]].concat();
    place.run(&once).ends(5, "RESULT: unknown(U-ITERATIONS)");
    place.run(&arguments).ends(0, "RESULT: true");
    let run = place.run(&[&once[..], &["--semantics", "ris", "--stats"]].concat());
    let run = run.ends(0, "RESULT: true");
    assert!(run.stdout.contains("cartesian abstraction, ris, 1 predicate, 1 round"), "{run:?}");
    assert!(
        run.stdout.contains("\n  validated by         a fresh solver, the validator of strategies\n"),
        "{run:?}"
    );
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let place = Place::new();
    place.file("copy.gcl", COPY);
    place.file("m.pts", "system m : bts; state a; init a;");
    for arguments in [
        &["check", "copy.gcl", "--engine", "predicate", "-p", "true", "--depth", "2"][..],
        &["check", "copy.gcl", "--engine", "cartesian", "-p", "true", "--semantics", "thorough"],
        &["check", "m.pts", "--engine", "cartesian", "-p", "true"],
    ] {
        assert_eq!(place.run(arguments).status, 1, "{arguments:?}");
    }
}
