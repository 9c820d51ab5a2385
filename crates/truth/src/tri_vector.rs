//! Vectors over {0, 1, *}: abstract states of predicate abstraction, one component for each predicate.
//!
//! A vector stands for the bit vectors that agree with it wherever it is not `*`. The alignment of two vectors keeps
//! what they agree on and puts `*` elsewhere \[GHJ01\]: {01, 11} becomes *1. It is the meet in information of the
//! components, so it is commutative, associative and idempotent, and the least vector in precision above both.

use crate::Kleene;
use std::fmt;
use std::str::FromStr;

/// One of 0 (`False`), 1 (`True`) and * (`Unknown`) for each predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TriVector {
    components: Vec<Kleene>,
}

impl TriVector {
    /// The vector with these components.
    pub fn new(components: Vec<Kleene>) -> Self {
        Self { components }
    }

    /// The vector that says nothing.
    pub fn unknown(len: usize) -> Self {
        Self { components: vec![Kleene::Unknown; len] }
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.components.len()
    }

    /// Whether there is no component.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// The components.
    pub fn components(&self) -> &[Kleene] {
        &self.components
    }

    /// The vector of these components only.
    #[must_use]
    pub fn only(&self, places: &[usize]) -> Self {
        Self { components: places.iter().map(|&at| self.components[at]).collect() }
    }

    /// The approximate union: what both agree on. Panics if the lengths differ.
    #[must_use]
    pub fn align(&self, other: &Self) -> Self {
        assert_eq!(self.len(), other.len(), "vectors over the same predicates");
        let pairs = self.components.iter().zip(&other.components);
        Self { components: pairs.map(|(a, b)| a.meet(*b)).collect() }
    }

    /// The approximate union of any number of vectors, if there is one at least.
    pub fn align_all<'a>(vectors: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut vectors = vectors.into_iter();
        let first = vectors.next()?.clone();
        Some(vectors.fold(first, |union, vector| union.align(vector)))
    }

    /// Whether `self` says at most as much as `other`: it stands for all that `other` stands for.
    pub fn info_le(&self, other: &Self) -> bool {
        self.len() == other.len() && self.components.iter().zip(&other.components).all(|(a, b)| a.info_le(*b))
    }

    /// Whether the vector stands for these bits.
    pub fn contains(&self, bits: &[bool]) -> bool {
        let known = self.components.iter().zip(bits).all(|(a, &bit)| a.info_le(bit.into()));
        self.len() == bits.len() && known
    }
}

impl fmt::Display for TriVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.components.iter().try_for_each(|component| {
            f.write_str(match component {
                Kleene::False => "0",
                Kleene::Unknown => "*",
                Kleene::True => "1",
            })
        })
    }
}

/// A character that is none of `0`, `1` and `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAComponent(pub char);

impl fmt::Display for NotAComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected 0, 1 or *, found {:?}", self.0)
    }
}

impl FromStr for TriVector {
    type Err = NotAComponent;

    fn from_str(text: &str) -> Result<Self, NotAComponent> {
        let component = |c| match c {
            '0' => Ok(Kleene::False),
            '*' => Ok(Kleene::Unknown),
            '1' => Ok(Kleene::True),
            _ => Err(NotAComponent(c)),
        };
        Ok(Self { components: text.chars().map(component).collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(text: &str) -> TriVector {
        text.parse().unwrap()
    }

    /// All vectors of length 3.
    fn all() -> Vec<TriVector> {
        let component = |n: usize| Kleene::ALL[n % 3];
        (0..27).map(|n| TriVector::new(vec![component(n / 9), component(n / 3), component(n)])).collect()
    }

    fn all_bits() -> impl Iterator<Item = Vec<bool>> {
        (0..8).map(|n| (0..3).map(|i| n >> i & 1 == 1).collect())
    }

    #[test]
    fn the_set_of_01_and_11_is_approximated_by_any_1() {
        assert_eq!(vector("01").align(&vector("11")), vector("*1"));
        assert_eq!(vector("*1").to_string(), "*1");
        assert_eq!("0x".parse::<TriVector>(), Err(NotAComponent('x')));
        assert_eq!(TriVector::align_all(&[]), None);
        assert_eq!(TriVector::align_all(&[vector("00"), vector("01"), vector("10")]), Some(vector("**")));
    }

    #[test]
    fn alignment_is_commutative_associative_idempotent_and_the_least_upper_bound() {
        for a in all() {
            assert_eq!(a.align(&a), a);
            assert_eq!(a.align(&TriVector::unknown(3)), TriVector::unknown(3));
            for b in all() {
                let union = a.align(&b);
                assert_eq!(union, b.align(&a));
                assert!(union.info_le(&a) && union.info_le(&b));
                for c in all() {
                    assert_eq!(union.align(&c), a.align(&b.align(&c)));
                    assert_eq!(c.info_le(&a) && c.info_le(&b), c.info_le(&union));
                }
            }
        }
    }

    #[test]
    fn saying_less_is_standing_for_more() {
        for a in all() {
            for b in all() {
                let more = all_bits().all(|bits| !b.contains(&bits) || a.contains(&bits));
                assert_eq!(a.info_le(&b), more);
            }
        }
    }
}
