//! All concrete systems that refine a partial one through its domain, one after the other.
//!
//! The successors of each concrete state under each action can be chosen independently: they lie in the intersection
//! of what the states that stand for it permit, and meet every set that one of them demands. So the refinements are
//! the product of the choices of each row, times the values of labels that no state fixes. A step is *free* if it is
//! permitted and not the only way to meet some demand. Enumeration visits 2^(free bits) candidates at most; it needs
//! no valid domain, for it follows the definition.

use super::ConcreteBts;
use crate::{ActionId, ConcreteId, Domain, PartialSystem, PropId};
use std::ops::ControlFlow;
use tertium_support::{Id, IdSet};

/// The refinements of a partial system, described by what is fixed and what is free.
#[derive(Clone, Debug)]
pub struct Refinements {
    /// Everything that holds in all refinements; `None` if there is no refinement.
    fixed: Option<ConcreteBts>,
    parts: Vec<Part>,
}

/// One independent part of the choice: a row of successors or the places of one proposition.
#[derive(Clone, Debug)]
struct Part {
    place: Place,
    free: Vec<ConcreteId>,
    /// Each must be met by some free choice; those that fixed steps meet are left out.
    demands: Vec<IdSet<ConcreteId>>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Row(usize),
    Label(usize),
}

/// More is free than was allowed: how many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyFreeBits(pub usize);

impl Refinements {
    /// The refinements of `system`.
    pub fn of(system: &PartialSystem) -> Self {
        Self::varying(system, system.labels().names().ids())
    }

    /// The same, but only these propositions vary: each other one is false wherever it can be. Enough to evaluate
    /// formulas in which no other proposition occurs.
    pub fn varying(system: &PartialSystem, propositions: impl IntoIterator<Item = PropId>) -> Self {
        let domain = system.domain_or_flat();
        let mut fixed = ConcreteBts::still(system);
        let mut parts = Vec::new();
        let mut possible = true;
        for c in domain.concrete().ids() {
            for action in system.actions().ids() {
                possible &= add_row(system, &domain, c, action, &mut fixed, &mut parts);
            }
        }
        let varying: Vec<PropId> = propositions.into_iter().collect();
        for p in system.labels().names().ids() {
            let (labels, n) = (system.labels(), domain.n_concrete());
            let holds = domain.gamma_of(labels.must(p).iter());
            let fails = domain.gamma_of(labels.may(p).complement().iter());
            possible &= holds.is_disjoint(&fails);
            let free = ConcreteId::first(n).filter(|&c| !holds.contains(c) && !fails.contains(c)).collect();
            fixed.labels[p.index()] = holds;
            if varying.contains(&p) {
                parts.push(Part { place: Place::Label(p.index()), free, demands: Vec::new() });
            }
        }
        parts.retain(|part| !part.free.is_empty());
        debug_assert!(
            !possible
                || parts.iter().all(|part| {
                    part.demands.iter().all(|demand| part.free.iter().any(|&c| demand.contains(c)))
                }),
            "choosing all that is free meets every demand"
        );
        Self { fixed: possible.then_some(fixed), parts }
    }

    /// How many steps and labels are free.
    pub fn free_bits(&self) -> usize {
        self.parts.iter().map(|part| part.free.len()).sum()
    }

    /// Shows every refinement to `visit` once, in a fixed order, until it breaks off.
    pub fn visit(
        &self,
        max_free_bits: usize,
        mut visit: impl FnMut(&ConcreteBts) -> ControlFlow<()>,
    ) -> Result<(), TooManyFreeBits> {
        let Some(fixed) = &self.fixed else { return Ok(()) };
        let free_bits = self.free_bits();
        if free_bits > max_free_bits.min(63) {
            return Err(TooManyFreeBits(free_bits));
        }
        let mut current = fixed.clone();
        // Broken off or not, everything that was asked for has been visited.
        let _ = choose(&self.parts, &mut current, &mut visit);
        Ok(())
    }

    /// Whether there is no refinement. Exact without any enumeration: choosing every free step meets all demands.
    pub fn is_empty(&self) -> bool {
        self.fixed.is_none()
    }
}

/// Describes the choices for one row; false if a demand cannot be met.
fn add_row(
    system: &PartialSystem,
    domain: &Domain,
    c: ConcreteId,
    action: ActionId,
    fixed: &mut ConcreteBts,
    parts: &mut Vec<Part>,
) -> bool {
    let mut allowed = IdSet::full(domain.n_concrete());
    let mut demands = Vec::new();
    for state in domain.abstractions(c) {
        let targets = system.may(state).filter(|&(a, _)| a == action).map(|(_, target)| target);
        allowed.intersect_with(&domain.gamma_of(targets));
        let musts = system.must_sets(state).filter(|&(a, _)| a == action);
        demands.extend(musts.map(|(_, targets)| domain.gamma_of(targets.iter().copied())));
    }
    let row = fixed.row(c, action);
    for demand in &mut demands {
        demand.intersect_with(&allowed);
        match demand.count() {
            0 => return false,
            1 => fixed.rows[row].union_with(demand),
            _ => {}
        }
    }
    let forced = &fixed.rows[row];
    debug_assert!(forced.is_subset(&allowed), "what is demanded is allowed");
    demands.retain(|demand| demand.is_disjoint(forced));
    let free = allowed.iter().filter(|&d| !forced.contains(d)).collect();
    parts.push(Part { place: Place::Row(row), free, demands });
    true
}

fn choose(
    parts: &[Part],
    current: &mut ConcreteBts,
    visit: &mut impl FnMut(&ConcreteBts) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((part, rest)) = parts.split_first() else { return visit(current) };
    for mask in 0..1u64 << part.free.len() {
        let set = match part.place {
            Place::Row(row) => &mut current.rows[row],
            Place::Label(p) => &mut current.labels[p],
        };
        for (bit, &c) in part.free.iter().enumerate() {
            if mask >> bit & 1 == 1 {
                set.insert(c)
            } else {
                set.remove(c)
            };
        }
        if part.demands.iter().all(|demand| !demand.is_disjoint(set)) {
            choose(rest, current, visit)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Modality, StateId, SystemBuilder, UNLABELLED};

    #[test]
    fn steps_that_are_the_only_way_to_meet_a_demand_are_not_free() {
        let mut builder = SystemBuilder::numbered(3);
        let [s, t, u] = [0, 1, 2].map(StateId::from_raw);
        builder.initial(s);
        let step = builder.action(UNLABELLED);
        builder.edge(s, step, t, Modality::Both);
        builder.edge(s, step, u, Modality::May);
        builder.edge(t, step, t, Modality::May);
        builder.edge(t, step, u, Modality::May);
        builder.hyper_must(t, step, vec![t, u]);
        let refinements = Refinements::of(&builder.build());
        assert_eq!(refinements.free_bits(), 3);
        let mut count = 0;
        let visited = refinements.visit(3, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((visited, count), (Ok(()), 2 * 3));
    }
}
