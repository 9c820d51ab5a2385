//! Names, files and texts from elsewhere: control characters, byte-order marks, line ends.

use crate::support::Place;

/// Whether a text keeps to its lines and tells the terminal nothing.
fn is_harmless(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !tertium_support::is_unprintable(c))
}

/// A system whose names hold a line break, an escape, and a mark that turns the direction of text.
const ODD: &str = "system odd : kmts;
propositions \"p\u{1b}[31m\", \"q\u{202e}\";
actions \"go\\nTRUE  fake\", \"\u{9b}2J\";
state \"one\\nRESULT: true\" : \"p\u{1b}[31m\";
state \"two\";
init \"one\\nRESULT: true\";
both \"one\\nRESULT: true\" -\"go\\nTRUE  fake\"-> \"two\";
may \"two\" -\"\u{9b}2J\"-> \"two\";
";

#[test]
fn names_with_control_characters_are_escaped_wherever_they_are_printed() {
    let place = Place::new();
    place.file("odd.pts", ODD);
    let commands: [&[&str]; 12] = [
        &["check", "odd.pts", "-p", "[][]false", "--full", "--dot", "why.dot"],
        &["check", "odd.pts", "-p", "[][]false", "--json"],
        &["check", "odd.pts", "-p", "EF \"p\u{1b}[31m\""],
        &["check", "odd.pts", "-p", "EF nowhere"],
        &["check", "odd.pts", "-p", "<nowhere>true"],
        &["vacuity", "odd.pts", "-p", "AG (\"p\u{1b}[31m\" || true)"],
        &["query", "odd.pts", "EF ?", "--csv", "found.csv"],
        &["query", "odd.pts", "EF ?", "--json"],
        &["model", "show", "odd.pts", "--dot"],
        &["model", "refines", "odd.pts", "odd.pts", "--full"],
        &["model", "classify", "odd.pts"],
        &["model", "consistent", "odd.pts"],
    ];
    for command in commands {
        let run = place.run(command);
        assert!(is_harmless(&run.stdout) && is_harmless(&run.stderr), "{command:?}\n{run:?}");
        assert!(run.stdout.lines().filter(|line| line.starts_with("RESULT: ")).count() <= 1, "{run:?}");
        assert!(!run.stdout.lines().any(|line| line.starts_with("TRUE  fake")), "{run:?}");
    }
    assert!(is_harmless(&place.read("why.dot")) && place.read("why.dot").contains("\\\\u{1b}"));
    assert!(is_harmless(&place.read("found.csv")) && place.read("found.csv").contains("\\u{1b}"));
}

#[test]
#[cfg(unix)]
fn names_of_files_are_escaped_too() {
    let place = Place::new();
    let name = "a\nTRUE  b\u{1b}[2J.pts";
    place.file(name, ODD);
    for command in [
        &["check", name, "-p", "[][]false"][..],
        &["check", name, name, "-p", "[][]false"],
        &["check", name, "-p", "((", "--json"],
        &["check", "gone\u{1b}[2J.pts", "-p", "true"],
        &["model", "show", name, "--reach", "3"],
        &["model", "convert", name, "-o", "no/where\u{1b}.aut"],
        &["tests", name],
        &["vacuity", name],
    ] {
        let run = place.run(command);
        let harmless = is_harmless(&run.stdout) && is_harmless(&run.stderr);
        assert!(harmless && !run.stdout.contains("\nTRUE  b"), "{command:?}\n{run:?}");
    }
}

/// A model of each format, with a property and the verdict.
const MODELS: [(&str, &str, &str); 4] = [
    (
        "m.pts",
        "system s : kmts; // a comment\npropositions p;\nactions a;\nstate s : p;\ninit s;\nboth s -a-> s;\n",
        "AG p",
    ),
    ("m.aut", "des (0,1,1)\n(0,\"a\",0)\n", "[true*]<a>true"),
    ("m.smv", "MODULE main -- a comment\nVAR p : boolean;\nASSIGN init(p) := TRUE; next(p) := p;\n", "AG p"),
    (
        "m.gcl",
        "var x: 0..3 = 0; // a comment\n[up] x < 3 -> x := x + 1;\n[stay] x = 3 -> skip;\n",
        "AG x <= 3",
    ),
];

#[test]
fn byte_order_marks_and_line_ends_make_no_difference() {
    let place = Place::new();
    for (name, text, property) in MODELS {
        let variants = [
            text.to_owned(),
            format!("\u{feff}{text}"),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
        ];
        let answers: Vec<String> = variants
            .iter()
            .map(|variant| {
                place.file(name, variant);
                place.file("p.mcf", property.replace(' ', "\r\n"));
                place.run(&["check", name, "-p", "@p.mcf"]).ends(0, "RESULT: true").stdout
            })
            .collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{name}: {answers:#?}");
        // With something wrong at the end, the place is the same.
        let places: Vec<String> = variants
            .iter()
            .map(|variant| {
                place.file(name, format!("{variant}?!"));
                place.run(&["check", name, "-p", property]).ends(2, "RESULT: error(input)").stderr
            })
            .collect();
        assert!(
            places.iter().all(|found| *found == places[0] && found.contains(&format!("{name}:"))),
            "{places:#?}"
        );
    }
    place.file("g.pg", "\u{feff}parity 0;\r\n0 0 0 0;\r");
    place.run(&["game", "solve", "g.pg"]).ends(0, "0 0 0;");
    place.file("wide.gcl", b"\xff\xfev\0a\0r\0".as_slice());
    let run = place.run(&["check", "wide.gcl"]);
    assert!(run.stderr.contains("UTF-16") && run.stderr.contains("wide.gcl:1:1"), "{run:?}");
}

#[test]
fn endless_names_are_cut_in_messages() {
    let place = Place::new();
    let long = "n".repeat(100_000);
    for (name, text, _) in MODELS {
        place.file(name, text);
        let run = place.run(&["check", name, "-p", &format!("AG {long}")]);
        assert!(run.stderr.len() < 4_000, "{name}: {} bytes", run.stderr.len());
    }
    place.file("long.gcl", format!("var {long}: 0..1 = 0;\n[a] {long}x = 0 -> skip;\n"));
    place.file("long.smv", format!("MODULE main\nVAR {long} : boolean;\nINIT {long}x;\nSPEC AG {long};\n"));
    for name in ["long.gcl", "long.smv"] {
        let run = place.run(&["check", name]);
        assert!(run.stderr.len() < 4_000, "{name}: {} bytes", run.stderr.len());
    }
}
