//! How long a solver may work on one question before it gives up.
//!
//! Nobody can interrupt a question. Whoever shares the work with others asks with few steps first, and with four times as many
//! whenever the solver gives up: between two tries the work is counted, and others have their turns. Each try is one of a new solver, so
//! what it answers is what it would have answered with all steps at once, and the last try has all of them. All tries but the last
//! together take a third of its steps at most.

use tertium_solve::Z3;

/// The steps of a first try: some milliseconds, what an engine has in its first turn.
const FIRST: u32 = Z3::STEPS.div_ceil(1024);
/// By what the steps grow.
const FACTOR: u32 = 4;

/// How long a solver may work on one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As long as it may at all, at once.
    Whole,
    /// Shortly at first and longer with each try: the same answers, and pauses in between.
    Growing,
}

impl Patience {
    /// The steps of each try.
    pub(crate) fn tries(self) -> impl Iterator<Item = u32> {
        let first = match self {
            Self::Whole => Z3::STEPS,
            Self::Growing => FIRST,
        };
        std::iter::successors(Some(first), |&steps| {
            (steps < Z3::STEPS).then(|| steps.saturating_mul(FACTOR).min(Z3::STEPS))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_try_has_all_steps() {
        assert_eq!(Patience::Whole.tries().collect::<Vec<_>>(), [Z3::STEPS]);
        let tries: Vec<u32> = Patience::Growing.tries().collect();
        assert_eq!(tries, [FIRST, 4 * FIRST, 16 * FIRST, 64 * FIRST, 256 * FIRST, Z3::STEPS]);
        assert!(3 * tries[..5].iter().sum::<u32>() <= Z3::STEPS + 1024 * 3);
    }
}
