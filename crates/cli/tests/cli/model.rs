//! `tertium model`.

use crate::support::{MACHINE, Place, RING, with_machine};

#[test]
fn what_is_shown_reads_back() {
    let place = with_machine();
    let shown = place.run(&["model", "show", "m.pts"]).stdout;
    place.file("again.pts", &shown);
    assert_eq!(place.run(&["model", "show", "again.pts"]).stdout, shown);
    assert!(shown.starts_with("system machine : kmts;"), "{shown}");
}

#[test]
fn the_reachable_states_of_a_model_are_shown_on_request() {
    let place = with_machine();
    place.file("m.smv", "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 3;\n");
    let shown = place.run(&["model", "show", "m.smv", "--reachable"]).stdout;
    assert!(shown.contains("both \"x = 2\" -> \"x = 0\";"), "{shown}");
    let picture = place.run(&["model", "show", "m.smv", "--reachable", "--dot"]).stdout;
    assert!(picture.starts_with("digraph"), "{picture}");
    assert_eq!(place.run(&["model", "show", "m.smv"]).status, 1);
}

#[test]
fn classification_names_the_family() {
    let place = with_machine();
    let run = place.run(&["model", "classify", "m.pts"]);
    assert!(run.status == 0 && run.stdout.starts_with("family                 KMTS\n"), "{run:?}");
    let report = place.run(&["model", "classify", "m.pts", "--json"]).json();
    assert_eq!((&report["family"], &report["counts"]["states"]), (&"KMTS".into(), &3.into()));
}

#[test]
fn refinement_is_answered_with_the_relation_or_a_formula() {
    let place = with_machine();
    place.file("settled.pts", MACHINE.replace("may  idle", "both idle").replace("lamp = m", "lamp = f"));
    let run = place.run(&["model", "refines", "settled.pts", "m.pts"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("idle refines idle"), "{run:?}");
    let run = place.run(&["model", "refines", "m.pts", "settled.pts"]).ends(10, "RESULT: false");
    assert!(run.stdout.contains("`idle` refines no initial state of settled.pts"), "{run:?}");
    assert!(run.stdout.contains("<start>"), "{run:?}");
    let report = place.run(&["model", "refines", "m.pts", "settled.pts", "--json"]).json();
    assert_eq!(report["evidence"]["kind"], "distinguishing");
    assert_eq!((&report["verdict"], &report["exit_status"]), (&"false".into(), &10.into()));
    place.run(&["model", "refines", "m.pts", "gone.pts"]).ends(2, "RESULT: error(input)");
}

#[test]
fn consistency_is_answered_with_a_refinement_or_a_contradiction() {
    let place = with_machine();
    place.run(&["model", "consistent", "m.pts", "-o", "r.pts"]).ends(0, "RESULT: true");
    place.run(&["model", "refines", "r.pts", "m.pts"]).ends(0, "RESULT: true");
    place.file("bad.pts", "system b : mixts;\nstate s;\nstate t;\ninit s;\nmust s -a-> t;\n");
    let run = place.run(&["model", "consistent", "bad.pts"]).ends(10, "RESULT: false");
    assert!(run.stdout.contains("the must s --a--> t can be kept by no step"), "{run:?}");
    let report = place.run(&["model", "consistent", "bad.pts", "--json"]).json();
    assert_eq!(report["evidence"]["kind"], "must_contradiction");
}

#[test]
fn minimising_merges_equivalent_states() {
    let place = Place::new();
    place.file("big.aut", "des (0,4,4)\n(0,\"a\",1)\n(1,\"a\",2)\n(2,\"a\",3)\n(3,\"a\",0)\n");
    let run = place.run(&["model", "minimise", "big.aut"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "des (0,1,1)\n(0,\"a\",0)\n"), "{run:?}");
    let coarse = place.run(&["model", "minimise", "big.aut", "--by", "simulation", "--format", "pts"]);
    assert!(coarse.stdout.contains("both 0 -a-> 0;"), "{coarse:?}");
}

#[test]
fn formats_convert_by_name_and_back() {
    let place = Place::new();
    place.file("ring.aut", RING);
    for step in [
        &["model", "convert", "ring.aut", "-o", "ring.pts"][..],
        &["model", "convert", "ring.pts", "-o", "back.aut"],
    ] {
        let run = place.run(step);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{run:?}");
    }
    assert_eq!(place.read("back.aut"), RING);
    place.run(&["model", "convert", "ring.aut", "-o", "ring.dot"]);
    assert!(place.read("ring.dot").starts_with("digraph"));
}

#[test]
fn families_convert_and_keep_refinements() {
    let place = Place::new();
    place.file("g.pts", "system g : gkmts;\npropositions p = f;\nstate s, t;\nstate u : p;\ninit s;\nmay s -> t, u;\nmust s -> {t, u};\n");
    for (family, word) in [("mixts", "MixTS"), ("kmts", "KMTS")] {
        let run = place.run(&["model", "convert", "g.pts", "--to", family, "-o", "x.pts"]);
        assert_eq!(run.status, 0, "{run:?}");
        let report = place.run(&["model", "classify", "x.pts", "--json"]).json();
        assert_eq!(report["family"], word);
    }
    for family in ["pks", "mts"] {
        let run = place.run(&["model", "convert", "g.pts", "--to", family]);
        assert!(run.status == 0 && run.stderr.contains("became"), "{run:?}");
    }
}

#[test]
fn the_monotone_closure_is_monotone() {
    let place = Place::new();
    place.file(
        "a.pts",
        "concrete c, d;\nstate top = {c, d};\nstate low = {c};\nstate other = {d};\n\
         init top;\nmay low -> other;\nmust top -> low;\n",
    );
    place.run(&["model", "monotone", "a.pts", "-o", "b.pts"]);
    assert_eq!(place.run(&["model", "classify", "b.pts", "--json"]).json()["monotone"], true);
}

#[test]
fn a_relation_file_gives_an_abstraction_that_is_refined() {
    let place = Place::new();
    place.file("ring.aut", RING);
    place.file("r.txt", "0 -> start\n1 -> rest\n2 -> rest // the rest\n");
    let run = place.run(&["model", "abstract", "ring.aut", "--relation", "r.txt", "-o", "abs.pts"]);
    assert_eq!(run.status, 0, "{run:?}");
    place.run(&["model", "refines", "ring.aut", "abs.pts"]).ends(0, "RESULT: true");
    place.file("r.txt", "0 -> start\n1 -> rest\n");
    let run = place.run(&["model", "abstract", "ring.aut", "--relation", "r.txt"]).ends(2, "");
    assert!(run.stderr.contains("not total") && run.stderr.contains("`2`"), "{run:?}");
}

#[test]
fn what_a_format_cannot_carry_is_refused_and_leaves_no_file() {
    let place = with_machine();
    place.file("old.aut", "precious");
    for target in ["new.aut", "old.aut"] {
        let run = place.run(&["model", "convert", "m.pts", "-o", target]).ends(2, "");
        assert!(run.stderr.contains(".aut cannot carry propositions"), "{run:?}");
    }
    assert_eq!(place.read("old.aut"), "precious");
    assert_eq!(place.names(), ["m.pts", "old.aut"]);
    let run = place.run(&["model", "convert", "m.pts", "--format", "aut"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
}

#[test]
fn an_existing_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let place = with_machine();
    place.file("out.pts", "old".repeat(10_000));
    assert_eq!(place.run(&["model", "convert", "m.pts", "-o", "out.pts"]).status, 0);
    assert_eq!(place.read("out.pts"), place.run(&["model", "show", "m.pts"]).stdout);
    assert_eq!(place.names(), ["m.pts", "out.pts"]);
    let run = place.run(&["model", "convert", "m.pts", "-o", "gone/out.pts"]).ends(2, "");
    assert!(run.stderr.contains("cannot write gone/out.pts"), "{run:?}");
}
