//! Random cases whose seeds are printed when they fail.
//!
//! `TERTIUM_SEED` runs the one case with this seed, `TERTIUM_CASES` another number of cases, `TERTIUM_FUZZ_SECONDS`
//! sets how long fuzzing goes on. Without these the same cases run every time, apart from how many fuzzing gets to.

use std::env;
use std::time::Duration;
use tertium_support::{Context, Rng};

/// The seeds of all cases derive from this one.
const BASE: u64 = 0x7e27_1033;
/// How long fuzzing goes on if nothing is said.
const FUZZ_TIME: Duration = Duration::from_secs(1);

/// Runs `n` cases, each with its own seed.
pub fn random_cases(n: usize, mut case: impl FnMut(&mut Rng)) {
    if let Some(seed) = number("TERTIUM_SEED") {
        return run(seed, &mut case);
    }
    let n = number("TERTIUM_CASES").unwrap_or(n as u64);
    (0..n).for_each(|index| run(seed_of(index), &mut case));
}

/// Runs cases until the time is over, at least one.
pub fn fuzz_cases(mut case: impl FnMut(&mut Rng)) {
    if let Some(seed) = number("TERTIUM_SEED") {
        return run(seed, &mut case);
    }
    let time = number("TERTIUM_FUZZ_SECONDS").map_or(FUZZ_TIME, Duration::from_secs);
    let context = Context::default();
    for index in 0.. {
        run(seed_of(index), &mut case);
        if context.elapsed() >= time {
            return;
        }
    }
}

fn run(seed: u64, case: &mut impl FnMut(&mut Rng)) {
    let notice = Notice(seed);
    case(&mut Rng::seeded(seed));
    std::mem::forget(notice);
}

/// Dropped only when a case panics.
struct Notice(u64);

impl Drop for Notice {
    #[allow(clippy::print_stderr, reason = "the test harness shows it with the failed test")]
    fn drop(&mut self) {
        eprintln!("this case failed; to run it alone: TERTIUM_SEED={}", self.0);
    }
}

/// Spreads the indices over all 64-bit numbers.
fn seed_of(index: u64) -> u64 {
    Rng::seeded(BASE ^ index).bits()
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn cases_have_different_seeds_and_are_the_same_every_time() {
        let draw = || {
            let mut drawn = Vec::new();
            random_cases(100, |rng| drawn.push(rng.bits()));
            drawn
        };
        assert_eq!(draw(), draw());
        assert_eq!(draw().len(), draw().into_iter().collect::<HashSet<_>>().len());
    }
}
