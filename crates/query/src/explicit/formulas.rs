//! Propositional formulas over some propositions, as far as a system tells them apart: sets of combinations of values.
//!
//! What a set is at a state depends on the combinations that the state can have: all ways to complete its open labels
//! and to decide its contradictory ones. The set must hold there if for each way to complete there is a way to decide
//! with which it has the combination, and may hold if for some way to complete it has all of them. Where labels are
//! definite that is whether the set has the one combination. It does not depend on how a formula is written: `p || !p`
//! is true where p is open, and where p is contradictory.
//!
//! Combinations that no reachable state can have are one class. All others are classes of their own: two of them may have the
//! same value alone at every state, and still a set with one is not like a set with both.

use super::combinations::{Labelling, labellings, union};
use super::general::MOST_CLASSES;
use crate::question::QueryError;
use rustc_hash::FxHashMap;
use tertium_check::Word;
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::maximal_sets::ElementSet;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{PartialSystem, PropId};
use tertium_truth::Belnap;

/// The classes of combinations, and which of them each state can have.
#[derive(Debug)]
pub(super) struct Formulas {
    /// The classes, disjoint, each a function of the variables of the propositions.
    pub(super) classes: Vec<Bdd>,
    /// For each state its labelling; `None` for states that cannot be reached.
    pub(super) labelling_of: Vec<Option<u32>>,
    /// For each labelling and each way to complete its open labels: the classes that it then can have.
    completions: Vec<Vec<ElementSet>>,
}

impl Formulas {
    /// The formulas over some propositions, each of which has a variable. Only `valid` combinations are values: no state has any other.
    pub(super) fn new(
        context: &Context,
        manager: &Manager,
        system: &PartialSystem,
        propositions: &[(PropId, Var)],
        valid: &Bdd,
    ) -> Result<Self, QueryError> {
        let (labellings, labelling_of) = labellings(context, system, propositions)?;
        let vars: Vec<Var> = propositions.iter().map(|&(_, var)| var).collect();
        let mut cubes = Vec::new();
        for labels in &labellings {
            context.poll()?;
            let literals = vars.iter().copied().zip(labels).filter(|(_, label)| is_definite(**label));
            cubes.push(Bdd::cube(manager, literals.map(|(var, &label)| (var, label == Belnap::True)))?);
        }
        let own = union(manager, cubes)?.and(valid)?;
        let rest = valid.and(&own.not())?;
        let n_own = own.count(&vars).exact().map(|n| n + u128::from(!rest.is_false()));
        if n_own.is_none_or(|n| n > MOST_CLASSES as u128) {
            return Err(QueryError::TooMany { found: n_own, most: MOST_CLASSES as u128 });
        }
        let mut number_of: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let mut classes = Vec::new();
        let mut numbered = Vec::new();
        for labels in &labellings {
            let mut alternatives: Vec<Vec<usize>> = Vec::new();
            for decided in completions(labels) {
                let mut here = Vec::new();
                for combination in decided {
                    if let Some(&number) = number_of.get(&combination) {
                        here.push(number);
                        continue;
                    }
                    let class = Bdd::cube(manager, vars.iter().copied().zip(combination.iter().copied()))?;
                    if class.and(valid)?.is_false() {
                        continue;
                    }
                    here.push(classes.len());
                    number_of.insert(combination, classes.len());
                    classes.push(class);
                }
                // Labels are not completed to what is no value.
                if !here.is_empty() {
                    alternatives.push(here);
                }
            }
            numbered.push(alternatives);
        }
        if !rest.is_false() {
            classes.push(rest);
        }
        let n = classes.len();
        debug_assert_eq!(Some(n as u128), n_own, "every combination that a state can have is a class");
        let set = |numbers: &Vec<usize>| ElementSet::filter(n, |class| numbers.contains(&class.index()));
        let completions =
            numbered.iter().map(|alternatives| alternatives.iter().map(set).collect()).collect();
        let made = Self { classes, labelling_of, completions };
        debug_assert!(
            made.labelling_of
                .iter()
                .flatten()
                .all(|&labelling| (labelling as usize) < made.completions.len()),
            "every labelling is completed"
        );
        Ok(made)
    }

    /// What sets of classes are at the states: by labelling, in words of 64 sets.
    pub(super) fn words(&self, context: &Context, sets: &[ElementSet]) -> Result<Vec<Vec<Word>>, StopReason> {
        let mut rows = Vec::with_capacity(self.completions.len());
        for alternatives in &self.completions {
            context.poll()?;
            let mut row = vec![Word::default(); sets.len().div_ceil(64)];
            for (at, set) in sets.iter().enumerate() {
                let must = alternatives.iter().all(|classes| !classes.is_disjoint(set));
                let may = alternatives.iter().any(|classes| classes.is_subset(set));
                row[at / 64].must |= u64::from(must) << (at % 64);
                row[at / 64].may |= u64::from(may) << (at % 64);
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

fn is_definite(label: Belnap) -> bool {
    matches!(label, Belnap::True | Belnap::False)
}

/// For each way to complete the open labels the combinations for all ways to decide the contradictory ones.
fn completions(labels: &Labelling) -> Vec<Vec<Vec<bool>>> {
    let start: Vec<bool> = labels.iter().map(|label| *label == Belnap::True).collect();
    let both = |combinations: Vec<Vec<bool>>, place: usize| -> Vec<Vec<bool>> {
        let alternatives = combinations.into_iter().flat_map(|combination| {
            [false, true].map(|value| {
                let mut with = combination.clone();
                with[place] = value;
                with
            })
        });
        alternatives.collect()
    };
    let places = |wanted: Belnap| {
        labels.iter().enumerate().filter(move |(_, label)| **label == wanted).map(|(place, _)| place)
    };
    let completed = places(Belnap::Unknown).fold(vec![start], both);
    completed.into_iter().map(|one| places(Belnap::Inconsistent).fold(vec![one], both)).collect()
}
