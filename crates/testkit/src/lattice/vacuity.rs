//! The lattice of vacuity L_V: a truth value together with the parts of a formula that do not matter for it.
//!
//! For n marked parts an element is (t, V) with V a set of parts, as in \[Bob09\]. Every true element is above every false one; among
//! true ones more vacuity is more, among false ones it is less. So top is (true, all) and bottom is (false, all), and negation
//! keeps V. An element is a word of n + 1 bits, of any width: bit 0 is t, bit i + 1 is 0 iff part i is in V. Bottom is then the
//! number 0 and top the number 1, and ordinary truth values are elements as they are.
//!
//! There are 2^(n+1) elements but 2n + 1 join-irreducible ones, and each asks one classical question: (true, ∅) whether the formula
//! is true, (true, {i}) whether it stays true when part i is replaced for the worse, (false, all but i) whether it is or
//! becomes true when part i is replaced for the better.

use super::kinds::ItemId;
use super::{DeMorgan, FiniteLattice};
use tertium_support::{Id, IdSet};

/// The bit for truth.
const TRUTH: usize = 0;

/// The lattice for a number of marked parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VacuityLattice {
    n: usize,
}

impl VacuityLattice {
    /// The lattice for this many parts.
    pub fn new(n: usize) -> Self {
        Self { n }
    }

    /// The element (truth, vacuous). Parts are numbered from 0.
    pub fn element(&self, truth: bool, vacuous: impl IntoIterator<Item = usize>) -> IdSet<ItemId> {
        let mut word = IdSet::full(self.n + 1);
        if !truth {
            word.remove(ItemId::new(TRUTH));
        }
        for part in vacuous {
            word.remove(bit_of(part));
        }
        word
    }

    /// The truth value of an element.
    pub fn truth(&self, word: &IdSet<ItemId>) -> bool {
        word.contains(ItemId::new(TRUTH))
    }

    /// Whether a part is vacuous in an element.
    pub fn is_vacuous(&self, word: &IdSet<ItemId>, part: usize) -> bool {
        !word.contains(bit_of(part))
    }

    /// The vacuous parts of an element, in order.
    pub fn vacuous(&self, word: &IdSet<ItemId>) -> Vec<usize> {
        (0..self.n).filter(|&part| self.is_vacuous(word, part)).collect()
    }

    /// What stands for a marked proposition where it has this value: every other part is vacuous in it.
    pub fn literal(&self, part: usize, value: bool) -> IdSet<ItemId> {
        self.element(value, (0..self.n).filter(|&other| other != part))
    }
}

fn bit_of(part: usize) -> ItemId {
    ItemId::new(part + 1)
}

impl FiniteLattice for VacuityLattice {
    type Element = IdSet<ItemId>;

    fn bottom(&self) -> Self::Element {
        IdSet::empty(self.n + 1)
    }
    fn top(&self) -> Self::Element {
        IdSet::of(self.n + 1, [ItemId::new(TRUTH)])
    }
    fn meet(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        match (self.truth(a), self.truth(b)) {
            (true, true) => a.union(b),
            (false, false) => a.intersection(b),
            (false, true) => a.clone(),
            (true, false) => b.clone(),
        }
    }
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        match (self.truth(a), self.truth(b)) {
            (true, true) => a.intersection(b),
            (false, false) => a.union(b),
            (true, false) => a.clone(),
            (false, true) => b.clone(),
        }
    }
    /// Counts in binary, so it can be cut short whatever the number of parts.
    fn elements(&self) -> impl Iterator<Item = Self::Element> {
        let mut word = Some(self.bottom());
        let highest = IdSet::full(self.n + 1);
        std::iter::from_fn(move || {
            let this = word.take()?;
            word = (this != highest).then(|| successor(&this));
            Some(this)
        })
    }
    /// Whether the formula is true, then for each part whether it stays true at worst and whether it is true at best.
    fn join_irreducibles(&self) -> Vec<Self::Element> {
        let mut found = vec![self.element(true, [])];
        for part in 0..self.n {
            found.push(self.element(true, [part]));
            found.push(self.literal(part, false));
        }
        found
    }
}

/// The next word in the order of numbers; there is one.
fn successor(word: &IdSet<ItemId>) -> IdSet<ItemId> {
    let mut next = word.clone();
    for bit in ItemId::first(word.universe()) {
        if next.insert(bit) {
            break;
        }
        next.remove(bit);
    }
    next
}

impl DeMorgan for VacuityLattice {
    fn negate(&self, a: &Self::Element) -> Self::Element {
        let mut negated = a.clone();
        if !negated.remove(ItemId::new(TRUTH)) {
            negated.insert(ItemId::new(TRUTH));
        }
        negated
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::{assert_de_morgan, assert_lattice};
    use super::*;
    use std::collections::BTreeSet;

    /// The word as a number.
    fn number(word: &IdSet<ItemId>) -> usize {
        word.iter().map(|bit| 1 << bit.index()).sum()
    }

    #[test]
    fn it_is_a_de_morgan_lattice_for_up_to_four_parts() {
        for n in 0..=4 {
            let lattice = VacuityLattice::new(n);
            assert_lattice(&lattice, 1 << (n + 1));
            assert_de_morgan(&lattice);
            assert_eq!(lattice.join_irreducibles().len(), 2 * n + 1);
            assert_eq!(number(&lattice.bottom()), 0);
            assert_eq!(number(&lattice.top()), 1);
        }
    }

    #[test]
    fn words_do_what_the_definition_by_sets_says() {
        let lattice = VacuityLattice::new(4);
        let pair = |word: &IdSet<ItemId>| {
            (lattice.truth(word), lattice.vacuous(word).into_iter().collect::<BTreeSet<_>>())
        };
        let le = |(s, u): &(bool, BTreeSet<usize>), (t, v): &(bool, BTreeSet<usize>)| match (s, t) {
            (false, true) => true,
            (true, false) => false,
            (true, true) => u.is_subset(v),
            (false, false) => v.is_subset(u),
        };
        for a in lattice.elements() {
            let (truth, vacuous) = pair(&a);
            assert_eq!(lattice.element(truth, vacuous.iter().copied()), a);
            assert_eq!(pair(&lattice.negate(&a)), (!truth, vacuous));
            for b in lattice.elements() {
                assert_eq!(lattice.le(&a, &b), le(&pair(&a), &pair(&b)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_numbers_and_operations_of_the_source_come_out() {
        // The source writes a b c and the truth from left to right: a is the highest bit.
        let lattice = VacuityLattice::new(3);
        let (a, c) = (2, 0);
        assert_eq!(number(&lattice.element(true, [a, c])), 0b0101);
        // a is replaced by (a and (true, {b, c})) or (false, {b, c}).
        let replaced = |part: usize, value: bool| {
            let others: Vec<usize> = (0..3).filter(|&other| other != part).collect();
            let value = if value { lattice.top() } else { lattice.bottom() };
            let meet = lattice.meet(&value, &lattice.element(true, others.iter().copied()));
            lattice.join(&meet, &lattice.element(false, others))
        };
        for part in 0..3 {
            for value in [false, true] {
                assert_eq!(replaced(part, value), lattice.literal(part, value));
            }
        }
        let two = VacuityLattice::new(2);
        let (yes, no) = (|part| two.literal(part, true), |part| two.literal(part, false));
        assert_eq!(two.meet(&no(0), &no(1)), two.element(false, [0, 1]));
        assert_eq!(two.join(&no(0), &no(1)), two.element(false, []));
        assert_eq!(two.join(&yes(0), &yes(1)), two.element(true, [0, 1]));
        assert_eq!(two.meet(&yes(0), &yes(1)), two.element(true, []));
        assert_eq!(two.join(&yes(0), &no(1)), two.element(true, [1]));
    }

    #[test]
    fn words_of_any_width_keep_every_bit() {
        for n in [31, 32, 63, 64, 127, 128, 300] {
            let lattice = VacuityLattice::new(n);
            let word = lattice.element(true, [0, n - 1]);
            assert_eq!(lattice.vacuous(&word), [0, n - 1]);
            assert_eq!(lattice.join(&word, &lattice.literal(n - 1, true)), lattice.element(true, 0..n));
            assert_eq!(lattice.join_irreducibles().len(), 2 * n + 1);
        }
    }
}
