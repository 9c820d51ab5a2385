//! Mutated, truncated and random files: no panic, no hang, places inside the text, and whatever is accepted prints
//! and reads back. One second each.

use super::odd::{content, odd_lts, odd_system};
use tertium_support::{Context, Diagnostic, Rng, Source, render};
use tertium_system::format::{
    AutMode, DotOptions, MAX_FAULTS, ReadError, print_dot, print_pts, read_aut, read_pts, source_of_bytes,
    write_aut,
};
use tertium_testkit::fuzz_cases;

/// Pieces that make trouble in one of the formats.
const PIECES: [&[u8]; 26] = [
    b"\"",
    b"\\",
    b"\n",
    b"\r\n",
    b",",
    b")",
    b"(",
    b"4294967296",
    b"4294967295",
    b"0",
    b"\xff",
    b"\xce",
    b"may:",
    b"{",
    b"}",
    b";",
    b":",
    b"=",
    b"->",
    b"-",
    b"!",
    b"?",
    b"//",
    b"state ",
    b"must ",
    b"des ",
];

/// Changes a text in a few places.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.between(0, 4) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.between(0, 12)).min(bytes.len());
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = *rng.pick(&PIECES);
                bytes.splice(at..at, piece.iter().copied());
            }
            3 => {
                let piece = *rng.pick(&PIECES);
                bytes.splice(at..end, piece.iter().copied());
            }
            4 => {
                let copy = bytes[at..end].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => bytes.insert(at, rng.bits() as u8),
        }
    }
}

fn check_complaints(source: &Source, list: &[Diagnostic], len: usize) {
    assert!(!list.is_empty() && list.len() <= MAX_FAULTS);
    for fault in list {
        for span in fault.related.iter().map(|(span, _)| span).chain([&fault.span]) {
            assert!(span.start <= span.end && span.end <= len, "{fault:?}");
        }
    }
    assert!(!render(source, list, false).is_empty());
}

#[test]
fn aut_files_of_any_kind_are_read_or_refused() {
    fuzz_cases(|rng| {
        let mode = *rng.pick(&[AutMode::Plain, AutMode::Modal]);
        let mut bytes = Vec::new();
        write_aut(&odd_lts(rng, 0.3), AutMode::Modal, &mut bytes).expect("it fits");
        if rng.chance(0.1) {
            bytes = (0..rng.below(200)).map(|_| rng.bits() as u8).collect();
        }
        mutate(rng, &mut bytes);
        match read_aut(&Context::default(), &bytes, mode) {
            Ok(system) => {
                let mut text = Vec::new();
                write_aut(&system, mode, &mut text).unwrap_or_else(|error| panic!("{error}"));
                let again = read_aut(&Context::default(), &text, mode).expect("what was written is read");
                assert_eq!(content(&again), content(&system));
                let text = print_pts(&system, None, None).expect("every .aut fits into .pts");
                let again = read_pts(&Context::default(), &Source::new("again", text.as_str()));
                assert_eq!(again.expect("what was printed is read").system, system, "{text}");
            }
            Err(ReadError::Faulty(list)) => {
                let len = bytes.len();
                check_complaints(&source_of_bytes("f.aut", bytes), &list, len);
            }
            Err(ReadError::Stopped(reason)) => panic!("{reason:?}"),
        }
    });
}

#[test]
fn pts_files_of_any_kind_are_read_or_refused() {
    fuzz_cases(|rng| {
        let mut bytes = print_pts(&odd_system(rng), Some("M"), None).expect("it is fine").into_bytes();
        if rng.chance(0.1) {
            bytes = (0..rng.below(60)).flat_map(|_| rng.pick(&PIECES).iter().copied()).collect();
        }
        mutate(rng, &mut bytes);
        let source = Source::new("f.pts", String::from_utf8_lossy(&bytes));
        match read_pts(&Context::default(), &source) {
            Ok(file) => {
                let text = print_pts(&file.system, file.name.as_deref(), file.family)
                    .unwrap_or_else(|error| panic!("{error}"));
                let again = read_pts(&Context::default(), &Source::new("again", text.as_str()));
                assert_eq!(again, Ok(file.clone()), "{text}");
                assert!(print_dot(&file.system, &DotOptions::default()).ends_with("}\n"));
            }
            Err(ReadError::Faulty(list)) => check_complaints(&source, &list, source.text().len()),
            Err(ReadError::Stopped(reason)) => panic!("{reason:?}"),
        }
    });
}
