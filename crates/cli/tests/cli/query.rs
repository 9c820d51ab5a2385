//! `tertium query` from the outside.

use crate::support::Place;

fn flower() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/flower.smv");
    std::fs::read_to_string(path).expect("the example is there")
}

/// A counter that goes from 0 or 1 over 2 to 4 and stays; three codes stand for nothing.
const COUNTER: &str = "MODULE main
VAR n : 0..4; odd : boolean;
INIT n < 2
ASSIGN next(n) := n < 3 ? n + 2 - (n mod 2) : n;
INVAR odd = (n mod 2 = 1)
";

#[test]
fn the_flower_has_ten_stable_states_and_fewer_when_a_gene_is_knocked_out() {
    let place = Place::new();
    for (gene, n) in
        [("none", 10), ("AP1x", 7), ("AP2x", 7), ("AP3x", 8), ("PIx", 8), ("AGx", 10), ("LFYx", 8)]
    {
        place.file(
            "f.smv",
            flower().replace("INIT knocked_out = none", &format!("INIT knocked_out = {gene}")),
        );
        let run = place.run(&["query", "f.smv", ":stable", "--json"]);
        assert_eq!(
            (run.status, &run.json()["n_solutions"]),
            (0, &serde_json::json!(n.to_string())),
            "{gene}"
        );
    }
}

#[test]
fn every_initial_state_of_the_flower_leads_to_one_stable_state() {
    let place = Place::new();
    place.file("f.smv", flower());
    let run = place.run(&["query", "f.smv", "EF AG ?", "--per-initial", "--json", "--max", "1000"]);
    let json = run.json();
    let classes = json["classes"].as_array().expect("groups of initial states");
    assert_eq!(classes.len(), 10);
    let count = |class: &serde_json::Value| class["n_initial"].as_str().unwrap().parse::<u32>().unwrap();
    assert_eq!(classes.iter().map(count).sum::<u32>(), 8192);
    assert!(classes.iter().all(|class| class["n_solutions"] == "1"), "{json}");
    let on = |class: &serde_json::Value| -> Vec<String> {
        let values = class["solutions"][0]["cubes"][0].as_array().unwrap();
        let on = values.iter().filter(|value| value["values"][0] == "TRUE");
        on.map(|value| value["variable"].as_str().unwrap().to_owned()).collect()
    };
    let mut found: Vec<Vec<String>> = classes.iter().map(on).collect();
    found.iter_mut().for_each(|genes| genes.sort());
    for genes in ["EMF1 TFL1", "AP1 AP2 FT LFY SEP", "AG_ AP2 AP3 FT FUL LFY PI SEP UFO"] {
        assert!(found.contains(&genes.split(' ').map(str::to_owned).collect()), "{genes}: {found:?}");
    }
}

#[test]
fn the_status_says_whether_there_is_a_solution() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    let found = place.run(&["query", "c.smv", "AF ?{n}"]).ends(0, "RESULT: true");
    assert!(found.stdout.contains("2 solutions, tlq\n  n in {2, 4}\n"), "{found:?}");
    let none = place.run(&["query", "c.smv", "?{n}"]).ends(10, "RESULT: false");
    assert!(none.stdout.contains("0 solutions"), "{none:?}");
    let some = place.run(&["query", "c.smv", "?{n}", "--some-initial"]).ends(0, "RESULT: true");
    assert!(some.stdout.contains("\n  n in {0, 1}\n"), "{some:?}");
    place.run(&["query", "c.smv", "EF ?", "--nodes", "20"]).ends(5, "RESULT: unknown(U-NODES)");
    place.run(&["query", "c.smv", "EF ?{n}", "--time", "0s"]).ends(5, "RESULT: unknown(U-TIME)");
}

#[test]
fn negative_queries_count_values_and_no_spare_codes() {
    let place = Place::new();
    place.file("c.smv", "MODULE main\nVAR n : 0..4;\nASSIGN init(n) := 1; next(n) := n;\n");
    let run = place.run(&["query", "c.smv", "AG !?"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("4 solutions"), "{run:?}");
    assert!(run.stdout.contains("  n in {0, 2, 3, 4}\n"), "{run:?}");
    for method in ["naive", "tlq"] {
        let same = place.run(&["query", "c.smv", "AG !?", "--method", method]);
        assert!(same.stdout.contains("  n in {0, 2, 3, 4}\n"), "{same:?}");
    }
    place.run(&["query", "c.smv", "AG !?", "--method", "refine"]).ends(2, "RESULT: error(input)");
}

#[test]
fn solutions_go_to_a_table_and_lines_are_limited() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    place.run(&["query", "c.smv", ":reachable{odd,n}", "--csv", "t.csv"]).ends(0, "RESULT: true");
    let table = place.read("t.csv");
    assert!(table.starts_with("group,role,odd,n\n1,solution,FALSE,"), "{table}");
    let cut = place.run(&["query", "c.smv", ":reachable{odd,n}", "--max", "1"]).ends(0, "RESULT: true");
    assert!(cut.stdout.contains("and more"), "{cut:?}");
    let by_state = place.run(&["query", "c.smv", ":summaries(n > 2){n}", "--csv", "s.csv"]);
    assert!(by_state.stdout.contains("initial state"), "{by_state:?}");
    assert!(place.read("s.csv").contains("1,initial,"), "{by_state:?}");
}

#[test]
fn wrong_queries_are_located_and_placeholders_belong_to_queries() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    for (query, why) in [
        ("EF n = 1", "nothing to find"),
        ("EF ?{m}", "not declared"),
        ("EF (? = 1)", "inside of an expression"),
    ] {
        let run = place.run(&["query", "c.smv", query]).ends(2, "RESULT: error(input)");
        assert!(run.stderr.contains(why) && run.stderr.contains("<query>:1:"), "{run:?}");
    }
    let check = place.run(&["check", "c.smv", "-p", "EF ?"]);
    assert!(check.status == 2 && check.stderr.contains("belongs to queries"), "{check:?}");
    assert_eq!(place.run(&["query", "c.smv", ":stabel"]).status, 1);
}

#[test]
fn formulas_that_are_not_shown_are_solutions_all_the_same() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    place.file("m.pts", "propositions q;\nstates 1;\nstate 0 : q;\ninit 0;\nboth 0 -> 0;\n");
    place.file("g.pts", "propositions q;\nstates 1;\nstate 0 : q?;\ninit 0;\nboth 0 -> 0;\n");
    for (file, query, verdict, status) in [
        ("c.smv", "AF ?{n}", "true", 0),
        ("m.pts", "?", "true", 0),
        ("g.pts", "q && ?", "unknown(U-IMPRECISE)", 5),
    ] {
        let shown = place.run(&["query", file, query, "--method", "general"]);
        shown.ends(status, &format!("RESULT: {verdict}"));
        let none = place.run(&["query", file, query, "--method", "general", "--max", "0"]);
        let none = none.ends(status, &format!("RESULT: {verdict}"));
        assert!(none.stdout.contains("and more: see --max"), "{none:?}");
    }
}

#[test]
fn formulas_over_open_and_contradictory_labels_are_sets_of_combinations() {
    let place = Place::new();
    place.file("g.pts", "propositions q;\nstates 1;\nstate 0 : q?;\ninit 0;\nboth 0 -> 0;\n");
    let open = place.run(&["query", "g.pts", "?", "--method", "general"]).ends(0, "RESULT: true");
    let expected = "1 strongest solution, general\n  true\n  possible, left open by the system: 2 solutions\n    q\n    !q\n";
    let swapped = expected.replace("    q\n    !q\n", "    !q\n    q\n");
    assert!(open.stdout.contains(expected) || open.stdout.contains(&swapped), "{open:?}");
    place.file(
        "i.pts",
        "system i : mixts;\npropositions p;\nstates 2;\nstate 0 : p=d; state 1 : p;\ninit 0, 1;\nboth 0 -> 1; both 1 -> 1;\n",
    );
    let all = place.run(&["query", "i.pts", "?", "--method", "general"]).ends(0, "RESULT: true");
    assert!(all.stdout.contains("1 strongest solution, general\n  true\n"), "{all:?}");
    for method in ["tlq", "general"] {
        place
            .run(&["query", "i.pts", "p && ?", "--method", method])
            .ends(5, "RESULT: unknown(U-INCONSISTENT)");
    }
}

#[test]
fn runs_without_an_answer_report_what_was_asked() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    for (options, method, initial) in [
        (&["EF ?{n}", "--method", "naive", "--some-initial", "--time", "0s"][..], "naive", "some"),
        (&["EF ?{m}", "--method", "refine", "--per-initial"], "refine", "each"),
        (&[":stable", "--method", "general"], "general", "some"),
        (&[":stabel", "--per-initial"], "tlq", "each"),
    ] {
        let json = place.run(&[&["query", "c.smv", "--json"], options].concat()).json();
        assert_eq!((&json["method"], &json["initial"]), (&method.into(), &initial.into()), "{json}");
    }
}

#[test]
fn a_table_that_cannot_be_written_is_an_error_in_text_and_json() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    std::fs::create_dir(place.path().join("d")).unwrap();
    for target in ["d", "none/t.csv"] {
        let text = place.run(&["query", "c.smv", "AF ?{n}", "--csv", target]).ends(2, "RESULT: error(input)");
        assert!(text.stderr.contains("cannot write"), "{text:?}");
        assert_eq!(text.stdout.matches("RESULT").count(), 1, "{text:?}");
        let run = place.run(&["query", "c.smv", "AF ?{n}", "--csv", target, "--json"]);
        let json = run.json();
        assert_eq!((run.status, &json["exit_status"]), (2, &2.into()));
        assert_eq!((&json["result"], &json["verdict"]), (&"error(input)".into(), &"true".into()));
        assert!(json["messages"][0]["text"].as_str().unwrap().contains("cannot write"), "{json}");
    }
}

#[test]
fn tables_do_not_overwrite_inputs() {
    let place = Place::new();
    place.file("c.smv", COUNTER).file("q.txt", "AF ?{n}");
    for target in ["c.smv", "./c.smv", "q.txt"] {
        let run = place.run(&["query", "c.smv", "@q.txt", "--csv", target]);
        assert!(run.status == 1 && run.stderr.contains("would overwrite"), "{run:?}");
    }
    assert_eq!(place.read("c.smv"), COUNTER);
    assert_eq!(place.read("q.txt"), "AF ?{n}");
}

#[test]
fn tables_have_false_states_and_odd_names() {
    let place = Place::new();
    place.file(
        "s.pts",
        "propositions state, \"a\\rb\";\nstates 1;\nstate 0 : state, \"a\\rb\";\ninit 0;\nboth 0 -> 0;\n",
    );
    place.run(&["query", "s.pts", "?", "--per-initial", "--csv", "t.csv"]).ends(0, "RESULT: true");
    assert_eq!(
        place.read("t.csv"),
        "group,role,state_,state,a\\rb\n1,initial,0,true,true\n1,solution,,true,true\n"
    );
    let general = &["query", "s.pts", "state || ?", "--method", "general", "--csv", "t.csv"];
    place.run(general).ends(0, "RESULT: true");
    assert_eq!(place.read("t.csv"), "group,role,state,a\\rb\n1,solution,-,-\n");
}

#[test]
fn shortcuts_take_names_as_they_are_and_invariants_have_a_general_form() {
    let place = Place::new();
    place.file("c.smv", COUNTER);
    let general = place.run(&["query", "c.smv", ":invariants{odd}", "--method", "general"]);
    let general = general.ends(0, "RESULT: true");
    assert!(general.stdout.starts_with("TRUE  AG ?{odd} "), "{general:?}");
    assert!(general.stdout.contains("1 strongest solution, general"), "{general:?}");
    let plain = place.run(&["query", "c.smv", ":invariants{odd}"]).ends(0, "RESULT: true");
    let lines = |run: &crate::support::Run| run.stdout.lines().nth(1).map(str::to_owned);
    assert_eq!(lines(&plain), lines(&general));
    place.file(
        "d.smv",
        "MODULE main\nVAR b : boolean; CONDITION : boolean;\n\
         ASSIGN init(b) := TRUE; init(CONDITION) := FALSE; next(CONDITION) := CONDITION;\n",
    );
    let run = place.run(&["query", "d.smv", ":summaries(b){CONDITION}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("!CONDITION"), "{run:?}");
}

#[test]
fn initial_states_are_counted_and_printed_with_all_variables() {
    let place = Place::new();
    place.file(
        "c.smv",
        "MODULE main
VAR x : boolean; y : boolean; z : 0..4;
ASSIGN init(x) := TRUE; init(z) := 2;
next(x) := x;
",
    );
    let run = place.run(&["query", "c.smv", "EF ?{x}", "--per-initial"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  2 initial states\n"), "{run:?}");
    assert!(run.stdout.contains("z = 2"), "{run:?}");
}
