//! The strongest solutions of a query about an explicit system among all propositional formulas over its propositions, or the weakest.
//!
//! A formula is the set of its combinations, and as far as the system can tell a set of classes of them. Where the labels of a state are open, it
//! is true there if all combinations that the state may have are in the set, and false if none is; that does not depend on how the
//! formula is written. Positive queries grow with the set: the strongest solutions are its smallest sets, and complements of largest ones; negative
//! queries shrink, and the weakest solutions are the largest sets. These are found by asking (`border`).

use super::border::{Set, largest_sets};
use super::combinations::{Combinations, Table, union};
use super::question::ExplicitQuestion;
use crate::form::{Direction, direction};
use crate::question::QueryError;
use tertium_check::{Further, FurtherValues, Word, check_instances};
use tertium_dd::Bdd;
use tertium_support::{Id, StopReason};
use tertium_system::StateId;
use tertium_truth::Verdict;

/// More classes of combinations than this are refused.
pub const MOST_CLASSES: usize = 64;

/// The strongest or the weakest solutions.
#[derive(Clone, Debug)]
pub struct ExplicitExtremes {
    /// Growing: these are the strongest solutions. Shrinking: the weakest.
    pub direction: Direction,
    /// The solutions, each as a set of combinations.
    pub definite: Vec<Bdd>,
    /// The extreme ones among definite and possible solutions that are only possible.
    pub possible: Vec<Bdd>,
    /// Whether there are more.
    pub is_cut: bool,
}

impl ExplicitQuestion<'_> {
    /// The extreme solutions at all initial states, at most `most` of them.
    pub fn solve_generally(&self, most: usize) -> Result<ExplicitExtremes, QueryError> {
        let direction = direction(self.formula, self.placeholder);
        if direction == Direction::Neither {
            return Err(QueryError::WrongDirection(direction));
        }
        let valid = self.valid(&self.columns)?;
        let combinations =
            Combinations::new(self.context, self.prepared.system(), &self.propositions, &valid)?;
        let n = combinations.classes.len();
        if n > MOST_CLASSES {
            return Err(QueryError::TooMany { found: Some(n as u128), most: MOST_CLASSES as u128 });
        }
        let find = |is_solution: fn(Verdict) -> bool| {
            largest_sets(n, most, |sets: &[Set]| {
                let meant: Vec<Set> = match direction {
                    Direction::Growing => sets.iter().map(Set::complement).collect(),
                    _ => sets.to_vec(),
                };
                let verdicts = self.verdicts(&combinations, &meant)?;
                Ok::<_, StopReason>(verdicts.into_iter().map(is_solution).collect())
            })
        };
        let (definite, complete) = find(|verdict| verdict == Verdict::True)?;
        let (mut possible, all_possible) = find(|verdict| verdict != Verdict::False)?;
        possible.retain(|set| !definite.iter().any(|own| set.is_subset(own)));
        let members = |set: &Set| {
            let set = if direction == Direction::Growing { set.complement() } else { set.clone() };
            union(
                &self.manager,
                set.iter().map(|class| combinations.classes[class.index()].members.clone()).collect(),
            )
        };
        Ok(ExplicitExtremes {
            direction,
            definite: definite.iter().map(members).collect::<Result<_, StopReason>>()?,
            possible: possible.iter().map(members).collect::<Result<_, StopReason>>()?,
            is_cut: !complete || !all_possible,
        })
    }

    /// The verdicts with sets of classes for the placeholder.
    fn verdicts(&self, combinations: &Combinations, sets: &[Set]) -> Result<Vec<Verdict>, StopReason> {
        let (table, n) = (&combinations.table, combinations.classes.len());
        let rows: Vec<Vec<Word>> =
            (0..table.n_labellings()).map(|labelling| words(table, n, labelling, sets)).collect();
        let word = |state: StateId, number: usize| {
            table.labelling(state).map_or(Word::default(), |labelling| rows[labelling][number])
        };
        let further = [Further { name: self.placeholder.to_owned(), values: FurtherValues::ByState(&word) }];
        let instances = check_instances(self.context, self.prepared, self.formula, &further, sets.len())?;
        Ok((0..sets.len()).map(|at| instances.verdict(at)).collect())
    }
}

/// For each set whether it must hold, and whether it may, where the labels are these.
fn words(table: &Table, n: usize, labelling: usize, sets: &[Set]) -> Vec<Word> {
    let values: Vec<(bool, bool)> = (0..n).map(|class| table.value(labelling, class)).collect();
    let is_some = values.iter().any(|&(_, may)| may);
    let mut words = vec![Word::default(); sets.len().div_ceil(64)];
    for (at, set) in sets.iter().enumerate() {
        let may = set.iter().any(|class| values[class.index()].1);
        let all = set.complement().iter().all(|class| !values[class.index()].1);
        let must = set.iter().any(|class| values[class.index()].0) || is_some && all;
        words[at / 64].must |= u64::from(must) << (at % 64);
        words[at / 64].may |= u64::from(may) << (at % 64);
    }
    words
}
