//! `.aut` in and out.

use super::odd::{complaints, content, located, odd_lts, odd_system};
use tertium_support::{Cancel, Context, Limits, Rng, StopReason, render};
use tertium_system::format::{
    AutError, AutMode, MAX_FAULTS, ReadError, read_aut, source_of_bytes, write_aut,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

fn read(text: &str, mode: AutMode) -> Result<PartialSystem, ReadError> {
    read_aut(&Context::default(), text.as_bytes(), mode)
}

fn faults(bytes: &[u8]) -> Vec<String> {
    let list = complaints(read_aut(&Context::default(), bytes, AutMode::Plain));
    located(&source_of_bytes("f.aut", bytes.to_vec()), &list)
}

fn write(system: &PartialSystem, mode: AutMode) -> Result<String, AutError> {
    let mut out = Vec::new();
    write_aut(system, mode, &mut out).map(|()| String::from_utf8(out).expect("names are UTF-8"))
}

#[test]
fn what_is_written_reads_back() {
    for seed in 0..2000 {
        let mut rng = Rng::seeded(seed);
        for (mode, may_only) in [(AutMode::Plain, 0.0), (AutMode::Modal, 0.4)] {
            let system = odd_lts(&mut rng, may_only);
            let text = write(&system, mode).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let again = read(&text, mode).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
            assert_eq!(content(&again), content(&system), "seed {seed}\n{text}");
        }
    }
}

#[test]
fn a_system_is_written_whole_or_refused() {
    for seed in 0..1000 {
        let system = odd_system(&mut Rng::seeded(seed));
        if let Ok(text) = write(&system, AutMode::Modal) {
            let again = read(&text, AutMode::Modal).unwrap();
            assert_eq!(content(&again), content(&system), "seed {seed}\n{text}");
            assert!(system.labels().names().is_empty() && system.domain().is_none());
            assert!(system.hyper_musts().is_empty());
        }
    }
}

fn s(number: u32) -> StateId {
    StateId::from_raw(number)
}

#[test]
fn each_thing_that_does_not_fit_is_refused_by_name() {
    let refuse = |mode, change: fn(&mut SystemBuilder)| {
        let mut builder = SystemBuilder::numbered(2);
        builder.initial(StateId::from_raw(0));
        change(&mut builder);
        write(&builder.build(), mode).unwrap_err()
    };
    assert!(matches!(refuse(AutMode::Modal, |b| b.initial(s(1))), AutError::SeveralInitialStates(..)));
    let propositions = refuse(AutMode::Modal, |b| {
        b.proposition("p", Belnap::True);
    });
    assert!(matches!(propositions, AutError::Propositions(name) if name == "p"));
    let hyper = refuse(AutMode::Modal, |b| {
        let a = b.action("a");
        b.hyper_must(s(1), a, vec![s(0), s(1)]);
    });
    assert!(matches!(hyper, AutError::HyperMust(state) if state == s(1)));
    let domain = refuse(AutMode::Modal, |b| {
        b.concrete("c");
    });
    assert!(matches!(domain, AutError::Domain));
    let must_only = refuse(AutMode::Modal, |b| {
        let a = b.action("a");
        b.edge(s(0), a, s(1), Modality::Must);
    });
    assert!(matches!(must_only, AutError::MustOnly(..)));
    let may_only = refuse(AutMode::Plain, |b| {
        let a = b.action("a");
        b.edge(s(0), a, s(1), Modality::May);
    });
    assert!(may_only.to_string().contains("modal .aut can"), "{may_only}");
    let line_break = refuse(AutMode::Plain, |b| {
        let a = b.action("a\nb");
        b.edge(s(0), a, s(1), Modality::Both);
    });
    assert!(matches!(line_break, AutError::LineBreak(_)));
    assert!(matches!(write(&SystemBuilder::numbered(0).build(), AutMode::Plain), Err(AutError::NoStates)));
}

#[test]
fn blanks_line_ends_and_unquoted_labels_do_not_matter() {
    let plain = read("des (0,2,2)\n(0,\"a b\",1)\n(1,\"c\",0)\n", AutMode::Plain).unwrap();
    for text in [
        "\u{FEFF}des(0,2,2)\r\n(0,\"a b\",1)\r\n(1,\"c\",0)",
        "\n\n  des ( 0 , 2 , 2 )  \n\n\t(0,a b,1)\n \n( 1 ,  c , 0 )\t\n\n",
        "des (0, 2, 2)\n(0, \"a b\", 1)\n(1, c, 0)\r\n",
    ] {
        assert_eq!(read(text, AutMode::Plain).unwrap(), plain, "{text}");
    }
}

#[test]
fn prefixes_count_in_the_modal_mode_only() {
    let text = "des (0,5,2)\n(0,\"may:a\",1)\n(0,\"must:b\",1)\n(0,\"c\",1)\n(1,\"may:d\",0)\n(1,\"d\",0)\n";
    let modal = read(text, AutMode::Modal).unwrap();
    let modality = |name: &str, s, t| {
        let action = modal.actions().get(name).unwrap();
        modal.transitions().find(StateId::from_raw(s), action, StateId::from_raw(t))
    };
    assert_eq!(modality("a", 0, 1), Some(Modality::May));
    assert_eq!(modality("b", 0, 1), Some(Modality::Both));
    assert_eq!(modality("c", 0, 1), Some(Modality::Both));
    assert_eq!(modality("d", 1, 0), Some(Modality::Both));
    let plain = read(text, AutMode::Plain).unwrap();
    assert!(plain.is_complete() && plain.actions().get("may:a").is_some());
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    for (text, expected) in [
        ("", "1:1 the file is empty"),
        ("dse (0,0,1)", "1:1 expected `des`"),
        ("des 0,0,1)", "1:5 expected `(`"),
        ("des (0,0)", "1:9 expected `,`"),
        ("des (0,0,1) x", "1:13 unexpected text after the header"),
        ("des (0,0,0)", "1:10 a system without states has no initial state"),
        ("des (-1,0,1)", "1:6 expected a number"),
        ("des (1,0,1)", "1:6 the initial state 1 is out of range"),
        ("des (0,0,4294967296)", "1:10 this number is too large: at most 4294967295 is possible"),
        (
            "des (0,0,4294967295)",
            "1:10 the header declares 4294967295 states, far more than a file of 20 bytes can mention",
        ),
        ("des (0,4000000000,1)", "1:8 the header announces 4000000000 transitions, but the file has 0"),
        ("des (0,2,1)\n(0,a,0)\n", "1:8 the header announces 2 transitions, but the file has 1"),
        ("des (0,0,1)\n(0,a,0)\n(0,b,0)", "1:8 the header announces 0 transitions, but the file has 2"),
        ("des (0,1,2)\n(0,\"a\",2)", "2:8 target state 2 is out of range"),
        ("des (0,1,2)\n( 7 ,\"a\",1)", "2:3 source state 7 is out of range"),
        ("des (0,1,2)\n(0,\"a", "2:5 expected `)` at the end of the transition"),
    ] {
        assert_eq!(faults(text.as_bytes()), [expected], "{text}");
    }
    assert_eq!(faults(b"des (0,1,2)\n(0,\"\xce\xbc\xff\",1)"), ["2:6 this label is not UTF-8 text"]);
}

#[test]
fn several_mistakes_are_reported_at_once_up_to_a_bound() {
    let text = b"des (9,3,2)\n(0,a,5)\nnonsense\n(0,\"\xff\",1)\n";
    assert_eq!(
        faults(text),
        [
            "1:6 the initial state 9 is out of range",
            "2:6 target state 5 is out of range",
            "3:1 expected `(`",
            "4:5 this label is not UTF-8 text"
        ]
    );
    let many = format!("des (0,1000000,2)\n{}", "oops\n".repeat(1_000_000));
    assert_eq!(faults(many.as_bytes()).len(), MAX_FAULTS);
}

#[test]
fn a_complaint_late_in_a_large_file_shows_its_line() {
    let mut bytes = b"des (0,200001,2)\n".to_vec();
    for _ in 0..200_000 {
        bytes.extend_from_slice(b"(0,\"a\",1)\n");
    }
    bytes.extend_from_slice(b"(0,\"\xffbad\",7)\n");
    let list = complaints(read_aut(&Context::default(), &bytes, AutMode::Plain));
    let shown = render(&source_of_bytes("big.aut", bytes), &list, false);
    assert!(shown.contains("big.aut:200002:11"), "{shown}");
    assert!(shown.contains("(0,\"?bad\",7)"), "{shown}");
}

#[test]
fn endless_numbers_and_lines_do_no_harm() {
    let digits = "9".repeat(100_000);
    assert_eq!(faults(format!("des (0,0,{digits})").as_bytes()).len(), 1);
    assert_eq!(faults(format!("des (0,1,1)\n({digits},a,0)").as_bytes()).len(), 1);
    assert_eq!(faults(format!("des (0,1,1)\n(0,a,{digits})").as_bytes()).len(), 1);
    let long = "x\"),(".repeat(2_000_000);
    let system = read(&format!("des (0,2,1)\n(0,\"{long}\",0)\n(0,{long},0)"), AutMode::Plain).unwrap();
    assert_eq!(system.actions().len(), 1);
    assert_eq!(faults(format!("des (0,1,1)\n(0,\"{long}").as_bytes()).len(), 1);
    let zeros = format!("des ({z}0,1,{z}1)\n({z}0,a,{z}0)", z = "0".repeat(50));
    assert_eq!(read(&zeros, AutMode::Plain).unwrap().n_states(), 1);
}

#[test]
fn a_limit_stops_the_reading() {
    let cancel = Cancel::default();
    cancel.cancel();
    let context = Context::new(Limits::default(), cancel);
    let text = format!("des (0,20000,2)\n{}", "(0,a,1)\n".repeat(20_000));
    let stopped = read_aut(&context, text.as_bytes(), AutMode::Plain);
    assert_eq!(stopped.unwrap_err(), ReadError::Stopped(StopReason::Interrupted));
}
