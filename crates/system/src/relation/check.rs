//! Whether a *given* relation is a refinement or a bisimulation: the validator of relations.
//!
//! Written straight from the definitions and sharing nothing with the code that computes greatest relations, so that
//! a relation found there can be checked here. Cost: Σ over pairs of the products of their degrees.

use super::Relation;
use crate::{ActionId, PartialSystem, StateId};
use tertium_support::Id;
use tertium_truth::Belnap;

/// The step or label of a related pair that has no match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// A must of the right (abstract) state that the left one does not meet.
    Must {
        /// The action, by name.
        action: String,
        /// The targets in the right system; one for a single must.
        targets: Vec<StateId>,
    },
    /// A may step of the left (concrete) state that the right one does not allow.
    May {
        /// The action, by name.
        action: String,
        /// The target in the left system.
        target: StateId,
    },
    /// A label on which the two disagree.
    Label {
        /// The proposition, by name.
        proposition: String,
    },
    /// In a bisimulation only: a must of the left state that the right one does not meet.
    LeftMust {
        /// The action, by name.
        action: String,
        /// The targets in the left system.
        targets: Vec<StateId>,
    },
    /// In a bisimulation only: a may step of the right state that the left one does not allow.
    RightMay {
        /// The action, by name.
        action: String,
        /// The target in the right system.
        target: StateId,
    },
}

/// A pair of the relation that breaks the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The left and the right state.
    pub pair: (StateId, StateId),
    /// What is not matched.
    pub clause: Clause,
}

impl Violation {
    /// The violation in words, with the names of the two systems.
    pub fn describe(&self, left: &PartialSystem, right: &PartialSystem) -> String {
        let (p, q) = (left.state_name(self.pair.0), right.state_name(self.pair.1));
        let set = |system: &PartialSystem, targets: &[StateId]| match targets {
            [target] => system.state_name(*target).into_owned(),
            _ => {
                let names: Vec<_> = targets.iter().map(|&t| system.state_name(t)).collect();
                format!("{{{}}}", names.join(", "))
            }
        };
        let what = match &self.clause {
            Clause::Must { action, targets } => {
                format!("{q} -{action}->must {} is not met by {p}", set(right, targets))
            }
            Clause::May { action, target } => {
                format!("{p} -{action}->may {} is not allowed by {q}", left.state_name(*target))
            }
            Clause::Label { proposition } => format!("they disagree on {proposition}"),
            Clause::LeftMust { action, targets } => {
                format!("{p} -{action}->must {} is not met by {q}", set(left, targets))
            }
            Clause::RightMay { action, target } => {
                format!("{q} -{action}->may {} is not allowed by {p}", right.state_name(*target))
            }
        };
        format!("({p}, {q}): {what}")
    }
}

/// Why a system does not refine another through its domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainViolation {
    /// The abstract system has no domain.
    NoDomain,
    /// A concrete state of the domain is no state of the concrete system.
    NoSuchState(String),
    /// A state of the concrete system is described by no abstract state.
    NotCovered(StateId),
    /// The relation of the domain is no refinement.
    Violation(Violation),
}

/// Whether `relation` is a refinement: for every pair (p, q) of it, may steps of p are allowed by q, musts of q are met
/// by p, and literals of q are literals of p. The first violation otherwise.
pub fn check_refinement(
    left: &PartialSystem,
    right: &PartialSystem,
    relation: &Relation,
) -> Result<(), Violation> {
    Checker::new(left, right, relation).first(|checker, p, q| {
        let agree = |of_p: Belnap, of_q: Belnap| of_q.info_le(of_p);
        (checker.unmet_must(p, q).map(|(action, targets)| Clause::Must { action, targets }))
            .or_else(|| checker.unmatched_may(p, q).map(|(action, target)| Clause::May { action, target }))
            .or_else(|| checker.label(p, q, agree))
    })
}

/// Whether `relation` is a bisimulation: for every pair, labels are equal, may steps are matched both ways, and musts
/// too, where a must into X matches one into Y iff every member of either is related to one of the other.
pub fn is_bisimulation(
    left: &PartialSystem,
    right: &PartialSystem,
    relation: &Relation,
) -> Result<(), Violation> {
    let converse = relation.converse();
    let back = Checker::new(right, left, &converse);
    Checker::new(left, right, relation).first(|checker, p, q| {
        let musts = checker.unequal_must(p, q);
        (musts.map(|(action, targets)| Clause::Must { action, targets }))
            .or_else(|| back.unequal_must(q, p).map(|(action, targets)| Clause::LeftMust { action, targets }))
            .or_else(|| checker.unmatched_may(p, q).map(|(action, target)| Clause::May { action, target }))
            .or_else(|| back.unmatched_may(q, p).map(|(action, target)| Clause::RightMay { action, target }))
            .or_else(|| checker.label(p, q, |of_p, of_q| of_p == of_q))
    })
}

/// Whether `concrete` refines `abstract_system` through the relation of its domain: c is related to a iff c ∈ γ(a). The states of
/// `concrete` are the concrete states of the domain, by name. Gives the relation.
pub fn refines_through_domain(
    concrete: &PartialSystem,
    abstract_system: &PartialSystem,
) -> Result<Relation, DomainViolation> {
    let domain = abstract_system.domain().ok_or(DomainViolation::NoDomain)?;
    let mut relation = Relation::empty(concrete.n_states(), abstract_system.n_states());
    for (c, name) in domain.concrete().ids().zip(domain.concrete().names()) {
        let state = concrete.state_named(name);
        let state = state.ok_or_else(|| DomainViolation::NoSuchState(name.to_owned()))?;
        domain.abstractions(c).for_each(|a| {
            relation.insert(state, a);
        });
    }
    if let Some(state) = relation.first_unrelated(super::Side::Left) {
        return Err(DomainViolation::NotCovered(state));
    }
    check_refinement(concrete, abstract_system, &relation).map_err(DomainViolation::Violation)?;
    Ok(relation)
}

struct Checker<'a> {
    left: &'a PartialSystem,
    right: &'a PartialSystem,
    relation: &'a Relation,
    /// For each action of the left system, the one of the same name on the right.
    same: Vec<Option<ActionId>>,
}

impl<'a> Checker<'a> {
    fn new(left: &'a PartialSystem, right: &'a PartialSystem, relation: &'a Relation) -> Self {
        assert_eq!((relation.n_left(), relation.n_right()), (left.n_states(), right.n_states()));
        let same = left.actions().names().map(|name| right.actions().get(name)).collect();
        Self { left, right, relation, same }
    }

    fn first(&self, clause: impl Fn(&Self, StateId, StateId) -> Option<Clause>) -> Result<(), Violation> {
        let violation = |pair: (StateId, StateId)| clause(self, pair.0, pair.1).map(|clause| (pair, clause));
        match self.relation.pairs().find_map(violation) {
            None => Ok(()),
            Some((pair, clause)) => Err(Violation { pair, clause }),
        }
    }

    fn same_action(&self, of_left: ActionId, of_right: ActionId) -> bool {
        self.same[of_left.index()] == Some(of_right)
    }

    /// A may step of p that no may step of q matches.
    fn unmatched_may(&self, p: StateId, q: StateId) -> Option<(String, StateId)> {
        let mut steps = self.left.may(p);
        let unmatched = steps.find(|&(x, p_next)| {
            !self
                .right
                .may(q)
                .any(|(y, q_next)| self.same_action(x, y) && self.relation.contains(p_next, q_next))
        });
        unmatched.map(|(x, p_next)| (self.left.actions().name(x).to_owned(), p_next))
    }

    /// Whether every state of `ys` is related to one of `xs`.
    fn covered(&self, ys: &[StateId], xs: &[StateId]) -> bool {
        ys.iter().all(|&y| xs.iter().any(|&x| self.relation.contains(y, x)))
    }

    /// A must of q for which p has none that lies inside.
    fn unmet_must(&self, p: StateId, q: StateId) -> Option<(String, Vec<StateId>)> {
        self.must_without(p, q, |ys, xs| self.covered(ys, xs))
    }

    /// A must of q for which p has none that lies inside and reaches all of it.
    fn unequal_must(&self, p: StateId, q: StateId) -> Option<(String, Vec<StateId>)> {
        self.must_without(p, q, |ys, xs| {
            self.covered(ys, xs) && xs.iter().all(|&x| ys.iter().any(|&y| self.relation.contains(y, x)))
        })
    }

    fn must_without(
        &self,
        p: StateId,
        q: StateId,
        matches: impl Fn(&[StateId], &[StateId]) -> bool,
    ) -> Option<(String, Vec<StateId>)> {
        let unmet = self.right.must_sets(q).find(|&(x, xs)| {
            !self.left.must_sets(p).any(|(y, ys)| self.same_action(y, x) && matches(ys, xs))
        });
        unmet.map(|(x, xs)| (self.right.actions().name(x).to_owned(), xs.to_vec()))
    }

    fn label(&self, p: StateId, q: StateId, agree: impl Fn(Belnap, Belnap) -> bool) -> Option<Clause> {
        let value = |system: &PartialSystem, name: &str, state| {
            let labels = system.labels();
            labels.names().get(name).map_or(Belnap::Unknown, |prop| labels.get(prop, state))
        };
        let names = self.left.labels().names().names().chain(self.right.labels().names().names());
        let disagrees = |name: &&str| !agree(value(self.left, name, p), value(self.right, name, q));
        names.into_iter().find(disagrees).map(|name| Clause::Label { proposition: name.to_owned() })
    }
}
