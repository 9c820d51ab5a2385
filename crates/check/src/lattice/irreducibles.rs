//! Lattice-valued sets as ordinary ones: the relation of states and join-irreducible elements.
//!
//! In a finite distributive lattice every element is determined by the join-irreducible ones below it \[Bir37\]. So a function f from
//! states to the lattice is the relation { (s, j) : j ⊑ f(s) }, with j in binary on *rigid* variables, which are in no frame of a
//! relation: steps leave them alone. Since j is join-prime, meet is intersection and join is union, and the pre-image of the
//! relation is that of `EX f`. A code beyond the last element stands for the last element once more, so that all codes mean
//! something and complement needs no care.
//!
//! **Negation.** Let ¬ be a De Morgan negation and j join-irreducible. Then there is exactly one join-irreducible κ(j) with
//!
//! > j ⊑ ¬x  iff  κ(j) ⋢ x,  for all x,
//!
//! and κ is a permutation, its own inverse. So the relation of ¬f is the complement of that of f with j replaced by κ(j).
//! *Proof.* j ⊑ ¬x iff x ⊑ ¬j, because ¬ is its own inverse and turns the order upside down. For the same reason ¬j is
//! meet-irreducible, hence meet-prime by distributivity: if x ⊓ y ⊑ ¬j, then x ⊑ ¬j or y ⊑ ¬j. So { x : x ⋢ ¬j } is closed under
//! meet; it is not empty, having top in it (¬j is not top, as j is not bottom); let κ(j) be its least element. It is
//! closed upwards, so x ⋢ ¬j iff κ(j) ⊑ x, which is the claim. If κ(j) = x ⊔ y with x, y ⊏ κ(j), then x, y ⊑ ¬j as κ(j) is the least
//! that is not, so κ(j) ⊑ ¬j, which it is not; and it is not bottom, which is below ¬j. So it is join-irreducible. Two elements
//! with the claim are below the same x, hence equal. With ¬y for x: j ⊑ y iff κ(j) ⋢ ¬y iff κ(κ(j)) ⊑ y, for all y; so κ(κ(j)) = j. ∎
//!
//! For a Boolean lattice κ is the identity, for a chain it counts from the other end, for Belnap's values it exchanges the two.
//!
//! Cost: n join-irreducible elements take ⌈log₂ n⌉ variables. They come first in the order: a function then is a diagram of a set
//! for each element, shared where they agree. Last in the order, it would have a node for each combination of sets that it can
//! tell apart, as with values for leaves; measured in decision 005.

use super::values::Values;
use tertium_dd::{Bdd, Manager, Var, VarSet};
use tertium_support::StopReason;
use tertium_truth::FiniteLattice;

/// The join-irreducible elements of a lattice, coded on rigid variables of a manager.
#[derive(Debug)]
pub struct Irreducibles<'l, L: FiniteLattice> {
    values: Values<'l, L>,
    elements: Vec<L::Element>,
    manager: Manager,
    /// The lowest bit first.
    bits: Vec<Var>,
    set: VarSet,
    /// What each bit becomes under κ, if there is a negation.
    permuted: Option<Vec<Bdd>>,
}

impl<'l, L: FiniteLattice> Irreducibles<'l, L> {
    /// Makes the variables, first in the order of the manager.
    pub fn new(values: Values<'l, L>, manager: &Manager) -> Result<Self, StopReason> {
        let elements = values.lattice.join_irreducibles();
        let width = elements.len().next_power_of_two().trailing_zeros();
        let bits = manager.add_first_vars(width as usize)?;
        let set = manager.var_set(bits.iter().copied())?;
        let mut coded = Self { values, elements, manager: manager.clone(), bits, set, permuted: None };
        if let Some(permutation) = coded.permutation() {
            let mut permuted = Vec::new();
            for bit in 0..coded.bits.len() {
                permuted.push(coded.codes(|at| permutation[at] >> bit & 1 == 1)?);
            }
            coded.permuted = Some(permuted);
        }
        Ok(coded)
    }

    /// The elements, in the order of their codes.
    pub fn elements(&self) -> &[L::Element] {
        &self.elements
    }

    /// The rigid variables, the lowest bit first.
    pub fn bits(&self) -> &[Var] {
        &self.bits
    }

    /// κ, by numbers.
    fn permutation(&self) -> Option<Vec<usize>> {
        let negate = self.values.negation()?;
        let least = |j: &L::Element| {
            let not_j = negate(j);
            let lattice = self.values.lattice;
            let outside: Vec<usize> =
                (0..self.elements.len()).filter(|&at| !lattice.le(&self.elements[at], &not_j)).collect();
            let below_all = |&at: &usize| {
                outside.iter().all(|&other| lattice.le(&self.elements[at], &self.elements[other]))
            };
            outside.iter().copied().find(below_all).expect("the elements not below a prime have a least one")
        };
        Some(self.elements.iter().map(least).collect())
    }

    /// The codes of the elements with these numbers.
    fn codes(&self, holds: impl Fn(usize) -> bool) -> Result<Bdd, StopReason> {
        let Some(last) = self.elements.len().checked_sub(1) else {
            return Ok(self.manager.constant(false));
        };
        let mut row: Vec<Bdd> = (0..1 << self.bits.len())
            .map(|code: usize| self.manager.constant(holds(code.min(last))))
            .collect();
        // Neighbours differ in the lowest bit that is left.
        for &bit in &self.bits {
            let bit = self.manager.var(bit)?;
            row = row.chunks(2).map(|pair| bit.ite(&pair[1], &pair[0])).collect::<Result<_, _>>()?;
        }
        Ok(row.swap_remove(0))
    }

    /// The same value everywhere.
    pub fn constant(&self, value: &L::Element) -> Result<Bdd, StopReason> {
        self.codes(|at| self.values.lattice.le(&self.elements[at], value))
    }

    /// The negation of a function at every point, if the values have one.
    pub fn negate(&self, relation: &Bdd) -> Result<Option<Bdd>, StopReason> {
        let Some(permuted) = &self.permuted else { return Ok(None) };
        let by: Vec<(Var, &Bdd)> = self.bits.iter().copied().zip(permuted).collect();
        relation.not().compose(&by).map(Some)
    }

    /// The value of a function at a point of the other variables.
    pub fn value(&self, relation: &Bdd, point: impl Fn(Var) -> bool) -> L::Element {
        let holds = |code: usize| {
            relation.eval(|var| match self.bits.iter().position(|&bit| bit == var) {
                Some(bit) => code >> bit & 1 == 1,
                None => point(var),
            })
        };
        self.values
            .lattice
            .join_all((0..self.elements.len()).filter(|&at| holds(at)).map(|at| &self.elements[at]))
    }

    /// The meet of the values of a function over a set of states, which are functions of `current`; top if it is empty.
    pub fn meet_over(&self, relation: &Bdd, set: &Bdd, current: &VarSet) -> Result<L::Element, StopReason> {
        let everywhere = set.implies(relation)?.forall(current)?;
        Ok(self.value(&everywhere, |_| false))
    }

    /// Where the value of a function is at least this.
    pub fn at_least(&self, relation: &Bdd, value: &L::Element) -> Result<Bdd, StopReason> {
        self.constant(value)?.implies(relation)?.forall(&self.set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Context;
    use tertium_truth::{BelnapTruth, Chain, DeMorgan, KleeneTruth, Powerset, Product, TwoValued};

    /// κ and the laws of the coding, on all elements.
    fn assert_coding<L: DeMorgan>(lattice: &L) {
        let manager = Manager::new(&Context::default());
        let coded = Irreducibles::new(Values::with_negation(lattice), &manager).unwrap();
        let permutation = coded.permutation().unwrap();
        for (at, &image) in permutation.iter().enumerate() {
            assert_eq!(permutation[image], at, "its own inverse");
        }
        for x in lattice.elements() {
            let relation = coded.constant(&x).unwrap();
            assert_eq!(coded.value(&relation, |_| false), x);
            for (at, j) in coded.elements().iter().enumerate() {
                let below = lattice.le(j, &lattice.negate(&x));
                assert_eq!(below, !lattice.le(&coded.elements()[permutation[at]], &x));
            }
            let negated = coded.negate(&relation).unwrap().unwrap();
            assert_eq!(coded.value(&negated, |_| false), lattice.negate(&x));
            assert_eq!(
                negated,
                coded.constant(&lattice.negate(&x)).unwrap(),
                "equal functions are equal diagrams"
            );
            for y in lattice.elements() {
                let other = coded.constant(&y).unwrap();
                assert_eq!(relation.and(&other).unwrap(), coded.constant(&lattice.meet(&x, &y)).unwrap());
                assert_eq!(relation.or(&other).unwrap(), coded.constant(&lattice.join(&x, &y)).unwrap());
                assert_eq!(coded.at_least(&relation, &y).unwrap().is_true(), lattice.le(&y, &x));
            }
        }
    }

    #[test]
    fn the_coding_is_a_homomorphism_and_negation_permutes() {
        assert_coding(&TwoValued);
        assert_coding(&KleeneTruth);
        assert_coding(&BelnapTruth);
        (2..8).for_each(|length| assert_coding(&Chain::new(length)));
        (1..5).for_each(|n_items| assert_coding(&Powerset::new(n_items)));
        assert_coding(&Product(Chain::new(3), Product(BelnapTruth, Chain::new(4))));
    }

    #[test]
    fn a_lattice_of_one_element_needs_no_codes() {
        let (lattice, manager) = (Chain::new(1), Manager::new(&Context::default()));
        let coded = Irreducibles::new(Values::with_negation(&lattice), &manager).unwrap();
        let relation = coded.constant(&0).unwrap();
        assert_eq!((coded.bits().len(), coded.value(&relation, |_| false)), (0, 0));
    }
}
