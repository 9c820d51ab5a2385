//! `tertium vacuity`, and `tertium check` with `--vacuity` and `--strict`.

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
    assert!(run.stderr.contains("note: 3 is no formula of CTL and no invariant: passed over"), "{run:?}");
    assert_eq!(run.stdout.matches("non-vacuously true").count(), 2, "{run:?}");
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
    with_model().run(&["vacuity", "m.smv", "-p", "G r"]).ends(2, "");
    with_model().run(&["vacuity", "m.pts"]).ends(1, "");
}

#[test]
fn check_notes_vacuity_when_asked_and_counts_it_when_strict() {
    let place = with_model();
    let plain = place.run(&["check", "m.smv"]).ends(0, "RESULT: true");
    assert!(!plain.stdout.contains("vacuously"), "{plain:?}");
    let noted = place.run(&["check", "m.smv", "--vacuity"]).ends(0, "RESULT: true");
    assert_eq!(noted.stdout.matches("this is true vacuously: `(y | g)`").count(), 1, "{noted:?}");
    place.run(&["check", "m.smv", "--strict"]).ends(10, "RESULT: false(vacuous)");
    place.run(&["check", "m.smv", "--strict", "-p", "AG r"]).ends(0, "RESULT: true");
    place.run(&["check", "m.smv", "--strict", "-p", "AG (r | y)", "-p", "AG y"]).ends(10, "RESULT: false");
    place.run(&["check", "m.smv", "--strict", "--engine", "explicit"]).ends(1, "");
}
