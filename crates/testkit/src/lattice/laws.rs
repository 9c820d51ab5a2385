//! For tests: the laws of lattices, checked on all elements.

use super::{DeMorgan, FiniteLattice};
use std::collections::HashSet;

/// Checks all laws of [`FiniteLattice`] on all triples of elements, of which there must be `size`.
pub(crate) fn assert_lattice<L: FiniteLattice>(lattice: &L, size: usize) {
    let all: Vec<L::Element> = lattice.elements().collect();
    assert_eq!(all.len(), size);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), size, "every element once");
    let (bottom, top) = (lattice.bottom(), lattice.top());
    for a in &all {
        assert_eq!(&lattice.meet(a, a), a);
        assert_eq!(&lattice.join(a, a), a);
        assert_eq!(&lattice.join(a, &bottom), a);
        assert_eq!(&lattice.meet(a, &top), a);
        for b in &all {
            let (meet, join) = (lattice.meet(a, b), lattice.join(a, b));
            assert!(all.contains(&meet) && all.contains(&join), "closed");
            assert_eq!(meet, lattice.meet(b, a));
            assert_eq!(join, lattice.join(b, a));
            assert_eq!(&lattice.meet(a, &join), a, "absorption");
            assert_eq!(&lattice.join(a, &meet), a, "absorption");
            assert_eq!(lattice.le(a, b), meet == *a);
            assert_eq!(lattice.le(a, b), join == *b);
            for c in &all {
                assert_eq!(lattice.meet(&meet, c), lattice.meet(a, &lattice.meet(b, c)));
                assert_eq!(lattice.join(&join, c), lattice.join(a, &lattice.join(b, c)));
                let distributed = lattice.join(&meet, &lattice.meet(a, c));
                assert_eq!(lattice.meet(a, &lattice.join(b, c)), distributed, "distributivity");
            }
        }
    }
    assert_irreducibles(lattice, &all);
}

/// The join-irreducible elements are exactly those that the definition gives, and every element is a join of them.
fn assert_irreducibles<L: FiniteLattice>(lattice: &L, all: &[L::Element]) {
    let irreducibles = lattice.join_irreducibles();
    for a in all {
        let below: Vec<_> = all.iter().filter(|b| *b != a && lattice.le(b, a)).collect();
        let is_irreducible = lattice.join_all(below.iter().copied()) != *a;
        assert_eq!(irreducibles.iter().filter(|i| *i == a).count(), usize::from(is_irreducible), "{a:?}");
        let parts = irreducibles.iter().filter(|i| lattice.le(i, a));
        assert_eq!(lattice.join_all(parts), *a, "decomposition");
    }
    assert_eq!(lattice.meet_all(all), lattice.bottom());
}

/// Checks the laws of [`DeMorgan`] on all pairs of elements.
pub(crate) fn assert_de_morgan<L: DeMorgan>(lattice: &L) {
    let all: Vec<L::Element> = lattice.elements().collect();
    assert_eq!(lattice.negate(&lattice.bottom()), lattice.top());
    for a in &all {
        assert_eq!(&lattice.negate(&lattice.negate(a)), a);
        for b in &all {
            let (not_a, not_b) = (lattice.negate(a), lattice.negate(b));
            assert_eq!(lattice.le(a, b), lattice.le(&not_b, &not_a));
            assert_eq!(lattice.negate(&lattice.meet(a, b)), lattice.join(&not_a, &not_b));
            assert_eq!(lattice.negate(&lattice.join(a, b)), lattice.meet(&not_a, &not_b));
        }
    }
}
