//! The variables of minterms and monomials.
//!
//! Each predicate has four, next to each other in the order: whether it is left open and its value, now and after a step. Where a predicate
//! is left open its value does not matter, so the monomial `p && !q` over p, q and r is `!open_p && p && !open_q && !q && open_r`.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::StopReason;
use tertium_truth::Kleene;

/// The variables of one predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonomialVariables {
    /// Left open now.
    pub open: Var,
    /// True now.
    pub value: Var,
    /// Left open after the step.
    pub next_open: Var,
    /// True after the step.
    pub next_value: Var,
}

/// The variables of all predicates, by number.
#[derive(Clone, Debug)]
pub struct MonomialFrame {
    manager: Manager,
    predicates: Vec<MonomialVariables>,
}

impl MonomialFrame {
    /// New variables for predicates, which come in this order in diagrams: a permutation of their numbers.
    pub fn new(manager: &Manager, order: &[usize]) -> Self {
        let mut predicates: Vec<(usize, MonomialVariables)> = order
            .iter()
            .map(|&predicate| {
                let [open, value, next_open, next_value] = std::array::from_fn(|_| manager.add_var());
                (predicate, MonomialVariables { open, value, next_open, next_value })
            })
            .collect();
        predicates.sort_by_key(|&(predicate, _)| predicate);
        debug_assert!(
            predicates.iter().enumerate().all(|(at, &(predicate, _))| at == predicate),
            "the order is a permutation of the predicates"
        );
        let predicates = predicates.into_iter().map(|(_, variables)| variables).collect();
        Self { manager: manager.clone(), predicates }
    }

    /// The owner of the variables.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// How many predicates there are.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The variables of a predicate.
    pub fn get(&self, predicate: usize) -> MonomialVariables {
        self.predicates[predicate]
    }

    /// Of all predicates.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = MonomialVariables> + Clone + '_ {
        self.predicates.iter().copied()
    }

    /// The minterms with these values of some predicates.
    pub fn minterms(&self, values: impl IntoIterator<Item = (usize, bool)>) -> Result<Bdd, StopReason> {
        let literals = values.into_iter().map(|(predicate, value)| (self.predicates[predicate].value, value));
        Bdd::cube(&self.manager, literals)
    }

    /// The same after a step.
    pub fn next_minterms(&self, values: impl IntoIterator<Item = (usize, bool)>) -> Result<Bdd, StopReason> {
        let literals =
            values.into_iter().map(|(predicate, value)| (self.predicates[predicate].next_value, value));
        Bdd::cube(&self.manager, literals)
    }

    /// The monomials after a step that have exactly this for some predicates, `Unknown` for those left open.
    pub fn next_monomials(
        &self,
        values: impl IntoIterator<Item = (usize, Kleene)>,
    ) -> Result<Bdd, StopReason> {
        let literals = values.into_iter().flat_map(|(predicate, value)| {
            let MonomialVariables { next_open, next_value, .. } = self.predicates[predicate];
            match value {
                Kleene::Unknown => vec![(next_open, true)],
                Kleene::True => vec![(next_open, false), (next_value, true)],
                Kleene::False => vec![(next_open, false), (next_value, false)],
            }
        });
        Bdd::cube(&self.manager, literals)
    }
}
