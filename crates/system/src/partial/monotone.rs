//! Monotone systems and the monotone closure.
//!
//! A system is monotone [Wei09, Def. 5.5] when, for every action,
//! - *destinations*: t₂ ⪯ t₁ and may(s, t₂) give may(s, t₁); t₂ ⪯ t₁ and must(s, t₁) give must(s, t₂);
//! - *sources*: s₁ ⪯ s₂ and may(s₂, t) give may(s₁, t); s₁ ⪯ s₂ and must(s₁, t) give must(s₂, t).
//!
//! The closure first closes destinations (DSTT), then sources (SRCT). It has the same concrete refinements as the
//! system it is made from, and definite answers can only become more. The order of the two steps matters, because
//! DSTT lets SRCT compare may targets at best abstractions. In SRCT a state gets the musts of all states that are *less*
//! precise; the source document prints the opposite, which is neither monotone nor equivalent.
//!
//! Hyper-musts: a must into X stands for the musts into all supersets of X (this is how every semantics reads it),
//! and the destination rule is must(s, X), γ(X) ⊆ γ(X') give must(s, X'). So it is enough to store the ⊆-least such
//! X'. If a system has a hyper-must, all its musts are closed in this way; if it has none, the closure has none.
//! Finding the least sets may take exponential time; the search is bounded and gives up as a value.
//!
//! Cost without hyper-musts: cubic in the number of states. On the flat domain every system is monotone.

use super::covers::least_covers;
use super::dense::{DenseRelations, Targets, is_subset, keep_least};
use super::{PartialError, Precision};
use crate::{ActionId, PartialSystem, StateId, StateSet};
use std::collections::BTreeSet;

/// How many search steps are spent on the least target sets that follow from one hyper-must.
const COVER_STEPS: usize = 1 << 16;

/// The monotone closure: destinations first, then sources.
pub fn monotone_closure(system: &PartialSystem) -> Result<PartialSystem, PartialError> {
    close(system, |order, relations| {
        close_may_destinations(order, relations);
        close_must_destinations(order, relations)?;
        close_may_sources(order, relations);
        close_must_sources(order, relations);
        Ok(())
    })
}

/// DSTT: what follows from the destination rules alone.
pub fn destination_closure(system: &PartialSystem) -> Result<PartialSystem, PartialError> {
    close(system, |order, relations| {
        close_may_destinations(order, relations);
        close_must_destinations(order, relations)
    })
}

/// SRCT: what follows from the source rules alone. Equivalent to its input only if destinations are closed already.
pub fn source_closure(system: &PartialSystem) -> Result<PartialSystem, PartialError> {
    close(system, |order, relations| {
        close_may_sources(order, relations);
        close_must_sources(order, relations);
        Ok(())
    })
}

fn close(
    system: &PartialSystem,
    step: impl FnOnce(&Precision, &mut DenseRelations) -> Result<(), PartialError>,
) -> Result<PartialSystem, PartialError> {
    let order = Precision::of(system)?;
    if order.domain().is_none() {
        return Ok(system.clone());
    }
    let mut relations = DenseRelations::of(system);
    step(&order, &mut relations)?;
    Ok(relations.into_system(system))
}

/// may' = {(a, b) | may(a, b') for some b' ⪯ b}
pub(super) fn close_may_destinations(order: &Precision, relations: &mut DenseRelations) {
    for may in &mut relations.may {
        let finer = may.iter().flat_map(|target| order.finer(target)).copied();
        *may = StateSet::of(may.universe(), finer);
    }
}

/// must' = {(a, b) | must(a, b') for some b' with b ⪯ b'}, or the least covers with hyper-musts.
pub(super) fn close_must_destinations(
    order: &Precision,
    relations: &mut DenseRelations,
) -> Result<(), PartialError> {
    for (state, action) in relations.rows() {
        let row = relations.row(state, action);
        let mut closed = BTreeSet::new();
        for targets in &relations.must[row] {
            closed.extend(implied_targets(order, state, targets)?);
        }
        keep_least(&mut closed);
        relations.must[row] = closed;
    }
    Ok(())
}

/// The target sets that the destination rule derives from one must of `state`, itself among them or a subset of it.
fn implied_targets(
    order: &Precision,
    state: StateId,
    targets: &Targets,
) -> Result<BTreeSet<Targets>, PartialError> {
    let mixed = order.system().hyper_musts().is_empty();
    match (order.domain(), &targets[..]) {
        (None, _) => Ok(BTreeSet::from([targets.clone()])),
        (Some(_), &[target]) if mixed => Ok(order.coarser(target).iter().map(|&vague| vec![vague]).collect()),
        (Some(domain), _) => {
            let goal = domain.gamma_of(targets.iter().copied());
            let too_many = PartialError::TooManyCovers { state, bound: COVER_STEPS };
            least_covers(domain, &goal, COVER_STEPS).ok_or(too_many)
        }
    }
}

/// may' = {(a, b) | may(a', b) for all a' ⪯ a}: what every vaguer description of the source permits.
pub(super) fn close_may_sources(order: &Precision, relations: &mut DenseRelations) {
    let mut closed = relations.may.clone();
    for (state, action) in relations.rows() {
        let row = relations.row(state, action);
        for &vague in order.coarser(state) {
            closed[row].intersect_with(&relations.may[relations.row(vague, action)]);
        }
    }
    relations.may = closed;
}

/// must' = {(a, b) | must(a', b) for some a' ⪯ a}: a precise state inherits the musts of vaguer ones.
pub(super) fn close_must_sources(order: &Precision, relations: &mut DenseRelations) {
    let mut closed = relations.must.clone();
    for (state, action) in relations.rows() {
        let row = relations.row(state, action);
        for &vague in order.coarser(state) {
            closed[row].extend(relations.must[relations.row(vague, action)].iter().cloned());
        }
        keep_least(&mut closed[row]);
    }
    relations.must = closed;
}

/// Which of the four rules is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonotoneClause {
    /// A may into a vague state lacks its twin into a more precise one.
    MayDestination,
    /// A must into precise states lacks its twin into vaguer ones.
    MustDestination,
    /// A may from a precise state lacks its twin from a vaguer one.
    MaySource,
    /// A must from a vague state lacks its twin from a more precise one.
    MustSource,
}

/// Why a system is not monotone: one transition is there, another that follows from it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonotoneViolation {
    /// The rule by which it follows.
    pub clause: MonotoneClause,
    /// The action of both.
    pub action: ActionId,
    /// The transition that is there: its source and its targets, one unless it is a hyper-must.
    pub present: (StateId, Vec<StateId>),
    /// The transition that is missing.
    pub missing: (StateId, Vec<StateId>),
}

impl MonotoneViolation {
    /// The violation in words, with the names of `system`, where it was found.
    pub fn describe(&self, system: &PartialSystem) -> String {
        let kind = match self.clause {
            MonotoneClause::MayDestination | MonotoneClause::MaySource => "may",
            MonotoneClause::MustDestination | MonotoneClause::MustSource => "must",
        };
        let show = |(source, targets): &(StateId, Vec<StateId>)| {
            let names: Vec<_> = targets.iter().map(|&t| system.state_name(t)).collect();
            let target =
                if let [name] = &names[..] { name.to_string() } else { format!("{{{}}}", names.join(", ")) };
            format!("`{}` {kind} go to `{target}`", system.state_name(*source))
        };
        let action = match system.actions().name(self.action) {
            crate::UNLABELLED => String::new(),
            name => format!(" with `{name}`"),
        };
        format!("{}{action}, hence {}, but that is missing", show(&self.present), show(&self.missing))
    }
}

/// The first broken rule, or `None` if the system is monotone.
pub fn monotone_violation(system: &PartialSystem) -> Result<Option<MonotoneViolation>, PartialError> {
    let order = Precision::of(system)?;
    if order.domain().is_none() {
        return Ok(None);
    }
    let relations = DenseRelations::of(system);
    for (state, action) in relations.rows() {
        let found = may_violation(&order, &relations, state, action);
        let found = match found {
            None => must_violation(&order, &relations, state, action)?,
            found => found,
        };
        if let Some((clause, targets, missing)) = found {
            return Ok(Some(MonotoneViolation { clause, action, present: (state, targets), missing }));
        }
    }
    Ok(None)
}

type Violation = (MonotoneClause, Targets, (StateId, Targets));

fn may_violation(
    order: &Precision,
    relations: &DenseRelations,
    state: StateId,
    action: ActionId,
) -> Option<Violation> {
    let may = &relations.may[relations.row(state, action)];
    may.iter().find_map(|target| {
        let missing_target = order.finer(target).iter().find(|&&fine| !may.contains(fine));
        let missing_source = || {
            let lacks = |&&vague: &&StateId| !relations.may[relations.row(vague, action)].contains(target);
            order.coarser(state).iter().find(lacks)
        };
        match missing_target {
            Some(&fine) => Some((MonotoneClause::MayDestination, vec![target], (state, vec![fine]))),
            None => missing_source()
                .map(|&vague| (MonotoneClause::MaySource, vec![target], (vague, vec![target]))),
        }
    })
}

fn must_violation(
    order: &Precision,
    relations: &DenseRelations,
    state: StateId,
    action: ActionId,
) -> Result<Option<Violation>, PartialError> {
    let says = |source: StateId, targets: &Targets| {
        relations.must[relations.row(source, action)].iter().any(|stored| is_subset(stored, targets))
    };
    for targets in &relations.must[relations.row(state, action)] {
        if let Some(missing) = implied_targets(order, state, targets)?.into_iter().find(|t| !says(state, t)) {
            return Ok(Some((MonotoneClause::MustDestination, targets.clone(), (state, missing))));
        }
        if let Some(&fine) = order.finer(state).iter().find(|&&fine| !says(fine, targets)) {
            return Ok(Some((MonotoneClause::MustSource, targets.clone(), (fine, targets.clone()))));
        }
    }
    Ok(None)
}
