//! Measurements: `cargo run --release -p tertium-bench -- SUITE` prints the table of a suite.

mod games;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("games") => games::run(),
        _ => usage(),
    }
}

#[allow(clippy::print_stderr, reason = "the program talks to its user")]
fn usage() {
    eprintln!("usage: tertium-bench SUITE, where SUITE is one of: games");
}
