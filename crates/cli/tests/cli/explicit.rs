//! `tertium vacuity` and `tertium query` on `.pts` and `.aut` files.

use crate::support::Place;

/// A lock, and a light of which one label is open.
const LIGHT: &str = "system light : kmts;
propositions red, green;
state stop : red, !green;
state go : !red, green;
state dark : !red;
init stop;
both stop -> go;
both go -> stop;
may go -> dark;
both dark -> stop;
";

const MACHINE: &str = "des (0,4,3)\n(0,\"coin\",1)\n(1,\"tea\",0)\n(1,\"may:coffee\",2)\n(2,\"take\",0)\n";

fn place() -> Place {
    let place = Place::new();
    place.file("light.pts", LIGHT);
    place.file("machine.aut", MACHINE);
    for name in ["mutex.pts", "coffee.pts"] {
        let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        place.file(name, std::fs::read_to_string(path).expect("the example is there"));
    }
    place
}

#[test]
fn vacuous_parts_of_properties_of_systems_are_underlined() {
    let place = place();
    let run = place
        .run(&["vacuity", "mutex.pts", "-p", "AG (crit1 && crit2 -> AF try2)"])
        .ends(10, "RESULT: false(vacuous)");
    let expected = "TRUE  AG (crit1 && crit2 -> AF try2)        vacuously true\n  Vacuously True in {AF try2}\n    \
                    AG (crit1 && crit2 -> AF try2)\n                          ~~~~~~~\n  already holds: AG !(crit1 && crit2)\n";
    assert!(run.stdout.starts_with(expected), "{run:?}");
    place.run(&["vacuity", "mutex.pts", "-p", "AG !(crit1 && crit2)"]).ends(0, "RESULT: true");
    let all = place.run(&["vacuity", "machine.aut", "--all", "-p", "[tea]([coin]<tea>true && <take>true)"]);
    assert!(all.status == 10 && all.stdout.contains("does not matter: <take>true"), "{all:?}");
}

#[test]
fn methods_agree_on_systems() {
    let place = place();
    for method in ["naive", "vaquot", "mutual"] {
        let formula = "nu X. [coin](<tea>true || <take>X) && [true]X";
        let run = place.run(&["vacuity", "machine.aut", "--method", method, "--json", "-p", formula]);
        let report = run.json();
        let result = &report["results"][0];
        assert_eq!((run.status, &report["method"], &result["verdict"]), (10, &method.into(), &"true".into()));
        assert_eq!(result["words"], "Vacuously True in {<take>X}");
        assert_eq!(result["left"], "nu X. [coin]<tea>true && []X");
        assert_eq!((&result["witnesses"], &result["open"]), (&7.into(), &serde_json::Value::Null));
    }
}

#[test]
fn what_a_system_leaves_open_is_told_apart_from_what_it_says() {
    let place = place();
    let unknown = place
        .run(&["vacuity", "light.pts", "-p", "AG (red || green)"])
        .ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(
        unknown.stdout.starts_with("UNKNOWN  AG (red || green)\n  open: what was looked at leaves it open\n"),
        "{unknown:?}"
    );
    assert!(unknown.stdout.contains("  matters in any case: red\n"), "{unknown:?}");
    assert!(unknown.stdout.contains("  next: settle what is open"), "{unknown:?}");
    let definite = place.run(&["vacuity", "light.pts", "-p", "AG (red -> AX !red)"]).ends(0, "RESULT: true");
    assert!(definite.stdout.contains("non-vacuously true"), "{definite:?}");
    let some = place.run(&["vacuity", "light.pts", "-p", "AG (red || green || EX red)"]);
    assert!(some.status == 10 && some.stdout.contains("Vacuously True in {green}\n"), "{some:?}");
    assert!(some.stdout.contains("does not say whether this matters: EX red\n"), "{some:?}");
    assert_eq!(some.stdout.matches("does not say whether").count(), 1, "{some:?}");
    let perhaps = place.run(&["vacuity", "coffee.pts", "-p", "AG (paid -> EF ready)"]);
    let perhaps = perhaps.ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(perhaps.stdout.contains("    perhaps vacuously true\n"), "{perhaps:?}");
    assert!(perhaps.stdout.contains("whether this matters: paid\n"), "{perhaps:?}");
    let json = place.run(&["vacuity", "light.pts", "--json", "-p", "AG (red || green)"]).json();
    assert_eq!(json["results"][0]["verdict"], "unknown");
    assert_eq!(json["results"][0]["decisive"][0]["text"], "red");
}

#[test]
fn queries_about_systems_count_combinations_of_propositions() {
    let place = place();
    let run = place.run(&["query", "mutex.pts", "AG EF ?{crit1,crit2}"]).ends(0, "RESULT: true");
    assert!(run.stdout.contains("3 solutions, tlq\n  !crit1\n  crit1 && !crit2\n"), "{run:?}");
    for method in ["naive", "refine"] {
        let same = place.run(&["query", "mutex.pts", "AG EF ?{crit1,crit2}", "--method", method]);
        assert!(same.stdout.contains(&format!("3 solutions, {method}\n  !crit1\n")), "{same:?}");
    }
    let negative = place.run(&["query", "mutex.pts", "AG !?"]).ends(0, "RESULT: true");
    assert!(negative.stdout.contains("8 solutions"), "{negative:?}");
    let general =
        place.run(&["query", "mutex.pts", "AF ?{try1,try2}", "--method", "general"]).ends(0, "RESULT: true");
    assert!(general.stdout.contains("2 strongest solutions"), "{general:?}");
    place.run(&["query", "mutex.pts", "EF AG ?{crit1,crit2}"]).ends(10, "RESULT: false");
    let actions = place.run(&["query", "light.pts", "<true>?"]).ends(0, "RESULT: true");
    assert!(actions.stdout.contains("\n  !red && green\n"), "{actions:?}");
    let invariant = place.run(&["query", "mutex.pts", ":invariants{crit1,crit2}"]).ends(0, "RESULT: true");
    assert!(invariant.stdout.contains("\n  !crit1 || crit1 && !crit2\n"), "{invariant:?}");
}

#[test]
fn possible_solutions_are_listed_apart() {
    let place = place();
    let run = place.run(&["query", "light.pts", "EF ?", "--csv", "t.csv"]).ends(0, "RESULT: true");
    let expected = "2 solutions, tlq\n  !red && green\n  red && !green\n\
        \x20 possible, left open by the system: 1 solution\n    !red && !green\n";
    assert!(run.stdout.contains(expected), "{run:?}");
    assert!(place.read("t.csv").contains("1,possible,false,false\n"), "{run:?}");
    let json = place.run(&["query", "light.pts", "EF ?", "--json"]).json();
    assert_eq!((&json["n_solutions"], &json["n_possible"]), (&"2".into(), &"1".into()));
    assert_eq!(json["possible"][0]["text"], "!red && !green");
    let open = place
        .run(&["query", "light.pts", "EF (!red && !green && ?{red})"])
        .ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(
        open.stdout.contains("0 solutions") && open.stdout.contains("1 solution\n    !red\n"),
        "{open:?}"
    );
    let states =
        place.run(&["query", "light.pts", "?", "--per-initial", "--csv", "s.csv"]).ends(0, "RESULT: true");
    assert!(
        states.stdout.contains("  1 initial state\n    stop\n  have 1 solution\n    red && !green\n"),
        "{states:?}"
    );
    assert!(
        place
            .read("s.csv")
            .starts_with("group,role,state,red,green\n1,initial,stop,true,false\n1,solution,,true,false\n")
    );
    let invariant = place.run(&["query", "light.pts", ":invariants"]).ends(0, "RESULT: true");
    assert!(
        invariant.stdout.contains(
            "  !red || red && !green\n\
        \x20 possible"
        ),
        "{invariant:?}"
    );
}

#[test]
fn wrong_questions_about_systems_are_located() {
    let place = place();
    for (arguments, why) in [
        (["vacuity", "mutex.pts", "-p", "AG crit"], "<property 1>:1:4"),
        (["vacuity", "machine.aut", "-p", "<teas>true"], "did you mean"),
        (["vacuity", "mutex.pts", "-p", "AG ?"], "belongs to queries"),
        (["vacuity", "mutex.pts", "-p", "mu X. !X"], "not monotone"),
        (["query", "mutex.pts", "EF ?{crit}", "--stats"], "did you mean"),
        (["query", "mutex.pts", "EF (?{crit1} && crit)", "--stats"], "has no proposition `crit`"),
        (["query", "mutex.pts", "EF crit1", "--stats"], "nothing to find"),
        (["query", "machine.aut", "EF ?", "--stats"], "the file has no propositions"),
    ] {
        let run = place.run(&arguments);
        assert!(run.status == 2 && run.stderr.contains(why) && run.stderr.contains(":1:"), "{run:?}");
    }
    assert_eq!(place.run(&["query", "mutex.pts", "AG !?", "--method", "refine"]).status, 2);
    assert_eq!(place.run(&["query", "mutex.pts", "EF ?", "--whole-model"]).status, 1);
    assert_eq!(place.run(&["vacuity", "mutex.pts"]).status, 1);
    assert_eq!(place.run(&["vacuity", "missing.pts", "-p", "p"]).status, 2);
    assert_eq!(place.run(&["vacuity", "model.txt", "-p", "p"]).status, 2);
}

#[test]
fn modal_labels_are_read_when_asked_and_limits_are_kept() {
    let place = place();
    let plain =
        place.run(&["vacuity", "machine.aut", "-p", "[coin]<\"may:coffee\">true"]).ends(0, "RESULT: true");
    assert!(plain.stdout.contains("non-vacuously true"), "{plain:?}");
    place
        .run(&["vacuity", "machine.aut", "--modal", "-p", "[coin]<coffee>true"])
        .ends(5, "RESULT: unknown(U-IMPRECISE)");
    place.run(&["query", "light.pts", "EF ?", "--time", "0s"]).ends(5, "RESULT: unknown(U-TIME)");
    assert_eq!(place.run(&["vacuity", "light.pts", "-p", "AG red", "--time", "0s"]).status, 5);
}

#[test]
fn options_about_diagrams_are_refused_for_systems() {
    let place = place();
    place.file("o.txt", "red\n");
    for options in [&["--order", "o.txt"][..], &["--nodes", "9"], &["--whole-model"], &["--keep-order"]] {
        for command in [&["query", "light.pts", "EF ?"][..], &["vacuity", "light.pts", "-p", "AG red"]] {
            let run = place.run(&[command, options].concat());
            assert!(run.status == 1 && run.stderr.contains("of .smv models"), "{run:?}");
        }
    }
}
