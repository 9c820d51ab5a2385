//! What must hold between a system and its abstract domain, and what is wrong where it does not.
//!
//! Faults of the domain make a file wrong: precision has to be a partial order (no two states with one
//! concretisation), the abstraction total (every concrete state has an abstract one), and a state that stands for
//! something cannot both have and lack a proposition. A labelling that is not monotone is legal, and is what the
//! monotone closure repairs.

use crate::{ConcreteId, PartialSystem, PropId, StateId};
use rustc_hash::FxHashMap;
use tertium_support::IdSet;

/// A way in which a domain does not fit its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainFault {
    /// Two states stand for the same set: precision is no partial order.
    SameConcretisation(StateId, StateId),
    /// No state stands for this concrete state: the abstraction is not total.
    Uncovered(ConcreteId),
    /// A state that stands for something both has and lacks this proposition.
    Disputed(StateId, PropId),
}

/// What is wrong between a system and its domain; nothing if there is no domain. Linear in the size of both.
pub fn domain_faults(system: &PartialSystem) -> Vec<DomainFault> {
    let Some(domain) = system.domain() else { return Vec::new() };
    let mut faults = Vec::new();
    let mut first_with: FxHashMap<&IdSet<ConcreteId>, StateId> = FxHashMap::default();
    for state in system.states() {
        let first = *first_with.entry(domain.gamma(state)).or_insert(state);
        if first != state {
            faults.push(DomainFault::SameConcretisation(first, state));
        }
    }
    let covered = domain.gamma_of(system.states());
    faults.extend(domain.concrete().ids().filter(|&c| !covered.contains(c)).map(DomainFault::Uncovered));
    let labels = system.labels();
    for prop in labels.names().ids() {
        let disputed =
            system.states().filter(|&s| labels.must(prop).contains(s) && !labels.may(prop).contains(s));
        faults.extend(disputed.filter(|&s| domain.is_consistent(s)).map(|s| DomainFault::Disputed(s, prop)));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;
    use tertium_truth::Belnap;

    fn two_states(gamma: [&[&str]; 2], labels: [Belnap; 2]) -> PartialSystem {
        let mut builder = SystemBuilder::numbered(2);
        let p = builder.proposition("p", Belnap::Unknown);
        for name in ["1", "2", "3"] {
            builder.concrete(name);
        }
        for (index, (set, value)) in gamma.into_iter().zip(labels).enumerate() {
            let state = StateId::from_raw(index as u32);
            builder.label(state, p, value);
            for name in set {
                let concrete = builder.concrete(name);
                builder.concretise(state, concrete);
            }
        }
        builder.initial(StateId::from_raw(0));
        builder.build()
    }

    #[test]
    fn each_fault_of_a_domain_is_found() {
        let s = StateId::from_raw;
        let (p, third) = (PropId::from_raw(0), ConcreteId::from_raw(2));
        let fine = two_states([&["1", "2", "3"], &[]], [Belnap::Unknown, Belnap::Inconsistent]);
        assert_eq!(domain_faults(&fine), []);
        let wrong = two_states([&["1", "2"], &["2", "1"]], [Belnap::Inconsistent, Belnap::True]);
        assert_eq!(
            domain_faults(&wrong),
            [
                DomainFault::SameConcretisation(s(0), s(1)),
                DomainFault::Uncovered(third),
                DomainFault::Disputed(s(0), p)
            ]
        );
    }
}
