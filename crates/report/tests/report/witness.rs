//! Witnesses: what is written is read back the same, what other tools write is read, and what is wrong is located.

use tertium_report::witness::{
    Guide, InputFile, InvariantKind, Passed, ReadWitness, Segment, Way, Waypoint, WaypointKind, Witness,
    WitnessContent, WitnessDataModel, WitnessInvariant, WitnessLocation, WitnessTask, read_witnesses, sha256,
    violation_witness, write_witness,
};
use tertium_support::{Diagnostics, Rng, Source};
use tertium_testkit::{fuzz_cases, mutated, random_cases};

fn task() -> WitnessTask {
    WitnessTask {
        input_files: vec![InputFile {
            name: "p.c".into(),
            sha256: sha256(b"int main(void) { return 0; }\n"),
        }],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
        data_model: WitnessDataModel::Ilp32,
        producer: "Tertium".into(),
        version: "0.1.0".into(),
        uuid: None,
        creation_time: None,
    }
}

fn at(line: u32, column: u32) -> WitnessLocation {
    WitnessLocation { file_name: "p.c".into(), line, column: Some(column), function: Some("main".into()) }
}

fn read(text: &str) -> Result<ReadWitness, Diagnostics> {
    read_witnesses(&Source::new("witness.yml", text))
}

/// What is read of a witness: the name and the time are those that were written.
fn as_written(witness: &Witness) -> Witness {
    let mut read = read(&write_witness(witness)).expect("what is written is read");
    assert_eq!(read.witnesses.len(), 1);
    let mut found = read.witnesses.remove(0);
    assert!(found.task.uuid.as_ref().is_some_and(|uuid| uuid.len() == 36));
    assert!(found.task.creation_time.is_some());
    found.task.uuid.clone_from(&witness.task.uuid);
    found.task.creation_time.clone_from(&witness.task.creation_time);
    found
}

#[test]
fn a_violation_witness_looks_like_this() {
    let assumption = Waypoint { kind: WaypointKind::Assumption("n == 2".into()), location: at(5, 3) };
    let target = Waypoint { kind: WaypointKind::Target, location: at(9, 5) };
    let content = WitnessContent::Violation(vec![Segment::follow(assumption), Segment::follow(target)]);
    let expected = r#"- entry_type: "violation_sequence"
  metadata:
    format_version: "2.0"
    uuid: "UUID"
    creation_time: "1970-01-01T00:00:00Z"
    producer:
      name: "Tertium"
      version: "0.1.0"
    task:
      input_files:
        - "p.c"
      input_file_hashes:
        "p.c": "HASH"
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: "ILP32"
      language: "C"
  content:
    - segment:
        - waypoint:
            type: "assumption"
            action: "follow"
            constraint:
              value: "n == 2"
              format: "c_expression"
            location:
              file_name: "p.c"
              line: 5
              column: 3
              function: "main"
    - segment:
        - waypoint:
            type: "target"
            action: "follow"
            location:
              file_name: "p.c"
              line: 9
              column: 5
              function: "main"
"#;
    let witness = Witness { task: WitnessTask { uuid: Some("UUID".into()), ..task() }, content };
    assert_eq!(write_witness(&witness), expected.replace("HASH", &task().input_files[0].sha256));
}

#[test]
fn what_is_written_is_read_back() {
    let run = random_cases(300, |rng| {
        let witness = Witness { task: random_task(rng), content: random_content(rng) };
        assert_eq!(as_written(&witness), witness);
        assert_eq!(write_witness(&witness), write_witness(&witness.clone()));
    });
    run.enough(true, ());
}

fn random_task(rng: &mut Rng) -> WitnessTask {
    let n_files = rng.below(3);
    let file = |index: usize, rng: &mut Rng| InputFile {
        name: format!("{index}{}", random_text(rng)),
        sha256: sha256(&[index as u8]),
    };
    WitnessTask {
        input_files: (0..n_files).map(|index| file(index, rng)).collect(),
        specification: random_text(rng),
        uuid: rng.chance(0.5).then(|| "4b6f2f0e-0000-4000-8000-000000000001".into()),
        creation_time: rng.chance(0.5).then(|| "2026-01-01T12:00:00Z".into()),
        ..task()
    }
}

/// Texts with all that YAML gives a meaning.
fn random_text(rng: &mut Rng) -> String {
    const PARTS: [&str; 18] = [
        "x", " == ", "\"", "\\", "'", ": ", "- ", "#", "{", "]", "&a", "*b", "\u{feff}", "\n", "\t", "µ",
        "%", "\\result",
    ];
    let parts: String = (0..rng.below(6)).map(|_| *rng.pick(&PARTS)).collect();
    // Texts are read without blanks around them.
    format!("a{parts}z")
}

fn random_location(rng: &mut Rng) -> WitnessLocation {
    WitnessLocation {
        file_name: random_text(rng),
        line: rng.below(1000) as u32,
        column: rng.chance(0.5).then(|| 1 + rng.below(80) as u32),
        function: rng.chance(0.5).then(|| random_text(rng)),
    }
}

fn random_waypoint(rng: &mut Rng) -> Waypoint {
    let kind = match rng.below(6) {
        0 => WaypointKind::Assumption(random_text(rng)),
        1 => WaypointKind::Branching(Way::Condition(rng.chance(0.5))),
        2 => WaypointKind::Branching(Way::Case("17".into())),
        3 => WaypointKind::FunctionEnter,
        4 => WaypointKind::FunctionReturn(Some(random_text(rng))),
        _ => WaypointKind::FunctionReturn(None),
    };
    Waypoint { kind, location: random_location(rng) }
}

fn random_content(rng: &mut Rng) -> WitnessContent {
    if rng.chance(0.5) {
        let kinds = [InvariantKind::Loop, InvariantKind::Location];
        let invariant = |rng: &mut Rng| WitnessInvariant {
            kind: *rng.pick(&kinds),
            location: random_location(rng),
            value: random_text(rng),
        };
        return WitnessContent::Correctness((0..rng.below(4)).map(|_| invariant(rng)).collect());
    }
    let segment = |rng: &mut Rng| Segment {
        avoid: (0..rng.below(3)).map(|_| random_waypoint(rng)).collect(),
        last: random_waypoint(rng),
        is_cycle: rng.chance(0.1),
    };
    let mut segments: Vec<Segment> = (0..rng.below(4)).map(|_| segment(rng)).collect();
    if rng.chance(0.5) {
        segments
            .push(Segment::follow(Waypoint { kind: WaypointKind::Target, location: random_location(rng) }));
    }
    WitnessContent::Violation(segments)
}

/// A witness in the style of hand-written ones: flow style, a bare formula, no columns, plain scalars.
const BY_HAND: &str = "
- entry_type: violation_sequence
  metadata:
    format_version: 2.0
    creation_time: 2023-12-01T10:00:00+01:00
    producer: {name: hand, version: 1}
    task:
      input_files: ./dir/p.c
      input_file_hashes: {./dir/p.c: 0F0F}
      specification: 'G ! call(reach_error())'
      data_model: LP64
      language: C
      anything: [else]
  content:
  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: true}, location: {file_name: p.c, line: 4}}
    - waypoint:
        type: function_return
        action: follow
        constraint: {value: '\\result >= 3', format: ext_c_expression}
        location: {file_name: p.c, line: 7, column: 12, function: main}
        thread_id: 0
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: p.c, line: 12}}
";

#[test]
fn what_other_tools_write_is_read() {
    let read = read(BY_HAND).expect("it is right");
    assert_eq!(read.warnings, []);
    let [witness] = &read.witnesses[..] else { panic!("one witness") };
    assert_eq!(witness.task.specification, "G ! call(reach_error())");
    assert_eq!(witness.task.input_files, [InputFile { name: "./dir/p.c".into(), sha256: "0f0f".into() }]);
    let WitnessContent::Violation(segments) = &witness.content else { panic!("a violation") };
    assert_eq!(segments.len(), 2);
    assert_eq!(segments[0].avoid[0].kind, WaypointKind::Branching(Way::Condition(true)));
    assert_eq!(segments[0].last.kind, WaypointKind::FunctionReturn(Some("\\result >= 3".into())));
    assert_eq!((segments[0].last.location.line, segments[0].last.location.column), (7, Some(12)));
    assert_eq!(segments[1].last.location.column, None);
}

#[test]
fn invariants_that_cannot_be_used_are_left_out_and_named() {
    let text = "- entry_type: invariant_set
  metadata:
    format_version: '2.1'
    task: {data_model: ILP32, specification: 'CHECK( init(main()), LTL(G ! overflow) )'}
  content:
  - invariant:
      type: loop_invariant
      location: {file_name: a.c, line: 3, column: 3, function: f}
      value: |
        x >= 0
          && y == 1
      format: c_expression
  - invariant: {type: loop_transition_invariant, location: {file_name: a.c, line: 3}, value: x, format: ext_c_expression}
  - invariant: {type: location_invariant, location: {file_name: a.c, line: 3}, value: '\\forall x', format: acsl_expression}
  - function_contract: {requires: x}
";
    let read = read(text).expect("it is right");
    let WitnessContent::Correctness(invariants) = &read.witnesses[0].content else { panic!("invariants") };
    assert_eq!(invariants.len(), 1);
    assert_eq!(invariants[0].value, "x >= 0\n  && y == 1");
    assert_eq!(read.warnings.len(), 3);
}

#[test]
fn what_is_wrong_is_located() {
    let cases = [
        ("", "the file is empty", (1, 1)),
        ("[]", "there is no witness in this list", (1, 1)),
        ("- entry_type: loop_invariant\n", "witnesses of the type `loop_invariant` are not read", (1, 15)),
        ("- entry_type: invariant_set\n", "a witness has no `content`", (1, 3)),
    ];
    for (text, message, place) in cases {
        let wrong = read(text).expect_err("it is wrong");
        let source = Source::new("witness.yml", text);
        assert_eq!(wrong[0].message, message, "{text}");
        assert_eq!(source.line_column(wrong[0].span.start), place, "{text}");
    }
    let changes = [
        ("type: target", "type: aim", "`aim` is no type of waypoint"),
        ("action: avoid", "action: follow", "a segment ends with its waypoint to `follow`"),
        ("constraint: {value: true}, ", "", "this waypoint has no constraint"),
        ("line: 12", "line: -1", "`line` is a number that is not negative"),
        ("data_model: LP64", "data_model: LLP64", "`LLP64` is no data model"),
        ("format_version: 2.0", "format_version: 0.1", "witnesses in the format `0.1` are not read"),
        (
            "type: target, action: follow",
            "type: target, action: avoid",
            "a segment ends with a waypoint to `follow`; this one has none",
        ),
    ];
    for (from, to, message) in changes {
        let text = BY_HAND.replacen(from, to, 1);
        assert_ne!(text, BY_HAND);
        let wrong = read(&text).expect_err("it is wrong");
        assert_eq!(wrong[0].message, message);
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    fuzz_cases(|rng| {
        let mut text = mutated(rng, BY_HAND);
        if rng.chance(0.3) {
            let mut at = rng.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
        }
        if let Ok(read) = read(&text) {
            for witness in &read.witnesses {
                assert_eq!(as_written(witness).content, witness.content);
            }
        }
    });
}

#[test]
fn a_run_is_led_by_its_own_witness() {
    let run = [
        Passed::Value { value: 5, at: at(3, 20) },
        Passed::Branch { taken: true, at: at(4, 3) },
        Passed::Value { value: i64::MIN.into(), at: at(3, 20) },
        Passed::Target(at(6, 5)),
        Passed::Value { value: 1, at: at(7, 1) },
    ];
    let witness = as_written(&violation_witness(task(), &run));
    let mut guide = Guide::new(&witness).expect("it is a violation");
    assert_eq!(guide.value(2, Some(20), None), None);
    assert_eq!(guide.value(3, Some(20), None), Some(5));
    assert_eq!(guide.value(3, Some(20), Some("x")), Some(i64::MIN.into()));
    assert_eq!(guide.value(7, Some(1), None), None);
    // Other tools say what is in variables.
    let assumption = |text: &str| {
        Segment::follow(Waypoint { kind: WaypointKind::Assumption(text.into()), location: at(4, 1) })
    };
    let content = WitnessContent::Violation(vec![
        assumption("1"),
        assumption("(x == 7) && (y == 8)"),
        assumption("x == 9"),
    ]);
    let mut guide = Guide::new(&Witness { task: task(), content }).expect("it is a violation");
    assert_eq!(guide.value(3, Some(20), Some("y")), Some(8));
    assert_eq!(guide.value(3, Some(20), None), None);
    assert_eq!(guide.value(3, Some(20), Some("x")), Some(7));
    assert_eq!(guide.value(3, Some(20), Some("x")), Some(9));
    assert_eq!(guide.value(3, Some(20), Some("x")), None);
}
