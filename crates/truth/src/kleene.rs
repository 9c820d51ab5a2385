//! Kleene's three values.
//!
//! Truth order: `False` ⊑ `Unknown` ⊑ `True`; `and`, `or` are its meet and join, `not` turns it upside down.
//! Information order: `Unknown` ⪯ `False`, `Unknown` ⪯ `True`; it has meets but not all joins.

use crate::Belnap;
use std::fmt;

/// True, false, or not known which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kleene {
    /// Certainly not.
    False,
    /// Either is still possible.
    Unknown,
    /// Certainly so.
    True,
}

impl Kleene {
    /// All three values.
    pub const ALL: [Kleene; 3] = [Kleene::False, Kleene::Unknown, Kleene::True];

    /// Conjunction: the meet of the truth order.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self.truth_le(other) { self } else { other }
    }

    /// Disjunction: the join of the truth order.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.truth_le(other) { other } else { self }
    }

    /// Negation; `Unknown` stays as it is.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "`and`, `or`, `not` belong together")]
    pub fn not(self) -> Self {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Unknown => Kleene::Unknown,
            Kleene::True => Kleene::False,
        }
    }

    /// Whether `self` is at most as true as `other`.
    pub fn truth_le(self, other: Self) -> bool {
        self as u8 <= other as u8
    }

    /// Whether `self` says at most as much as `other`.
    pub fn info_le(self, other: Self) -> bool {
        self == Kleene::Unknown || self == other
    }

    /// What both agree on: the meet of the information order.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        if self == other { self } else { Kleene::Unknown }
    }

    /// What both say together: the join of the information order, `None` for `False` with `True`.
    pub fn join(self, other: Self) -> Option<Self> {
        Belnap::from(self).join(other.into()).to_kleene()
    }

    /// Whether the value is not `Unknown`.
    pub fn is_definite(self) -> bool {
        self != Kleene::Unknown
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Self {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl fmt::Display for Kleene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kleene::False => "false",
            Kleene::Unknown => "unknown",
            Kleene::True => "true",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Kleene::{self, False, True, Unknown};

    #[test]
    fn the_tables_are_kleenes() {
        let and = [[False; 3], [False, Unknown, Unknown], [False, Unknown, True]];
        let or = [[False, Unknown, True], [Unknown, Unknown, True], [True; 3]];
        for (i, a) in Kleene::ALL.into_iter().enumerate() {
            for (j, b) in Kleene::ALL.into_iter().enumerate() {
                assert_eq!(a.and(b), and[i][j], "{a} and {b}");
                assert_eq!(a.or(b), or[i][j], "{a} or {b}");
            }
        }
        assert_eq!(Kleene::ALL.map(Kleene::not), [True, Unknown, False]);
    }

    #[test]
    fn the_two_orders_differ() {
        assert!(False.truth_le(Unknown) && Unknown.truth_le(True));
        assert!(Unknown.info_le(False) && Unknown.info_le(True));
        assert!(!False.info_le(Unknown) && !False.info_le(True) && !True.info_le(False));
    }

    #[test]
    fn information_joins_exist_except_for_a_contradiction() {
        for a in Kleene::ALL {
            for b in Kleene::ALL {
                match a.join(b) {
                    Some(c) => assert!(a.info_le(c) && b.info_le(c)),
                    None => assert!(a.is_definite() && b == a.not()),
                }
                assert!(a.meet(b).info_le(a) && a.meet(b).info_le(b));
            }
        }
    }

    #[test]
    fn every_operator_is_monotone_in_information() {
        for a in Kleene::ALL {
            for b in Kleene::ALL.into_iter().filter(|b| a.info_le(*b)) {
                assert!(a.not().info_le(b.not()));
                for c in Kleene::ALL {
                    assert!(a.and(c).info_le(b.and(c)) && a.or(c).info_le(b.or(c)));
                }
            }
        }
    }
}
