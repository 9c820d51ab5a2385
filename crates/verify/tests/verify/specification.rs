//! Property files and task definitions: what is read, what is refused where, and that nothing makes the readers panic.

use std::path::Path;
use tertium_report::witness::WitnessDataModel;
use tertium_support::Source;
use tertium_testkit::{fuzz_cases, mutated};
use tertium_verify::specification::{
    NamedProperty, Specification, SpecificationLogic, is_property_text, is_task_text, read_formula,
    read_properties, read_task, standard_properties, task_asked,
};

fn asked(text: &str) -> Vec<Specification> {
    let lines =
        read_properties(&Source::new("p.prp", text)).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    lines.into_iter().map(|line| line.specification).collect()
}

fn call(function: &str) -> Specification {
    Specification::UnreachCall { function: function.into() }
}

#[test]
fn property_files_are_read() {
    assert_eq!(asked("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), [call("reach_error")]);
    assert_eq!(asked("CHECK(init(main()),LTL(G!call(__VERIFIER_error())))"), [call("__VERIFIER_error")]);
    assert_eq!(
        asked("\nCHECK( init(main()), LTL( G ! label(ERROR) ) )\n"),
        [Specification::UnreachLabel { label: "ERROR".into() }]
    );
    assert_eq!(asked("CHECK( init(main()), LTL(F end) )"), [Specification::Termination]);
    let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n\
                  CHECK( init(main()), LTL(G valid-memtrack) )\n";
    let parts = [NamedProperty::ValidFree, NamedProperty::ValidDeref, NamedProperty::ValidMemtrack];
    assert_eq!(asked(memory), parts.map(Specification::Named));
    let said = Specification::Named(NamedProperty::NoOverflow).not_supported();
    assert_eq!(said.as_deref(), Some("the property `no-overflow` is not supported yet"));
    let program = "CHECK( init(main()), LTL( []( \"x > f(0))\" ==> <>(\"y == 0\")) ) )";
    let text = "[]( \"x > f(0))\" ==> <>(\"y == 0\"))".to_owned();
    assert_eq!(asked(program), [Specification::Formula { logic: SpecificationLogic::Ltl, text }]);
    let text = "AG (at(L) => x > 0)".to_owned();
    assert_eq!(
        asked(&format!("CHECK( init(main()), CTL({text}) )")),
        [Specification::Formula { logic: SpecificationLogic::Ctl, text }]
    );
}

#[test]
fn what_is_asked_is_written_as_it_is_read() {
    let all = [
        "unreach-call",
        "unreach-label",
        "termination",
        "no-overflow",
        "no-data-race",
        "no-deadlock",
        "valid-free",
        "valid-deref",
        "valid-memtrack",
        "valid-memcleanup",
        "def-behavior",
    ];
    for name in all {
        let text = standard_properties(&format!("../properties/{name}.prp")).expect("it is a standard file");
        let found = asked(&text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name(), name);
        assert_eq!(found[0].line() + "\n", text);
        assert_eq!(read_formula(&text), Ok(found[0].clone()));
        assert_eq!(read_formula(&found[0].formula()), Ok(found[0].clone()));
        assert!(is_property_text(&text));
    }
    let three = standard_properties("valid-memsafety.prp").expect("it is a standard file");
    assert_eq!(asked(&three).len(), 3);
    assert_eq!(standard_properties("unreach-call.txt"), None);
    assert_eq!(standard_properties("mine.prp"), None);
}

#[test]
fn wrong_property_files_are_located() {
    let cases = [
        ("", "there is no property in this file", (1, 1)),
        ("CHECK( init(main()), LTL(G ! call(reach_error()) )", "expected `)`", (1, 51)),
        ("\n  CHECK( init(main), LTL(F end) )", "expected `(`", (2, 19)),
        ("CHECK( init(main()), TLT(F end) )", "expected `LTL`, `CTL` or `MU`", (1, 22)),
        ("CHECK( init(main()), LTL(F end) ) x", "expected the end of the line", (1, 35)),
        ("CHECK( init(main()), LTL(G ! thing) )", "the property `G ! thing` is not known", (1, 26)),
        (
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "what to cover cannot be asked for in a property file",
            (1, 1),
        ),
    ];
    for (text, message, place) in cases {
        let source = Source::new("p.prp", text);
        let wrong = read_properties(&source).expect_err(text);
        assert_eq!(
            (&wrong[0].message[..], source.line_column(wrong[0].span.start)),
            (message, place),
            "{text}"
        );
    }
    assert!(!is_property_text("AG x"));
}

const TASK: &str = "format_version: '2.0'
# A comment.
input_files: 'p.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/coverage.prp
options:
  language: C
  data_model: ILP32
unknown: {a: b}
";

#[test]
fn task_definitions_are_read() {
    let task = read_task(&Source::new("p.yml", TASK)).expect("it is right");
    assert_eq!(task.input_files.iter().map(|file| &file.name[..]).collect::<Vec<_>>(), ["p.c"]);
    let properties: Vec<_> = task
        .properties
        .iter()
        .map(|property| (&property.file.name[..], property.expected, property.subproperty.as_deref()))
        .collect();
    assert_eq!(
        properties,
        [
            ("../properties/unreach-call.prp", Some(false), None),
            ("../properties/valid-memsafety.prp", Some(false), Some("valid-deref")),
            ("../properties/coverage.prp", None, None),
        ]
    );
    assert_eq!((task.data_model, task.language.as_deref()), (Some(WitnessDataModel::Ilp32), Some("C")));
    assert_eq!(task.warnings, []);
    assert!(is_task_text(TASK));
    let flow = "{format_version: 1.0, input_files: [a.i, 'b*.i'], required_files: c.h}";
    let task = read_task(&Source::new("p.yml", flow)).expect("it is right");
    assert_eq!(task.input_files.iter().map(|file| file.is_pattern()).collect::<Vec<_>>(), [false, true]);
    assert_eq!((task.required_files.len(), task.properties.len(), task.data_model), (1, 0, None));
}

#[test]
fn wrong_task_definitions_are_located() {
    let cases = [
        (
            "format_version: '2.0'",
            "format_version: '3.0'",
            "task definitions in the format `3.0` are not read",
            (1, 17),
        ),
        (
            "input_files: 'p.c'",
            "input_files: {}",
            "`input_files` is the name of a file, or a list of names, not a map",
            (3, 14),
        ),
        ("input_files: 'p.c'", "", "a task definition has `input_files`", (1, 1)),
        ("input_files: 'p.c'", "input_files: []", "there is no input file", (3, 14)),
        (
            "expected_verdict: false",
            "expected_verdict: maybe",
            "an `expected_verdict` is `true` or `false`",
            (6, 23),
        ),
        ("property_file: ../properties/unreach", "property: x", "a property has a `property_file`", (5, 5)),
        ("data_model: ILP32", "data_model: 32", "a data model is `ILP32` or `LP64`", (13, 15)),
    ];
    for (from, to, message, place) in cases {
        let text = TASK.replacen(from, to, 1);
        let source = Source::new("p.yml", &text[..]);
        let wrong = read_task(&source).expect_err(message);
        assert_eq!((&wrong[0].message[..], source.line_column(wrong[0].span.start)), (message, place));
    }
    let missing = read_task(&Source::new("p.yml", TASK.replacen("format_version: '2.0'\n", "", 1)))
        .expect("it is read");
    assert_eq!(missing.warnings.len(), 1);
}

#[test]
fn no_text_makes_these_readers_panic() {
    let line = standard_properties("unreach-call.prp").expect("it is a standard file");
    fuzz_cases(|rng| {
        let mut text = if rng.chance(0.5) { mutated(rng, TASK) } else { mutated(rng, &line) };
        if rng.chance(0.3) {
            let at = rng.below(text.len() + 1);
            text.insert_str((0..=at).rev().find(|&at| text.is_char_boundary(at)).expect("0 is one"), "μ\"(");
        }
        let source = Source::new("f", text);
        if let Ok(lines) = read_properties(&source) {
            for line in lines {
                assert_eq!(read_formula(&line.specification.line()), Ok(line.specification.clone()));
            }
        }
        let _ = read_task(&source);
        let _ = read_formula(source.text());
    });
}

#[test]
fn goals_of_tests_are_passed_over_whether_their_files_are_there_or_not() {
    let text = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
                expected_verdict: false\n  - property_file: ../properties/coverage-branches.prp\n  \
                - property_file: mine.prp\n";
    let source = Source::new("a.yml", text);
    let mine = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n";
    let mut open = |path: &Path| path.ends_with("mine.prp").then(|| Ok(Source::new("mine.prp", mine)));
    let asked = task_asked(Path::new("a.yml"), &source, &mut open).unwrap_or_else(|_| panic!("it is a task"));
    let expected: Vec<_> = asked.properties.iter().map(|(_, expected)| *expected).collect();
    let notes: Vec<&str> = asked.warnings.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(expected, [Some(false)]);
    assert_eq!(
        notes,
        [
            "standard properties are taken for missing files: unreach-call.prp (line 4)",
            "what tests should cover, so not asked: coverage-branches.prp (line 6), mine.prp (line 7)",
        ]
    );
    let unknown = Source::new("b.yml", text.replace("mine.prp", "other.prp"));
    assert!(task_asked(Path::new("b.yml"), &unknown, &mut open).is_err(), "nobody knows what is in it");
}
