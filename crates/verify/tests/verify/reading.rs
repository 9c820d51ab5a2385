//! Reading is interruptible: a limit ends it in every format, long before the end of a large file.

use std::fmt::Write;
use tertium_support::{Cancel, Context, Limits, StopReason};
use tertium_verify::{Formats, Halt, Input, ReadOptions};

/// How many lines the files have.
const LINES: usize = 60_000;

/// A large file of every format, by extension.
fn large() -> [(&'static str, String); 5] {
    let lines = |head: &str, line: fn(usize) -> String| {
        (0..LINES).fold(head.to_owned(), |mut text, k| {
            let _ = writeln!(text, "{}", line(k));
            text
        })
    };
    let numbered = lines(&format!("des (0,{LINES},2)\n"), |k| format!("({},\"a\",{})", k % 2, (k + 1) % 2));
    [
        ("smv", lines("MODULE main\nVAR x : 0..7;\n", |k| format!("SPEC AG (x = {} -> EF x = 1)", k % 8))),
        ("smv", lines("MODULE main\nVAR\n", |k| format!("  x{k} : boolean;"))),
        ("gcl", lines("var x: 0..7 = 0;\n", |k| format!("[a] x = {} -> x := {};", k % 8, (k + 1) % 8))),
        ("pts", lines("propositions p;\nstate t : p;\ninit t;\n", |k| format!("state s{k} : p;"))),
        ("aut", numbered),
    ]
}

fn read(context: &Context, extension: &str, text: &str) -> Result<(), Halt> {
    let name = format!("large.{extension}");
    let formats = Formats::standard();
    let format = formats.by_name(name.as_ref()).expect("the extension is known");
    let options = ReadOptions { warnings: false, ..ReadOptions::default() };
    (format.read)(context, Input { name, bytes: text.as_bytes().to_vec(), original: None }, &options)
        .map(|_| ())
}

#[test]
fn a_limit_on_work_ends_reading() {
    for (extension, text) in large() {
        let whole = Context::default();
        assert!(read(&whole, extension, &text).is_ok(), "{extension}");
        assert!(whole.spent() >= LINES as u64, "{extension}: reading is counted, but {} only", whole.spent());
        for share in [8, 2] {
            let most = whole.spent() / share;
            let limits = Limits { work: Some(most), ..Limits::default() };
            let context = Context::new(limits, Cancel::default());
            let stopped = read(&context, extension, &text);
            assert!(
                matches!(stopped, Err(Halt::Stopped(StopReason::WorkLimit))),
                "{extension}: {:?}",
                stopped.err()
            );
            // Limits are looked at every 2^14 units.
            assert!(context.spent() < most + (1 << 16), "{extension}: {} of {most}", context.spent());
        }
    }
}

#[test]
fn a_signal_and_a_limit_on_memory_end_reading() {
    for (extension, text) in large() {
        let cancel = Cancel::default();
        cancel.cancel();
        let stopped = read(&Context::new(Limits::default(), cancel), extension, &text);
        assert!(matches!(stopped, Err(Halt::Stopped(StopReason::Interrupted))), "{extension}");
        let limits = Limits { memory: Some(1), ..Limits::default() };
        let stopped = read(&Context::new(limits, Cancel::default()), extension, &text);
        assert!(matches!(stopped, Err(Halt::Stopped(StopReason::MemoryLimit))), "{extension}");
    }
}
