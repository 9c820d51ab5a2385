//! `tertium check` on models in the SMV language: cones of influence, both engines, pictures.

use crate::support::Place;

/// A counter that nobody looks at beside a bit that somebody does.
const MODEL: &str = "\
MODULE main
VAR
  bit : boolean;
  ready : boolean;
  count : 0..4;
ASSIGN
  init(bit) := FALSE;
  next(bit) := !bit;
  init(ready) := FALSE;
  next(ready) := bit | ready;
  init(count) := 0;
  next(count) := case bit : 4; count = 0 : 2; TRUE : 0; esac;
SPEC AG !bit
SPEC EF (bit & EG ready)
LTLSPEC F G bit
LTLSPEC G (ready -> X ready)
INVARSPEC !ready
";

fn with_model() -> Place {
    let place = Place::new();
    place.file("m.smv", MODEL);
    place
}

/// The verdicts, and whether all that could be validated was.
fn verdicts(place: &Place, options: &[&str]) -> Vec<String> {
    let report = place.run(&[&["check", "m.smv", "--json"], options].concat()).json();
    let results = report["results"].as_array().expect("there are results");
    for result in results {
        let has_evidence = !result["evidence"].is_null();
        assert_eq!(result["validated"].as_bool().unwrap_or(false), has_evidence, "{result}");
        assert!(has_evidence || result["verdict"] == "true", "{result}");
    }
    results.iter().map(|result| result["verdict"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn cones_whole_model_and_explicit_states_agree() {
    let place = with_model();
    let expected = ["false", "true", "false", "true", "false"];
    assert_eq!(verdicts(&place, &[]), expected);
    assert_eq!(verdicts(&place, &["--whole-model"]), expected);
    assert_eq!(verdicts(&place, &["--engine", "explicit"]), expected);
}

#[test]
fn evidence_from_a_cone_has_values_for_all_variables() {
    let place = with_model();
    let run = place.run(&["check", "m.smv", "--index", "1", "--stats"]).ends(10, "RESULT: false");
    for line in ["variables in cone    1", "bit = TRUE", "count = 2", "ready = FALSE"] {
        assert!(run.stdout.contains(line), "{line}: {run:?}");
    }
    // The number of states is that of the whole model or not told.
    assert!(!run.stdout.lines().next().unwrap_or_default().contains("states"), "{run:?}");
    let whole = place.run(&["check", "m.smv", "--index", "4", "--whole-model"]).ends(0, "RESULT: true");
    assert!(whole.stdout.contains("4 states"), "{whole:?}");
}

#[test]
fn a_loop_of_a_cone_is_followed_until_the_other_variables_close_it() {
    let place = Place::new();
    place.file(
        "m.smv",
        "MODULE main\nVAR a : boolean; n : 0..2;\nASSIGN init(a) := TRUE; next(a) := TRUE;\n\
         init(n) := 0; next(n) := case n = 0 : 1; n = 1 : 2; TRUE : 0; esac;\nLTLSPEC F !a\nSPEC AF !a\n",
    );
    let report = place.run(&["check", "m.smv", "--json"]).json();
    let run = &report["results"][0]["evidence"];
    assert_eq!(run["states"].as_array().map(Vec::len), Some(3), "{report}");
    assert_eq!(run["loop_start"], 0, "{report}");
    assert_eq!(report["results"][1]["validated"], true, "{report}");
}

#[test]
fn where_a_completed_loop_gets_too_long_the_whole_model_gives_the_evidence() {
    let place = Place::new();
    // Whoever always counts needs three thousand steps to come round; whoever jumps to the end needs two.
    place.file(
        "m.smv",
        "MODULE main\nVAR a : boolean; n : 0..2999;\nASSIGN init(a) := TRUE; next(a) := TRUE;\n\
         init(n) := 0; next(n) := {(n + 1) mod 3000, 2999};\nLTLSPEC F !a\nSPEC AF !a\n",
    );
    let report = place.run(&["check", "m.smv", "--json"]).json();
    for result in report["results"].as_array().expect("there are results") {
        assert_eq!((&result["verdict"], &result["validated"]), (&"false".into(), &true.into()), "{result}");
        let evidence = &result["evidence"];
        let path = if evidence["kind"] == "tree" { &evidence["claim"]["path"] } else { evidence };
        let states = path["states"].as_array();
        assert!(states.is_some_and(|states| states.len() < 10), "{result}");
    }
}

#[test]
fn a_fault_outside_of_the_cone_is_still_a_fault() {
    let place = Place::new();
    let model = "MODULE main\nVAR a : boolean; n : 0..2;\nASSIGN next(a) := !a; next(n) := n + 1;\n";
    place.file("m.smv", format!("{model}SPEC AG EF a\n"));
    let run = place.run(&["check", "m.smv"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("`n` is assigned 3"), "{run:?}");
    // It is told once, however many properties there are.
    place.file("m.smv", format!("{model}SPEC AG EF a\nSPEC AG a\nINVARSPEC n < 5\n"));
    let run = place.run(&["check", "m.smv"]).ends(2, "RESULT: error(input)");
    assert_eq!(run.stderr.matches("`n` is assigned 3").count(), 1, "{run:?}");
}

#[test]
fn runs_and_trees_are_drawn_as_dot() {
    let place = with_model();
    for engine in ["symbolic", "explicit"] {
        let draw = |index: &str, status, result: &str| {
            let options = ["--index", index, "--dot", "why.dot", "--engine", engine];
            place.run(&[&["check", "m.smv"][..], &options].concat()).ends(status, result);
            place.read("why.dot")
        };
        let lasso = draw("3", 10, "RESULT: false");
        assert!(
            lasso.starts_with("digraph evidence {") && lasso.contains("color=\"red\", penwidth=2"),
            "{lasso}"
        );
        // Claims are written in the language of the model.
        let text = place.run(&["check", "m.smv", "--index", "2", "--engine", engine]);
        assert!(text.stdout.contains("EF (bit & EG ready)  holds at 0, shown by 3 steps"), "{text:?}");
        let tree = draw("2", 0, "RESULT: true");
        assert!(tree.contains("shape=note") && tree.contains("color=\"darkgreen\", penwidth=2"), "{tree}");
    }
}

#[test]
fn a_picture_is_of_one_property_that_has_evidence() {
    let place = with_model();
    let run = place.run(&["check", "m.smv", "--dot", "why.dot"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("--index"), "{run:?}");
    let run =
        place.run(&["check", "m.smv", "--index", "4", "--dot", "why.dot"]).ends(2, "RESULT: error(input)");
    assert!(run.stdout.starts_with("TRUE") && run.stderr.contains("no evidence"), "{run:?}");
}

#[test]
fn labels_with_modalities_are_not_for_models() {
    let place = with_model();
    for command in [&["check", "m.smv", "--modal"][..], &["model", "show", "m.smv", "--reachable", "--modal"]]
    {
        let run = place.run(command);
        assert!(run.stderr.contains("--modal is about labels of steps, and m.smv has none"), "{run:?}");
        run.ends(1, "");
    }
}

#[test]
fn both_engines_note_initial_states_without_fair_paths_where_always_holds() {
    let place = Place::new();
    let text = "MODULE main\nVAR p : boolean; q : boolean;\nASSIGN next(p) := p; next(q) := q | !q;\nJUSTICE p\nSPEC AG (q | !q)\n";
    place.file("m.smv", text);
    for engine in ["symbolic", "explicit"] {
        let run = place.run(&["check", "m.smv", "--engine", engine]).ends(0, "RESULT: true");
        let note = "note: at some initial states no fair path begins; they do not count";
        assert_eq!(run.stdout.matches(note).count(), 1, "{run:?}");
    }
}

#[test]
fn a_search_that_a_bound_or_a_limit_cuts_is_used() {
    let place = Place::new();
    place.file(
        "m.smv",
        "MODULE main VAR a : 0..999; b : 0..999; ASSIGN init(a) := 0; init(b) := 0;\n\
         next(a) := {a, (a + 1) mod 1000}; next(b) := {b, (b + 1) mod 1000};\n\
         INVARSPEC a < 7 LTLSPEC F a = 999 SPEC AG a <= 999 SPEC EF b = 5 COMPUTE MIN [a = 0, a = 3]\n",
    );
    for (option, number, cause) in [("--states", "500", "U-BOUND"), ("--work", "100000", "U-WORK")] {
        let report = place.run(&["check", "m.smv", "--engine", "explicit", option, number, "--json"]).json();
        let verdict = |text: &str| {
            let all = report["results"].as_array().expect("a list");
            let own = all.iter().find(|own| own["property"]["formula"] == text);
            let own = own.unwrap_or_else(|| panic!("{text} in {report}"));
            own["cause"]["code"].as_str().or(own["verdict"].as_str()).expect("a text").to_owned()
        };
        assert_eq!(verdict("a < 7"), "false", "{report}");
        assert_eq!(verdict("F a = 999"), "false", "{report}");
        assert_eq!(verdict("AG a <= 999"), cause, "{report}");
        assert_eq!(verdict("EF b = 5"), "true", "{report}");
        assert_eq!(verdict("MIN [a = 0, a = 3]"), cause, "{report}");
    }
}

#[test]
fn a_length_stands_in_place_of_the_verdict() {
    let place = Place::new();
    place.file(
        "m.smv",
        "MODULE main VAR a : 0..5; ASSIGN init(a) := 0; next(a) := case a < 5 : a + 1; TRUE : 0; esac;\n\
         COMPUTE MIN [a = 0, a = 4]\nCOMPUTE MAX [a = 0, a > 5]\nCOMPUTE MIN [a > 5, a = 0]\nINVARSPEC a <= 5\n",
    );
    for engine in ["symbolic", "explicit"] {
        let run = place.run(&["check", "m.smv", "--engine", engine]).ends(0, "RESULT: true");
        assert!(run.stdout.starts_with("4  MIN [a = 0, a = 4] "), "{run:?}");
        assert!(
            run.stdout.contains("\ninfinite  MAX [") && run.stdout.contains("\nundefined  MIN ["),
            "{run:?}"
        );
        assert!(
            run.stdout.contains("SUMMARY  1 true, 0 false, 0 unknown, 3 computed\n  4        MIN"),
            "{run:?}"
        );
    }
    let report = place.run(&["check", "m.smv", "--json"]).json();
    assert_eq!(report["results"][0]["value"], "4");
}

#[test]
fn a_system_of_a_model_keeps_what_its_properties_speak_of() {
    let place = Place::new();
    place.file(
        "m.smv",
        "MODULE main VAR a : 0..5; ASSIGN init(a) := 0; next(a) := case a < 5 : a + 1; TRUE : 5; esac;\n\
         INVARSPEC a < 3\nSPEC EF a = 5\n",
    );
    let run = place.run(&["model", "minimise", "m.smv", "-o", "small.pts"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, "6 states, before 6\n"), "{run:?}");
    place.run(&["check", "small.pts", "-p", "AG \"a < 3\""]).ends(10, "RESULT: false");
    place.run(&["check", "small.pts", "-p", "EF \"a = 5\""]).ends(0, "RESULT: true");
    // Nothing is asked of what comes after 3: those states are one.
    place.file(
        "n.gcl",
        "var a: 0..5 = 0;\n[up] a < 5 -> a := a + 1;\n[stay] a = 5 -> skip;\ninvariant low: a < 5;\n",
    );
    place.run(&["model", "minimise", "n.gcl", "-o", "n.pts"]);
    place.run(&["check", "n.pts", "-p", "AG \"a < 5\""]).ends(10, "RESULT: false");
}
