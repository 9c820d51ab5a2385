//! `tertium game solve`.

use crate::support::Place;

/// Even wins 0 by staying; Odd wins 1 and 2.
const GAME: &str = "parity 2;\n0 2 0 0,1 \"home\";\n1 1 1 1,2;\n2 3 0 1;\n";

fn with_game() -> Place {
    let place = Place::new();
    place.file("g.pg", GAME);
    place
}

#[test]
fn the_solution_is_printed_in_pgsolvers_form() {
    let run = with_game().run(&["game", "solve", "g.pg"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(&lines[..2], ["paritysol 2;", "0 0 0;"], "{run:?}");
    assert!(lines[2].starts_with("1 1 ") && lines[3] == "2 1;", "{run:?}");
}

#[test]
fn the_solution_is_also_json_and_a_picture() {
    let place = with_game();
    let report = place.run(&["game", "solve", "g.pg", "--json", "--dot", "g.dot"]).json();
    assert_eq!(report["schema"], "tertium/3");
    assert_eq!(report["vertices"][0]["name"], "home");
    assert_eq!((&report["vertices"][2]["winner"], &report["validated"]), (&1.into(), &true.into()));
    assert!(report.get("time_ms").is_none());
    assert!(place.read("g.dot").starts_with("digraph game {"));
}

#[test]
fn statistics_go_to_standard_error() {
    let run = with_game().run(&["game", "solve", "g.pg", "--stats"]);
    assert!(run.stderr.contains("edges                5"), "{run:?}");
    assert!(run.stdout.ends_with("2 1;\n"), "{run:?}");
}

#[test]
fn a_wrong_game_is_located() {
    let place = Place::new();
    place.file("g.pg", "parity 1;\n0 0 0 7;\n1 x 0 0;\n");
    let run = place.run(&["game", "solve", "g.pg"]).ends(2, "");
    assert!(run.stderr.contains("g.pg:3:3"), "{run:?}");
}
