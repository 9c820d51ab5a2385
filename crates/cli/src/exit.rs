//! Exit status: the one place that says which number means what.
//!
//! The numbers are those of design and documentation (docs/formats/verdicts.md); scripts rely on them. With several
//! answers the worst wins: our bug, then wrong input, then false, then unknown, then true.

use serde::{Deserialize, Serialize};
use tertium_truth::Verdict;

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Everything asked is true, or everything asked for was done.
    #[default]
    True,
    /// Something asked is unknown, nothing is false.
    Unknown,
    /// Something asked is false.
    False,
    /// Some input could not be read or used, or some output could not be written.
    Input,
    /// The command line is wrong. Nothing was done.
    Usage,
    /// A mistake in Tertium itself.
    Internal,
}

impl Status {
    /// All of them, from harmless to worst.
    pub const ALL: [Status; 6] =
        [Status::True, Status::Unknown, Status::False, Status::Input, Status::Usage, Status::Internal];

    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Status::True => 0,
            Status::Unknown => 5,
            Status::False => 10,
            Status::Input => 2,
            Status::Usage => 1,
            Status::Internal => 6,
        }
    }

    /// The status that a process ended with.
    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// The worse of two.
    #[must_use]
    pub fn worst(self, other: Status) -> Status {
        let rank = |status| Self::ALL.iter().position(|&known| known == status);
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::True => Status::True,
            Verdict::False => Status::False,
            Verdict::Unknown(_) => Status::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_wins_in_the_documented_order() {
        for (better, status) in Status::ALL.into_iter().enumerate() {
            for worse in Status::ALL.into_iter().skip(better) {
                assert_eq!(status.worst(worse), worse);
                assert_eq!(worse.worst(status), worse);
            }
        }
    }

    #[test]
    fn the_numbers_are_distinct() {
        let mut codes = Status::ALL.map(Status::code);
        codes.sort_unstable();
        assert_eq!(codes, [0, 1, 2, 5, 6, 10]);
    }
}
