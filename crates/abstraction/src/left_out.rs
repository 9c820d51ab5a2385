//! What was left out because there was too much of it.
//!
//! Some questions grow exponentially in the number of predicates. Beyond fixed bounds they are not asked, or not to their end: there are
//! more may steps then and fewer must steps, so answers get weaker and never wrong. Each time is counted, so that who gets no answer is
//! told what it may be due to.

use std::ops::AddAssign;

/// How large questions may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostAsked {
    /// So many valuations are looked at, of a group of predicates or of those that decide a proposition.
    pub valuations: usize,
    /// Of so many predicates it is searched which can be left open.
    pub searched: usize,
}

impl Default for MostAsked {
    fn default() -> Self {
        Self { valuations: 1 << 12, searched: 8 }
    }
}

/// How often something was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Groups of predicates with too many valuations: anything may happen to them, and nothing must.
    pub groups: u64,
    /// Steps with too many predicates to search which can be left open: fewer targets are known to be reached for sure.
    pub steps: u64,
    /// Labels that depend on too many valuations: they are known as far as their parts are.
    pub labels: u64,
    /// Searches for targets with more open sets than are kept: some targets may be missing.
    pub searches: u64,
}

impl AddAssign for LeftOut {
    fn add_assign(&mut self, other: Self) {
        let Self { groups, steps, labels, searches } = other;
        self.groups += groups;
        self.steps += steps;
        self.labels += labels;
        self.searches += searches;
    }
}

impl LeftOut {
    /// How often anything was.
    pub fn total(&self) -> u64 {
        self.groups + self.steps + self.labels + self.searches
    }

    /// Each kind that was met, in a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{n} times") };
        let said = [
            (self.groups, "predicates had too many values together, and any step may change them"),
            (self.steps, "there were too many predicates to search for the sure targets of a step"),
            (self.labels, "a label depended on too many values of predicates, and was left open"),
            (self.searches, "a search for the sure targets of a step ended with sets that were left open"),
        ];
        said.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{}: {what}", times(n))).collect()
    }
}
