//! Models of guarded commands by concrete search: verdicts, evidence, the other engine beside it, and what is refused.

use crate::support::Place;

/// Two processes that take tickets; the number that is served moves on by `stride`.
pub(crate) fn ticket(stride: usize) -> String {
    let mut text =
        "control pc1, pc2: { idle, wait, busy } = idle;\nvar a1, a2, served, next: int = 0;\n".to_owned();
    for i in [1, 2] {
        text += &format!(
            "[take] pc{i} = idle -> pc{i} := wait, a{i} := next, next := next + 1;\n\
             [enter] pc{i} = wait && a{i} <= served -> pc{i} := busy;\n\
             [leave] pc{i} = busy -> pc{i} := idle, served := served + {stride};\n"
        );
    }
    text + "property mutex: AG !(pc1 = busy && pc2 = busy);\nproperty again: AG (pc1 = wait => EF pc1 = busy);\n"
}

#[test]
fn a_proof_is_a_system_that_is_bisimilar_to_the_program() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    let arguments = ["check", "ticket.gcl", "--engine", "search", "--name", "mutex", "--stats"];
    let run = place.run(&[&arguments[..], &["--dot", "why.dot"]].concat()).ends(0, "RESULT: true");
    assert!(run.stdout.contains("search, 8 predicates, 4 rounds, 9 states, 14 transitions"), "{run:?}");
    assert!(
        run.stdout.contains("\n  validated by         a fresh solver, the validator of strategies\n"),
        "{run:?}"
    );
    let picture = place.read("why.dot");
    assert!(picture.starts_with("digraph") && picture.matches(" -> ").count() >= 14, "{picture}");
    let report =
        place.run(&["check", "ticket.gcl", "--engine", "search", "--name", "again", "--json"]).json();
    assert_eq!(report["results"][0]["verdict"], "true", "nested quantifiers are checked on it too");
    assert_eq!(report["results"][0]["validated"], true);
}

#[test]
fn every_round_is_counted() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    let run = place.run(&["check", "ticket.gcl", "--engine", "search", "--name", "mutex", "--stats"]);
    let rows: Vec<Vec<usize>> = run
        .stdout
        .lines()
        .skip_while(|line| !line.contains("new predicates"))
        .skip(1)
        .map_while(|line| line.split_whitespace().map(|cell| cell.parse().ok()).collect())
        .collect();
    // Round, states generated and followed, new predicates; then questions, which depend on how sparing the search is.
    let numbers: Vec<&[usize]> = rows.iter().map(|row| &row[..4]).collect();
    assert_eq!(numbers, [[1, 15, 9, 3], [2, 15, 9, 2], [3, 15, 9, 1], [4, 15, 9, 0]], "{run:?}");
}

#[test]
fn an_error_is_shown_by_its_run() {
    let place = Place::new();
    place.file("broken.gcl", ticket(2));
    for more in [&[][..], &["--by-location"], &["--light"], &["--no-guards"], &["--threads", "2"]] {
        let arguments = ["check", "broken.gcl", "--engine", "search", "--name", "mutex", "--stats"];
        let run = place.run(&[&arguments[..], more].concat()).ends(10, "RESULT: false");
        assert!(run.stdout.contains("counterexample: 7 steps"), "{more:?} {run:?}");
        assert!(run.stdout.contains("\n  validated by         the interpreter\n"), "{more:?} {run:?}");
    }
    let arguments = ["check", "broken.gcl", "--engine", "search", "--name", "mutex", "--depth-first"];
    place.run(&arguments).ends(10, "RESULT: false");
}

#[test]
fn what_one_engine_leaves_open_the_other_answers_beside_it() {
    let place = Place::new();
    for (stride, status, result) in [(1, 0, "RESULT: true"), (2, 10, "RESULT: false")] {
        place.file("ticket.gcl", ticket(stride));
        // One state is too few for the search through all states, so the engines have to decide.
        let run =
            place.run(&["check", "ticket.gcl", "--name", "mutex", "--states", "1"]).ends(status, result);
        assert!(run.stdout.contains("search, ") || run.stdout.contains("predicate abstraction, "), "{run:?}");
    }
}

#[test]
fn predicates_are_kept_whoever_finds_them() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    for engine in [&["--engine", "search"][..], &["--engine", "auto", "--states", "1"]] {
        let arguments = ["check", "ticket.gcl", "--name", "mutex", "--save-predicates", "found.txt"];
        let arguments = [&arguments[..], engine].concat();
        place.run(&arguments).ends(0, "RESULT: true");
        assert!(place.read("found.txt").contains("a1 <= served;"), "{}", place.read("found.txt"));
        let again =
            ["check", "ticket.gcl", "--name", "mutex", "--engine", "search", "--predicates", "found.txt"];
        place.run(&again).ends(0, "RESULT: true");
    }
}

#[test]
fn a_search_without_end_stops_at_its_budget_or_limit() {
    let place = Place::new();
    // States that differ in t are matched, so the search cannot tell all of them apart.
    let text = "control pc: 0..1 = 0;\nvar x, y: int = 0;\nvar t: bool = false;\n\
                [a] pc = 0 && y >= 0 -> y := y + x, t := !t;\n\
                [b] pc = 0 && y < 0 -> pc := 1;\nproperty never: AG pc = 0;\n";
    place.file("endless.gcl", text);
    let endless = ["check", "endless.gcl", "--engine", "search", "--values-after", "0"];
    let run = place.run(&[&endless[..], &["--iterations", "5"]].concat());
    let run = run.ends(5, "RESULT: unknown(U-ITERATIONS)");
    assert!(run.stdout.contains("5 rounds"), "{run:?}");
    place
        .run(&[&endless[..], &["--iterations", "1000000", "--time", "300ms"]].concat())
        .ends(5, "RESULT: unknown(U-TIME)");
    place.run(&["check", "endless.gcl", "--engine", "search"]).ends(0, "RESULT: true");
}

#[test]
fn options_of_the_search_are_refused_elsewhere() {
    let place = Place::new();
    place.file("ticket.gcl", ticket(1));
    place.file("a.smv", "MODULE main VAR x : boolean; INVARSPEC TRUE;");
    for arguments in [
        &["check", "a.smv", "--engine", "search"][..],
        &["check", "a.smv", "--threads", "2"],
        &["check", "ticket.gcl", "--engine", "predicate", "--light"],
        &["check", "ticket.gcl", "--engine", "search", "--semantics", "ris"],
        &["check", "ticket.gcl", "--engine", "search", "--threads", "0"],
    ] {
        let run = place.run(arguments);
        assert_eq!(run.status, 1, "{arguments:?} {run:?}");
    }
}

#[test]
fn numbers_that_explode_do_not_hang() {
    let place = Place::new();
    let text = "control pc: 0..1 = 0;\nvar x: int = 3;\n[square] pc = 0 -> x := x * x;\n\
                [go] x > 100000000000000000000000000000000 -> pc := 1;\nproperty stays: AG pc = 0;\n";
    place.file("squares.gcl", text);
    for engine in ["auto", "explicit", "search"] {
        let run = place.run(&["check", "squares.gcl", "--engine", engine]).ends(10, "RESULT: false");
        assert!(run.stdout.contains("counterexample: 8 steps"), "{engine} {run:?}");
    }
    place.file("forever.gcl", text.replace("100000000000000000000000000000000", "0 && x < 0"));
    place.run(&["check", "forever.gcl", "--engine", "explicit"]).ends(5, "RESULT: unknown(U-BOUND)");
}
