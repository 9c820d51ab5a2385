//! Random cases whose seeds are printed when they fail, and tallies of what they met.
//!
//! The same cases run every time. Short tests run all their cases, long ones a tenth of them; `TERTIUM_CASES=full` runs
//! all, `TERTIUM_CASES=n` runs n of each test, and four n of a long list of things that are not random, `TERTIUM_SEED=n`
//! the one case with this seed. Only fuzzing goes by time: `TERTIUM_FUZZ_SECONDS` sets it.

use std::env;
use std::fmt::Debug;
use std::time::Duration;
use tertium_support::{Context, Rng};

/// The seeds of all cases derive from this one.
const BASE: u64 = 0x7e27_1033;
/// How long fuzzing goes on if nothing is said.
const FUZZ_TIME: Duration = Duration::from_secs(1);
/// A long test runs one case of so many if nothing is said.
const SAMPLE: usize = 10;
/// So many cases of each test are not few.
const MANY: usize = 20;
/// For each case that is asked for, so many things of a long list are taken.
const FOR_A_CASE: usize = 4;

/// Runs `n` cases, each with its own seed.
pub fn random_cases(n: usize, case: impl FnMut(&mut Rng)) -> CasesRun {
    run_cases(Asked::from_environment(), n, n, case)
}

/// Runs a sample of `n` cases, each with its own seed; all of them if the full number is asked for.
pub fn long_random_cases(n: usize, case: impl FnMut(&mut Rng)) -> CasesRun {
    run_cases(Asked::from_environment(), n.div_ceil(SAMPLE), n, case)
}

/// Runs a sample of `n` cases that share a costly step, at most `size` of them: each step has its seed, and is told how many
/// cases it is for. Where fewer cases are asked for, the first of a step are left.
pub fn long_random_batches(n: usize, size: usize, batch: impl FnMut(&mut Rng, usize)) -> CasesRun {
    run_batches(Asked::from_environment(), n, size, batch)
}

/// Whether so few cases are asked for that what takes long should be cut short, where nothing is lost but a part of what it meets.
pub fn is_quick() -> bool {
    matches!(Asked::from_environment(), Asked::Number(n) if n < MANY)
}

/// Everything in a long list; where few cases are asked for, some of it, spread over the list.
pub fn some_of<T>(items: Vec<T>) -> Vec<T> {
    let Asked::Number(n) = Asked::from_environment() else { return items };
    let every = items.len().div_ceil((FOR_A_CASE * n).max(1)).max(1);
    items.into_iter().step_by(every).collect()
}

fn run_batches(asked: Asked, n: usize, size: usize, mut batch: impl FnMut(&mut Rng, usize)) -> CasesRun {
    let own = if let Asked::Number(few) = asked { few.min(size) } else { size };
    let asked = if let Asked::Number(few) = asked { Asked::Number(few.div_ceil(size)) } else { asked };
    let n = n.div_ceil(size);
    run_cases(asked, n.div_ceil(SAMPLE), n, |rng| batch(rng, own))
}

fn run_cases(asked: Asked, sample: usize, full: usize, mut case: impl FnMut(&mut Rng)) -> CasesRun {
    let n = match asked {
        Asked::Seed(seed) => {
            run(seed, &mut case);
            return CasesRun { n: 1, full, chosen: true };
        }
        Asked::Number(n) => n,
        Asked::Full => full,
        Asked::Nothing => sample,
    };
    (0..n as u64).for_each(|index| run(seed_of(index), &mut case));
    CasesRun { n, full, chosen: matches!(asked, Asked::Number(_)) }
}

/// How much of a random test was run.
#[derive(Clone, Copy, Debug)]
pub struct CasesRun {
    n: usize,
    full: usize,
    /// Whether somebody chose the cases, so that nothing can be said about what they meet.
    chosen: bool,
}

impl CasesRun {
    /// Asserts that the cases were interesting often enough.
    #[track_caller]
    pub fn enough(self, enough: bool, counts: impl Debug) {
        assert!(self.chosen || enough, "{counts:?} in {} of {} cases", self.n, self.full);
    }

    /// What the cases that were run have to meet, if all cases meet so many.
    pub fn share(self, of_all: usize) -> usize {
        of_all * self.n / self.full
    }
}

/// What the environment asks for.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Nothing,
    Full,
    Number(usize),
    Seed(u64),
}

impl Asked {
    fn from_environment() -> Self {
        if let Some(seed) = number("TERTIUM_SEED") {
            return Self::Seed(seed);
        }
        if env::var_os("TERTIUM_CASES").is_some_and(|text| text == "full") {
            return Self::Full;
        }
        number("TERTIUM_CASES").map_or(Self::Nothing, |n| Self::Number(n as usize))
    }
}

/// Runs cases until the time is over, at least a hundred.
pub fn fuzz_cases(case: impl FnMut(&mut Rng)) {
    fuzz(FUZZ_TIME, 100, case);
}

/// Runs cases for so many seconds, if nothing else is asked for; at least three.
pub fn fuzz_cases_for(seconds: u64, case: impl FnMut(&mut Rng)) {
    fuzz(Duration::from_secs(seconds), 3, case);
}

fn fuzz(usual: Duration, least: u64, mut case: impl FnMut(&mut Rng)) {
    if let Asked::Seed(seed) = Asked::from_environment() {
        return run(seed, &mut case);
    }
    let time = number("TERTIUM_FUZZ_SECONDS").map_or(usual, Duration::from_secs);
    let context = Context::default();
    for index in 0.. {
        run(seed_of(index), &mut case);
        if index + 1 >= least && context.elapsed() >= time {
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

    fn drawn(asked: Asked, sample: usize, full: usize) -> (Vec<u64>, CasesRun) {
        let mut drawn = Vec::new();
        let run = run_cases(asked, sample, full, |rng| drawn.push(rng.bits()));
        (drawn, run)
    }

    #[test]
    fn cases_have_different_seeds_and_are_the_same_every_time() {
        let draw = || drawn(Asked::Nothing, 100, 100).0;
        assert_eq!(draw(), draw());
        assert_eq!(draw().len(), draw().into_iter().collect::<HashSet<_>>().len());
    }

    #[test]
    fn a_sample_is_the_beginning_of_the_full_number() {
        let (sample, _) = drawn(Asked::Nothing, 10, 100);
        let (full, _) = drawn(Asked::Full, 10, 100);
        let (chosen, _) = drawn(Asked::Number(3), 10, 100);
        assert_eq!((sample.len(), full.len(), chosen.len()), (10, 100, 3));
        assert_eq!((&full[..10], &full[..3]), (&sample[..], &chosen[..]));
    }

    #[test]
    fn few_cases_are_less_than_a_batch_and_a_seed_is_a_whole_one() {
        let sizes = |asked: Asked| {
            let mut sizes = Vec::new();
            run_batches(asked, 500, 25, |_, size| sizes.push(size));
            sizes
        };
        assert_eq!(sizes(Asked::Nothing), [25, 25]);
        assert_eq!(sizes(Asked::Full), [25; 20]);
        assert_eq!(sizes(Asked::Number(5)), [5]);
        assert_eq!(sizes(Asked::Number(60)), [25, 25, 25]);
        assert_eq!(sizes(Asked::Seed(1)), [25]);
    }

    #[test]
    fn a_sample_must_meet_its_share() {
        let (_, run) = drawn(Asked::Nothing, 10, 100);
        assert_eq!(run.share(50), 5);
        run.enough(true, 5);
        assert!(std::panic::catch_unwind(|| run.enough(false, 4)).is_err());
        let (_, run) = drawn(Asked::Full, 10, 100);
        assert_eq!(run.share(50), 50);
        assert!(std::panic::catch_unwind(|| run.enough(false, 49)).is_err());
        drawn(Asked::Number(3), 10, 100).1.enough(false, 0);
        drawn(Asked::Seed(1), 10, 100).1.enough(false, 0);
    }
}
