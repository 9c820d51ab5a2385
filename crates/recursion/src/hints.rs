//! Invariants that Spacer suggests \[KGC16\].
//!
//! Spacer is never trusted. What it finds are suggestions of predicates and of whole proofs; a verdict comes from our own
//! abstraction, or from [`validate`](crate::validate()), which shows every obligation with fresh questions. That Spacer says "reachable"
//! only tells where work is better spent.

use crate::{Entries, Horn, Invariants, Relation, Special};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Sort, Term};
use tertium_program::{Icfg, PointId};
use tertium_solve::{HornAnswer, HornRelation, HornTold, HornWay, solve_horn};
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
    /// How many relations Spacer has a condition for that cannot be said in terms. They have what others need of them, or any states.
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

/// A way to ask Spacer, with at most so many of Z3's steps.
pub type Try = (HornWay, u32);

/// Asks Spacer in these ways, one after the other. The first solution counts.
pub fn candidate_invariants(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    targets: &[PointId],
    tries: &[Try],
) -> Suggestion {
    candidates_for(context, icfg, entries, &Horn::new(icfg, entries, targets), tries)
}

/// The same for clauses that are there.
pub fn candidates_for(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    horn: &Horn,
    tries: &[Try],
) -> Suggestion {
    let numbers: Vec<usize> = horn.of_point.values().copied().collect();
    let relations = numbers.iter().map(|&number| &horn.relations[number]);
    let text = horn.text(icfg, &|_| String::new());
    asked(context, icfg, &text, relations, tries, &|way, said| {
        let (mut found, mut parts) = (BTreeMap::new(), BTreeMap::new());
        for (&number, &told) in numbers.iter().zip(said) {
            match told {
                HornTold::Is(condition) => drop(found.insert(number, condition)),
                HornTold::Part(condition) => drop(parts.insert(number, condition)),
                HornTold::Nothing => {}
            }
        }
        let is_target = |number: usize| horn.targets.contains(&horn.relations[number].point);
        let n_lost =
            numbers.iter().filter(|number| !found.contains_key(number) && !is_target(**number)).count();
        horn.recover(icfg, &mut found, &parts);
        Hints { invariants: horn.completed(icfg, entries, &found), n_lost, way }
    })
}

/// The same for copies of relations.
pub fn candidates_for_copies(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    (horn, special): (&Horn, &Special),
    tries: &[Try],
) -> Suggestion {
    let relations = special.left.iter().map(|&number| &special.relations[number]);
    asked(context, icfg, &special.text(icfg), relations, tries, &|way, said| {
        let n_lost = said.iter().filter(|told| !matches!(told, HornTold::Is(_))).count();
        let found = special.left.iter().zip(said).filter_map(|(&number, &told)| match told {
            HornTold::Is(condition) | HornTold::Part(condition) => Some((number, condition)),
            HornTold::Nothing => None,
        });
        let found = found.collect();
        Hints { invariants: special.completed(icfg, entries, horn, &found), n_lost, way }
    })
}

/// Asks about a text; `made` makes conditions of what is said about relations.
fn asked<'r>(
    context: &Context,
    icfg: &Icfg,
    text: &str,
    relations: impl Iterator<Item = &'r Relation>,
    tries: &[Try],
    made: &dyn Fn(HornWay, &[HornTold]) -> Hints,
) -> Suggestion {
    // Values of enumerations are numbers for Spacer, and would come back as such.
    let has_names = |sort: Sort| matches!(sort, Sort::Enumeration(_));
    let relations: Vec<HornRelation> = relations.map(|relation| Horn::named(icfg, relation)).collect();
    let is_foreign =
        |relation: &HornRelation| relation.arguments.iter().any(|&own| has_names(icfg.terms.sort_of(own)));
    if relations.iter().any(is_foreign) {
        return Suggestion::Nothing;
    }
    for &(way, steps) in tries {
        match solve_horn(context, &icfg.terms, text, &relations, way, steps) {
            HornAnswer::Solved(found) => return Suggestion::Proof(made(way, &found)),
            HornAnswer::Contradictory => return Suggestion::Reachable,
            HornAnswer::GaveUp => {}
            HornAnswer::Stopped(reason) => return Suggestion::Stopped(reason),
        }
    }
    Suggestion::Nothing
}
