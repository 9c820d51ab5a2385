//! Models of guarded commands on decision diagrams: one abstraction under both semantics.

use crate::support::Place;

/// One block of the program in which what is left open at first does not matter in the end \[Wei09\].
const BLOCK: &str = "\
control pc: 0..3 = 0;
var x: int;
init x > 0;
[first] pc = 0 -> pc := 1, x := x > 5 ? x + 1 : x > 0 ? x + 2 : x - 2;
[odd] pc = 1 && x > 0 && odd(x) -> x := -1;
[even] pc = 1 && x > 0 && even(x) -> x := x + 1;
[leave] pc = 1 && x <= 0 -> pc := 2;
[spin] pc = 2 && x <= 0 -> x := x - 1;
[end] pc = 2 && x > 0 -> pc := 3;
[stay] pc = 3 -> skip;
property loops: EF pc = 2;
property ends: EF pc = 3;
";

fn with_block() -> Place {
    let place = Place::new();
    place.file("m.gcl", BLOCK);
    place
}

#[test]
fn reduced_semantics_proves_what_standard_semantics_leaves_open() {
    let place = with_block();
    let loops = ["check", "m.gcl", "--engine", "symbolic", "--name", "loops"];
    let open = place.run(&loops).ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(open.stdout.contains("symbolic predicate abstraction, sis, 2 predicates"), "{open:?}");
    assert!(open.stdout.contains("`--semantics ris`"), "{open:?}");
    let proved = place.run(&[&loops[..], &["--semantics", "ris"]].concat()).ends(0, "RESULT: true");
    assert!(
        proved.stdout.contains("symbolic predicate abstraction, ris, 2 predicates, not re-checked\n"),
        "{proved:?}"
    );
}

#[test]
fn what_was_not_validated_is_not_said_to_be() {
    let place = with_block();
    let report = place
        .run(&["check", "m.gcl", "--engine", "symbolic", "--name", "ends", "--json"])
        .ends(10, "}")
        .json();
    let answer = &report["results"][0];
    assert!(answer["validated"] == false && answer["evidence"].is_null(), "{answer}");
    assert_eq!(answer["validated_by"], serde_json::json!([]), "{answer}");
    assert_eq!(answer["statistics"]["locations"], 4, "{answer}");
}

#[test]
fn given_predicates_decide_more() {
    let place = Place::new();
    place.file("m.gcl", "var x, y: int = 0; [step] true -> x := y, y := x; property AX AX x = 0;");
    let check = ["check", "m.gcl", "--engine", "symbolic"];
    place.run(&check).ends(5, "RESULT: unknown(U-IMPRECISE)");
    place.file("p.txt", "y = 0;");
    place.run(&[&check[..], &["--predicates", "p.txt"]].concat()).ends(0, "RESULT: true");
}

#[test]
fn a_limit_on_nodes_ends_it_with_its_cause() {
    let place = with_block();
    let run = place.run(&["check", "m.gcl", "--engine", "symbolic", "--name", "loops", "--nodes", "3"]);
    run.ends(5, "RESULT: unknown(U-NODES)");
}

#[test]
fn a_model_without_initial_states_satisfies_everything_and_that_is_noted() {
    let place = Place::new();
    place.file("v.gcl", "var x: 0..3 = 0;\ninit x > 1;\nproperty AG x = 9;\n");
    let run = place.run(&["check", "v.gcl", "--engine", "symbolic"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("the model has no initial state"), "{run:?}");
}
