//! The precision order of a valid domain, and what can be wrong with a domain.
//!
//! A domain is valid when γ is injective (so ⪯ is a partial order) and every concrete state has a best abstraction.
//! A labelling fits it when it is locally consistent (no state that stands for something carries p and ¬p) and
//! monotone (s ⪯ t implies L(s) ⊆ L(t)). The algorithms of this module need the former; labels that do not fit are
//! reported but leave them right, because they never assume that labels fit.
//!
//! Cost: one inclusion test per pair of states; nothing for the flat domain, which is never written out.

use super::PartialError;
use crate::{ConcreteId, Domain, PartialSystem, PropId, StateId, StateSet};
use rustc_hash::FxHashMap;
use tertium_support::Id;
use tertium_truth::Belnap;

/// Something wrong with a domain, or with labels over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainFlaw {
    /// Two states stand for the same concrete states.
    SameMeaning(StateId, StateId),
    /// No state stands for this concrete state, or none that is at least as precise as all others that do.
    NoBestAbstraction(ConcreteId),
    /// A state that stands for something carries a proposition and its negation.
    ContradictoryLabel {
        /// The state.
        state: StateId,
        /// The proposition.
        proposition: PropId,
    },
    /// A literal of a vague state is missing from a more precise one.
    LabelNotInherited {
        /// The state that carries the literal.
        vague: StateId,
        /// The more precise state that does not.
        precise: StateId,
        /// The proposition of the literal.
        proposition: PropId,
    },
}

impl DomainFlaw {
    /// The flaw in words, with the names of `system`, where it was found.
    pub fn describe(&self, system: &PartialSystem) -> String {
        let state = |s: StateId| system.state_name(s);
        let proposition = |p: PropId| system.labels().names().name(p);
        match *self {
            DomainFlaw::SameMeaning(s, t) => {
                format!("states `{}` and `{}` stand for the same concrete states", state(s), state(t))
            }
            DomainFlaw::NoBestAbstraction(c) => {
                let domain = system.domain_or_flat();
                let name = domain.concrete().name(c);
                match domain.abstractions(c).next() {
                    None => format!("no state stands for `{name}`"),
                    Some(_) => format!("no state is the most precise one that stands for `{name}`"),
                }
            }
            DomainFlaw::ContradictoryLabel { state: s, proposition: p } => {
                format!("state `{}` carries `{p}` and `!{p}`", state(s), p = proposition(p))
            }
            DomainFlaw::LabelNotInherited { vague, precise, proposition: p } => format!(
                "the value of `{}` at `{}` is not kept at the more precise state `{}`",
                proposition(p),
                state(vague),
                state(precise)
            ),
        }
    }
}

/// All flaws of the domain of `system` and of its labels over that domain. The flat domain itself has none.
pub fn domain_flaws(system: &PartialSystem) -> Vec<DomainFlaw> {
    let mut flaws = system.domain().map(structural_flaws).unwrap_or_default();
    let consistent = |s: StateId| system.domain().is_none_or(|domain| domain.is_consistent(s));
    for proposition in system.labels().names().ids() {
        let value = |s: StateId| system.labels().get(proposition, s);
        let contradictory = system.states().filter(|&s| consistent(s) && value(s) == Belnap::Inconsistent);
        flaws.extend(contradictory.map(|state| DomainFlaw::ContradictoryLabel { state, proposition }));
        let Some(domain) = system.domain() else { continue };
        for vague in system.states() {
            let lost =
                system.states().filter(|&t| domain.precision_le(vague, t) && !value(vague).info_le(value(t)));
            flaws.extend(lost.map(|precise| DomainFlaw::LabelNotInherited { vague, precise, proposition }));
        }
    }
    flaws
}

fn structural_flaws(domain: &Domain) -> Vec<DomainFlaw> {
    let mut flaws = Vec::new();
    let mut first = FxHashMap::default();
    for state in StateId::first(domain.n_states()) {
        let before = *first.entry(domain.gamma(state)).or_insert(state);
        if before != state {
            flaws.push(DomainFlaw::SameMeaning(before, state));
        }
    }
    let lonely = domain.concrete().ids().filter(|&c| domain.best(c).is_none());
    flaws.extend(lonely.map(DomainFlaw::NoBestAbstraction));
    flaws
}

/// A system whose domain was found valid, with the precision order laid out.
#[derive(Debug)]
pub struct Precision<'a> {
    system: &'a PartialSystem,
    order: Order<'a>,
}

#[derive(Debug)]
enum Order<'a> {
    /// Every state stands for the concrete state with its own number. Holds all states, in order.
    Flat(Vec<StateId>),
    Given {
        domain: &'a Domain,
        finer: Vec<Vec<StateId>>,
        coarser: Vec<Vec<StateId>>,
        best: Vec<StateId>,
    },
}

impl<'a> Precision<'a> {
    /// The precision order of `system`, or what is wrong with its domain.
    pub fn of(system: &'a PartialSystem) -> Result<Self, PartialError> {
        let Some(domain) = system.domain() else {
            return Ok(Self { system, order: Order::Flat(system.states().collect()) });
        };
        let flaws = structural_flaws(domain);
        if !flaws.is_empty() {
            return Err(PartialError::Domain(flaws));
        }
        let related = |related: &dyn Fn(StateId, StateId) -> bool| -> Vec<Vec<StateId>> {
            system.states().map(|s| system.states().filter(|&t| related(s, t)).collect()).collect()
        };
        let finer = related(&|s, t| domain.precision_le(s, t));
        let coarser = related(&|s, t| domain.precision_le(t, s));
        let best: Vec<StateId> = domain.concrete().ids().filter_map(|c| domain.best(c)).collect();
        debug_assert_eq!(best.len(), domain.n_concrete(), "every concrete state has a best abstraction");
        debug_assert!(
            system.states().all(|s| finer[s.index()].contains(&s) && coarser[s.index()].contains(&s)),
            "every state is as precise as itself"
        );
        Ok(Self { system, order: Order::Given { domain, finer, coarser, best } })
    }

    /// The system.
    pub fn system(&self) -> &'a PartialSystem {
        self.system
    }

    /// The domain, unless it is the flat one that goes without saying.
    pub fn domain(&self) -> Option<&'a Domain> {
        match self.order {
            Order::Flat(_) => None,
            Order::Given { domain, .. } => Some(domain),
        }
    }

    /// The states at least as precise as `state`, itself among them.
    pub fn finer(&self, state: StateId) -> &[StateId] {
        match &self.order {
            Order::Flat(states) => std::slice::from_ref(&states[state.index()]),
            Order::Given { finer, .. } => &finer[state.index()],
        }
    }

    /// The states at most as precise as `state`, itself among them.
    pub fn coarser(&self, state: StateId) -> &[StateId] {
        match &self.order {
            Order::Flat(states) => std::slice::from_ref(&states[state.index()]),
            Order::Given { coarser, .. } => &coarser[state.index()],
        }
    }

    /// How many concrete states there are.
    pub fn n_concrete(&self) -> usize {
        self.domain().map_or(self.system.n_states(), Domain::n_concrete)
    }

    /// The best abstraction α(c).
    pub fn best(&self, concrete: ConcreteId) -> StateId {
        match &self.order {
            Order::Flat(states) => states[concrete.index()],
            Order::Given { best, .. } => best[concrete.index()],
        }
    }

    /// The states α(c), for all c.
    pub fn best_states(&self) -> StateSet {
        let n = self.system.n_states();
        match &self.order {
            Order::Flat(_) => StateSet::full(n),
            Order::Given { best, .. } => StateSet::of(n, best.iter().copied()),
        }
    }

    /// What a state stands for, in order.
    pub fn gamma(&self, state: StateId) -> Vec<ConcreteId> {
        match self.domain() {
            None => vec![ConcreteId::new(state.index())],
            Some(domain) => domain.gamma(state).iter().collect(),
        }
    }

    /// Whether a state stands for something.
    pub fn is_consistent(&self, state: StateId) -> bool {
        self.domain().is_none_or(|domain| domain.is_consistent(state))
    }

    /// Whether all that `state` stands for is something that one of `targets` stands for: γ(state) ⊆ γ(targets).
    pub fn is_within(&self, state: StateId, targets: &[StateId]) -> bool {
        match self.domain() {
            None => targets.contains(&state),
            Some(domain) => domain.gamma(state).is_subset(&domain.gamma_of(targets.iter().copied())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;

    /// A system without transitions, its states given by the concrete numbers they stand for.
    fn over(gammas: &[&[usize]]) -> SystemBuilder {
        let mut builder = SystemBuilder::named();
        for (index, gamma) in gammas.iter().enumerate() {
            let state = builder.state(&format!("s{index}"));
            builder.initial(state);
            for c in *gamma {
                let c = builder.concrete(&c.to_string());
                builder.concretise(state, c);
            }
        }
        builder
    }

    #[test]
    fn states_that_mean_the_same_and_missing_best_abstractions_are_flaws() {
        let system = over(&[&[1, 2], &[2, 3], &[1, 2]]).build();
        let flaws = domain_flaws(&system);
        let two = system.domain().unwrap().concrete().get("2").unwrap();
        let s = StateId::from_raw;
        assert!(flaws.contains(&DomainFlaw::SameMeaning(s(0), s(2))), "{flaws:?}");
        assert!(flaws.contains(&DomainFlaw::NoBestAbstraction(two)), "{flaws:?}");
        assert!(matches!(Precision::of(&system), Err(PartialError::Domain(_))));
        let uncovered = {
            let mut builder = over(&[&[1]]);
            builder.concrete("7");
            builder.build()
        };
        assert_eq!(domain_flaws(&uncovered)[0].describe(&uncovered), "no state stands for `7`");
    }

    #[test]
    fn labels_must_be_inherited_and_free_of_contradiction() {
        let mut builder = over(&[&[1, 2], &[1], &[2], &[]]);
        let p = builder.proposition("p", Belnap::Unknown);
        let s = StateId::from_raw;
        builder.label(s(0), p, Belnap::True);
        builder.label(s(1), p, Belnap::Inconsistent);
        builder.label(s(3), p, Belnap::Inconsistent);
        let system = builder.build();
        let flaws = domain_flaws(&system);
        assert_eq!(
            flaws,
            [
                DomainFlaw::ContradictoryLabel { state: s(1), proposition: p },
                DomainFlaw::LabelNotInherited { vague: s(0), precise: s(2), proposition: p },
            ]
        );
        assert!(Precision::of(&system).is_ok());
    }

    #[test]
    fn the_flat_domain_is_the_same_written_out_or_not() {
        let silent = SystemBuilder::named();
        let written = over(&[&[0], &[1]]).build();
        assert!(domain_flaws(&written).is_empty());
        assert!(domain_flaws(&silent.build()).is_empty());
        let order = Precision::of(&written).unwrap();
        let s = StateId::from_raw;
        assert_eq!((order.finer(s(1)), order.coarser(s(1))), (&[s(1)][..], &[s(1)][..]));
        assert!(order.is_within(s(0), &[s(1), s(0)]) && !order.is_within(s(0), &[s(1)]));
    }
}
