//! Steps in compressed rows: one row for each state that was followed, in the order in which that happened.
//!
//! A step is a word, its label and the number of its target, so eight bytes; a row has four more. Words are kept in
//! blocks, so nothing is moved while rows are added.

use crate::store::{BEYOND, Records};
use rustc_hash::FxHashSet;
use std::ops::Range;
use tertium_support::{Context, StopReason};
use tertium_system::StepLabel;

/// The target of steps that were not looked for.
pub(crate) const OPEN: u32 = u32::MAX;
/// Of rows up to this length each step is compared with each.
const SHORT: usize = 12;

/// Where a kept step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To the state with this number.
    State(u32),
    /// To a state that is not kept.
    Beyond,
    /// Steps with this label were not looked for: there may be any number of them, and they may lead anywhere.
    Open,
}

impl Target {
    pub(crate) fn from_raw(raw: u32) -> Self {
        match raw {
            OPEN => Self::Open,
            BEYOND => Self::Beyond,
            number => Self::State(number),
        }
    }
}

/// A step as it is kept.
pub(crate) type RawStep = (StepLabel, u32);

/// The rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// Where each row ends.
    ends: Vec<u32>,
    steps: Records,
    known: FxHashSet<RawStep>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { ends: Vec::new(), steps: Records::new(1), known: FxHashSet::default() }
    }
}

impl Rows {
    /// Adds a row.
    pub(crate) fn push_row(
        &mut self,
        context: &Context,
        row: impl IntoIterator<Item = RawStep>,
    ) -> Result<(), StopReason> {
        for (label, target) in row {
            self.steps.push(context, &[u64::from(label) << 32 | u64::from(target)])?;
        }
        self.ends.push(self.steps.len() as u32);
        Ok(())
    }

    /// Adds a row; steps that it has several times are kept once.
    pub(crate) fn push_set(&mut self, context: &Context, row: &[RawStep]) -> Result<(), StopReason> {
        if row.len() <= SHORT {
            let first = |n: &usize| !row[..*n].contains(&row[*n]);
            return self.push_row(context, (0..row.len()).filter(first).map(|n| row[n]));
        }
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        let pushed = self.push_row(context, row.iter().copied().filter(|&step| known.insert(step)));
        self.known = known;
        pushed
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many steps there are.
    pub(crate) fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The numbers of the steps of a row.
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start as usize..self.ends[row] as usize
    }

    /// The step with a number.
    #[inline]
    pub(crate) fn step(&self, number: usize) -> (StepLabel, Target) {
        let step = self.steps.get(number as u32)[0];
        ((step >> 32) as StepLabel, Target::from_raw(step as u32))
    }

    /// The steps of a row.
    pub(crate) fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (StepLabel, Target)> + '_ {
        self.range(row).map(|number| self.step(number))
    }

    /// Forgets rows after the first ones and steps that belong to no row.
    pub(crate) fn truncate(&mut self, n_rows: usize) {
        self.ends.truncate(n_rows);
        self.steps.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.bytes() + 4 * self.ends.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_testkit::random_cases;

    #[test]
    fn rows_keep_each_step_once_and_in_order() {
        random_cases(50, |rng| {
            let context = Context::default();
            let mut rows = Rows::default();
            let mut right: Vec<Vec<RawStep>> = Vec::new();
            for _ in 0..rng.between(1, 20) {
                let row: Vec<RawStep> =
                    (0..rng.below(40)).map(|_| (rng.below(3) as u32, rng.below(9) as u32)).collect();
                rows.push_set(&context, &row).expect("no limits");
                let mut once = Vec::new();
                row.iter().for_each(|step| {
                    if !once.contains(step) {
                        once.push(*step);
                    }
                });
                right.push(once);
            }
            let left = rng.below(right.len() + 1);
            rows.truncate(left);
            rows.push_row(&context, [(7, OPEN), (7, BEYOND)]).expect("no limits");
            for (n, row) in right[..left].iter().enumerate() {
                let own: Vec<_> = row.iter().map(|&(label, to)| (label, Target::from_raw(to))).collect();
                assert_eq!(rows.row(n).collect::<Vec<_>>(), own);
            }
            assert_eq!(rows.row(left).collect::<Vec<_>>(), [(7, Target::Open), (7, Target::Beyond)]);
            assert_eq!(rows.len(), left + 1);
        });
    }
}
