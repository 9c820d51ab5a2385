//! Smaller lattices that answer part of the question: the images of approximations \[Bob09\].
//!
//! Let L be a sublattice of M, both finite and distributive; lattices of sets, say. An *approximation* f takes elements of L
//! to elements of M such that f(x) ⊑ x, and f(x ⊓ y) = f(x) ⊓ f(y), f(x ⊔ y) = f(x) ⊔ f(y). Its image is a sublattice of M, from
//! f(⊥) to f(⊤). Because f is a homomorphism, evaluating a formula without negation and then approximating the value is the same
//! as approximating its constants and then evaluating, in the image. The image may be much smaller.

use super::FiniteLattice;

/// The image of an approximation, as a lattice.
#[derive(Clone, Debug)]
pub struct Approximation<L, M, F> {
    lattice: L,
    around: M,
    map: F,
}

/// Why a map is no approximation: elements of which a law does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApproximationFlaw<E> {
    /// The image of this element is not below it.
    NotBelow(E),
    /// The image of the meet of these is not the meet of the images.
    Meet(E, E),
    /// The image of the join of these is not the join of the images.
    Join(E, E),
}

impl<L, M, F> Approximation<L, M, F>
where
    L: FiniteLattice,
    M: FiniteLattice<Element = L::Element>,
    F: Fn(&L::Element) -> L::Element,
{
    /// The image of `map`, which must be an approximation from `lattice` into `around`.
    pub fn new(lattice: L, around: M, map: F) -> Self {
        Self { lattice, around, map }
    }

    /// The image of an element.
    pub fn apply(&self, element: &L::Element) -> L::Element {
        (self.map)(element)
    }

    /// A law that does not hold, if there is one. Looks at all pairs of elements: for small lattices.
    pub fn flaw(&self) -> Option<ApproximationFlaw<L::Element>> {
        let all: Vec<L::Element> = self.lattice.elements().collect();
        let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (a, b)));
        let not_below = all.iter().find(|a| !self.around.le(&self.apply(a), a));
        let meet = |(a, b): &(&L::Element, &L::Element)| {
            self.apply(&self.lattice.meet(a, b)) != self.meet(&self.apply(a), &self.apply(b))
        };
        let join = |(a, b): &(&L::Element, &L::Element)| {
            self.apply(&self.lattice.join(a, b)) != self.join(&self.apply(a), &self.apply(b))
        };
        let meet = || pairs().find(meet).map(|(a, b)| ApproximationFlaw::Meet(a.clone(), b.clone()));
        let join = || pairs().find(join).map(|(a, b)| ApproximationFlaw::Join(a.clone(), b.clone()));
        not_below.cloned().map(ApproximationFlaw::NotBelow).or_else(meet).or_else(join)
    }
}

impl<L, M, F> FiniteLattice for Approximation<L, M, F>
where
    L: FiniteLattice,
    M: FiniteLattice<Element = L::Element>,
    F: Fn(&L::Element) -> L::Element,
{
    type Element = L::Element;

    fn bottom(&self) -> L::Element {
        self.apply(&self.lattice.bottom())
    }
    fn top(&self) -> L::Element {
        self.apply(&self.lattice.top())
    }
    fn meet(&self, a: &L::Element, b: &L::Element) -> L::Element {
        self.around.meet(a, b)
    }
    fn join(&self, a: &L::Element, b: &L::Element) -> L::Element {
        self.around.join(a, b)
    }
    fn le(&self, a: &L::Element, b: &L::Element) -> bool {
        self.around.le(a, b)
    }
    fn elements(&self) -> impl Iterator<Item = L::Element> {
        let mut seen = std::collections::HashSet::new();
        self.lattice
            .elements()
            .map(|element| self.apply(&element))
            .filter(move |image| seen.insert(image.clone()))
    }
    /// If an image is irreducible, it is the image of an irreducible element: it is the join of the images of those below an
    /// element that it is the image of. So only images of irreducible elements are tried.
    fn join_irreducibles(&self) -> Vec<L::Element> {
        let bottom = self.bottom();
        let mut images: Vec<L::Element> = Vec::new();
        for image in self.lattice.join_irreducibles().iter().map(|j| self.apply(j)) {
            if image != bottom && !images.contains(&image) {
                images.push(image);
            }
        }
        let is_irreducible = |image: &L::Element| {
            let smaller = images.iter().filter(|other| *other != image && self.le(other, image));
            self.join_all(smaller) != *image
        };
        images.iter().filter(|image| is_irreducible(image)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinds::{ItemId, Powerset, UpSets};
    use super::super::laws::assert_lattice;
    use super::*;
    use tertium_support::{Id, IdSet};

    /// 0 below 1 and 2, both below 3.
    fn diamond() -> UpSets {
        UpSets::new(4, [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(a, b)| (ItemId::new(a), ItemId::new(b))))
    }

    #[test]
    fn the_image_of_an_approximation_is_a_lattice() {
        let middle = IdSet::of(4, [1, 2].map(ItemId::new));
        let cut =
            Approximation::new(diamond(), Powerset::new(4), |set: &IdSet<ItemId>| set.intersection(&middle));
        assert_eq!(cut.flaw(), None);
        assert_lattice(&cut, 4);
        let nothing = Approximation::new(diamond(), Powerset::new(4), |_: &IdSet<ItemId>| IdSet::empty(4));
        assert_eq!(nothing.flaw(), None);
        assert_lattice(&nothing, 1);
    }

    #[test]
    fn maps_that_break_a_law_are_found_out() {
        let more = Approximation::new(diamond(), Powerset::new(4), |_: &IdSet<ItemId>| IdSet::full(4));
        assert!(matches!(more.flaw(), Some(ApproximationFlaw::NotBelow(_))));
        // Two of the items, or nothing: the join of one item and another is lost.
        let pairs = |set: &IdSet<ItemId>| if set.count() >= 2 { set.clone() } else { IdSet::empty(3) };
        let pairs = Approximation::new(Powerset::new(3), Powerset::new(3), pairs);
        assert!(matches!(pairs.flaw(), Some(ApproximationFlaw::Meet(..) | ApproximationFlaw::Join(..))));
    }
}
