//! Partial systems over predicates, location by location.

use super::MonomialFrame;
use crate::{ActionId, PropId};
use tertium_dd::Bdd;
use tertium_support::{Interner, StopReason, define_id};

define_id!(
    /// A location of a monomial system: one valuation of control.
    LocationId
);

/// A partial system whose states are minterms at locations, with must steps into monomials: the form for reduced semantics, from which that
/// for standard semantics follows ([`super::monomial_must`]).
///
/// Invariants: every may step from an inhabited minterm leads into an inhabited one. Sets are over current values of predicates.
#[derive(Clone, Debug)]
pub struct MonomialSystem {
    /// The variables.
    pub frame: MonomialFrame,
    /// The actions of moves.
    pub actions: Interner<ActionId>,
    /// The propositions of labels.
    pub propositions: Interner<PropId>,
    /// All locations, by id.
    pub locations: Vec<MonomialLocation>,
}

/// What there is at a location.
#[derive(Clone, Debug)]
pub struct MonomialLocation {
    /// The minterms that stand for something are those in all of these. No two are about the same predicate.
    pub inhabited: Vec<Bdd>,
    /// The minterms where the system begins.
    pub initial: Bdd,
    /// Those that certainly stand for a state where it begins.
    pub surely_initial: Bdd,
    /// By proposition.
    pub labels: Vec<MintermLabel>,
    /// The relation of each is over current and next values.
    pub may: Vec<MonomialMove>,
    /// The relation of each is over current values, next values and next openness.
    pub must: Vec<MonomialMove>,
}

/// Where a proposition holds.
#[derive(Clone, Debug)]
pub struct MintermLabel {
    /// In all that a minterm stands for.
    pub must: Bdd,
    /// Perhaps in something that it stands for.
    pub may: Bdd,
}

/// Steps from one location to another that change some predicates and keep the others as they are.
#[derive(Clone, Debug)]
pub struct MonomialMove {
    /// The action.
    pub action: ActionId,
    /// Where the steps lead.
    pub target: LocationId,
    /// The predicates that may change, in order.
    pub changed: Vec<usize>,
    /// The steps; of next variables it has only those of changed predicates.
    pub relation: Bdd,
}

impl MonomialSystem {
    /// The inhabited minterms of a location in one diagram.
    pub fn inhabited(&self, location: &MonomialLocation) -> Result<Bdd, StopReason> {
        let all = self.frame.manager().constant(true);
        // Those at the end of the order first: then each conjunction only adds nodes on top.
        let mut parts: Vec<&Bdd> = location.inhabited.iter().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.top().map(|top| self.frame.manager().level(top))));
        parts.into_iter().try_fold(all, |all, part| all.and(part))
    }
}

impl MonomialLocation {
    /// What being inhabited says about the predicates that a function is about, and those that come with them.
    pub(crate) fn inhabited_around(&self, function: &Bdd) -> Result<Bdd, StopReason> {
        let about = function.support();
        let near = self.inhabited.iter().filter(|part| part.support().iter().any(|var| about.contains(var)));
        near.into_iter().try_fold(function.manager().constant(true), |all, part| all.and(part))
    }
}
