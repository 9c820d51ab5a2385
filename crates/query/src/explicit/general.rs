//! The strongest solutions of a query about an explicit system among all propositional formulas over its propositions, or the weakest.
//!
//! A formula is the set of its combinations, and its value at a state does not depend on how it is written
//! (`formulas`). Positive queries grow with the set: the strongest solutions are its smallest sets, and complements of
//! largest ones; negative queries shrink, and the weakest solutions are the largest sets. These are found by asking
//! (`support::maximal_sets`).
//!
//! A set is a definite solution if the formula is true with it at every initial state, and possible if it is false at none. Both
//! families are closed, contradictory labels or not.

use super::AT_ONCE;
use super::combinations::union;
use super::formulas::Formulas;
use super::question::ExplicitQuestion;
use crate::form::{Direction, direction};
use crate::question::QueryError;
use std::cell::Cell;
use tertium_check::{Further, FurtherValues, Word, check_instances};
use tertium_dd::Bdd;
use tertium_support::maximal_sets::{ElementSet, maximal_sets};
use tertium_support::{Id, StopReason};
use tertium_system::StateId;
use tertium_truth::{Belnap, Cause, Verdict};

/// More classes of combinations than this are refused.
pub const MOST_CLASSES: usize = 64;

/// The strongest or the weakest solutions.
#[derive(Clone, Debug)]
pub struct ExplicitExtremes {
    /// Whether there is a solution.
    pub verdict: Verdict,
    /// Growing: these are the strongest solutions. Shrinking: the weakest.
    pub direction: Direction,
    /// The solutions, each as a set of combinations.
    pub definite: Vec<Bdd>,
    /// Whether there are more of them.
    pub is_cut: bool,
    /// The extreme ones among definite and possible solutions that are only possible.
    pub possible: Vec<Bdd>,
    /// Whether there may be more of them.
    pub is_possible_cut: bool,
}

impl ExplicitQuestion<'_> {
    /// The extreme solutions at all initial states, at most `most` definite and `most` possible ones.
    pub fn solve_generally(&self, most: usize) -> Result<ExplicitExtremes, QueryError> {
        let direction = direction(self.formula, self.placeholder);
        if direction == Direction::Neither {
            return Err(QueryError::WrongDirection(direction));
        }
        let system = self.prepared.system();
        let valid = self.valid(&self.columns)?;
        let formulas = Formulas::new(self.context, &self.manager, system, &self.propositions, &valid)?;
        let meant = |set: &ElementSet| match direction {
            Direction::Growing => set.complement(),
            _ => set.clone(),
        };
        let contradiction = Cell::new(false);
        let ask = |sets: &[ElementSet]| {
            let values = self.values(&formulas, &sets.iter().map(meant).collect::<Vec<ElementSet>>())?;
            let seen = values.iter().flatten().any(|&value| value == Belnap::Inconsistent);
            contradiction.set(contradiction.get() || seen);
            Ok::<_, StopReason>(values)
        };
        let find = |is_solution: fn(&[Belnap]) -> bool| {
            maximal_sets(formulas.classes.len(), most.max(1), AT_ONCE, |sets: &[ElementSet]| {
                Ok::<_, StopReason>(ask(sets)?.iter().map(|values| is_solution(values)).collect())
            })
        };
        let is_definite = |values: &[Belnap]| values.iter().all(|&value| value == Belnap::True);
        let (mut definite, complete) = find(is_definite)?;
        let (found, all_possible) = find(|values| !values.contains(&Belnap::False))?;
        let values = ask(&found)?;
        let open = found.into_iter().zip(values).filter(|(_, values)| !is_definite(values));
        let mut possible: Vec<ElementSet> = open.map(|(set, _)| set).collect();
        let verdict = match (definite.is_empty(), possible.is_empty(), contradiction.get()) {
            (false, ..) => Verdict::True,
            // As for properties, nothing is concluded from a contradiction.
            (_, _, true) => Verdict::Unknown(Cause::Inconsistent),
            (_, false, _) => Verdict::Unknown(Cause::Imprecise),
            _ => Verdict::False,
        };
        let is_cut = !complete || definite.len() > most;
        let is_possible_cut = !all_possible || possible.len() > most;
        definite.truncate(most);
        possible.truncate(most);
        let members = |set: &ElementSet| {
            let members = meant(set).iter().map(|class| formulas.classes[class.index()].clone()).collect();
            union(&self.manager, members)
        };
        Ok(ExplicitExtremes {
            verdict,
            direction,
            definite: definite.iter().map(members).collect::<Result<_, StopReason>>()?,
            is_cut,
            possible: possible.iter().map(members).collect::<Result<_, StopReason>>()?,
            is_possible_cut,
        })
    }

    /// The values at the initial states with sets of classes for the placeholder.
    fn values(&self, formulas: &Formulas, sets: &[ElementSet]) -> Result<Vec<Vec<Belnap>>, StopReason> {
        let rows = formulas.words(self.context, sets)?;
        let labelling_of = &formulas.labelling_of;
        let word = |state: StateId, number: usize| {
            labelling_of[state.index()].map_or(Word::default(), |labelling| rows[labelling as usize][number])
        };
        let further = [Further { name: self.placeholder.to_owned(), values: FurtherValues::ByState(&word) }];
        let instances = check_instances(self.context, self.prepared, self.formula, &further, sets.len())?;
        let n_initial = self.prepared.system().initial().len();
        let at = |instance: usize| (0..n_initial).map(|number| instances.at(number, instance)).collect();
        Ok((0..sets.len()).map(at).collect())
    }
}
