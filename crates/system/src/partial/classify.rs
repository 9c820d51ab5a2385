//! Which families a system belongs to, and what is true of it.
//!
//! Families are nested: BTS ⊂ PKS ⊂ KMTS ⊂ MixTS ⊂ GKMTS. Where states carry no propositions and transitions carry
//! named actions, the customary names are LTS for BTS (and PKS, which then is the same) and MTS for KMTS. A label that
//! is inconsistent at a state that stands for something makes a system at least a MixTS; at a state that stands for
//! nothing it is what monotone labelling asks for, and is overlooked.
//!
//! *Mix condition* (MC): for every must from a to b there is some b' within b that a both may and must go to; for
//! every hyper-must, some target is a may. It is neither necessary nor sufficient for consistency over a domain.

use super::{DomainFlaw, PartialError, Precision, domain_flaws, is_consistent, monotone_violation};
use crate::{Domain, Family, Modality, PartialSystem, UNLABELLED};

/// What the states stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// Nothing is said; each state stands for itself.
    None,
    /// Each state stands for one concrete state of its own.
    Flat,
    /// Some states are more precise than others, or stand for several concrete states.
    Ordered,
    /// The domain is not valid; nothing that needs one was decided.
    Flawed,
}

/// How much of everything there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States.
    pub states: usize,
    /// Initial states.
    pub initial: usize,
    /// Actions.
    pub actions: usize,
    /// Propositions.
    pub propositions: usize,
    /// Transitions that are may only.
    pub may_only: usize,
    /// Transitions that are must only.
    pub must_only: usize,
    /// Transitions that are both.
    pub both: usize,
    /// Hyper-musts.
    pub hyper_musts: usize,
    /// Concrete states, if there is a domain.
    pub concrete: usize,
    /// States that stand for nothing.
    pub inconsistent_states: usize,
}

/// What is true of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// The smallest family.
    pub family: Family,
    /// How much of everything there is.
    pub counts: Counts,
    /// Whether every must is a may. A hyper-must is none.
    pub must_within_may: bool,
    /// Whether the mix condition holds.
    pub mix_condition: bool,
    /// Whether the system is monotone; `None` if the domain is flawed or the question was too hard.
    pub monotone: Option<bool>,
    /// Whether it has a concrete refinement; `None` if the domain is flawed.
    pub consistent: Option<bool>,
    /// Whether nothing is open.
    pub complete: bool,
    /// Whether there is one initial state, and at most one may successor per state and action.
    pub deterministic: bool,
    /// Whether some transition leaves every state.
    pub total: bool,
    /// What the states stand for.
    pub domain: DomainKind,
    /// What is wrong with the domain or with the labels over it.
    pub flaws: Vec<DomainFlaw>,
}

/// Finds out what is true of `system`.
pub fn classify(system: &PartialSystem) -> Classification {
    let counts = count(system);
    let must_within_may = counts.must_only == 0 && counts.hyper_musts == 0;
    let answer = |result: Result<bool, PartialError>| result.ok();
    Classification {
        family: family(system, &counts),
        must_within_may,
        mix_condition: mix_condition(system),
        monotone: answer(monotone_violation(system).map(|violation| violation.is_none())),
        consistent: answer(is_consistent(system)),
        complete: system.is_complete(),
        deterministic: is_deterministic(system),
        total: system.deadlocks().next().is_none(),
        domain: domain_kind(system),
        flaws: domain_flaws(system),
        counts,
    }
}

fn count(system: &PartialSystem) -> Counts {
    let mut counts = Counts {
        states: system.n_states(),
        initial: system.initial().len(),
        actions: system.actions().len(),
        propositions: system.labels().names().len(),
        hyper_musts: system.hyper_musts().len(),
        concrete: system.domain().map_or(0, Domain::n_concrete),
        inconsistent_states: system
            .domain()
            .map_or(0, |domain| system.states().filter(|&s| !domain.is_consistent(s)).count()),
        ..Counts::default()
    };
    for label in system.transitions().labels() {
        match label.modality() {
            Modality::May => counts.may_only += 1,
            Modality::Must => counts.must_only += 1,
            Modality::Both => counts.both += 1,
        }
    }
    counts
}

fn family(system: &PartialSystem, counts: &Counts) -> Family {
    let named_actions = system.actions().names().any(|name| name != UNLABELLED);
    let by_actions = named_actions && counts.propositions == 0;
    let labels = system.labels();
    let disputed = |s| system.domain().is_none_or(|domain| domain.is_consistent(s));
    let contradictory = labels.names().ids().any(|p| {
        let mut both = labels.must(p).clone();
        both.difference_with(labels.may(p));
        both.iter().any(disputed)
    });
    if counts.hyper_musts > 0 {
        Family::Gkmts
    } else if counts.must_only > 0 || contradictory {
        Family::MixTs
    } else if counts.may_only > 0 {
        if by_actions { Family::Mts } else { Family::Kmts }
    } else if !labels.names().ids().all(|p| labels.may(p).is_subset(labels.must(p))) {
        Family::Pks
    } else if by_actions {
        Family::Lts
    } else {
        Family::Bts
    }
}

fn mix_condition(system: &PartialSystem) -> bool {
    let within = |b, target| match system.domain() {
        None => b == target,
        Some(domain) => domain.precision_le(target, b),
    };
    system.states().all(|a| {
        let single = system.edges(a).filter(|edge| edge.modality == Modality::Must).all(|must| {
            let both = system.edges(a).filter(|edge| edge.modality == Modality::Both);
            both.into_iter().any(|edge| edge.action == must.action && within(edge.other, must.other))
        });
        let hyper = system.hyper_musts().of(a).all(|(action, targets)| {
            let is_may = |&t| system.transitions().find(a, action, t).is_some_and(Modality::is_may);
            targets.iter().any(is_may)
        });
        single && hyper
    })
}

fn is_deterministic(system: &PartialSystem) -> bool {
    // Rows are sorted by action, so mays with the same action are neighbours.
    let one_each = |s| system.may(s).zip(system.may(s).skip(1)).all(|((a, _), (b, _))| a != b);
    system.initial().len() <= 1 && system.states().all(one_each)
}

fn domain_kind(system: &PartialSystem) -> DomainKind {
    let Some(domain) = system.domain() else { return DomainKind::None };
    if Precision::of(system).is_err() {
        return DomainKind::Flawed;
    }
    match system.states().all(|s| domain.gamma(s).count() == 1) {
        true => DomainKind::Flat,
        false => DomainKind::Ordered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;
    use tertium_support::Id;
    use tertium_truth::Belnap;

    /// Two states, an action, a proposition with this value, and a transition of this modality.
    fn system(action: &str, label: Option<Belnap>, modality: Modality) -> SystemBuilder {
        let mut builder = SystemBuilder::numbered(2);
        let [s, t] = [0, 1].map(crate::StateId::from_raw);
        builder.initial(s);
        let action = builder.action(action);
        builder.edge(s, action, t, modality);
        if let Some(value) = label {
            builder.proposition("p", value);
        }
        builder
    }

    #[test]
    fn every_family_is_recognised() {
        let family = |action, label, modality| classify(&system(action, label, modality).build()).family;
        assert_eq!(family(UNLABELLED, Some(Belnap::True), Modality::Both), Family::Bts);
        assert_eq!(family("a", None, Modality::Both), Family::Lts);
        assert_eq!(family(UNLABELLED, Some(Belnap::Unknown), Modality::Both), Family::Pks);
        assert_eq!(family(UNLABELLED, Some(Belnap::Unknown), Modality::May), Family::Kmts);
        assert_eq!(family("a", None, Modality::May), Family::Mts);
        assert_eq!(family("a", None, Modality::Must), Family::MixTs);
        assert_eq!(family(UNLABELLED, Some(Belnap::Inconsistent), Modality::Both), Family::MixTs);
        let mut builder = system("a", None, Modality::May);
        let action = builder.action("a");
        let both = crate::StateId::first(2).collect();
        builder.hyper_must(crate::StateId::from_raw(1), action, both);
        let class = classify(&builder.build());
        assert_eq!(class.family, Family::Gkmts);
        assert!(!class.mix_condition && class.consistent == Some(false) && class.total);
        assert!(Family::Lts.is_within(Family::Pks) && !Family::Gkmts.is_within(Family::MixTs));
    }

    #[test]
    fn totality_and_determinism_are_seen() {
        let mut builder = system("a", None, Modality::Both);
        let class = classify(&builder.clone().build());
        assert!(class.deterministic && !class.total && class.complete);
        assert_eq!(
            (class.domain, class.monotone, class.consistent),
            (DomainKind::None, Some(true), Some(true))
        );
        let [s, t] = [0, 1].map(crate::StateId::from_raw);
        let action = builder.action("a");
        builder.edge(s, action, s, Modality::May);
        builder.edge(t, action, t, Modality::Both);
        let class = classify(&builder.build());
        assert!(!class.deterministic && class.total && !class.complete);
        assert_eq!((class.counts.may_only, class.counts.both), (1, 2));
    }
}
