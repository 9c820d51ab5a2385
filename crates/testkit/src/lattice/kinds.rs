//! Lattices built from sizes, from other lattices, and from orders: chains, products, powersets, up-sets. The last are
//! general: every finite distributive lattice is the up-sets of an order \[Bir37\].

use super::{DeMorgan, FiniteLattice};
use tertium_support::{Id, IdSet, define_id};

/// The numbers from 0 to `length - 1` in their order. Negation counts from the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    length: usize,
}

impl Chain {
    /// The chain of this many elements, at least one.
    pub fn new(length: usize) -> Self {
        assert!(length > 0, "a lattice has an element");
        Self { length }
    }
}

impl FiniteLattice for Chain {
    type Element = usize;

    fn bottom(&self) -> usize {
        0
    }
    fn top(&self) -> usize {
        self.length - 1
    }
    fn meet(&self, a: &usize, b: &usize) -> usize {
        *a.min(b)
    }
    fn join(&self, a: &usize, b: &usize) -> usize {
        *a.max(b)
    }
    fn elements(&self) -> impl Iterator<Item = usize> {
        0..self.length
    }
    fn join_irreducibles(&self) -> Vec<usize> {
        (1..self.length).collect()
    }
}

impl DeMorgan for Chain {
    fn negate(&self, a: &usize) -> usize {
        self.length - 1 - a
    }
}

/// Pairs, ordered component by component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product<A, B>(
    /// The lattice of the first components.
    pub A,
    /// The lattice of the second components.
    pub B,
);

impl<A: FiniteLattice, B: FiniteLattice> FiniteLattice for Product<A, B> {
    type Element = (A::Element, B::Element);

    fn bottom(&self) -> Self::Element {
        (self.0.bottom(), self.1.bottom())
    }
    fn top(&self) -> Self::Element {
        (self.0.top(), self.1.top())
    }
    fn meet(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        (self.0.meet(&a.0, &b.0), self.1.meet(&a.1, &b.1))
    }
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        (self.0.join(&a.0, &b.0), self.1.join(&a.1, &b.1))
    }
    fn elements(&self) -> impl Iterator<Item = Self::Element> {
        self.0.elements().flat_map(|a| self.1.elements().map(move |b| (a.clone(), b)))
    }
    fn join_irreducibles(&self) -> Vec<Self::Element> {
        let first = self.0.join_irreducibles().into_iter().map(|a| (a, self.1.bottom()));
        let second = self.1.join_irreducibles().into_iter().map(|b| (self.0.bottom(), b));
        first.chain(second).collect()
    }
}

impl<A: DeMorgan, B: DeMorgan> DeMorgan for Product<A, B> {
    fn negate(&self, a: &Self::Element) -> Self::Element {
        (self.0.negate(&a.0), self.1.negate(&a.1))
    }
}

define_id!(
    /// An item of the ground set of a powerset or of an order.
    ItemId
);

/// The sets of items of a ground set of any size, ordered by inclusion. Negation is complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Powerset {
    n_items: usize,
}

impl Powerset {
    /// The powerset of this many items.
    pub fn new(n_items: usize) -> Self {
        Self { n_items }
    }
}

impl FiniteLattice for Powerset {
    type Element = IdSet<ItemId>;

    fn bottom(&self) -> Self::Element {
        IdSet::empty(self.n_items)
    }
    fn top(&self) -> Self::Element {
        IdSet::full(self.n_items)
    }
    fn meet(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        a.intersection(b)
    }
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        a.union(b)
    }
    fn le(&self, a: &Self::Element, b: &Self::Element) -> bool {
        a.is_subset(b)
    }
    /// Counts in binary, so it can be cut short whatever the number of items.
    fn elements(&self) -> impl Iterator<Item = Self::Element> {
        std::iter::successors(Some(self.bottom()), |set| {
            let lowest = ItemId::first(self.n_items).find(|&item| !set.contains(item))?;
            let mut next = set.clone();
            ItemId::first(lowest.index()).for_each(|item| {
                next.remove(item);
            });
            next.insert(lowest);
            Some(next)
        })
    }
    fn join_irreducibles(&self) -> Vec<Self::Element> {
        ItemId::first(self.n_items).map(|item| IdSet::of(self.n_items, [item])).collect()
    }
}

impl DeMorgan for Powerset {
    fn negate(&self, a: &Self::Element) -> Self::Element {
        a.complement()
    }
}

/// The up-closed sets of a finite order, ordered by inclusion. Every finite distributive lattice is one of these: that
/// of the reversed order of its own join-irreducible elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpSets {
    /// For each item, the items at or above it.
    above: Vec<IdSet<ItemId>>,
}

impl UpSets {
    /// The up-sets of the least order (reflexive and transitive) with these pairs (lower, upper).
    pub fn new(n_items: usize, pairs: impl IntoIterator<Item = (ItemId, ItemId)>) -> Self {
        let mut above: Vec<_> = ItemId::first(n_items).map(|item| IdSet::of(n_items, [item])).collect();
        pairs.into_iter().for_each(|(lower, upper)| {
            above[lower.index()].insert(upper);
        });
        for middle in 0..n_items {
            let over = above[middle].clone();
            for set in above.iter_mut().filter(|set| set.contains(ItemId::new(middle))) {
                set.union_with(&over);
            }
        }
        Self { above }
    }

    /// The least up-set with this item.
    pub fn principal(&self, item: ItemId) -> &IdSet<ItemId> {
        &self.above[item.index()]
    }

    /// Whether a set contains everything above its members.
    pub fn is_up_set(&self, set: &IdSet<ItemId>) -> bool {
        set.iter().all(|item| self.principal(item).is_subset(set))
    }

    fn powerset(&self) -> Powerset {
        Powerset::new(self.above.len())
    }
}

impl FiniteLattice for UpSets {
    type Element = IdSet<ItemId>;

    fn bottom(&self) -> Self::Element {
        self.powerset().bottom()
    }
    fn top(&self) -> Self::Element {
        self.powerset().top()
    }
    fn meet(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        a.intersection(b)
    }
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        a.union(b)
    }
    fn le(&self, a: &Self::Element, b: &Self::Element) -> bool {
        a.is_subset(b)
    }
    /// Tries every set of items: for small orders.
    fn elements(&self) -> impl Iterator<Item = Self::Element> {
        let sets: Vec<_> = self.powerset().elements().filter(|set| self.is_up_set(set)).collect();
        sets.into_iter()
    }
    fn join_irreducibles(&self) -> Vec<Self::Element> {
        let mut principal: Vec<Self::Element> = Vec::new();
        for set in &self.above {
            if !principal.contains(set) {
                principal.push(set.clone());
            }
        }
        principal
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::{assert_de_morgan, assert_lattice};
    use super::*;
    use crate::lattice::{BelnapTruth, KleeneTruth, TwoValued};

    #[test]
    fn chains_products_and_powersets_are_de_morgan_lattices() {
        assert_lattice(&Chain::new(1), 1);
        assert_lattice(&Chain::new(5), 5);
        assert_de_morgan(&Chain::new(5));
        let product = Product(KleeneTruth, Product(BelnapTruth, TwoValued));
        assert_lattice(&product, 24);
        assert_de_morgan(&product);
        assert_lattice(&Powerset::new(0), 1);
        assert_lattice(&Powerset::new(4), 16);
        assert_de_morgan(&Powerset::new(4));
    }

    #[test]
    fn large_powersets_work_word_by_word() {
        let lattice = Powerset::new(130);
        let some = IdSet::of(130, [0, 64, 129].map(ItemId::new));
        assert_eq!(lattice.join(&some, &lattice.negate(&some)), lattice.top());
        assert_eq!(lattice.meet(&some, &lattice.negate(&some)), lattice.bottom());
        assert_eq!(lattice.join_irreducibles().len(), 130);
        assert_eq!(lattice.elements().take(1000).count(), 1000);
    }

    #[test]
    fn up_sets_are_lattices_and_those_of_an_antichain_are_all_sets() {
        let item = ItemId::new;
        // A diamond: 0 below 1 and 2, both below 3.
        let diamond = UpSets::new(4, [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(a, b)| (item(a), item(b))));
        assert_lattice(&diamond, 6);
        assert_eq!(diamond.principal(item(0)), &diamond.top());
        assert_lattice(&UpSets::new(3, []), 8);
        // Items above each other make one class.
        assert_lattice(&UpSets::new(2, [(item(0), item(1)), (item(1), item(0))]), 2);
    }

    /// Formulas over propositions up to equivalence, as sets of assignments in bits, each below those that it implies.
    fn formulas(n_assignments: usize) -> UpSets {
        let all = 1 << n_assignments;
        let pairs = (0..all).flat_map(|f: usize| (0..all).filter(move |g| f & !g == 0).map(move |g| (f, g)));
        UpSets::new(all, pairs.map(|(f, g)| (ItemId::new(f), ItemId::new(g))))
    }

    #[test]
    fn the_small_lattices_of_the_source_have_the_elements_that_it_lists() {
        // Over p alone: false, p, !p, true, by the assignments that satisfy them.
        let [no, p, not_p, yes] = [0, 1, 2, 3].map(ItemId::new);
        let formulas_over_p = Powerset::new(2);
        assert_eq!(formulas_over_p.elements().count(), 4, "isomorphic to the sets of the two minterms");
        assert_eq!(formulas_over_p.join_irreducibles().len(), 2, "p and !p");
        let up = formulas(2);
        let of = |items: &[ItemId]| {
            up.join_all(&items.iter().map(|&i| up.principal(i).clone()).collect::<Vec<_>>())
        };
        let listed = [of(&[]), of(&[yes]), of(&[p]), of(&[not_p]), of(&[p, not_p]), of(&[no])];
        let mut elements: Vec<_> = up.elements().collect();
        assert_eq!(elements.len(), 6);
        elements.retain(|element| !listed.contains(element));
        assert!(elements.is_empty());
        for (lower, upper) in [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)] {
            assert!(up.le(&listed[lower], &listed[upper]) && listed[lower] != listed[upper]);
        }
        assert!(!up.le(&listed[2], &listed[3]) && !up.le(&listed[3], &listed[2]));
        let irreducible = up.join_irreducibles();
        assert_eq!(irreducible.len(), 4);
        assert!([yes, p, not_p, no].iter().all(|&item| irreducible.contains(up.principal(item))));
        let both = IdSet::of(4, [p, not_p]);
        assert!(!up.is_up_set(&both));
        assert_eq!(of(&[p, not_p]), IdSet::of(4, [p, not_p, yes]));
        // Over p and q: four minterms, four maxterms, which are their negations.
        let with = |n: u32| (0..16_u32).filter(|f| f.count_ones() == n).collect::<Vec<_>>();
        assert_eq!((with(1).len(), with(3).len()), (4, 4));
        assert!(with(1).iter().all(|f| with(3).contains(&(15 ^ f))));
    }
}
