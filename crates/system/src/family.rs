//! The families of systems.
//!
//! A family is a promise about the one structure: which transitions and which label values it may hold. The table
//! stands in the documentation of the crate. Families are nested: BTS ⊂ PKS ⊂ KMTS ⊂ MixTS ⊂ GKMTS; LTS and MTS are the
//! customary names of BTS and KMTS with actions instead of propositions.

use crate::{Modality, PartialSystem};
use std::fmt;
use tertium_truth::Belnap;

/// A family of transition systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Boolean transition systems, also called Kripke structures: nothing is open.
    Bts,
    /// Labelled transition systems: nothing is open.
    Lts,
    /// Partial Kripke structures: ordinary transitions, three-valued labels.
    Pks,
    /// Kripke modal transition systems: must inside may, three-valued labels.
    Kmts,
    /// Modal transition systems: must inside may, three-valued labels.
    Mts,
    /// Mixed transition systems: any may, any must, four-valued labels.
    MixTs,
    /// Generalised Kripke modal transition systems: hyper-musts as well.
    Gkmts,
}

impl Family {
    /// All families, the narrow ones first.
    pub const ALL: [Family; 7] =
        [Family::Bts, Family::Lts, Family::Pks, Family::Kmts, Family::Mts, Family::MixTs, Family::Gkmts];

    /// The word for it in a file.
    pub fn keyword(self) -> &'static str {
        match self {
            Family::Bts => "bts",
            Family::Lts => "lts",
            Family::Pks => "pks",
            Family::Kmts => "kmts",
            Family::Mts => "mts",
            Family::MixTs => "mixts",
            Family::Gkmts => "gkmts",
        }
    }

    /// The family of this word.
    pub fn from_keyword(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.keyword() == word)
    }

    /// Whether every system of family `self` is one of family `other`.
    pub fn is_within(self, other: Family) -> bool {
        self.rank() <= other.rank()
    }

    fn rank(self) -> u8 {
        match self {
            Family::Bts | Family::Lts => 0,
            Family::Pks => 1,
            Family::Kmts | Family::Mts => 2,
            Family::MixTs => 3,
            Family::Gkmts => 4,
        }
    }

    /// Whether an edge of this modality may occur.
    pub fn admits_edge(self, modality: Modality) -> bool {
        match modality {
            Modality::Both => true,
            Modality::May => !matches!(self, Family::Bts | Family::Lts | Family::Pks),
            Modality::Must => matches!(self, Family::MixTs | Family::Gkmts),
        }
    }

    /// Whether hyper-musts may occur.
    pub fn admits_hyper_musts(self) -> bool {
        self == Family::Gkmts
    }

    /// Whether a label may have this value.
    pub fn admits_label(self, value: Belnap) -> bool {
        match value {
            Belnap::True | Belnap::False => true,
            Belnap::Unknown => !matches!(self, Family::Bts | Family::Lts),
            Belnap::Inconsistent => matches!(self, Family::MixTs | Family::Gkmts),
        }
    }

    /// The value of a proposition where a file says nothing: false in a system that leaves nothing open, else
    /// unknown.
    pub fn default_label(self) -> Belnap {
        if self.admits_label(Belnap::Unknown) { Belnap::Unknown } else { Belnap::False }
    }

    /// Whether a system keeps the promise.
    pub fn admits(self, system: &PartialSystem) -> bool {
        let labels = system.labels();
        let mut edges = system.transitions().labels().iter();
        edges.all(|label| self.admits_edge(label.modality()))
            && (self.admits_hyper_musts() || system.hyper_musts().is_empty())
            && labels.names().ids().all(|p| system.states().all(|s| self.admits_label(labels.get(p, s))))
    }
}

/// The customary name.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Bts => "BTS",
            Family::Lts => "LTS",
            Family::Pks => "PKS",
            Family::Kmts => "KMTS",
            Family::Mts => "MTS",
            Family::MixTs => "MixTS",
            Family::Gkmts => "GKMTS",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_distinct_and_read_back() {
        for family in Family::ALL {
            assert_eq!(Family::from_keyword(family.keyword()), Some(family));
        }
        assert_eq!(Family::from_keyword("fts"), None);
    }
}
