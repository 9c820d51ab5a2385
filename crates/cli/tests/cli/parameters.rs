//! Constants of models that are set from outside, and what is said where that cannot be.

use crate::support::Place;

const COUNTER: &str = "\
const N = 3;
const M = 2 * N;
enum pace = { slow, quick };
const p = slow;
const open = true;
var x: 0..M = 0;
[up] open && x < M && p = slow -> x := x + 1;
reach top: x = 10;
";

fn place() -> Place {
    let place = Place::new();
    place.file("m.gcl", COUNTER);
    place
}

#[test]
fn a_constant_can_be_set_in_every_command_that_reads_a_model() {
    let place = place();
    place.run(&["check", "m.gcl"]).ends(10, "RESULT: false");
    place.run(&["check", "m.gcl", "--set", "N=5"]).ends(0, "RESULT: true");
    place.run(&["check", "m.gcl", "--set", "N=5", "--set", "open=false"]).ends(10, "RESULT: false");
    place.run(&["check", "m.gcl", "--set", "N=5", "--set", "p=quick"]).ends(10, "RESULT: false");
    place.run(&["vacuity", "m.gcl", "--set", "N=5"]).ends(0, "RESULT: true");
    assert!(place.run(&["query", "m.gcl", "EF ?{x}", "--set", "N=5"]).stdout.contains("11 solutions"));
    place.run(&["tests", "m.gcl", "--set", "N=5"]).ends(0, "RESULT: true");
    assert!(place.run(&["model", "show", "m.gcl", "--set", "N=5"]).stdout.contains("var x: 0..10 = 0;"));
    let shown = place.run(&["model", "show", "m.gcl", "--reach", "99", "--set", "N=1"]);
    assert!(shown.stdout.contains("complete: 3 states"), "{shown:?}");
    assert_eq!(place.run(&["model", "classify", "m.gcl", "--set", "N=1"]).status, 0);
    place.run(&["model", "refines", "m.gcl", "m.gcl", "--set", "N=1"]).ends(0, "RESULT: true");
}

#[test]
fn what_was_set_stands_in_the_settings() {
    let report = place().run(&["check", "m.gcl", "--set", "N=5", "--json"]).ends(0, "}").json();
    assert_eq!(report["settings"]["set"]["N"], "5");
}

#[test]
fn what_cannot_be_set_is_refused_with_a_reason() {
    let place = place();
    place.file("s.pts", "system s\nstate a initial;\n");
    for (file, settings, reason) in [
        ("m.gcl", &["--set", "K=5"][..], "m.gcl has no constant `K`; its constants are N, M, p, open"),
        ("m.gcl", &["--set", "N=five"], "`N` is of sort int, and `five` is no value of that sort"),
        ("m.gcl", &["--set", "N=true"], "`N` is of sort int"),
        ("m.gcl", &["--set", "N=p"], "`N` is of sort int"),
        ("m.gcl", &["--set", "N=2+3"], "`N` is of sort int"),
        ("m.gcl", &["--set", "N="], "`N` is of sort int"),
        ("m.gcl", &["--set", "open=1"], "true or false"),
        ("m.gcl", &["--set", "p=fast"], "one of slow, quick"),
        ("m.gcl", &["--set", "N=-1"], "the range 0..-2 is empty"),
        ("m.gcl", &["--set", "N=1", "--set", "N=2"], "`N` is set twice"),
        ("s.pts", &["--set", "N=1", "-p", "true"], "--set N=1 sets a parameter, and s.pts has none"),
    ] {
        let run = place.run(&[&["check", file][..], settings].concat());
        assert_eq!(run.status, 2, "{settings:?}: {run:?}");
        assert!(run.stderr.contains(reason), "{settings:?}: {run:?}");
    }
    let run = place.run(&["check", "m.gcl", "--set", "N"]);
    assert_eq!((run.status, run.stderr.contains("for example N=5")), (1, true), "{run:?}");
}
