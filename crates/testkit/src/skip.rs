//! Tests that need something which may be missing say so where everybody sees it.
//!
//! The test harness keeps what `println!` and `eprintln!` write and shows it only if the test fails. What is written to
//! standard error directly it does not see, so the line appears, and `make test` repeats it at the end.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::thread;

/// Says that the test which calls this does nothing, and why.
pub fn skipped(reason: &str) {
    let thread = thread::current();
    let line = format!("\nskipped: {}: {reason}\n", thread.name().unwrap_or("a test"));
    stderr().write_all(line.as_bytes()).expect("standard error is open");
}

/// The folder with the public models of NuSMV, if it is beside this repository or further up.
pub fn nusmv_corpus() -> Option<PathBuf> {
    let folders =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|above| above.join("shared/corpus/nusmv"));
    let found = folders.into_iter().find(|folder| folder.join("expected.tsv").exists());
    if found.is_none() {
        skipped("there is no ../shared/corpus/nusmv beside the repository");
    }
    found
}
