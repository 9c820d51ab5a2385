//! Least sets of states that together stand for at least a given set of concrete states.
//!
//! These are the least target sets of the hyper-musts that follow from one: a must into X implies a must into every
//! X' with γ(X) ⊆ γ(X'), and of those only the ⊆-least need to be written down. There can be exponentially many, so
//! the search counts its steps and gives up as a value.

use crate::{ConcreteId, Domain, StateId};
use std::collections::BTreeSet;
use tertium_support::IdSet;

/// All ⊆-least sets X with `goal` ⊆ γ(X), each sorted, or `None` after `bound` steps.
///
/// Branches on the states that stand for the first concrete state not covered yet. A choice that leaves an earlier
/// one without a concrete state of its own is cut: no extension of it is least.
pub(super) fn least_covers(
    domain: &Domain,
    goal: &IdSet<ConcreteId>,
    bound: usize,
) -> Option<BTreeSet<Vec<StateId>>> {
    let mut search = Search { domain, goal, chosen: Vec::new(), found: BTreeSet::new(), steps: bound };
    search.extend().then_some(search.found)
}

struct Search<'a> {
    domain: &'a Domain,
    goal: &'a IdSet<ConcreteId>,
    chosen: Vec<StateId>,
    found: BTreeSet<Vec<StateId>>,
    steps: usize,
}

impl Search<'_> {
    /// Adds every least cover that contains the chosen states; false if the steps are used up.
    fn extend(&mut self) -> bool {
        let Some(left) = self.steps.checked_sub(1) else { return false };
        self.steps = left;
        let mut open = self.goal.clone();
        open.difference_with(&self.domain.gamma_of(self.chosen.iter().copied()));
        let first = open.iter().next();
        let Some(concrete) = first else {
            let mut cover = self.chosen.clone();
            cover.sort_unstable();
            debug_assert!(self.all_needed(), "no part of a least cover is a cover");
            debug_assert!(cover.is_sorted_by(|one, other| one < other), "no state is chosen twice");
            self.found.insert(cover);
            return true;
        };
        let candidates: Vec<StateId> = self.domain.abstractions(concrete).collect();
        for state in candidates {
            self.chosen.push(state);
            let go_on = !self.all_needed() || self.extend();
            self.chosen.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Whether each chosen state covers something of the goal that no other chosen state covers.
    fn all_needed(&self) -> bool {
        self.chosen.iter().enumerate().all(|(at, &state)| {
            let others = self.chosen.iter().enumerate().filter(|&(other, _)| other != at);
            let mut own = self.domain.gamma(state).intersection(self.goal);
            own.difference_with(&self.domain.gamma_of(others.map(|(_, &other)| other)));
            !own.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::{Id, Interner, Rng};

    #[test]
    fn least_covers_are_those_found_by_trying_all_sets() {
        for seed in 0..300 {
            let mut rng = Rng::seeded(seed);
            let n = rng.between(1, 4);
            let concrete: Interner<ConcreteId> = (0..n).map(|c| c.to_string()).collect();
            let n_states = rng.between(1, 5);
            let gamma = (0..n_states).map(|_| IdSet::filter(n, |_| rng.chance(0.5))).collect();
            let domain = Domain::new(concrete, gamma);
            let goal = IdSet::filter(n, |_| rng.chance(0.6));
            let covers: Vec<Vec<StateId>> = (0..1u32 << n_states)
                .map(|mask| StateId::first(n_states).filter(|s| mask >> s.raw() & 1 == 1).collect())
                .filter(|set: &Vec<StateId>| goal.is_subset(&domain.gamma_of(set.iter().copied())))
                .collect();
            let least: BTreeSet<Vec<StateId>> = covers
                .iter()
                .filter(|cover| {
                    !covers.iter().any(|c| c.len() < cover.len() && c.iter().all(|s| cover.contains(s)))
                })
                .cloned()
                .collect();
            assert_eq!(least_covers(&domain, &goal, 1 << 12), Some(least), "seed {seed}");
        }
    }

    #[test]
    fn the_search_gives_up_as_a_value() {
        let domain = Domain::flat(["a", "b"]);
        assert_eq!(least_covers(&domain, &IdSet::full(2), 2), None);
    }
}
