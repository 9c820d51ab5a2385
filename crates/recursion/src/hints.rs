//! Invariants that Spacer suggests \[KGC16\].
//!
//! Spacer is never trusted. What it finds are suggestions of predicates and of whole proofs; a verdict comes from our own
//! abstraction, or from [`validate`](crate::validate()), which shows every obligation with fresh questions. That Spacer says "reachable"
//! only tells where work is better spent.

use crate::{Entries, Horn, Invariants};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Sort, Term};
use tertium_program::{Icfg, PointId};
use tertium_solve::{HornAnswer, HornRelation, HornWay, solve_horn};
use tertium_support::{Context, StopReason};

/// What Spacer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// Conditions at points that may be a proof.
    Proof(Hints),
    /// The targets are reached, it says.
    Reachable,
    /// It gave up.
    Nothing,
    /// A limit of the run was reached.
    Stopped(StopReason),
}

/// Conditions at points that may be a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints {
    /// A condition for each point.
    pub invariants: Invariants,
    /// How many relations Spacer has a condition for that cannot be said in terms. They are taken to be any states.
    pub n_lost: usize,
    /// How they were found.
    pub way: HornWay,
}

impl Hints {
    /// The comparisons and other atoms in the conditions, by point: predicates to try.
    pub fn predicates(&self, icfg: &Icfg) -> BTreeMap<PointId, BTreeSet<Term>> {
        let atoms = |&term: &Term| icfg.terms.atoms_of(term);
        self.invariants.at.iter().map(|(&point, term)| (point, atoms(term))).collect()
    }
}

/// Asks Spacer in these ways, each with at most so many of Z3's steps, and with few at first. The first solution counts.
pub fn candidate_invariants(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    targets: &[PointId],
    ways: &[HornWay],
    steps: u32,
) -> Suggestion {
    candidates_for(context, icfg, entries, &Horn::new(icfg, entries, targets), ways, steps)
}

/// The same for clauses that are there.
pub fn candidates_for(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    horn: &Horn,
    ways: &[HornWay],
    steps: u32,
) -> Suggestion {
    // Values of enumerations are numbers for Spacer, and would come back as such.
    let has_names = |sort: Sort| matches!(sort, Sort::Enumeration(_));
    let text = horn.text(icfg, &|_| String::new());
    let numbers: Vec<usize> = horn.of_point.values().copied().collect();
    let relations: Vec<HornRelation> = numbers
        .iter()
        .map(|&number| &horn.relations[number])
        .map(|relation| Horn::named(icfg, relation))
        .collect();
    let is_foreign =
        |relation: &HornRelation| relation.arguments.iter().any(|&own| has_names(icfg.terms.sort_of(own)));
    if relations.iter().any(is_foreign) {
        return Suggestion::Nothing;
    }
    let tries = [steps / 16, steps].into_iter().flat_map(|steps| ways.iter().map(move |&way| (way, steps)));
    for (way, steps) in tries {
        match solve_horn(context, &icfg.terms, &text, &relations, way, steps) {
            HornAnswer::Solved(found) => {
                let found = numbers.iter().zip(found);
                let is_target = |number: usize| horn.targets.contains(&horn.relations[number].point);
                let lost = found.clone().filter(|(number, found)| found.is_none() && !is_target(**number));
                let n_lost = lost.count();
                let found: BTreeMap<usize, Term> =
                    found.filter_map(|(&number, condition)| Some((number, condition?))).collect();
                return Suggestion::Proof(Hints {
                    invariants: horn.completed(icfg, entries, &found),
                    n_lost,
                    way,
                });
            }
            HornAnswer::Contradictory => return Suggestion::Reachable,
            HornAnswer::GaveUp => {}
            HornAnswer::Stopped(reason) => return Suggestion::Stopped(reason),
        }
    }
    Suggestion::Nothing
}
