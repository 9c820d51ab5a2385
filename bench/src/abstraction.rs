//! The `abstraction` suite: what abstracting programs by predicates costs, and what comes out of it.
//!
//! Three parts. `growth`: solver calls against the bounds 2^n and 3^n of \[GHJ01\] as predicates are added. `verdicts`:
//! every property of the models in `examples` and `bench/models` by the loop of abstraction and refinement, beside a
//! search through concrete states; definite verdicts are compared with what `expected` says. `peer`: models written for
//! machine-check as well, by both.

mod expected;
mod growth;
mod peer;
mod programs;
mod runs;
mod verdicts;

pub(crate) use expected::Expected;
use std::path::PathBuf;
use std::time::Duration;

/// Seconds for each row unless something else is asked for.
pub(crate) const LIMIT: u64 = 20;

/// Runs the suite: at most `limit` seconds for each row, only models whose name contains `filter`. False if some
/// definite verdict is wrong, or if the models and what is expected of them do not fit together.
pub(crate) fn run(limit: u64, filter: &str) -> bool {
    let limit = Duration::from_secs(limit);
    growth::run(limit, filter);
    let expected = match Expected::read() {
        Ok(expected) => expected,
        Err(complaint) => {
            println!("abstraction: {complaint}");
            return false;
        }
    };
    let verdicts = verdicts::run(limit, filter, &expected);
    let peer = peer::run(limit, filter, &expected);
    verdicts && peer
}

/// A file of this repository.
fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
