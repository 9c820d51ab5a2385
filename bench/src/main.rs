//! Benchmarks that print tables: `cargo run --release -p tertium-bench -- SUITE`. See `bench/README.md`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing tables is what this program does")]

mod check;
mod families;
mod games;
mod table;

use peak_alloc::PeakAlloc;

/// Counts what is on the heap, so that tables can show the peak.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let suite = arguments.next().unwrap_or_default();
    let largest = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5_000_000);
    let deepest = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(3);
    match suite.as_str() {
        "check" => check::run(largest, deepest),
        "games" => games::run(),
        "all" => {
            check::run(largest, deepest);
            games::run();
        }
        _ => {
            eprintln!(
                "usage: tertium-bench check|games|all [LARGEST NUMBER OF TRANSITIONS] [DEEPEST ALTERNATION]"
            );
            std::process::exit(1);
        }
    }
}
