//! `tertium vacuity`, and what `tertium check` notes about vacuity.

use crate::support::Place;

const MODEL: &str = "\
MODULE main
VAR light : {red, yellow, green};
ASSIGN init(light) := red; next(light) := light;
DEFINE r := light = red; y := light = yellow; g := light = green;
SPEC AG (r | y |
         g)
SPEC AG EF r
LTLSPEC G r
INVARSPEC r
";

const SYSTEM: &str = "\
system s : bts;
propositions p, q;
state one : p;
state two : q;
init one;
both one -> two;
both two -> two;
";

fn with_model() -> Place {
    let place = Place::new();
    place.file("m.smv", MODEL);
    place
}

#[test]
fn vacuous_parts_are_underlined_as_they_are_written() {
    let run = with_model().run(&["vacuity", "m.smv"]).ends(10, "RESULT: false(vacuous)");
    let expected = "  Vacuously True in {y | g}\n    AG (r | y |\n            ~~~\n        g)\n        ~\n";
    assert!(run.stdout.contains(expected), "{run:?}");
    assert!(run.stdout.contains("  already holds: AG r\n"), "{run:?}");
    assert_eq!(run.stdout.matches("non-vacuously true").count(), 3, "{run:?}");
}

#[test]
fn methods_agree_in_json() {
    let place = with_model();
    for method in ["naive", "vaquot", "mutual"] {
        let run = place.run(&["vacuity", "m.smv", "--method", method, "--json", "-p", "AG (r | y)"]);
        assert_eq!(run.status, 10);
        let report = run.json();
        let result = &report["results"][0];
        assert_eq!((&report["command"], &report["method"]), (&"vacuity".into(), &method.into()));
        assert_eq!(result["words"], "Vacuously True in {y}");
        assert_eq!(result["vacuous"][0]["text"], "y");
        assert_eq!(
            (result["vacuous"][0]["column"].as_u64(), result["left"].as_str()),
            (Some(9), Some("AG r"))
        );
        assert_eq!(result["witnesses"], 5);
    }
}

#[test]
fn where_every_part_matters_the_status_is_zero() {
    with_model().run(&["vacuity", "m.smv", "-p", "AG r", "-p", "AG y"]).ends(0, "RESULT: true");
}

/// The ways to end are those of `check` and `query`.
#[test]
fn what_cannot_be_answered_says_so_on_the_last_line() {
    let place = with_model();
    place.run(&["vacuity", "m.smv", "-p", "COMPUTE MIN [r, g]"]).ends(2, "RESULT: error(input)");
    place.run(&["vacuity", "m.smv", "-p", "AG nobody"]).ends(2, "RESULT: error(input)");
    place.run(&["vacuity", "absent.smv"]).ends(2, "RESULT: error(input)");
    place.run(&["vacuity", "m.smv", "--method", "none"]).ends(1, "");
    place.run(&["vacuity", "m.smv", "--nodes", "3"]).ends(5, "RESULT: unknown(U-NODES)");
    let stopped = place.run(&["vacuity", "m.smv", "--time", "0s"]).ends(5, "RESULT: unknown(U-TIME)");
    assert!(stopped.stdout.starts_with("UNKNOWN  all specifications"), "{stopped:?}");
    let json = place.run(&["vacuity", "m.smv", "-p", "AG nobody", "--json"]).json();
    assert_eq!((&json["result"], &json["exit_status"]), (&"error(input)".into(), &2.into()));
    let result = &json["results"][0];
    assert_eq!((&result["verdict"], &result["property"]["name"]), (&"error".into(), &"AG nobody".into()));
    assert_eq!(result["messages"].as_array().map(Vec::len), Some(1));
    let json = place.run(&["vacuity", "absent.smv", "--json"]).json();
    assert_eq!(json["messages"].as_array().map(Vec::len), Some(1));
    let json = place.run(&["vacuity", "m.smv", "--time", "0s", "--json"]).json();
    assert_eq!(
        (&json["result"], &json["results"][0]["verdict"]),
        (&"unknown(U-TIME)".into(), &"unknown".into())
    );
}

#[test]
fn a_property_that_cannot_be_read_costs_only_itself() {
    let place = with_model();
    place.file("s.pts", SYSTEM);
    place.file("c.gcl", "var x: int = 0;\n[step] x < 3 -> x := x + 1;\n[stay] x = 3 -> x := 3;\n");
    for (file, wrong) in [("s.pts", "AG nobody"), ("c.gcl", "AG nobody = 1")] {
        let right = if file == "s.pts" { "AG (p || q)" } else { "AG x < 4" };
        let run = place.run(&["vacuity", file, "-p", wrong, "-p", right]).ends(2, "RESULT: error(input)");
        assert!(run.stdout.contains(&format!("TRUE  {right}")) && run.stderr.contains("error:"), "{run:?}");
    }
    let run = place
        .run(&["vacuity", "m.smv", "-p", "AG nobody", "-p", "AG (r | y)", "-p", "G (", "-p", "G r"])
        .ends(2, "RESULT: error(input)");
    assert!(run.stdout.contains("TRUE  AG (r | y) "), "{run:?}");
    assert!(run.stdout.contains("TRUE  G r "), "{run:?}");
    assert_eq!(run.stderr.matches("error:").count(), 2, "{run:?}");
    let json = place.run(&["vacuity", "m.smv", "--json", "-p", "AG nobody", "-p", "AG r"]).json();
    assert_eq!(
        (&json["results"][0]["verdict"], &json["results"][1]["verdict"]),
        (&"error".into(), &"true".into())
    );
    let run = place.run(&["vacuity", "m.smv", "-p", "AG (", "-p", "AG r", "--time", "0s"]);
    assert_eq!(run.status, 5, "{run:?}");
}

#[test]
fn linear_time_is_looked_through_as_well() {
    let place = Place::new();
    place.file("m.smv", GRANT);
    let kept = "G (request -> F grant)";
    let run = place.run(&["vacuity", "m.smv", "-p", kept]).ends(0, "RESULT: true");
    let line = "  `grant` matters: G (request -> F FALSE) is false\n  witness:";
    assert_eq!(run.stdout.matches(line).count(), 1, "{run:?}");
    // The run has values for what the property does not depend on, and a loop.
    assert!(run.stdout.contains("request = TRUE, ") && run.stdout.contains("other = 0\n"), "{run:?}");
    assert!(run.stdout.contains("loop"), "{run:?}");
    let vacuous = "G (H !request & grant -> F (request & X grant))";
    let run = place.run(&["vacuity", "m.smv", "-p", vacuous]).ends(10, "RESULT: false(vacuous)");
    let expected = format!("    {vacuous}\n{}~~~~~", " ".repeat(4 + vacuous.find("F (").unwrap()));
    assert!(run.stdout.contains(&expected), "{run:?}");
    let run = place.run(&["check", "m.smv", "-p", vacuous]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("note: this is true vacuously: `F (request & X grant)` can"), "{run:?}");
    place.run(&["check", "m.smv", "-p", vacuous, "--strict"]).ends(10, "RESULT: false(vacuous)");
    place.run(&["check", "m.smv", "-p", kept, "--strict"]).ends(0, "RESULT: true");
    let off = place.run(&["check", "m.smv", "-p", vacuous, "--no-vacuity"]).ends(0, "RESULT: true");
    assert!(!off.stdout.contains("vacuously"), "{off:?}");
    for method in ["naive", "vaquot", "mutual", "refine"] {
        let json = place.run(&["vacuity", "m.smv", "--json", "--method", method, "-p", vacuous]).json();
        assert_eq!(json["results"][0]["extent"], "some", "{method}");
        assert_eq!(json["results"][0]["left"], "G !(H !request & grant)", "{method}");
    }
}

#[test]
fn of_a_false_property_of_linear_time_the_changes_are_towards_true() {
    let place = Place::new();
    place.file("m.smv", GRANT);
    // That nobody ever asks fails whatever is said about grants; that grants are given for ever fails because of them.
    let run = place.run(&["vacuity", "m.smv", "-p", "G (!request & (grant -> Y request))"]);
    assert!(run.stdout.contains("Vacuously False in {grant -> Y request}"), "{run:?}");
    assert!(run.stdout.contains("  already fails: G !request\n"), "{run:?}");
    assert!(run.stdout.contains("`request` matters: G (!FALSE & (grant -> Y request)) is true"), "{run:?}");
    run.ends(10, "RESULT: false(vacuous)");
    place.run(&["vacuity", "m.smv", "-p", "F G grant"]).ends(0, "RESULT: true");
}

#[test]
fn parts_that_matter_have_a_witness_on_systems() {
    let place = Place::new();
    place.file("s.pts", SYSTEM);
    let run = place.run(&["vacuity", "s.pts", "-p", "AG (p || q)"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("  `q` matters: AG (p || false) is false\n  witness: 1 step\n"), "{run:?}");
    let all = place.run(&["vacuity", "s.pts", "-p", "AG (p || q)", "--all", "--json"]).json();
    let matters = &all["results"][0]["matters"];
    assert_eq!(matters.as_array().map(Vec::len), Some(2));
    assert_eq!((&matters[0]["part"]["text"], &matters[0]["verdict"]), (&"p".into(), &"false".into()));
    assert!(matters[0]["evidence"].is_object(), "{matters}");
    let none = place.run(&["vacuity", "s.pts", "-p", "AG (p || q)", "--no-evidence"]);
    assert!(!none.stdout.contains("matters"), "{none:?}");
}

#[test]
fn comments_in_any_encoding_and_a_given_order_are_read_as_by_check() {
    let place = with_model();
    let mut bytes = b"-- gr\xfcn\n".to_vec();
    bytes.extend_from_slice(MODEL.as_bytes());
    place.file("latin.smv", &bytes);
    place.file("m.ord", "light\n");
    for order in [&[][..], &["--order", "m.ord"]] {
        place.run(&[&["vacuity", "latin.smv", "-p", "AG r"], order].concat()).ends(0, "RESULT: true");
        place.run(&[&["query", "latin.smv", "EF ?"], order].concat()).ends(0, "RESULT: true");
    }
    place.file("wrong.ord", "nobody\n");
    place.run(&["query", "m.smv", "EF ?", "--order", "wrong.ord"]).ends(2, "RESULT: error(input)");
    place.run(&["vacuity", "m.smv", "--order", "wrong.ord"]).ends(2, "RESULT: error(input)");
}

/// A request may be made at any time; it stands while the other side is idle, which is not for ever, and is granted then.
const GRANT: &str = "\
MODULE main
VAR request : boolean; grant : boolean; idle : boolean; other : 0..3;
ASSIGN init(request) := FALSE; init(grant) := FALSE; init(other) := 0;
  next(request) := case request & idle : TRUE; TRUE : {TRUE, FALSE}; esac;
  next(grant) := request & !idle;
  next(other) := (other + 1) mod 4;
JUSTICE !idle
";

#[test]
fn a_witness_shows_why_an_atom_matters_under_fairness_and_on_a_cone() {
    let place = Place::new();
    place.file("m.smv", GRANT);
    let run = place.run(&["vacuity", "m.smv", "-p", "AG (request -> AF grant)"]).ends(0, "RESULT: true");
    let line = "  `grant` matters: AG (request -> AF FALSE) is false\n  witness: 4 claims\n";
    assert_eq!(run.stdout.matches(line).count(), 1, "{run:?}");
    // The run has values for what the property does not depend on.
    assert!(run.stdout.contains("request = TRUE, ") && run.stdout.contains("other = 0\n"), "{run:?}");
    let all =
        place.run(&["vacuity", "m.smv", "-p", "AG (request -> AF grant)", "--all"]).ends(0, "RESULT: true");
    assert_eq!(all.stdout.matches(" matters: ").count(), 2, "{all:?}");
    let none = place.run(&["vacuity", "m.smv", "-p", "AG (request -> AF grant)", "--no-evidence"]);
    assert!(!none.stdout.contains("matters"), "{none:?}");
}

#[test]
fn of_a_false_property_the_paths_of_the_changed_one_are_shown() {
    let place = Place::new();
    place.file("m.smv", GRANT);
    let run = place.run(&["vacuity", "m.smv", "-p", "EF (grant & !grant)", "--all", "--json"]);
    let matters = &run.json()["results"][0]["matters"];
    assert_eq!(matters.as_array().map(Vec::len), Some(2), "{run:?}");
    assert_eq!(
        (&matters[1]["formula"], &matters[1]["verdict"]),
        (&"EF (grant & !FALSE)".into(), &"true".into())
    );
    assert_eq!(
        (&matters[1]["evidence"]["role"], &matters[1]["part"]["text"]),
        (&"witness".into(), &"grant".into())
    );
    let run = place.run(&["vacuity", "m.smv", "-p", "AG !grant"]);
    assert!(
        run.stdout.contains("`grant` matters: AG !FALSE is true, as computed; there is no run to show\n"),
        "{run:?}"
    );
}

#[test]
fn check_notes_vacuity_and_counts_it_when_strict() {
    let place = with_model();
    let plain = place.run(&["check", "m.smv", "--no-vacuity"]).ends(0, "RESULT: true");
    assert!(!plain.stdout.contains("vacuously"), "{plain:?}");
    let noted = place.run(&["check", "m.smv"]).ends(0, "RESULT: true");
    let note = "  note: this is true vacuously: `y | g` can be replaced by anything; see `tertium vacuity`\n";
    assert_eq!(noted.stdout.matches(note).count(), 1, "{noted:?}");
    assert_eq!(noted.stdout.matches("vacuously").count(), 1, "{noted:?}");
    let quiet = place.run(&["check", "m.smv", "--quiet"]).ends(0, "RESULT: true");
    assert!(!quiet.stdout.contains("vacuously"), "{quiet:?}");
    let json = place.run(&["check", "m.smv", "--json"]).json();
    assert_eq!(json["results"][0]["assumptions"][0]["code"], "vacuous");
    place.run(&["check", "m.smv", "--strict"]).ends(10, "RESULT: false(vacuous)");
    place.run(&["check", "m.smv", "--strict", "-p", "AG r"]).ends(0, "RESULT: true");
    place.run(&["check", "m.smv", "--strict", "-p", "INVARSPEC r | y"]).ends(10, "RESULT: false(vacuous)");
    place.run(&["check", "m.smv", "--strict", "-p", "AG (r | y)", "-p", "AG y"]).ends(10, "RESULT: false");
    place.run(&["check", "m.smv", "--strict", "--engine", "explicit"]).ends(10, "RESULT: false(vacuous)");
    place.run(&["check", "m.smv", "--strict", "--no-vacuity"]).ends(1, "");
}

/// Two counters without bounds, and a light that stays red.
const PROGRAM: &str = "\
var x, y: int = 0;
var red: bool = true;
[up] true -> x := x + 1, y := y + 1;
property vacuous: AG (red || x < 0);
property kept: AG x >= 0;
";

#[test]
fn check_notes_vacuity_on_every_format() {
    let place = Place::new();
    place.file("s.pts", SYSTEM);
    place.file("s.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"a\", 1)\n");
    place.file("p.gcl", PROGRAM);
    let note =
        |part: &str| format!("  note: this is true vacuously: `{part}` can be replaced by anything; see");
    for (file, property, part) in [
        ("s.pts", "AG (p || q || AX q)", "p` or `q` or `AX q"),
        ("s.aut", "[a][a]true || [a]false", "[a]false"),
        ("p.gcl", "AG (red || x < 0)", "x < 0"),
        ("p.gcl", "AG (x < 0 => AX y < 0)", "AX y < 0"),
    ] {
        let run = place.run(&["check", file, "-p", property]).ends(0, "RESULT: true");
        assert!(run.stdout.contains(&note(part)), "{run:?}");
        let again = place.run(&["check", file, "-p", property]);
        assert_eq!(run.stdout, again.stdout, "notes are the same in every run");
        place.run(&["check", file, "-p", property, "--strict"]).ends(10, "RESULT: false(vacuous)");
        let plain = place.run(&["check", file, "-p", property, "--no-vacuity"]).ends(0, "RESULT: true");
        assert!(!plain.stdout.contains("vacuously"), "{plain:?}");
        let without = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.contains("vacuously")).map(str::to_owned).collect()
        };
        assert_eq!(without(&run.stdout), without(&plain.stdout), "a note changes nothing else");
    }
    let run = place.run(&["check", "p.gcl"]).ends(0, "RESULT: true");
    assert_eq!(run.stdout.matches("vacuously").count(), 1, "{run:?}");
    place.run(&["check", "p.gcl", "--strict", "--name", "kept"]).ends(0, "RESULT: true");
    place.run(&["check", "p.gcl", "--engine", "predicate", "--strict"]).ends(10, "RESULT: false(vacuous)");
}

#[test]
fn what_a_given_system_leaves_open_is_not_noted() {
    let place = Place::new();
    place
        .file("o.pts", "system s : kmts;\npropositions p, q;\nstate one : p;\ninit one;\nboth one -> one;\n");
    let run = place.run(&["check", "o.pts", "-p", "AG (p || q)"]).ends(0, "RESULT: true");
    assert!(!run.stdout.contains("matters") && run.stdout.contains("`q` can be replaced"), "{run:?}");
    let run = place.run(&["check", "o.pts", "-p", "AG (p && (q || p))"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("`q` can be replaced"), "{run:?}");
}

#[test]
fn existential_properties_are_not_looked_through() {
    let place = with_model();
    let run =
        place.run(&["check", "m.smv", "-p", "EF (r | y)", "-p", "AG EF (r | y)"]).ends(0, "RESULT: true");
    assert!(!run.stdout.contains("vacuously"), "{run:?}");
}

#[test]
fn words_of_any_width_pass_through_the_binary() {
    let place = with_model();
    for n in [32, 64, 128, 200] {
        let formula = format!("AG ({}r)", "y | ".repeat(n - 1));
        let run =
            place.run(&["vacuity", "m.smv", "--method", "vaquot", "--json", "--no-evidence", "-p", &formula]);
        let report = run.json();
        let result = &report["results"][0];
        assert_eq!(result["vacuous"].as_array().map(Vec::len), Some(n - 1));
        assert_eq!(result["witnesses"].as_u64(), Some(2 * n as u64 + 1));
        let places =
            result["vacuous"].as_array().unwrap().iter().map(|part| part["column"].as_u64().unwrap());
        assert!(places.eq((0..n as u64 - 1).map(|at| 5 + 4 * at)), "every part has its own place");
    }
}

#[test]
fn check_and_vacuity_agree_where_no_initial_state_counts() {
    let place = Place::new();
    place.file(
        "n.smv",
        "MODULE main\nVAR a : boolean;\nASSIGN init(a) := FALSE; next(a) := FALSE;\nFAIRNESS a\n",
    );
    for property in ["a", "!a", "AG a"] {
        let check = place.run(&["check", "n.smv", "--strict", "-p", property]);
        assert!(check.stdout.contains("`a` can be replaced by anything"), "{check:?}");
        check.ends(10, "RESULT: false(vacuous)");
        let run = place.run(&["vacuity", "n.smv", "-p", property]).ends(10, "RESULT: false(vacuous)");
        assert!(run.stdout.contains("note: at some initial states no fair path begins"), "{run:?}");
        assert!(!run.stdout.contains("already holds: FALSE\n"), "{run:?}");
    }
    let json = place.run(&["vacuity", "n.smv", "-p", "a", "--json"]).json();
    assert_eq!(json["results"][0]["left"], serde_json::Value::Null);
    assert_eq!(json["results"][0]["assumptions"][0]["code"], "unfair-initial-states");
}

#[test]
fn quoted_parts_have_no_comments_and_are_where_they_are_said_to_be() {
    let place = Place::new();
    place.file(
        "m.smv",
        "MODULE main\nVAR a : boolean;\nASSIGN init(a) := TRUE; next(a) := TRUE;\nCTLSPEC AG (a |\n   (!a |  -- why\n  a)) ;\n",
    );
    let check = place.run(&["check", "m.smv"]).ends(0, "RESULT: true");
    assert!(check.stdout.contains("`a` or `!a | a` can be replaced"), "{check:?}");
    let json = place.run(&["vacuity", "m.smv", "--json"]).json();
    let part = &json["results"][0]["vacuous"][1];
    assert_eq!((&part["text"], &part["line"], &part["column"]), (&"!a | a".into(), &5.into(), &5.into()));
}

/// Bounded models of guarded commands have diagrams, and with them answers about linear time; others pass it over, or refuse it.
#[test]
fn properties_of_linear_time_are_looked_at_on_diagrams() {
    let place = Place::new();
    place.file(
        "c.gcl",
        "var n: 0..3 = 0;\n[up] true -> n := n < 3 ? n + 1 : 0;\n\
         property one: LTLSPEC G (n = 2 -> X (n = 3));\nproperty two: AG (n < 3 || n = 3);\n\
         property three: LTLSPEC F (n = 3 || n = 7);\n",
    );
    let run = place.run(&["vacuity", "c.gcl"]).ends(10, "RESULT: false(vacuous)");
    let verdicts: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("TRUE")).collect();
    assert_eq!(verdicts.len(), 3, "{run:?}");
    assert!(verdicts[0].starts_with("TRUE  one: ") && verdicts[0].ends_with("non-vacuously true"), "{run:?}");
    assert!(verdicts[1].starts_with("TRUE  two: "), "{run:?}");
    assert!(verdicts[2].starts_with("TRUE  three: ") && verdicts[2].contains("vacuously true"), "{run:?}");
    assert!(run.stdout.contains("F (n = 3 || n = 7)") && run.stdout.contains("~~~~~"), "{run:?}");
    place.file("u.gcl", "var n: int = 0;\n[up] true -> n := n + 1;\nproperty l: LTLSPEC F (n > 3);\nproperty p: AG (n >= 0);\n");
    let run = place.run(&["vacuity", "u.gcl"]).ends(0, "RESULT: true");
    assert!(run.stderr.contains("l is passed over: it is of linear time"), "{run:?}");
    // Diagrams that would be too large cost only the property that needs them.
    place.file(
        "wide.gcl",
        "var a: array 0..999 of 0..63 = 0;\nvar n: 0..3 = 0;\n[up] true -> n := n < 3 ? n + 1 : 0;\n\
         property one: AG (n < 4);\nproperty two: LTLSPEC G F (n = 3);\n",
    );
    let run = place.run(&["vacuity", "wide.gcl"]).ends(0, "RESULT: true");
    assert!(run.stdout.starts_with("TRUE  one: ") && run.stderr.contains("two is passed over"), "{run:?}");
    place.file("r.aut", crate::support::RING);
    let run = place.run(&["vacuity", "r.aut", "-p", "LTLSPEC G F <a>"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("is of linear time"), "{run:?}");
    let run = place.run(&["vacuity", "r.aut", "-p", "[a]<b>true"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("    1  a :2    1\n"), "{run:?}");
}
