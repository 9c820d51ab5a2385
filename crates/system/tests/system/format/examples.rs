//! The examples users learn from are read, and say what they claim to say.

use std::path::{Path, PathBuf};
use tertium_support::{Context, Source, render};
use tertium_system::format::{
    AutMode, Family, PtsFile, ReadError, print_pts, read_aut, read_pts, source_of_bytes,
};
use tertium_system::partial::domain_flaws;
use tertium_system::{Modality, PartialSystem};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn pts(name: &str) -> PtsFile {
    let bytes = std::fs::read(folder().join(name)).expect("the example is there");
    let source = Source::from_bytes(name, bytes).expect("examples are UTF-8");
    match read_pts(&Context::default(), &source) {
        Ok(file) => file,
        Err(ReadError::Faulty(list)) => panic!("{}", render(&source, &list, false)),
        Err(ReadError::Stopped(reason)) => panic!("{reason:?}"),
    }
}

fn aut(name: &str, mode: AutMode) -> PartialSystem {
    let bytes = std::fs::read(folder().join(name)).expect("the example is there");
    match read_aut(&Context::default(), &bytes, mode) {
        Ok(system) => system,
        Err(ReadError::Faulty(list)) => panic!("{}", render(&source_of_bytes(name, bytes), &list, false)),
        Err(ReadError::Stopped(reason)) => panic!("{reason:?}"),
    }
}

#[test]
fn every_example_is_read() {
    let mut n_read = 0;
    for entry in std::fs::read_dir(folder()).expect("there are examples") {
        let name = entry.expect("the folder can be read").file_name().into_string().expect("names are UTF-8");
        if name.ends_with(".pts") {
            let file = pts(&name);
            let text = print_pts(&file.system, file.name.as_deref(), file.family).expect("it was read");
            assert_eq!(read_pts(&Context::default(), &Source::new("again", text)), Ok(file), "{name}");
            n_read += 1;
        } else if name.ends_with(".aut") {
            aut(&name, AutMode::Plain);
            aut(&name, AutMode::Modal);
            n_read += 1;
        }
    }
    assert!(n_read >= 4, "{n_read} examples");
}

/// The first block of code of a page on a format.
fn first_block(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats").join(page);
    let text = std::fs::read_to_string(path).expect("the page is there");
    text.split("```\n").nth(1).expect("it begins with an example").to_owned()
}

#[test]
fn the_pages_on_the_formats_begin_with_true_examples() {
    let source = Source::new("pts.md", first_block("pts.md"));
    let file = read_pts(&Context::default(), &source).expect("the example is right");
    let printed = print_pts(&file.system, file.name.as_deref(), file.family).expect("it was read");
    assert_eq!(printed, super::pts::SMALL);
    let block = first_block("aut.md");
    let system =
        read_aut(&Context::default(), block.as_bytes(), AutMode::Plain).expect("the example is right");
    assert_eq!(system.actions().names().collect::<Vec<_>>(), ["coin", "tea", "coffee"]);
}

#[test]
fn the_coffee_machine_leaves_the_drink_open() {
    let PtsFile { family, system, .. } = pts("coffee.pts");
    assert_eq!(family, Some(Family::Gkmts));
    assert_eq!(system.hyper_musts().len(), 1);
    assert!(!Family::MixTs.admits(&system) && !system.is_complete());
}

#[test]
fn the_two_processes_leave_nothing_open() {
    let system = pts("mutex.pts").system;
    assert!(system.is_complete());
    assert_eq!(system.reachable().count(), system.n_states());
    assert_eq!(system.deadlocks().count(), 0);
}

#[test]
fn the_vending_machine_promises_tea_and_allows_coffee() {
    let system = aut("vending.aut", AutMode::Modal);
    let names: Vec<&str> = system.actions().names().collect();
    assert_eq!(names, ["coin", "tea", "coffee", "refund", "take"]);
    let may_only = system.transitions().labels().iter().filter(|l| l.modality() == Modality::May).count();
    assert_eq!(may_only, 2);
    assert!(aut("vending.aut", AutMode::Plain).actions().get("may:coffee").is_some());
}

#[test]
fn the_parity_abstraction_is_monotone_over_its_integers() {
    let system = pts("parity.pts").system;
    let domain = system.domain().expect("it has concretisations");
    assert_eq!(domain.n_concrete(), 8);
    assert_eq!(domain_flaws(&system), []);
    for prop in ["p", "q"] {
        let id = system.labels().names().get(prop).expect("declared");
        for state in system.states() {
            for concrete in domain.gamma(state).iter() {
                let x: i64 = domain.concrete().name(concrete).parse().expect("concrete states are integers");
                let holds = if prop == "p" { x > 0 } else { x % 2 != 0 };
                assert_eq!(system.labels().must(id).contains(state), holds, "{prop} at {x}");
            }
        }
    }
}
