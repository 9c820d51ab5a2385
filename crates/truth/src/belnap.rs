//! Belnap's four values: two bits, `must` (there is a proof) and `may` (there is no refutation).
//!
//! | value          | must | may |
//! |----------------|------|-----|
//! | `True`         | 1    | 1   |
//! | `False`        | 0    | 0   |
//! | `Unknown`      | 0    | 1   |
//! | `Inconsistent` | 1    | 0   |
//!
//! Conjunction and disjunction work bit by bit; negation swaps the bits and flips both. So `Unknown` and
//! `Inconsistent` are incomparable in truth, and their conjunction is `False`: a linear order on four values would be
//! wrong.

use crate::Kleene;
use std::fmt;

/// True, false, neither known, or both claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Belnap {
    /// Refuted, not proved.
    False,
    /// Neither proved nor refuted.
    Unknown,
    /// Both proved and refuted.
    Inconsistent,
    /// Proved, not refuted.
    True,
}

impl Belnap {
    /// All four values.
    pub const ALL: [Belnap; 4] = [Belnap::False, Belnap::Unknown, Belnap::Inconsistent, Belnap::True];

    /// The value with these bits.
    pub fn from_bits(must: bool, may: bool) -> Self {
        match (must, may) {
            (true, true) => Belnap::True,
            (false, false) => Belnap::False,
            (false, true) => Belnap::Unknown,
            (true, false) => Belnap::Inconsistent,
        }
    }

    /// Whether there is a proof.
    pub fn must(self) -> bool {
        matches!(self, Belnap::True | Belnap::Inconsistent)
    }

    /// Whether there is no refutation.
    pub fn may(self) -> bool {
        matches!(self, Belnap::True | Belnap::Unknown)
    }

    /// Conjunction: the meet of the truth order.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::from_bits(self.must() && other.must(), self.may() && other.may())
    }

    /// Disjunction: the join of the truth order.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::from_bits(self.must() || other.must(), self.may() || other.may())
    }

    /// Negation; `Unknown` and `Inconsistent` stay as they are.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "`and`, `or`, `not` belong together")]
    pub fn not(self) -> Self {
        Self::from_bits(!self.may(), !self.must())
    }

    /// Whether `self` is at most as true as `other`.
    pub fn truth_le(self, other: Self) -> bool {
        self.must() <= other.must() && self.may() <= other.may()
    }

    /// Whether `self` says at most as much as `other`.
    pub fn info_le(self, other: Self) -> bool {
        self.must() <= other.must() && other.may() <= self.may()
    }

    /// What both agree on: the meet of the information order.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self::from_bits(self.must() && other.must(), self.may() || other.may())
    }

    /// What both say together: the join of the information order.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self::from_bits(self.must() || other.must(), self.may() && other.may())
    }

    /// The Kleene value, unless the value is inconsistent.
    pub fn to_kleene(self) -> Option<Kleene> {
        match self {
            Belnap::False => Some(Kleene::False),
            Belnap::Unknown => Some(Kleene::Unknown),
            Belnap::True => Some(Kleene::True),
            Belnap::Inconsistent => None,
        }
    }

    /// The letter of the theory: `t`, `f`, `m` (maybe) or `d` (disputed).
    pub fn letter(self) -> char {
        match self {
            Belnap::False => 'f',
            Belnap::Unknown => 'm',
            Belnap::Inconsistent => 'd',
            Belnap::True => 't',
        }
    }
}

impl From<Kleene> for Belnap {
    fn from(value: Kleene) -> Self {
        match value {
            Kleene::False => Belnap::False,
            Kleene::Unknown => Belnap::Unknown,
            Kleene::True => Belnap::True,
        }
    }
}

impl From<bool> for Belnap {
    fn from(value: bool) -> Self {
        Kleene::from(value).into()
    }
}

impl fmt::Display for Belnap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Belnap::False => "false",
            Belnap::Unknown => "unknown",
            Belnap::Inconsistent => "inconsistent",
            Belnap::True => "true",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Belnap::{self, False, Inconsistent, True, Unknown};
    use crate::Kleene;

    #[test]
    fn the_tables_are_belnaps() {
        // Rows and columns in the order of `ALL`: f m d t.
        let and = [
            [False, False, False, False],
            [False, Unknown, False, Unknown],
            [False, False, Inconsistent, Inconsistent],
            [False, Unknown, Inconsistent, True],
        ];
        let or = [
            [False, Unknown, Inconsistent, True],
            [Unknown, Unknown, True, True],
            [Inconsistent, True, Inconsistent, True],
            [True, True, True, True],
        ];
        for (i, a) in Belnap::ALL.into_iter().enumerate() {
            for (j, b) in Belnap::ALL.into_iter().enumerate() {
                assert_eq!(a.and(b), and[i][j], "{a} and {b}");
                assert_eq!(a.or(b), or[i][j], "{a} or {b}");
            }
        }
        assert_eq!(Belnap::ALL.map(Belnap::not), [True, Unknown, Inconsistent, False]);
    }

    #[test]
    fn both_orders_are_lattices_with_the_right_operations() {
        for a in Belnap::ALL {
            for b in Belnap::ALL {
                for c in Belnap::ALL {
                    assert_eq!(c.truth_le(a) && c.truth_le(b), c.truth_le(a.and(b)));
                    assert_eq!(a.truth_le(c) && b.truth_le(c), a.or(b).truth_le(c));
                    assert_eq!(c.info_le(a) && c.info_le(b), c.info_le(a.meet(b)));
                    assert_eq!(a.info_le(c) && b.info_le(c), a.join(b).info_le(c));
                }
                assert_eq!(a.and(b).not(), a.not().or(b.not()), "De Morgan");
                assert_eq!(a.truth_le(b), b.not().truth_le(a.not()));
                assert_eq!(a.info_le(b), a.not().info_le(b.not()));
            }
            assert_eq!(a.not().not(), a);
        }
    }

    #[test]
    fn kleene_is_a_sub_algebra() {
        for a in Kleene::ALL {
            assert_eq!(Belnap::from(a).not(), a.not().into());
            for b in Kleene::ALL {
                assert_eq!(Belnap::from(a).and(b.into()), a.and(b).into());
                assert_eq!(Belnap::from(a).or(b.into()), a.or(b).into());
                assert_eq!(Belnap::from(a).truth_le(b.into()), a.truth_le(b));
                assert_eq!(Belnap::from(a).info_le(b.into()), a.info_le(b));
            }
        }
    }
}
