//! Benchmarks that print tables: `cargo run --release -p tertium-bench -- SUITE`. See `bench/README.md`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing tables is what this program does")]

mod check;
mod families;
mod table;

use peak_alloc::PeakAlloc;

/// Counts what is on the heap, so that tables can show the peak.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() {
    let suite = std::env::args().nth(1).unwrap_or_default();
    match suite.as_str() {
        "check" => check::run(),
        "all" => check::run(),
        _ => {
            eprintln!("usage: tertium-bench check|all");
            std::process::exit(1);
        }
    }
}
