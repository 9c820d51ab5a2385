//! Finite lattices: what the theory of vacuity and queries is about, for the tests of its statements.
//!
//! They are objects that know their elements, and the small ones among them.
//!
//! A lattice here is a value, not a type: the powerset of ten propositions and that of twenty have the same type and
//! different elements. Elements carry no order of their own; every question goes through the lattice.

mod approximation;
mod kinds;
#[cfg(test)]
mod laws;
mod vacuity;

pub use approximation::{Approximation, ApproximationFlaw};
pub use kinds::{Chain, ItemId, Powerset, Product, UpSets};
pub use vacuity::VacuityLattice;

use std::fmt::Debug;
use std::hash::Hash;
use tertium_truth::{Belnap, Kleene};

/// A finite distributive lattice.
///
/// Laws: `meet` and `join` are commutative, associative, idempotent, absorb each other and distribute over each other;
/// `bottom` and `top` are neutral for `join` and `meet`; `le(a, b)` iff `meet(a, b) == a` iff `join(a, b) == b`;
/// `elements` gives every element once; every element is the join of the join-irreducible ones below it.
pub trait FiniteLattice {
    /// What it consists of.
    type Element: Clone + Eq + Hash + Debug;

    /// The least element.
    fn bottom(&self) -> Self::Element;
    /// The greatest element.
    fn top(&self) -> Self::Element;
    /// The greatest lower bound.
    fn meet(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// The least upper bound.
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// All elements, in an order of the lattice's own.
    fn elements(&self) -> impl Iterator<Item = Self::Element>;
    /// The elements other than bottom that are no join of smaller ones. There are few of them even when there are
    /// many elements, and they are enough to represent all.
    fn join_irreducibles(&self) -> Vec<Self::Element>;

    /// Whether `a` is at most `b`.
    fn le(&self, a: &Self::Element, b: &Self::Element) -> bool {
        self.meet(a, b) == *a
    }

    /// The join of any number of elements; bottom for none.
    fn join_all<'a>(&self, elements: impl IntoIterator<Item = &'a Self::Element>) -> Self::Element
    where
        Self::Element: 'a,
    {
        elements.into_iter().fold(self.bottom(), |sum, element| self.join(&sum, element))
    }

    /// The meet of any number of elements; top for none.
    fn meet_all<'a>(&self, elements: impl IntoIterator<Item = &'a Self::Element>) -> Self::Element
    where
        Self::Element: 'a,
    {
        elements.into_iter().fold(self.top(), |product, element| self.meet(&product, element))
    }
}

/// A lattice with a negation.
///
/// Laws: `negate` is its own inverse and turns the order upside down; hence it exchanges `meet` and `join`, `bottom` and
/// `top`. An element and its negation need not meet in bottom.
pub trait DeMorgan: FiniteLattice {
    /// The negation.
    fn negate(&self, a: &Self::Element) -> Self::Element;
}

/// False below true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwoValued;

impl FiniteLattice for TwoValued {
    type Element = bool;

    fn bottom(&self) -> bool {
        false
    }
    fn top(&self) -> bool {
        true
    }
    fn meet(&self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
    fn join(&self, a: &bool, b: &bool) -> bool {
        *a || *b
    }
    fn elements(&self) -> impl Iterator<Item = bool> {
        [false, true].into_iter()
    }
    fn join_irreducibles(&self) -> Vec<bool> {
        vec![true]
    }
}

impl DeMorgan for TwoValued {
    fn negate(&self, a: &bool) -> bool {
        !a
    }
}

/// Kleene's values in their truth order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KleeneTruth;

impl FiniteLattice for KleeneTruth {
    type Element = Kleene;

    fn bottom(&self) -> Kleene {
        Kleene::False
    }
    fn top(&self) -> Kleene {
        Kleene::True
    }
    fn meet(&self, a: &Kleene, b: &Kleene) -> Kleene {
        a.and(*b)
    }
    fn join(&self, a: &Kleene, b: &Kleene) -> Kleene {
        a.or(*b)
    }
    fn elements(&self) -> impl Iterator<Item = Kleene> {
        Kleene::ALL.into_iter()
    }
    fn join_irreducibles(&self) -> Vec<Kleene> {
        vec![Kleene::Unknown, Kleene::True]
    }
}

impl DeMorgan for KleeneTruth {
    fn negate(&self, a: &Kleene) -> Kleene {
        a.not()
    }
}

/// Belnap's values in their truth order: `Unknown` and `Inconsistent` side by side between `False` and `True`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BelnapTruth;

impl FiniteLattice for BelnapTruth {
    type Element = Belnap;

    fn bottom(&self) -> Belnap {
        Belnap::False
    }
    fn top(&self) -> Belnap {
        Belnap::True
    }
    fn meet(&self, a: &Belnap, b: &Belnap) -> Belnap {
        a.and(*b)
    }
    fn join(&self, a: &Belnap, b: &Belnap) -> Belnap {
        a.or(*b)
    }
    fn elements(&self) -> impl Iterator<Item = Belnap> {
        Belnap::ALL.into_iter()
    }
    fn join_irreducibles(&self) -> Vec<Belnap> {
        vec![Belnap::Unknown, Belnap::Inconsistent]
    }
}

impl DeMorgan for BelnapTruth {
    fn negate(&self, a: &Belnap) -> Belnap {
        a.not()
    }
}

#[cfg(test)]
mod tests {
    use super::laws::{assert_de_morgan, assert_lattice};
    use super::*;

    #[test]
    fn the_truth_orders_are_de_morgan_lattices() {
        assert_lattice(&TwoValued, 2);
        assert_lattice(&KleeneTruth, 3);
        assert_lattice(&BelnapTruth, 4);
        assert_de_morgan(&TwoValued);
        assert_de_morgan(&KleeneTruth);
        assert_de_morgan(&BelnapTruth);
    }

    #[test]
    fn the_order_of_the_lattice_is_the_truth_order() {
        for a in Belnap::ALL {
            for b in Belnap::ALL {
                assert_eq!(BelnapTruth.le(&a, &b), a.truth_le(b));
            }
        }
    }
}
