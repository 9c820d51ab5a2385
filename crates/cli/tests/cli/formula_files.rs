//! Formulas and models from files and from standard input.

use crate::support::{Place, Run};

const SYSTEM: &str = "des (0,3,2)\n(0,\"send(1, true)\",1)\n(1,\"ack|b(2)\",0)\n(1,\"tau\",0)\n";
const FORMULAS: &str = "\
% three formulas
act send: Nat # Bool; ack;
form live: [true*]<true>true;
form \"never twice\": [true* . send(1,true) . send(1, true)]false;
form <send(1,true)>
  [b(2)|ack]false;
";

fn place() -> Place {
    let place = Place::new();
    place.file("m.aut", SYSTEM);
    place.file("f.mcf", FORMULAS);
    place.file("c.smv", "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\n");
    place
}

#[track_caller]
fn has_three_answers(run: Run) {
    for line in
        ["TRUE  live: [true*]<true>true", "TRUE  never twice: ", "FALSE  <send(1,true)> [b(2)|ack]false"]
    {
        assert_eq!(run.stdout.matches(line).count(), 1, "{line}\n{run:?}");
    }
    run.ends(10, "RESULT: false");
}

#[test]
fn a_file_of_formulas_is_given_in_four_ways() {
    let place = place();
    has_three_answers(place.run(&["check", "m.aut", "f.mcf", "--quiet"]));
    has_three_answers(place.run(&["check", "f.mcf", "m.aut", "--quiet"]));
    has_three_answers(place.run(&["check", "m.aut", "-p", "f.mcf", "--quiet"]));
    has_three_answers(place.run(&["check", "m.aut", "-p", "@f.mcf", "--quiet"]));
    has_three_answers(place.run_with_input(&["check", "m.aut", "-p", "-", "--quiet"], FORMULAS));
}

#[test]
fn standard_input_is_a_model_or_formulas_for_every_file_but_not_both() {
    let place = place();
    let run = place.run_with_input(&["check", "-", "f.mcf", "--quiet"], SYSTEM);
    has_three_answers(run);
    let run = place.run_with_input(&["check", "m.aut", "m.aut", "-p", "-", "--quiet"], FORMULAS);
    assert_eq!(run.stdout.matches("TRUE  live").count(), 2, "{run:?}");
    let run = place.run_with_input(&["check", "-", "-p", "-"], SYSTEM);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("standard input, `-`, can be read only once"), "{run:?}");
    let run = place.run_with_input(&["check", "-", "-p", "true"], "des (0,1,1)\n(0,a,7)\n");
    assert!(run.stderr.contains("<standard input>:2:6"), "{run:?}");
    run.ends(2, "RESULT: error(input)");
}

#[test]
fn formulas_of_a_file_are_in_the_language_of_the_model() {
    let place = place();
    place.file("c.mcf", "form flips: AG (x -> AX !x);\nform LTLSPEC G F x;\nform AG x;\n");
    let run = place.run(&["check", "c.smv", "c.mcf", "--quiet"]);
    for line in ["TRUE  flips: AG (x -> AX !x)", "TRUE  G (F x)", "FALSE  AG x"] {
        assert!(run.stdout.contains(line), "{line}\n{run:?}");
    }
    let run = place.run(&["vacuity", "c.smv", "-p", "c.mcf"]);
    assert!(run.stdout.contains("flips"), "{run:?}");
}

#[test]
fn what_is_wrong_is_located_in_the_file() {
    let place = place();
    place.file("w.mcf", "form good: [true*]<true>true;\nform bad: <nowhere>true;\nform worse: <tau>;\n");
    let run = place.run(&["check", "m.aut", "w.mcf", "--quiet"]);
    assert!(run.stdout.contains("TRUE  good"), "one that is wrong costs no other: {run:?}");
    assert!(run.stderr.contains("w.mcf:2:12") && run.stderr.contains("w.mcf:3:18"), "{run:?}");
    run.ends(2, "RESULT: error(input)");
    let run = place.run(&["check", "f.mcf"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("name a model as well"), "{run:?}");
}
